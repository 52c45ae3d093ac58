package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// labels formats ticks in one unit, with enough decimals to distinguish them.
func labels(ticks []float64, unit string) []string {
	if len(ticks) == 0 {
		return nil
	}
	step := units.Largest(max(math.Abs(ticks[0]), math.Abs(ticks[len(ticks)-1])), unit)
	decimals := 0
	for _, x := range ticks {
		decimals = max(decimals, decimalsOf(x/step.Size))
	}
	out := make([]string, len(ticks))
	for i, x := range ticks {
		out[i] = strings.TrimSpace(strconv.FormatFloat(x/step.Size+0, 'f', decimals, 64) + " " + step.Name)
	}
	return out
}

// decimalsOf counts the decimals of a round number, at most nine.
func decimalsOf(x float64) int {
	for n := range 9 {
		scaled := x * math.Pow10(n)
		if math.Abs(scaled-math.Round(scaled)) <= 1e-6*math.Max(1, math.Abs(scaled)) {
			return n
		}
	}
	return 9
}

// wide formats ticks of a logarithmic axis, each in the unit that suits it.
func wide(ticks []float64, unit string) []string {
	out := make([]string, len(ticks))
	for i, x := range ticks {
		out[i] = units.Format(x, unit)
	}
	return out
}

func (a axis) tickLabels(ticks []float64, unit string) []string {
	if a.log {
		return wide(ticks, unit)
	}
	return labels(ticks, unit)
}

// decimal is the float64 nearest to digit × 10ⁿ.
func decimal(digit float64, n int) float64 {
	x, _ := strconv.ParseFloat(fmt.Sprintf("%ge%d", digit, n), 64)
	return x
}

// Only finite numbers can be drawn.
func finite(xs []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(xs), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// per follows the unit of a case: " per byte", nothing for an operation.
func per(c *result.Case) string {
	if c.Unit == "" || c.Unit == "op" {
		return ""
	}
	return " per " + c.Unit
}
