package csv

import "testing"

// Bytes are whole numbers, whoever reads them.
func TestCSVHasNoNeedlessExponents(t *testing.T) {
	for x, want := range map[float64]string{1699840: "1699840", 1699840.5: "1699840.5", 1e20: "100000000000000000000", 1e21: "1e+21", 0.00012: "0.00012", 1.5e-9: "1.5e-09", 0: "0", -2048000: "-2048000"} {
		if got := Number(x); got != want {
			t.Errorf("%v is written as %s, want %s", x, got, want)
		}
	}
}
