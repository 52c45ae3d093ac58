package arcs

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/result"
)

// joined returns the sum of one or more arcs. From and Lane are empty if they differ.
func joined(parts []*result.Arc) result.Arc {
	sum := *parts[0]
	if len(parts) == 1 {
		return sum
	}
	sum.Histogram = slices.Clone(sum.Histogram)
	all := isBinned(parts[0])
	for _, a := range parts[1:] {
		all = all && isBinned(a)
		addArc(&sum, a)
	}
	sum.Histogram = merged(sum.Histogram)
	if !all {
		sum.Histogram = nil
	}
	SetPercentiles(&sum)
	return sum
}

// SetPercentiles computes the percentiles of an arc from its histogram. An arc without one has none.
func SetPercentiles(a *result.Arc) {
	a.P50, a.P90, a.P99 = nil, nil, nil
	if len(a.Histogram) == 0 {
		return
	}
	at := func(q float64) *float64 {
		x := Percentile(a.Histogram, q, a.Min, a.Max)
		return &x
	}
	a.P50, a.P90, a.P99 = at(0.5), at(0.9), at(0.99)
}

// isBinned reports whether the histogram of an arc contains all of its times. It is true
// for an arc without any.
func isBinned(a *result.Arc) bool { return a.Count == 0 || len(a.Histogram) > 0 }

func addArc(sum, a *result.Arc) {
	if sum.From != a.From {
		sum.From = Outermost
	}
	if sum.Lane != a.Lane {
		sum.Lane = ""
	}
	if a.Count == 0 {
		return
	}
	if sum.Count == 0 {
		sum.Min, sum.Max = a.Min, a.Max
	}
	squares := squares(sum) + squares(a) + between(sum, a)
	sum.Count = sum.Count + a.Count
	sum.Sum = sum.Sum + a.Sum
	sum.Zero = sum.Zero + a.Zero
	sum.Min, sum.Max = min(sum.Min, a.Min), max(sum.Max, a.Max)
	sum.Residue = max(sum.Residue, a.Residue)
	sum.Overlap = max(sum.Overlap, a.Overlap)
	sum.Mean, sum.StdDev = sum.Sum/float64(sum.Count), 0
	if sum.Count > 1 {
		sum.StdDev = math.Sqrt(squares / float64(sum.Count-1))
	}
	sum.Histogram = append(sum.Histogram, a.Histogram...)
}

// squares returns the sum of the squared deviations of an arc's times from their mean.
func squares(a *result.Arc) float64 {
	return a.StdDev * a.StdDev * max(0, float64(a.Count-1))
}

// between returns what the distance between two means adds to the sum of squared
// deviations of the joined arc.
//
// Source: T. F. Chan, G. H. Golub, R. J. LeVeque, Updating formulae and a pairwise
// algorithm for computing sample variances, 1979, (1.5b).
func between(a, b *result.Arc) float64 {
	if a.Count == 0 || b.Count == 0 {
		return 0
	}
	m := float64(a.Count)
	n := float64(b.Count)
	apart := b.Mean - a.Mean
	return apart * apart * m * n / (m + n)
}

// merged sorts bins in place and adds up bins with the same bounds.
func merged(bins []result.ArcBin) []result.ArcBin {
	slices.SortStableFunc(bins,
		func(a, b result.ArcBin) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	out := bins[:0]
	for _, b := range bins {
		if n := len(out); n > 0 && out[n-1][0] == b[0] && out[n-1][1] == b[1] {
			out[n-1][2] += b[2]
			continue
		}
		out = append(out, b)
	}
	return out
}

// Percentile returns the time, in the unit of bins, that the share q of a histogram's times
// does not exceed. It assumes that times are evenly spread within a bin, so its error is at
// most the width of a bin; the result is between least and greatest. bins ascend and
// contain at least one time; q is in [0, 1].
func Percentile(bins []result.ArcBin, q, least, greatest float64) float64 {
	total := 0.0
	for _, b := range bins {
		total += b[2]
	}
	rank := q * total
	for _, b := range bins {
		if rank <= b[2] {
			return min(max(b[0]+(b[1]-b[0])*rank/b[2], least), greatest)
		}
		rank -= b[2]
	}
	return greatest
}
