package figure

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// window is the stretch of numbers that the drawings of one case show.
type window struct{ low, high float64 }

// farOut is how many interquartile ranges beyond the quartiles a sample may lie
// before it is named and not shown: one stall of 100 times the median would leave
// nothing to see of all the others.
const farOut = 4

// windowOf takes in the samples of all sides, but for those that are far out, and
// what else has to be seen.
func windowOf(sides [][]float64, also ...*float64) window {
	w := window{math.Inf(1), math.Inf(-1)}
	for _, xs := range sides {
		if len(xs) == 0 {
			continue
		}
		q1, q3 := stats.Quantile(xs, 0.25), stats.Quantile(xs, 0.75)
		// Where most samples are equal, a hundredth of them stands for the range.
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

// sides are the samples of a metric of a case, and those of its base where it has
// one, on which their medians rest.
func sides(c *result.Case, metric string) (own, base []float64) {
	own, _, _ = c.Samples.Headline(metric)
	if c.Pairs != nil {
		base, _, _ = c.Pairs.Samples.Headline(metric)
	}
	return finite(own), finite(base)
}

// headline is the metric that most drawings show.
const headline = "time"

// windowOfCase is the same for all drawings of a metric, so that they can be compared.
func windowOfCase(c *result.Case, metric string) window {
	own, base := sides(c, metric)
	s := c.Summary(metric)
	if s == nil {
		return windowOf([][]float64{own, base})
	}
	return windowOf([][]float64{own, base}, s.Low, s.High)
}
