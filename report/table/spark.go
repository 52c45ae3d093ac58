package table

import (
	"math"
	"slices"
	"strings"

	"example.com/suite/result"
)

const (
	sparkHead  = "distribution"
	SparkWorth = 4 // every number is worth more
	sparkBins  = 10
	// leastSpark is the smallest number of samples for a histogram: with fewer the
	// bins show chance. The headline must use half as many.
	leastSpark = 20
	// sparkReach limits the range of the bins: above the median it is this many times
	// the distance from the median to the 2nd percentile. Otherwise one stall in a
	// thousand would push all other samples into one bin. The last bin contains
	// everything above.
	sparkReach = 4
)

// blocks are the heights of a bin: empty, then from few samples to many.
var (
	blocks      = []rune("▁▂▃▄▅▆▇█")
	asciiBlocks = []rune("_.:-=+*#")
)

// sparks draws a histogram of the times of each case, nil if no case has enough
// samples.
func sparks(cases []*result.Case, ascii bool) []Cell {
	cells, some := make([]Cell, len(cases)), false
	levels := blocks
	if ascii {
		levels = asciiBlocks
	}
	for i, c := range cases {
		if s := spark(c, levels); s != "" {
			cells[i], some = Cell{Marks: []Mark{{Text: s, Tone: Plain}}}, true
		}
		c.Forget()
	}
	if !some {
		return nil
	}
	return cells
}

func spark(c *result.Case, levels []rune) string {
	if s := MeasuredSummary(c, "time"); s == nil || s.Bound != nil {
		return ""
	}
	xs, _, _ := c.Samples.Headline("time")
	if len(c.Samples.Columns["time"]) < leastSpark || len(xs) < leastSpark/2 {
		return ""
	}
	if slices.Min(xs) == slices.Max(xs) {
		return ""
	}
	counts := histogram(slices.Sorted(slices.Values(xs)))
	most := slices.Max(counts)
	var b strings.Builder
	for _, n := range counts {
		level := 0
		if n > 0 {
			level = 1 + int(math.Round(float64(n)/float64(most)*float64(len(levels)-2)))
		}
		b.WriteRune(levels[level])
	}
	return b.String()
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
