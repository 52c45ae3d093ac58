package figure

import (
	"math"

	"example.com/suite/result"
)

// A spark is so large.
const (
	SparkWidth  = 72
	SparkHeight = 18
	sparkBins   = 18
)

// SparkPen is the width of the lines of a spark.
const SparkPen = 3

// Spark is the distribution of the time of a case, small enough for a cell: a line for
// each bin, to be drawn with SparkPen; empty where there are too few samples for a
// shape. It leaves out what is far out. A page may have 10,000 of them, so there is
// nothing in it that is not needed.
func Spark(c *result.Case) string {
	own, _, _ := c.Samples.Headline(headline)
	if own = finite(own); len(own) < leastBins {
		return ""
	}
	w := windowOf([][]float64{own})
	if w.empty() || w.low == w.high {
		return ""
	}
	b := binned(own, w.low, (w.high-w.low)*(1+1e-9)/sparkBins, sparkBins)
	full, p := float64(max(1, b.most())), make(path, 0, 10*sparkBins)
	for i, n := range b.counts {
		if n > 0 {
			p.upright(float64(4*i+2), SparkHeight, SparkHeight-max(1, math.Round(float64(n)/full*SparkHeight)))
		}
	}
	return string(p)
}
