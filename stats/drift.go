package stats

import (
	"math"
	"slices"
)

// trendPoints caps the cost of Drift: 200 points have 19,900 slopes.
const trendPoints = 200

// Drift reports whether xs moves over time. change is the relative change from
// its start to its end, never below −1; 0.05 is 5 % up. It is the median of all
// slopes between the logarithms of two points, times the length: the same of the
// points themselves, over their median, was −147 % for times that fell to a sixth.
// Where a point is not above 0, it is that of the points themselves, and at least −1.
// significant reports whether the trend would arise in at most 1 % of series without
// one.
//
// xs holds block medians in the order in which they were taken. Series beyond
// 200 points are folded into medians of neighbours first. Fewer than six
// points are never significant, fewer than two and a median of 0 have no
// relative change: both give 0, false.
//
// Sources: H. B. Mann, Nonparametric tests against trend, Econometrica 13
// (1945); P. K. Sen, Estimates of the regression coefficient based on
// Kendall's tau, JASA 63 (1968); variance with ties from M. G. Kendall, Rank
// Correlation Methods, 4th ed., §4.
func Drift(xs []float64) (change float64, significant bool) {
	middle := Median(xs)
	if len(xs) < 2 || middle == 0 {
		return 0, false
	}
	points := fold(xs, trendPoints)
	steps := float64(len(points) - 1)
	if logs, ok := logarithms(points); ok {
		change = math.Expm1(theilSen(logs) * steps)
	} else {
		change = max(-1, theilSen(points)*steps/middle)
	}
	// 2.5758 is the 99.5 % point of the normal distribution; with six points
	// or more the approximation is within a tenth of the exact 1 %.
	return change, len(xs) >= 6 && math.Abs(mannKendall(points)) > 2.5758
}

// logarithms of xs, false if one of them is not above 0.
func logarithms(xs []float64) ([]float64, bool) {
	logs := make([]float64, len(xs))
	for i, x := range xs {
		if !positive(x) {
			return nil, false
		}
		logs[i] = math.Log(x)
	}
	return logs, true
}

// fold gives the medians of at most limit stretches of xs, the lengths of which
// differ by one at most.
func fold(xs []float64, limit int) []float64 {
	if len(xs) <= limit {
		return xs
	}
	folded := make([]float64, limit)
	for i := range folded {
		folded[i] = Median(xs[i*len(xs)/limit : (i+1)*len(xs)/limit])
	}
	return folded
}

// theilSen is the median slope between any two points, per step.
func theilSen(xs []float64) float64 {
	slopes := make([]float64, 0, len(xs)*(len(xs)-1)/2)
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			slopes = append(slopes, (xs[j]-xs[i])/float64(j-i))
		}
	}
	slices.Sort(slopes)
	return medianSorted(slopes)
}

// mannKendall is the trend statistic as a standard normal deviate, with ties
// taken out of its variance and the continuity correction.
func mannKendall(xs []float64) float64 {
	s := 0
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			s += sign(xs[j] - xs[i])
		}
	}
	variance := kendallVariance(len(xs))
	for _, ties := range tieLengths(xs) {
		variance -= kendallVariance(ties)
	}
	if s == 0 || variance <= 0 {
		return 0
	}
	return float64(s-sign(float64(s))) / math.Sqrt(variance)
}

func kendallVariance(n int) float64 { return float64(n) * float64(n-1) * float64(2*n+5) / 18 }

func tieLengths(xs []float64) []int {
	var lengths []int
	s := sorted(xs)
	for start := 0; start < len(s); {
		end := start + 1
		for end < len(s) && s[end] == s[start] {
			end++
		}
		lengths = append(lengths, end-start)
		start = end
	}
	return lengths
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
