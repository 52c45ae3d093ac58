package stats

import (
	"math"
	"slices"
)

// Censored contains samples of which some are known only to be between two ends,
// such as the times of programs that were killed before they had finished. Low and
// High have one length and one order, and Low[i] ≤ High[i]. Both are equal if the
// sample is known; High[i] is +Inf if the sample has no known upper end. Neither
// contains NaN, and Low no infinity.
//
// Each method returns the least and the greatest value that a statistic of the
// samples may have, in their unit; the two are equal if the unknown samples do not
// matter. An order statistic grows with every sample, so it is computed from Low and
// from High.
type Censored struct{ Low, High []float64 }

// Median returns the ends of the median.
func (c Censored) Median() (low, high float64) { return Median(c.Low), Median(c.High) }

// Mean returns the ends of the arithmetic mean.
func (c Censored) Mean() (low, high float64) { return Mean(c.Low), Mean(c.High) }

// Quantile returns the ends of the p-quantile, as the function Quantile defines it.
func (c Censored) Quantile(p float64) (low, high float64) {
	return Quantile(c.Low, p), Quantile(c.High, p)
}

// Min returns the ends of the least sample, 0 without samples.
func (c Censored) Min() (low, high float64) {
	if len(c.Low) == 0 {
		return 0, 0
	}
	return slices.Min(c.Low), slices.Min(c.High)
}

// Max returns the ends of the greatest sample, 0 without samples.
func (c Censored) Max() (low, high float64) {
	if len(c.Low) == 0 {
		return 0, 0
	}
	return slices.Max(c.Low), slices.Max(c.High)
}

// StdDev returns the ends of the sample standard deviation. It is least if each
// sample is as near to the mean as it may be. Moving the samples towards the mean
// again and again finds that point: the variance is convex in the samples, and every
// step lowers it. The upper end is +Inf unless every sample is known.
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

// nearest is the most steps of StdDev. After each step the remaining distance is at
// most its former length times the share of unknown samples: with half of them
// unknown it vanishes after 60 steps, with 99 of 100 a hundred-thousandth is left
// after 1000.
const nearest = 1000

// MAD returns the ends of the median absolute deviation, raw: not multiplied by
// 1.4826. If the median is known, the distance of each sample from it has two ends;
// if it is not known, nothing is, and MAD returns 0 and +Inf.
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

// BlockInterval returns the lower end of the function BlockInterval for Low and the
// upper end for High, which may be +Inf. The interval covers the median with
// probability at least conf, whatever the unknown samples were.
func (c Censored) BlockInterval(block []int, conf float64) (low, high float64, err error) {
	return c.interval(block, conf, BlockInterval)
}

// SequentialBlockInterval combines the ends of the function SequentialBlockInterval
// in the same way.
func (c Censored) SequentialBlockInterval(block []int, conf float64) (low, high float64, err error) {
	return c.interval(block, conf, SequentialBlockInterval)
}

func (c Censored) interval(
	block []int, conf float64, of func([]float64, []int, float64) (lo, hi float64, err error),
) (low, high float64, err error) {
	low, high, err = of(c.Low, block, conf)
	if err == nil && !slices.Equal(c.Low, c.High) {
		_, high, err = of(c.High, block, conf)
	}
	return low, high, err
}
