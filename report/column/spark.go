package column

import (
	"slices"

	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

const (
	SparkHead  = "distribution"
	SparkWorth = 4 // every number is worth more
	sparkBins  = 20
	// leastSpark is the smallest number of samples for a histogram: with fewer the
	// bins show chance. The headline must use half as many.
	leastSpark = 20
	// sparkReach limits the range of the bins: above the median it is this many times
	// the distance from the median to the 2nd percentile. Otherwise one stall in a
	// thousand would push all other samples into one bin. The last bin contains
	// everything above.
	sparkReach = 4
)

// Sparks makes a histogram of the times of each case, nil if no case has enough
// samples.
func Sparks(cases []*result.Case) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		if bars := spark(c); bars != nil {
			cells.Set(i, page.Cell{Bars: bars})
		}
		c.Forget()
	}
	return cells.All()
}

// spark is the histogram of a case, nil if it has too few samples, or samples that are all alike.
func spark(c *result.Case) []int {
	if s := number.MeasuredSummary(c, "time"); s == nil || s.Bound != nil {
		return nil
	}
	xs, _, _ := c.Samples.Headline("time")
	if len(c.Samples.Columns["time"]) < leastSpark || len(xs) < leastSpark/2 {
		return nil
	}
	if slices.Min(xs) == slices.Max(xs) {
		return nil
	}
	return histogram(slices.Sorted(slices.Values(xs)))
}

// histogram counts sorted numbers in bins of equal width.
func histogram(xs []float64) []int {
	low := xs[0]
	middle := xs[len(xs)/2]
	high := xs[len(xs)-1]
	high = min(high, middle+sparkReach*(middle-xs[len(xs)/50]))
	counts := make([]int, sparkBins)
	for _, x := range xs {
		at := sparkBins - 1
		if x < high {
			at = int(float64(sparkBins) * (x - low) / (high - low))
		}
		counts[min(at, sparkBins-1)]++
	}
	return counts
}
