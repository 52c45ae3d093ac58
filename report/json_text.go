package report

import (
	"encoding/json"
	"math"
	"strconv"

	"example.com/suite/internal/units"
)

// quote gives a text as a JSON string.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil { // no string is refused
		panic(err)
	}
	return string(text)
}

// jsonNumber has twelve digits at most: more come from scaling.
func jsonNumber(x float64) string { return strconv.FormatFloat(x, 'g', benchDigits, 64) }

// digitsOf is x up to the second significant digit of half, its uncertainty.
func digitsOf(x, half float64) float64 {
	last := max(units.Exponent(half, 2)-1, units.Exponent(x, 2)-benchDigits)
	text := strconv.FormatFloat(x, 'e', min(max(units.Exponent(x, 2)-last, 1), benchDigits), 64)
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(rounded, 0) {
		return x
	}
	return rounded
}
