package table

import (
	"math"
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// ToldDigits are far more than any sample has, and hide what a division leaves:
// 2003.1 ns, and not 2003.0999999999997.
const ToldDigits = 12

// ToldNumber prints x with twelve digits at most: more come from scaling.
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

// PerWhat returns what a number of a metric belongs to: a unit of work, an iteration, or empty for
// a sample or a run as a whole.
func PerWhat(c *result.Case, metric string) string {
	switch {
	case PerWork(metric):
		return WorkUnit(c)
	case metric == "allocs" || metric == "heap":
		return "iteration"
	}
	return ""
}
