package units

import (
	"strings"
	"testing"
)

func TestNothingPrintsAsAThousandOfAPrefix(t *testing.T) {
	for x := 0.9989; x < 1.0011; x += 0.00001 {
		for _, size := range []float64{1e-9, 1e-6, 1e-3, 1, 1e3, 1e6} {
			for _, text := range []string{Fixed(x*size, 3, Time, ""), Fixed(x*size*1000, 3, Rate, "op"), Fixed(x*size, 4, Time, "")} {
				if strings.HasPrefix(text, "1000.") {
					t.Fatalf("%g prints as %s", x*size, text)
				}
				if lowest := size < 1e-8 || size < 1 && strings.HasSuffix(text, " op"); strings.HasPrefix(text, "0.") && !lowest {
					t.Fatalf("%g prints as %s, below the prefix", x*size, text)
				}
			}
		}
	}
}
