package figure

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/result"
)

// Varying lists the metrics of a case, other than its time, that are worth a drawing:
// sampled, not the same in all samples, and not equal to another one of them. Metrics
// that are compared with the base are first; otherwise they are in the order of the
// case.
func Varying(c *result.Case) (names []string) {
	seen := []result.Column{c.Samples.Column(headline)}
	for i := range c.Metrics {
		name := c.Metrics[i].Metric
		m, known := c.Metric(name)
		column := c.Samples.Columns[name]
		again := func(other result.Column) bool { return same(column, other) }
		if name == headline || !known || !m.Sampled || !varies(column) || slices.ContainsFunc(seen, again) {
			continue
		}
		seen, names = append(seen, column), append(names, name)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rankOf(c, a), rankOf(c, b)) })
	return names
}

// rankOf is 0 for a metric that is compared, so that it is first, and 1 for others.
func rankOf(c *result.Case, metric string) int {
	if c.Comparison(metric) != nil {
		return 0
	}
	return 1
}

// varies reports whether a column has two different numbers.
func varies(column result.Column) bool {
	xs := finite(column)
	return len(xs) > 1 && slices.Min(xs) < slices.Max(xs)
}

// same reports whether two columns would have the same drawing: wall equals the time if
// the time is read from the wall clock.
func same(a, b result.Column) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-9*math.Abs(x)
	})
}

func unitOf(c *result.Case, metric string) string {
	if s := c.Summary(metric); s != nil {
		return s.Unit
	}
	m, _ := c.Metric(metric)
	return m.Unit
}

// The name of the time includes the unit of work.
func nameOf(c *result.Case, metric string) string {
	if metric == headline {
		return metric + per(c)
	}
	return metric
}
