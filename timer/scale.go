package timer

import (
	"math"
	"strconv"
	"strings"
)

// prefix of a unit and what it stands for.
type prefix struct {
	size float64
	name string
}

var (
	decimalPrefixes = []prefix{{1, ""}, {1e3, "k "}, {1e6, "M "}, {1e9, "G "}, {1e12, "T "}, {1e15, "P "}, {1e18, "E "}}
	binaryPrefixes  = []prefix{{1, "B"}, {1 << 10, "KiB"}, {1 << 20, "MiB"}, {1 << 30, "GiB"}, {1 << 40, "TiB"}, {1 << 50, "PiB"}, {1 << 60, "EiB"}}
	secondPrefixes  = []prefix{{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}}
)

// amount writes work with its unit: 15.3 M op, 64.0 MiB, 12 op.
func amount(x float64, unit string) string {
	if x == math.Trunc(x) && x < 1000 {
		if unit == "byte" {
			unit = "B"
		}
		return strconv.FormatFloat(x, 'f', 0, 64) + " " + unit
	}
	if unit == "byte" {
		return scaled(x, 3, binaryPrefixes, "")
	}
	return scaled(x, 3, decimalPrefixes, unit)
}

// seconds writes a time with so many significant digits: 66.7 ns, 1.021 s.
func seconds(x float64, digits int) string { return scaled(x, digits, secondPrefixes, "") }

// scaled rounds first and picks the prefix after, so that nothing is 1000.0 µs.
func scaled(x float64, digits int, ladder []prefix, unit string) string {
	for i, s := range ladder {
		text := decimal(x/s.size, digits)
		shown, _ := strconv.ParseFloat(text, 64)
		// The hair is for 1e-3/1e-6, which is above 1000.
		if i == len(ladder)-1 || shown < ladder[i+1].size/s.size*(1-1e-12) {
			return text + " " + s.name + unit
		}
	}
	return ""
}

// decimal writes x with so many significant digits and at least one behind the
// point, so that the columns of several reports line up.
func decimal(x float64, digits int) string {
	if math.Abs(x) >= 1e15 || x != 0 && math.Abs(x) < 1e-6 {
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	// Rounded first: 0.9996 to three digits has the exponent of 1.
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	return strconv.FormatFloat(x, 'f', max(1, digits-1-power), 64)
}
