package units

import (
	"math"
	"strconv"
	"strings"
)

const (
	formatDigits = 4 // tell values apart that differ by a tenth of a percent: a gate gives up at 0.75 %
	shortDigits  = 3
)

// Format writes a number as people read it, with four significant digits and the unit:
// 2.31 ms, 64 KiB, 200 M/s, 3%. x is in base units; unit is the unit of a metric (s, B,
// 1/s, %), empty for plain numbers, or a name of the suite's own, which follows the number
// as it is. Zero has the base unit.
func Format(x float64, unit string) string { return format(x, unit, formatDigits) }

// Short is Format with three significant digits.
func Short(x float64, unit string) string { return format(x, unit, shortDigits) }

// ShortTime is Short for a time that may be zero: 0 ns.
func ShortTime(seconds float64) string {
	if seconds == 0 {
		return "0 " + Time[0].Name
	}
	return Short(seconds, "s")
}

// RoughTime is a time with two significant digits, for estimates: 2.5 min.
func RoughTime(seconds float64) string { return format(seconds, "s", 2) }

func format(x float64, unit string, digits int) string {
	if unit == Percent {
		return plain(round(100*x, digits), digits) + "%"
	}
	if of, per, isRate := strings.Cut(unit, "/"); isRate && of != "1" && ScaleOf(of) != nil {
		return format(x, of, digits) + "/" + per
	}
	scale := ScaleOf(unit)
	if scale == nil || x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return strings.TrimSpace(plain(x, digits) + " " + strings.TrimPrefix(unit, "1"))
	}
	last := len(scale) - 1
	for i, step := range scale[:last] {
		next := scale[i+1].Size
		if r := round(x/step.Size, digits); math.Abs(r) < step.Limit {
			return plain(r, digits) + " " + step.Name
		}
		// What was rounded up to the next step is at least one of it.
		x = math.Copysign(max(math.Abs(x), next), x)
	}
	return plain(round(x/scale[last].Size, digits), digits) + " " + scale[last].Name
}

// round keeps so many significant digits, and whole numbers whole.
func round(x float64, digits int) float64 {
	if math.Abs(x) >= 1e3 {
		return math.Round(x)
	}
	// Through decimal text, because dividing by powers of ten leaves 2.3100000001.
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	return r
}

// plain writes whole numbers in full up to 10¹⁵, where float64 still counts in ones, and
// others with so many significant digits.
func plain(x float64, digits int) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x+0, 'f', -1, 64) // +0 turns −0 into 0
	}
	if math.Abs(x) < 1e15 && math.Abs(round(x, digits)) >= 1e3 {
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}
