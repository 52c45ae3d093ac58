package display

import (
	"cmp"
	"strings"
)

// Natural compares two names as people order them: runs of digits by their number, so that C2
// comes before C10. Names that differ only in leading zeros are ordered as text.
func Natural(a, b string) int {
	restA, restB := a, b
	for restA != "" && restB != "" {
		digitsA, digitsB := leadingDigits(restA), leadingDigits(restB)
		if digitsA == "" || digitsB == "" {
			if restA[0] != restB[0] {
				return cmp.Compare(restA[0], restB[0])
			}
			restA, restB = restA[1:], restB[1:]
			continue
		}
		x, y := strings.TrimLeft(digitsA, "0"), strings.TrimLeft(digitsB, "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
			return c
		}
		restA, restB = restA[len(digitsA):], restB[len(digitsB):]
	}
	return cmp.Or(cmp.Compare(len(restA), len(restB)), cmp.Compare(a, b))
}

func leadingDigits(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }
