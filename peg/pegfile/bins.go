package pegfile

import (
	"cmp"
	"math"
	"slices"
)

// BinSteps is the number of bins of an octave: a bin is at most 1/16 of its lower bound
// wide, so that a percentile is known to 6 %.
const BinSteps = 16

// BinOf returns the bin of the protocol's layout that contains a time: one for all below a
// nanosecond, then equal steps in each octave.
func BinOf(ns float64) (low, high float64) {
	if ns < 1 {
		return 0, 1
	}
	_, exp := math.Frexp(ns)
	octave := math.Ldexp(1, exp-1)
	step := octave / BinSteps
	low = octave + step*math.Floor((ns-octave)/step)
	return low, low + step
}

// joinBins returns the sum of two ascending histograms. If bins overlap without being
// equal, the programs use different layouts; then each bin goes as a whole to the
// protocol's bin that contains its middle, since its times are not known one by one.
func joinBins(a, b []Bin) []Bin {
	if joined, same := zipBins(a, b); same {
		return joined
	}
	all := slices.Concat(a, b)
	joined, apart := addBins(all)
	if apart {
		return joined
	}
	for i := range all {
		all[i].Low, all[i].High = BinOf((all[i].Low + all[i].High) / 2)
	}
	joined, _ = addBins(all)
	return joined
}

// zipBins returns the sum of two ascending histograms with the same layout; same is false
// if bins overlap. It is the fast path for the lanes of one program, which all have one
// layout: there may be ten thousand of them.
func zipBins(a, b []Bin) (joined []Bin, same bool) {
	joined = make([]Bin, 0, max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Low == b[0].Low && a[0].High == b[0].High:
			joined = append(joined, Bin{a[0].Low, a[0].High, plus(a[0].Count, b[0].Count)})
			a, b = a[1:], b[1:]
		case a[0].High <= b[0].Low:
			joined, a = append(joined, a[0]), a[1:]
		case b[0].High <= a[0].Low:
			joined, b = append(joined, b[0]), b[1:]
		default:
			return nil, false
		}
	}
	return slices.Concat(joined, a, b), true
}

// addBins sorts bins, puts equal ones together, and reports whether the rest do not overlap.
func addBins(bins []Bin) (joined []Bin, apart bool) {
	slices.SortFunc(bins, func(a, b Bin) int { return cmp.Or(cmp.Compare(a.Low, b.Low), cmp.Compare(a.High, b.High)) })
	apart = true
	for _, b := range bins {
		last := len(joined) - 1
		switch {
		case last >= 0 && joined[last].Low == b.Low && joined[last].High == b.High:
			joined[last].Count = plus(joined[last].Count, b.Count)
			continue
		case last >= 0 && b.Low < joined[last].High:
			apart = false
		}
		joined = append(joined, b)
	}
	return joined, apart
}

// mostCount is the greatest count of a document: every number of JSON up to here is exact.
const mostCount = 1 << 53

// plus adds counts, which never wrap around.
func plus(a, b uint64) uint64 {
	if sum := a + b; sum >= a && sum <= math.MaxInt64 {
		return sum
	}
	return math.MaxInt64
}
