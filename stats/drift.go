package stats

import (
	"math"
	"slices"
)

// trendPoints caps the cost of Drift: 200 points have 19,900 slopes.
const trendPoints = 200

// Drift reports whether xs moves over time. change is the relative change from
// its start to its end, never below −1; 0.05 is 5 % up. significant reports whether
// the trend would arise in at most 1 % of series without a trend.
//
// The change is the median slope between the logarithms of any two points, times
// the length: slopes of the points themselves, over their median, were −147 % for
// times that fell to a sixth. Only if a point is not above 0 are they used, and the
// change is cut at −1.
//
// xs contains block medians in the order in which they were taken. A series of more
// than 200 points is folded into medians of neighbours first. Fewer than six
// points are never significant. Fewer than two points, or a median of 0, have no
// relative change, and Drift returns 0 and false.
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
	// 2.5758 is the 99.5 % point of the normal distribution; from six points on
	// the chance of a false trend is within a tenth of 1 %.
	return change, len(xs) >= 6 && math.Abs(mannKendall(points)) > 2.5758
}

// DriftInterval returns the relative change of xs from its start to its end, as Drift does,
// and bounds that contain it with probability conf, in (0, 1), as long as the points are
// independent apart from the trend. It is the median, and two other order statistics, of the
// slopes between the logarithms of any two points, times the length.
//
// The error is ErrTooFew if there are fewer than six points, or too few for conf, or if one of
// them is not above 0. Series of more than 200 points are folded, as in Drift.
//
// Source: P. K. Sen (1968), as for Drift.
func DriftInterval(xs []float64, conf float64) (low, change, high float64, err error) {
	points := fold(xs, trendPoints)
	logs, ok := logarithms(points)
	if !ok || len(xs) < 6 {
		return 0, 0, 0, ErrTooFew
	}
	slopes := sortedSlopes(logs)
	width := math.Sqrt2 * math.Erfinv(conf) * math.Sqrt(concordanceVariance(logs))
	first := int(math.Floor((float64(len(slopes)) - width) / 2)) // slopes that are left out below, and above
	if first < 1 {
		return 0, 0, 0, ErrTooFew
	}
	total := func(slope float64) float64 { return math.Expm1(slope * float64(len(logs)-1)) }
	return total(slopes[first-1]), total(medianSorted(slopes)), total(slopes[len(slopes)-first]), nil
}

// logarithms is false if an element is not above 0.
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

// fold shortens xs to the medians of limit stretches, whose lengths differ by at most
// one. A series that is no longer than limit stays as it is.
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
func theilSen(xs []float64) float64 { return medianSorted(sortedSlopes(xs)) }

// sortedSlopes returns the slopes between any two points, per step, in ascending order.
func sortedSlopes(xs []float64) []float64 {
	slopes := make([]float64, 0, len(xs)*(len(xs)-1)/2)
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			slopes = append(slopes, (xs[j]-xs[i])/float64(j-i))
		}
	}
	slices.Sort(slopes)
	return slopes
}

// mannKendall is the trend statistic as a standard normal deviate, with a variance
// corrected for ties and with the continuity correction.
func mannKendall(xs []float64) float64 {
	s := 0
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			s += sign(xs[j] - xs[i])
		}
	}
	variance := concordanceVariance(xs)
	if s == 0 || variance <= 0 {
		return 0
	}
	return float64(s-sign(float64(s))) / math.Sqrt(variance)
}

// concordanceVariance is the variance of the number of rising pairs of points less the number
// of falling ones, if the order of xs is random.
func concordanceVariance(xs []float64) float64 {
	variance := kendallVariance(len(xs))
	for _, ties := range tieLengths(xs) {
		variance -= kendallVariance(ties)
	}
	return variance
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
