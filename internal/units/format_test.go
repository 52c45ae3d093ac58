package units

import (
	"math"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		x    float64
		unit string
		want string
	}{
		{0.00231, "s", "2.31 ms"},
		{0.002, "s", "2 ms"},
		{999.96, "", "1000"},      // never 1e+03
		{0.00099999, "s", "1 ms"}, // never 1000 µs
		{0.00099994, "s", "999.9 µs"},
		{3.456e-10, "s", "0.3456 ns"},
		{59.999, "s", "60 s"},
		{59.99, "s", "59.99 s"},
		{90, "s", "90 s"},
		{3600, "s", "60 min"},
		{3599.99, "s", "60 min"},
		{1e7, "s", "2778 h"},
		{-0.0015, "s", "-1.5 ms"},
		{0, "s", "0 s"},
		{math.Copysign(0, -1), "s", "0 s"},
		{1023, "B", "1023 B"},
		{1023.7, "B", "1 KiB"}, // never 1024 B
		{64 << 10, "B", "64 KiB"},
		{1 << 20, "B", "1 MiB"},
		{5 << 40, "B", "5 TiB"},
		{200e6, "1/s", "200 M/s"},
		{999999, "1/s", "1 M/s"},
		{3.5, "1/s", "3.5 /s"},
		{0, "1/s", "0 /s"},
		{12345678, "", "12345678"},
		{0.12345, "", "0.1235"},
		{1234.5, "", "1235"},
		{math.Pow(10, 18), "", "1e+18"},
		{42, "lines", "42 lines"},
		{math.NaN(), "s", "NaN s"},
		{math.Inf(1), "B", "+Inf B"},
	} {
		if got := Format(c.x, c.unit); got != c.want {
			t.Errorf("%v %q: got %q, want %q", c.x, c.unit, got, c.want)
		}
	}
}

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

// An estimate has two digits.
func TestRoughTime(t *testing.T) {
	for seconds, want := range map[float64]string{7: "7 s", 94.6: "95 s", 121: "2 min", 754: "13 min", 5460: "91 min", 8000: "2.2 h", 0.00123: "1.2 ms"} {
		if got := RoughTime(seconds); got != want {
			t.Errorf("%g s is %s, want %s", seconds, got, want)
		}
	}
}
