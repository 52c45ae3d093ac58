package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/result"
)

// prefixes of units on axes, ascending. Minutes and hours are left out: their round
// numbers are no powers of ten.
var prefixes = map[string][]prefix{
	"s":   {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}},
	"B":   {{1, "B"}, {1 << 10, "KiB"}, {1 << 20, "MiB"}, {1 << 30, "GiB"}},
	"1/s": {{1, "/s"}, {1e3, "k/s"}, {1e6, "M/s"}, {1e9, "G/s"}},

	result.Percent: {{0.01, result.Percent}},
}

type prefix struct {
	size float64
	name string
}

// prefixFor is the largest whose unit is not above x.
func prefixFor(x float64, unit string) prefix {
	if of, by, rate := strings.Cut(unit, "/"); rate && prefixes[of] != nil { // B/op
		p := prefixFor(x, of)
		return prefix{p.size, p.name + "/" + by}
	}
	best := prefix{1, strings.TrimPrefix(unit, "1")}
	for i, p := range prefixes[unit] {
		if i == 0 || math.Abs(x) >= p.size*(1-1e-9) {
			best = p
		}
	}
	return best
}

// labels writes ticks in one unit, with as many decimals as tell them apart.
func labels(ticks []float64, unit string) []string {
	if len(ticks) == 0 {
		return nil
	}
	p := prefixFor(max(math.Abs(ticks[0]), math.Abs(ticks[len(ticks)-1])), unit)
	decimals := 0
	for _, x := range ticks {
		decimals = max(decimals, decimalsOf(x/p.size))
	}
	out := make([]string, len(ticks))
	for i, x := range ticks {
		out[i] = strings.TrimSpace(strconv.FormatFloat(x/p.size+0, 'f', decimals, 64) + " " + p.name)
	}
	return out
}

// decimalsOf a round number: as many as it has, at most nine.
func decimalsOf(x float64) int {
	for n := range 9 {
		scaled := x * math.Pow10(n)
		if math.Abs(scaled-math.Round(scaled)) <= 1e-6*math.Max(1, math.Abs(scaled)) {
			return n
		}
	}
	return 9
}

// wide writes ticks of a logarithmic axis, each in the unit that suits it.
func wide(ticks []float64, unit string) []string {
	out := make([]string, len(ticks))
	for i, x := range ticks {
		out[i] = result.Format(x, unit)
	}
	return out
}

// tickLabels writes the ticks of an axis.
func (a axis) tickLabels(ticks []float64, unit string) []string {
	if a.log {
		return wide(ticks, unit)
	}
	return labels(ticks, unit)
}

// decimal is digit × 10ⁿ as a decimal text reads.
func decimal(digit float64, n int) float64 {
	x, _ := strconv.ParseFloat(fmt.Sprintf("%ge%d", digit, n), 64)
	return x
}

// finite keeps numbers that can be drawn.
func finite(xs []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(xs), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// per follows the unit of a case: " per byte", nothing for an operation.
func per(c *result.Case) string {
	if c.Unit == "" || c.Unit == "op" {
		return ""
	}
	return " per " + c.Unit
}
