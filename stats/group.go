package stats

import (
	"math"
	"slices"
)

// Group summarises the pairs of one launch, or of one setup of both sides. However
// many pairs it has, it is one observation, because all of them share what the group
// drew by chance, such as its memory addresses.
type Group struct {
	Ratio       float64 // median log ratio of the pairs used; with UseMiddle, the middle of three
	First, Last int     // indices of its pairs, the last one included
	Used        int     // number of pairs used
	Why         Use
	Counts      []bool // for each of its pairs, in order: whether it is used
}

// Times are what both sides of pairs took, in the order of the pairs. All lists have one length.
type Times struct {
	Base, Own       []float64 // wall time
	BaseCPU, OwnCPU []float64 // CPU time
}

// Groups returns a Group for each run of equal numbers in group, in order.
// logRatios, pairs and group have one length and one order, and so have times.
//
// If times is not nil, a group of a busy machine has the middle of three ratios: the median of the pairs used, the
// median of the CPU times of all pairs, and the fastest batch of each side. Other work makes batches longer, and the
// fastest has least of that; what waits for a CPU uses none of it. Each of them alone may miss a change: the fastest
// that of a body that is slow in some batches only, CPU time that of a body that waits. Exchanging the sides of any
// pair exchanges what the ratio may be for what it may be the other way round, as with the median.
func Groups(logRatios []float64, pairs []Disturbed, group []int, times *Times) (all []Group) {
	for start := 0; start < len(group); {
		end := runEnd(group, start)
		g := Group{First: start, Last: end - 1}
		g.Counts, g.Why = setAside(pairs[start:end])
		g.Ratio, g.Used = medianOf(logRatios[start:end], g.Counts)
		if times != nil && isBusy(pairs[start:end]) {
			ratio := middle(g.Ratio, times.fastest(start, end), times.cpu(start, end))
			if finite(ratio) == nil { // else no CPU time is known
				g.Ratio, g.Why, g.Used = ratio, UseMiddle, end-start
				for i := range g.Counts {
					g.Counts[i] = true
				}
			}
		}
		all, start = append(all, g), end
	}
	return all
}

func middle(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// fastest returns the log ratio of the fastest batches in pairs start to end.
func (t *Times) fastest(start, end int) float64 {
	return math.Log(slices.Min(t.Own[start:end]) / slices.Min(t.Base[start:end]))
}

// cpu returns the median log ratio of the CPU times in pairs start to end, NaN if none is known.
func (t *Times) cpu(start, end int) float64 {
	logs := make([]float64, 0, end-start)
	for i := start; i < end; i++ {
		if log := math.Log(t.OwnCPU[i] / t.BaseCPU[i]); finite(log) == nil {
			logs = append(logs, log)
		}
	}
	if len(logs) == 0 {
		return math.NaN()
	}
	return Median(logs)
}

// Merge joins the groups that share a draw, such as the launches of one layout, into one
// observation: the mean of their ratios. The effect of the draw is the same in all of them, so
// they are not independent. draw contains the number of each group's draw, non-decreasing;
// groups and draw have one length.
func Merge(groups []Group, draw []int) (all []Group) {
	for start := 0; start < len(groups); {
		end := runEnd(draw, start)
		joined, sum := groups[start], 0.0
		joined.Counts = slices.Clone(joined.Counts)
		for i, g := range groups[start:end] {
			sum += g.Ratio
			if i == 0 {
				continue
			}
			joined.Last = g.Last
			joined.Used += g.Used
			joined.Counts = append(joined.Counts, g.Counts...)
			joined.Why = max(joined.Why, g.Why)
		}
		joined.Ratio = sum / float64(end-start)
		all, start = append(all, joined), end
	}
	return all
}

// RangeBetween estimates how far one side moves by what groups draw by chance, as a log
// ratio: the range of about twenty draws, which is four standard deviations. It is 0 if
// the ratios of groups vary no more than the noise within groups explains, and for fewer
// than eight groups. logRatios contains all pairs of all groups.
//
// A group's ratio is the median of n pairs, so noise of standard deviation s within the
// group adds a variance of π/2·s²/n. Both variances are estimated from median absolute
// deviations, which vary as much as variances of a sample 0.37 times as large. The rest is
// the variance of two sides, half of it for each.
func RangeBetween(logRatios []float64, groups []Group) float64 {
	if len(groups) < 8 {
		return 0
	}
	ratios, noise := make([]float64, len(groups)), make([]float64, len(groups))
	var used []float64
	for i, g := range groups {
		used = used[:0]
		for row, counts := range g.Counts {
			if counts {
				used = append(used, logRatios[g.First+row])
			}
		}
		s := normal * MAD(used)
		ratios[i], noise[i] = g.Ratio, math.Pi/2*s*s/float64(max(len(used), 1))
	}
	all, within := normal*MAD(ratios), Median(noise)
	if chance := 1 + 2*math.Sqrt(2/(0.37*float64(len(groups)-1))); all*all <= within*chance {
		return 0
	}
	return 4 * math.Sqrt((all*all-within)/2)
}

// normal is the ratio of standard deviation to median absolute deviation in normal noise.
const normal = 1.4826
