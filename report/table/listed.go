package table

import (
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
	"math"
	"strconv"
)

// ListedMetrics are the metrics of a case for output that programs read: those with a
// summary, in the order of the metric table. Metrics of the measuring itself are left
// out, and metrics that repeat another one.
func ListedMetrics(c *result.Case) []result.Metric {
	var out []result.Metric
	for _, m := range c.Table() {
		if c.Summary(m.Name) != nil && !m.OfMeasuring && !Repeats(c, m.Name) && !ofTestBinary(c, m) {
			out = append(out, m)
		}
	}
	return out
}

// KnownMetrics are the ListedMetrics that have a number: none that is below resolution,
// and none of a case that could not be measured.
func KnownMetrics(c *result.Case) (out []result.Metric) {
	if c.Status != result.Measured {
		return nil
	}
	for _, m := range ListedMetrics(c) {
		if c.Summary(m.Name).Bound == nil {
			out = append(out, m)
		}
	}
	return out
}

// Repeats reports whether a metric repeats the time: wall if it is the clock that the
// time is read from, and operations per second.
func Repeats(c *result.Case, metric string) bool {
	switch metric {
	case "wall":
		return c.Clock == "" || c.Clock == usualClock
	case "throughput":
		return c.RateUnit() == "op" || c.RateUnit() == ""
	}
	return false
}

// ofTestBinary reports whether a metric of a Go benchmark covers the whole process,
// with its start and the search for the number of iterations.
func ofTestBinary(c *result.Case, m result.Metric) bool {
	switch m.Name {
	case "time", "throughput", "allocs", "heap":
		return false
	}
	return c.Kind == result.KindGoTest && !IsDeclared(c, m.Name)
}

func IsDeclared(c *result.Case, metric string) bool {
	return slices.ContainsFunc(c.Declared, func(d result.Declared) bool { return d.Name == metric })
}

// PlainDigits is more than any sample has, and hides the rounding errors of scaling:
// 2003.1 ns, and not 2003.0999999999997.
const PlainDigits = 12

// PlainNumber prints x with at most PlainDigits digits.
func PlainNumber(x float64) string { return strconv.FormatFloat(x, 'g', PlainDigits, 64) }

// RoundTo rounds x to the second significant digit of half, its uncertainty.
func RoundTo(x, half float64) float64 {
	last := max(units.Exponent(half, 2)-1, units.Exponent(x, 2)-PlainDigits)
	text := strconv.FormatFloat(x, 'e', min(max(units.Exponent(x, 2)-last, 1), PlainDigits), 64)
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(rounded, 0) {
		return x
	}
	return rounded
}

// PerWhat is the unit that a metric is per: a unit of work, an iteration, or empty
// for a whole sample or run.
func PerWhat(c *result.Case, metric string) string {
	m, _ := result.FindMetric(metric)
	switch {
	case m.PerWork:
		return number.WorkUnit(c)
	case metric == "allocs" || metric == "heap":
		return "iteration"
	}
	return ""
}
