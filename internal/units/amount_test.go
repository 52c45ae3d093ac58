package units

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestAmount(t *testing.T) {
	for _, c := range []struct {
		x, half float64
		scale   Scale
		want    string
	}{
		{0, 0, Time, "0.00 ns"},
		{0.3e-9, 0, Time, "0.300 ns"},
		{12.3456e-9, 0.098e-9, Time, "12.346 ns"}, // two digits of 0.098
		{12.3456e-9, 0.5e-9, Time, "12.35 ns"},
		{12.3456e-9, 0.0996e-9, Time, "12.35 ns"},  // 0.0996 rounds to 0.10
		{12.3456e-9, 30e-9, Time, "12 ns"},         // never fewer than two digits
		{12.3456789e-9, 1e-15, Time, "12.3457 ns"}, // never more than six
		{999.4e-6, 0, Time, "999 µs"},
		{999.6e-6, 0, Time, "1.00 ms"}, // rounds first, picks the unit after
		{999.96e-6, 0.1e-6, Time, "999.96 µs"},
		{999.996e-6, 0.1e-6, Time, "1.00000 ms"},
		{59.9, 0, Time, "59.9 s"},
		{99.94, 0, Time, "99.9 s"},
		{99.96, 0, Time, "1.67 min"},
		{10800, 0, Time, "3.00 h"},
		{36e6, 0, Time, "10000 h"},
		{-2.5e-9, 0, Time, "-2.50 ns"},
		{1, 0, Bytes, "1 B"},
		{1023, 0, Bytes, "1023 B"},
		{1023.99 * 1024, 0, Bytes, "1.00 MiB"}, // 1024.0 KiB otherwise
		{64 << 10, 0, Bytes, "64.0 KiB"},
		{5 << 40, 0, Bytes, "5.00 TiB"},
		{0, 0, Count, "0"},
		{3, 0, Count, "3"},
		{9999, 0, Count, "9999"},
		{12345, 0, Count, "12.3 k"},
		{999.9e6, 0, Count, "1.00 G"},
		{82.64e6, 1e4, Rate, "82.640 M"},
	} {
		if got := Amount(c.x, c.half, c.scale); got != c.want {
			t.Errorf("amount(%g, %g) = %q, want %q", c.x, c.half, got, c.want)
		}
	}
}

// Over all magnitudes: the number stays under its unit's limit, and is off by
// no more than half of its last digit.
func TestPrintStaysUnderTheLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		x := math.Pow(10, -11+22*rng.Float64())
		half := x * math.Pow(10, -7+8*rng.Float64())
		for _, s := range []Scale{Time, Bytes, Rate, Count} {
			i := s.Pick(x, half)
			text := s.Print(x, half, i)
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || v >= s[i].Limit {
				t.Fatalf("%g ± %g prints as %s %s", x, half, text, s[i].Name)
			}
			if scaled := x / s[i].Size; math.Abs(v-scaled) > 0.051*scaled {
				t.Fatalf("%g prints as %s %s", x, text, s[i].Name)
			}
		}
	}
}

// Strange numbers must neither hang nor panic.
func TestPrintStrangeNumbers(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64, -math.MaxFloat64} {
		for _, half := range []float64{0, math.NaN(), math.Inf(1), math.MaxFloat64, math.SmallestNonzeroFloat64, -1} {
			for _, s := range []Scale{Time, Bytes, Rate, Count} {
				if Amount(x, half, s) == "" {
					t.Errorf("amount(%g, %g) is empty", x, half)
				}
			}
		}
	}
}

func TestShares(t *testing.T) {
	for x, want := range map[float64]string{0: "0.0%", 0.0004: "<0.1%", 0.0083: "0.8%", 0.12: "12.0%", 30: ">999%", math.Inf(1): ">999%"} {
		if got := Tenths(x); got != want {
			t.Errorf("percent(%g) = %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0%", 0.0004: "<1%", 0.97: "97%", 3.97: "397%"} {
		if got := Whole(x); got != want {
			t.Errorf("whole(%g) = %s, want %s", x, got, want)
		}
	}
}
