package figure

import "example.com/suite/result"

// A spark is so large.
const (
	SparkWidth  = 72
	SparkHeight = 18
	sparkBins   = 18
)

// Spark is the distribution of the time of a case, small enough for a cell; empty
// where there are too few samples for a shape. It leaves out what is far out.
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
	full, p := float64(max(1, b.most())), make(path, 0, 24*sparkBins)
	for i, n := range b.counts {
		if n > 0 {
			p.box(float64(4*i), SparkHeight, float64(4*i+3), SparkHeight-max(1, float64(n)/full*SparkHeight))
		}
	}
	return string(p)
}
