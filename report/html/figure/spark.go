package figure

import (
	"math"

	"example.com/suite/result"
)

// The size of a spark in drawing units, and its bins.
const (
	SparkWidth  = 72
	SparkHeight = 18
	sparkBins   = 18
)

// SparkPen is the width of the lines of a spark.
const SparkPen = 3

// Spark draws a case's distribution of time, small enough for a cell: a line for each
// bin, to be drawn with SparkPen, without samples that are far out. It is empty if
// there are fewer than leastBins samples. A page may have 10,000 sparks, so the path
// has no label and no axis.
func Spark(c *result.Case) string {
	own, _, _ := c.Samples.Headline(headline)
	own = finite(own)
	if len(own) < leastBins {
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
