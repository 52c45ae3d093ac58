package table

import (
	"cmp"
	"strconv"
	"strings"
)

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareNames compares runs of digits by their value: size=9 is before size=10.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		x, y := leadingNumber(a), leadingNumber(b)
		if x != "" && y != "" {
			if c := cmp.Or(cmp.Compare(wholeNumber(x), wholeNumber(y)), cmp.Compare(len(x), len(y))); c != 0 {
				return c
			}
			a, b = a[len(x):], b[len(y):]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func wholeNumber(digits string) float64 {
	x, _ := strconv.ParseFloat(digits, 64)
	return x
}

func leadingNumber(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}
