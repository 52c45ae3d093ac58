package stats

import (
	"math"
	"slices"
)

// Group is what the pairs of one group say: those that belong to one launch, or
// to one set-up of both sides. However many there are, they are one piece of
// evidence, because what the group has drawn by chance (where its memory lies)
// is in all of them.
type Group struct {
	Ratio       float64 // median log ratio of the pairs used
	First, Last int     // rows, the last one included
	Used        int     // pairs of it
	Why         Use
	Counts      []bool // which of its pairs are used, in order
}

// Groups cuts pairs where their group changes and gives the one number of each.
// logRatios, pairs and group are in the order of the pairs and of one length.
func Groups(logRatios []float64, pairs []Disturbed, group []int) (all []Group) {
	for start := 0; start < len(group); {
		end := runEnd(group, start)
		g := Group{First: start, Last: end - 1}
		g.Ratio, g.Used, g.Why = LaunchMedian(logRatios[start:end], pairs[start:end])
		g.Counts, _ = setAside(pairs[start:end])
		all, start = append(all, g), end
	}
	return all
}

// Merge joins groups that share a draw, such as launches of one layout, to one observation:
// the mean of their ratios. draw says which draw each group belongs to, in order and
// non-decreasing; groups and draw are of one length. However many groups share a draw, what it
// decides is the same in all of them.
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

// RangeBetween estimates by how much what groups draw by chance makes a side differ, as a
// log ratio: the range that about twenty draws of one side span, four standard deviations. It
// is 0 if the ratios of groups vary no more than the noise within them explains, and for
// fewer than eight groups. logRatios are those of all pairs.
//
// A group's ratio is the median of n pairs, so noise of standard deviation s within the
// group gives it a variance of π/2·s²/n; both are estimated from median absolute deviations,
// whose variance is that of a sample 0.37 times as large. What is left is that of two sides.
func RangeBetween(logRatios []float64, groups []Group) float64 {
	if len(groups) < 8 {
		return 0
	}
	ratios, noise := make([]float64, len(groups)), make([]float64, len(groups))
	for i, g := range groups {
		var used []float64
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

// normal is the standard deviation of normal noise over its median absolute deviation.
const normal = 1.4826
