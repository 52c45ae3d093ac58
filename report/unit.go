package report

import (
	"math"
	"strconv"
	"strings"
)

// A scale is the units that one kind of number is printed in, smallest first.
type scale []step

type step struct {
	name   string
	factor float64 // in SI base units
	limit  float64 // a rounded number that reaches it goes to the next step
}

var (
	timeScale = scale{
		{"ns", 1e-9, 1000}, {"µs", 1e-6, 1000}, {"ms", 1e-3, 1000},
		{"s", 1, 100}, {"min", 60, 100}, {"h", 3600, math.Inf(1)},
	}
	byteScale = scale{
		{"B", 1, 1024}, {"KiB", 1 << 10, 1024}, {"MiB", 1 << 20, 1024},
		{"GiB", 1 << 30, 1024}, {"TiB", 1 << 40, 1024}, {"PiB", 1 << 50, math.Inf(1)},
	}
	rateScale = scale{
		{"", 1, 1000}, {"k ", 1e3, 1000}, {"M ", 1e6, 1000},
		{"G ", 1e9, 1000}, {"T ", 1e12, math.Inf(1)},
	}
	hertzScale = scale{{"Hz", 1, 1000}, {"kHz", 1e3, 1000}, {"MHz", 1e6, 1000}, {"GHz", 1e9, math.Inf(1)}}
	countScale = scale{
		{"", 1, 1e4}, {"k", 1e3, 1000}, {"M", 1e6, 1000},
		{"G", 1e9, 1000}, {"T", 1e12, math.Inf(1)},
	}
)

// amount prints one number by itself: 2.13 ms. half is half of its interval, 0
// where there is none.
func amount(x, half float64, s scale) string {
	i := s.pick(x, half)
	return strings.TrimSpace(s.print(x, half, i) + " " + s[i].name)
}

// pick rounds first and chooses the step after, so that nothing prints as
// 1000.0 µs: the first step at which the rounded number stays under the limit.
func (s scale) pick(x, half float64) int {
	for i := range s {
		v, err := strconv.ParseFloat(s.print(x, half, i), 64)
		if err != nil || math.Abs(v) < s[i].limit {
			return i
		}
	}
	return len(s) - 1
}

// common returns one step at which every x prints between 0.1 and the limit, so
// that a column can be compared at a glance; -1 if there is none. Exact counts and
// bytes print as 1 or more: 116 allocations are not 0.116k.
func (s scale) common(xs, halves []float64) int {
	for i := range s {
		ok := len(xs) > 0
		for j, x := range xs {
			v, err := strconv.ParseFloat(s.print(x, halves[j], i), 64)
			least := 0.1
			if s.exact(x, halves[j]) {
				least = 1
			}
			ok = ok && err == nil && (x == 0 || math.Abs(v) >= least) && math.Abs(v) < s[i].limit
		}
		if ok {
			return i
		}
	}
	return -1
}

// exact reports whether x is a whole number of bytes or a count, without an interval.
func (s scale) exact(x, half float64) bool {
	return s[0].factor == 1 && half == 0 && x == math.Trunc(x)
}

// print gives x in units of step i, without the unit. Whole numbers of bytes
// and counts without an interval are exact and stay whole.
func (s scale) print(x, half float64, i int) string {
	if i == 0 && s.exact(x, half) && math.Abs(x) < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return round(x/s[i].factor, half/s[i].factor)
}

// round prints x up to the second significant digit of half, its uncertainty,
// and with three digits where there is none; always with two to six.
func round(x, half float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	first := exponent(x, 3)
	last := min(first-2, 0)
	if half > 0 && !math.IsInf(half, 0) {
		last = exponent(half, 2) - 1
	}
	last = max(first-5, min(first-1, last))
	if last >= 0 {
		unit := math.Pow10(last)
		return strconv.FormatFloat(math.Round(x/unit)*unit, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', min(-last, 12), 64)
}

// exponent is that of the first digit once x is rounded to so many: 0.0996 has
// -1 with two.
func exponent(x float64, digits int) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}

// percent prints a share with one decimal: 0.8%, <0.1%.
func percent(share float64) string {
	p := 100 * share
	switch {
	case math.IsNaN(p) || p > 999:
		return ">999%"
	case p > 0 && p < 0.05:
		return "<0.1%"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + "%"
}

// whole prints a share without decimals: 97%, <1%.
func whole(share float64) string {
	if share > 0 && share < 0.005 {
		return "<1%"
	}
	return strconv.FormatFloat(100*share, 'f', 0, 64) + "%"
}
