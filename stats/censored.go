package stats

import (
	"math"
	"slices"
)

// Censored are samples of which some are known only to lie between two ends, such
// as the times of programs that were killed before they had finished. Low and
// High have as many elements, in the same order, Low[i] ≤ High[i]; they are alike
// where a sample is known, and High[i] is +Inf where nothing is known to be above
// it. Neither holds NaN, and Low no infinity.
//
// Its methods give what a statistic of the samples may be at least and at most,
// in their unit: the two are alike where what is unknown does not matter. An order
// statistic grows with every sample, so its ends are those of Low and of High; for
// deviations the comment says how they are found.
type Censored struct{ Low, High []float64 }

// Median is the middle of the samples.
func (c Censored) Median() (low, high float64) { return Median(c.Low), Median(c.High) }

// Mean is their arithmetic mean.
func (c Censored) Mean() (low, high float64) { return Mean(c.Low), Mean(c.High) }

// Quantile is their p-quantile, as the function of that name defines it.
func (c Censored) Quantile(p float64) (low, high float64) {
	return Quantile(c.Low, p), Quantile(c.High, p)
}

// Min is the least of them, 0 of none.
func (c Censored) Min() (low, high float64) {
	if len(c.Low) == 0 {
		return 0, 0
	}
	return slices.Min(c.Low), slices.Min(c.High)
}

// Max is the greatest of them, 0 of none.
func (c Censored) Max() (low, high float64) {
	if len(c.Low) == 0 {
		return 0, 0
	}
	return slices.Max(c.Low), slices.Max(c.High)
}

// StdDev is the sample standard deviation. It is least where each sample is as
// near to the mean as it may be, and that mean is found by going there: the
// variance is convex in the samples, and every step lowers it. Its upper end is
// +Inf unless every sample is known.
func (c Censored) StdDev() (low, high float64) {
	xs, middle := slices.Clone(c.Low), Mean(c.Low)
	for range nearest {
		for i := range xs {
			xs[i] = min(max(middle, c.Low[i]), c.High[i])
		}
		moved := Mean(xs)
		if moved == middle {
			break
		}
		middle = moved
	}
	low = StdDev(xs)
	if slices.Equal(c.Low, c.High) {
		return low, low
	}
	return low, math.Inf(1)
}

// nearest bounds the steps of StdDev. Each leaves of the distance at most the share
// of the samples that are unknown: where they are half it is gone after 60, and
// where they are 99 of 100 a hundred-thousandth is left behind 1000.
const nearest = 1000

// MAD is the median absolute deviation, raw. It is known to some extent only where
// the median is known: then how far each sample is from it lies between two ends.
func (c Censored) MAD() (low, high float64) {
	middle, most := c.Median()
	if middle != most {
		return 0, math.Inf(1)
	}
	near, far := make([]float64, len(c.Low)), make([]float64, len(c.Low))
	for i := range c.Low {
		near[i] = max(c.Low[i]-middle, middle-c.High[i], 0)
		far[i] = max(c.High[i]-middle, middle-c.Low[i])
	}
	return Median(near), Median(far)
}

// BlockInterval is the interval of that name: its lower end goes by Low, its upper
// end by High and may be +Inf. It covers the median with at least the confidence
// of the function, whatever the samples really were.
func (c Censored) BlockInterval(block []int, conf float64) (low, high float64, err error) {
	return c.interval(block, conf, BlockInterval)
}

// SequentialBlockInterval is the interval of that name, as BlockInterval.
func (c Censored) SequentialBlockInterval(block []int, conf float64) (low, high float64, err error) {
	return c.interval(block, conf, SequentialBlockInterval)
}

func (c Censored) interval(block []int, conf float64, of func([]float64, []int, float64) (lo, hi float64, err error)) (low, high float64, err error) {
	low, high, err = of(c.Low, block, conf)
	if err == nil && !slices.Equal(c.Low, c.High) {
		_, high, err = of(c.High, block, conf)
	}
	return low, high, err
}
