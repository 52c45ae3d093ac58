// Package stats turns samples into medians, intervals and sequential evidence.
// It takes float64s and returns float64s in the unit of the samples; it knows
// nothing of cases, clocks or gates and imports the standard library only.
//
// No function modifies its input. The order of the input matters only if the
// function's comment mentions it. Input that is sorted already is cheap: pdqsort
// recognises it in one pass, so a caller of many quantiles may sort first.
//
// Samples are finite numbers. NaN is not looked for: it sorts below every
// number, makes means NaN, and never causes a panic. For an empty input a
// function returns ErrTooFew if it has an error result, else 0.
package stats

import (
	"embed"
	"math"
	"slices"
)

// Median returns the middle sample of xs, or the mean of the two middle ones if
// their number is even, in the unit of xs; 0 for an empty xs.
func Median(xs []float64) float64 { return medianSorted(sorted(xs)) }

// Mean returns the arithmetic mean of xs in the unit of xs; 0 for an empty xs.
func Mean(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// StdDev returns the sample standard deviation of xs (divisor n−1) in the unit
// of xs; 0 for fewer than two samples.
//
// The two-pass form is used: samples of 1 ms that differ by nanoseconds would
// cancel in the difference of squares.
func StdDev(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	mean, sum := Mean(xs), 0.0
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(xs)-1))
}

// MAD returns the median absolute deviation of xs from its median in the unit
// of xs, raw: not multiplied by 1.4826; 0 for an empty xs.
//
// Source: F. R. Hampel, The influence curve and its role in robust estimation,
// JASA 69 (1974).
func MAD(xs []float64) float64 {
	middle := Median(xs)
	away := make([]float64, len(xs))
	for i, x := range xs {
		away[i] = math.Abs(x - middle)
	}
	slices.Sort(away)
	return medianSorted(away)
}

// Quantile returns the p-quantile of xs in the unit of xs, interpolated so
// that it is approximately median-unbiased whatever the distribution. p is
// clipped to [0, 1], and the result to the range of xs; it is 0 for an empty xs.
//
// Source: R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages,
// The American Statistician 50 (1996), definition 8.
func Quantile(xs []float64, p float64) float64 { return quantileSorted(sorted(xs), p) }

// Outliers counts the samples beyond Tukey's fences: below Q1 − 1.5 IQR and
// above Q3 + 1.5 IQR, with the quartiles that Quantile returns. Fewer than four
// samples have none.
//
// Source: J. W. Tukey, Exploratory Data Analysis (1977), §2D.
func Outliers(xs []float64) (low, high int) {
	if len(xs) < 4 {
		return 0, 0
	}
	s := sorted(xs)
	q1, q3 := quantileSorted(s, 0.25), quantileSorted(s, 0.75)
	fence := 1.5 * (q3 - q1)
	for _, x := range s {
		if x < q1-fence {
			low++
		}
		if x > q3+fence {
			high++
		}
	}
	return low, high
}

func sorted(xs []float64) []float64 {
	s := slices.Clone(xs)
	slices.Sort(s)
	return s
}

func medianSorted(s []float64) float64 {
	n := len(s)
	switch {
	case n == 0:
		return 0
	case n%2 == 1:
		return s[n/2]
	}
	// Halves first: the sum of two large samples could overflow.
	return s[n/2-1]/2 + s[n/2]/2
}

func quantileSorted(s []float64, p float64) float64 {
	n := len(s)
	if n == 0 {
		return 0
	}
	rank := (float64(n)+1.0/3)*p + 1.0/3 // from 1
	if !(rank > 1) {
		return s[0]
	}
	if rank >= float64(n) {
		return s[n-1]
	}
	below := math.Floor(rank)
	at, next := s[int(below)-1], s[int(below)]
	if rank-below < 1e-9 || next == at {
		return at // next − at would be NaN for two equal infinities
	}
	return at + (rank-below)*(next-at)
}

// Source contains the files of this package. A host built elsewhere includes them, so
// that it computes as this program does.
//
//go:embed *.go
var Source embed.FS
