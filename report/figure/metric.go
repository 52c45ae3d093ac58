package figure

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/result"
)

// Varying gives the metrics of a case, besides its time, of which there is something to
// draw: that have a number in each sample, not the same in all, and do not follow from
// another. Those that are compared with the base come first, else they stand in the
// order of the metric table.
func Varying(c *result.Case) (names []string) {
	seen := []result.Column{c.Samples.Column(headline)}
	for i := range c.Metrics {
		name := c.Metrics[i].Metric
		m, known := c.Metric(name)
		column := c.Samples.Columns[name]
		if name == headline || !known || !m.Sampled || !varies(column) || slices.ContainsFunc(seen, func(other result.Column) bool { return same(column, other) }) {
			continue
		}
		seen, names = append(seen, column), append(names, name)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rankOf(c, a), rankOf(c, b)) })
	return names
}

// rankOf is smaller for what is compared.
func rankOf(c *result.Case, metric string) int {
	if c.Comparison(metric) != nil {
		return 0
	}
	return 1
}

// varies says that a column has two different numbers.
func varies(column result.Column) bool {
	xs := finite(column)
	return len(xs) > 1 && slices.Min(xs) < slices.Max(xs)
}

// same says that two columns would be one drawing: the wall clock may be the one that
// the time is read from.
func same(a, b result.Column) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-9*math.Abs(x)
	})
}

// unitOf a metric of a case.
func unitOf(c *result.Case, metric string) string {
	if s := c.Summary(metric); s != nil {
		return s.Unit
	}
	m, _ := c.Metric(metric)
	return m.Unit
}

// nameOf a metric; times of a case are those of its unit of work.
func nameOf(c *result.Case, metric string) string {
	if metric == headline {
		return metric + per(c)
	}
	return metric
}
