package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Tenths writes a share with one decimal: 0.8%, <0.1%, >999%.
func Tenths(share float64) string {
	p := 100 * share
	switch {
	case math.IsNaN(p) || p > 999:
		return ">999%"
	case p > 0 && p < 0.05:
		return "<0.1%"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + "%"
}

// Whole writes a share without decimals: 97%, <1%.
func Whole(share float64) string {
	if share > 0 && share < 0.005 {
		return "<1%"
	}
	return strconv.FormatFloat(100*share, 'f', 0, 64) + "%"
}

// Rough writes a share with two significant digits, and all but everything as 99%: 0.52%,
// 5.2%, 52%.
func Rough(share float64) string {
	switch p := 100 * share; {
	case p >= 99.5 && p < 100:
		return "99%"
	case p >= 9.95 || p == 0:
		return fmt.Sprintf("%.0f%%", p)
	default:
		return fmt.Sprintf("%.2g%%", p)
	}
}

// Brief writes a share with one decimal below ten percent and none above, without a zero at
// the end: 0.6%, 3%, 12%.
func Brief(share float64) string {
	text := strconv.FormatFloat(100*share, 'f', 1, 64)
	if len(text) > len("9.9") {
		text = strconv.FormatFloat(100*share, 'f', 0, 64)
	}
	return strings.TrimSuffix(text, ".0") + "%"
}

// Fine writes a share with one decimal, and with two below 1%, without zeros at the end:
// 12.3%, 0.25%, 3%.
func Fine(share float64) string {
	decimals := 1
	if share < 0.01 {
		decimals = 2
	}
	text := strconv.FormatFloat(100*share, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
}

// Signed puts the sign of a change before its size, as size writes it: +3%, −3%, 0%. An increase
// that size writes as a bound is a factor: ×1700 and not +>999%.
func Signed(change float64, size func(float64) string) string {
	text := size(math.Abs(change))
	switch {
	case strings.Trim(text, "0.") == "%":
		return text
	case change < 0:
		return "−" + text
	case strings.HasPrefix(text, ">"):
		return "×" + Short(1+change, "")
	}
	return "+" + text
}

// Exact writes a share with as many digits as a user has written it with: 95%, 99.9%, 0.1%.
func Exact(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e10)/1e8, 'f', -1, 64) + "%"
}
