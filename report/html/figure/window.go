package figure

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// window is the range of numbers that the drawings of one case show.
type window struct{ low, high float64 }

// farOut is the distance from the quartiles, in interquartile ranges, up to which samples
// are shown; farther ones are only counted. One stall of 100 times the median would
// squeeze all other samples into a line.
const farOut = 4

// windowOf is the range of the samples of all sides that are not far out, extended to
// include also.
func windowOf(sides [][]float64, also ...*float64) window {
	w := window{math.Inf(1), math.Inf(-1)}
	for _, xs := range sides {
		if len(xs) == 0 {
			continue
		}
		q1, q3 := stats.Quantile(xs, 0.25), stats.Quantile(xs, 0.75)
		// If most samples are equal, the range between the quartiles is 0: use 1 % of them.
		reach := farOut * max(q3-q1, math.Abs(q1)/100)
		for _, x := range xs {
			if q1-reach <= x && x <= q3+reach {
				w.low, w.high = min(w.low, x), max(w.high, x)
			}
		}
	}
	for _, x := range also {
		if x != nil && !math.IsNaN(*x) && !math.IsInf(*x, 0) {
			w.low, w.high = min(w.low, *x), max(w.high, *x)
		}
	}
	return w
}

func (w window) empty() bool {
	return !(w.low <= w.high) || math.IsInf(w.low, 0) || math.IsInf(w.high, 0)
}

// sides are the samples of a metric of a case, and of its base if it has one, from
// which their medians are computed.
func sides(c *result.Case, metric string) (own, base []float64) {
	own, _, _ = c.Samples.Headline(metric)
	if c.Pairs != nil {
		base, _, _ = c.Pairs.Samples.Headline(metric)
	}
	return finite(own), finite(base)
}

// headline is the metric that most drawings show.
const headline = "time"

// All drawings of a metric share one window, so that they can be compared.
func windowOfCase(c *result.Case, metric string) window {
	own, base := sides(c, metric)
	s := c.Summary(metric)
	if s == nil {
		return windowOf([][]float64{own, base})
	}
	return windowOf([][]float64{own, base}, s.Low, s.High)
}
