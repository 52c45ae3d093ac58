package units

import (
	"math"
	"strconv"
	"strings"
)

// Amount writes one number for a table: 2.13 ms. half is half of its interval, 0 if it
// has none.
func Amount(x, half float64, s Scale) string {
	i := s.Pick(x, half)
	return strings.TrimSpace(s.Print(x, half, i) + " " + s[i].Name)
}

// Pick chooses the first step at which the rounded number stays under the limit.
func (s Scale) Pick(x, half float64) int {
	for i := range s {
		v, err := strconv.ParseFloat(s.Print(x, half, i), 64)
		if err != nil || math.Abs(v) < s[i].Limit {
			return i
		}
	}
	return len(s) - 1
}

// Common chooses one step at which every x prints between 0.1 and the limit, so that a
// column can be compared at a glance; -1 if there is none. Exact counts and bytes print
// as 1 or more: 116 allocations are not 0.116k.
func (s Scale) Common(xs, halves []float64) int {
	for i := range s {
		ok := len(xs) > 0
		for j, x := range xs {
			v, err := strconv.ParseFloat(s.Print(x, halves[j], i), 64)
			least := 0.1
			if s.Exact(x, halves[j]) {
				least = 1
			}
			ok = ok && err == nil && (x == 0 || math.Abs(v) >= least) && math.Abs(v) < s[i].Limit
		}
		if ok {
			return i
		}
	}
	return -1
}

// Exact reports whether x is a whole number of bytes or a count, without an interval.
func (s Scale) Exact(x, half float64) bool {
	return s[0].Size == 1 && half == 0 && x == math.Trunc(x)
}

// Print writes x in units of step i, without the unit. Whole numbers of bytes and counts
// without an interval are exact and stay whole.
func (s Scale) Print(x, half float64, i int) string {
	if i == 0 && s.Exact(x, half) && math.Abs(x) < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return Round(x/s[i].Size, half/s[i].Size)
}

// Round writes x up to the second significant digit of half, its uncertainty, and with
// three digits if it has none; always with two to six.
func Round(x, half float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	first := Exponent(x, 3)
	last := min(first-2, 0)
	if half > 0 && !math.IsInf(half, 0) {
		last = Exponent(half, 2) - 1
	}
	last = max(first-5, min(first-1, last))
	if last >= 0 {
		unit := math.Pow10(last)
		return strconv.FormatFloat(math.Round(x/unit)*unit, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', min(-last, 12), 64)
}

// Exponent is the power of ten of the first digit of x, once it is rounded to so many
// digits: 0.0996 has -1 with two.
func Exponent(x float64, digits int) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}

// Decimals writes x with so many significant digits and at least one after the point:
// 15.3, 153.4.
func Decimals(x float64, digits int) string {
	if math.Abs(x) >= 1e15 || x != 0 && math.Abs(x) < 1e-6 {
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	return strconv.FormatFloat(x, 'f', max(1, digits-1-Exponent(x, digits)), 64)
}

// Fixed writes x in the step that suits it, with Decimals and the unit: 1.021 s, 15.3 M op.
func Fixed(x float64, digits int, s Scale, unit string) string {
	for i, step := range s {
		text := Decimals(x/step.Size, digits)
		shown, _ := strconv.ParseFloat(text, 64)
		if i == len(s)-1 || math.Abs(shown) < step.Limit {
			return text + " " + step.Name + unit
		}
	}
	return ""
}
