package table

import (
	"math"
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// ToldDigits is more than any sample has, and hides the rounding errors of scaling:
// 2003.1 ns, and not 2003.0999999999997.
const ToldDigits = 12

// ToldNumber prints x with at most ToldDigits digits.
func ToldNumber(x float64) string { return strconv.FormatFloat(x, 'g', ToldDigits, 64) }

// RoundTo rounds x to the second significant digit of half, its uncertainty.
func RoundTo(x, half float64) float64 {
	last := max(units.Exponent(half, 2)-1, units.Exponent(x, 2)-ToldDigits)
	text := strconv.FormatFloat(x, 'e', min(max(units.Exponent(x, 2)-last, 1), ToldDigits), 64)
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
