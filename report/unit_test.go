package report

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestAmount(t *testing.T) {
	for _, c := range []struct {
		x, half float64
		scale   scale
		want    string
	}{
		{0, 0, timeScale, "0.00 ns"},
		{0.3e-9, 0, timeScale, "0.300 ns"},
		{12.3456e-9, 0.098e-9, timeScale, "12.346 ns"}, // two digits of 0.098
		{12.3456e-9, 0.5e-9, timeScale, "12.35 ns"},
		{12.3456e-9, 0.0996e-9, timeScale, "12.35 ns"},  // 0.0996 rounds to 0.10
		{12.3456e-9, 30e-9, timeScale, "12 ns"},         // never fewer than two digits
		{12.3456789e-9, 1e-15, timeScale, "12.3457 ns"}, // never more than six
		{999.4e-6, 0, timeScale, "999 µs"},
		{999.6e-6, 0, timeScale, "1.00 ms"}, // rounds first, picks the unit after
		{999.96e-6, 0.1e-6, timeScale, "999.96 µs"},
		{999.996e-6, 0.1e-6, timeScale, "1.00000 ms"},
		{59.9, 0, timeScale, "59.9 s"},
		{99.94, 0, timeScale, "99.9 s"},
		{99.96, 0, timeScale, "1.67 min"},
		{10800, 0, timeScale, "3.00 h"},
		{36e6, 0, timeScale, "10000 h"},
		{-2.5e-9, 0, timeScale, "-2.50 ns"},
		{1, 0, byteScale, "1 B"},
		{1023, 0, byteScale, "1023 B"},
		{1023.99 * 1024, 0, byteScale, "1.00 MiB"}, // 1024.0 KiB otherwise
		{64 << 10, 0, byteScale, "64.0 KiB"},
		{5 << 40, 0, byteScale, "5.00 TiB"},
		{0, 0, countScale, "0"},
		{3, 0, countScale, "3"},
		{9999, 0, countScale, "9999"},
		{12345, 0, countScale, "12.3 k"},
		{999.9e6, 0, countScale, "1.00 G"},
		{82.64e6, 1e4, rateScale, "82.640 M"},
	} {
		if got := amount(c.x, c.half, c.scale); got != c.want {
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
		for _, s := range []scale{timeScale, byteScale, rateScale, countScale} {
			i := s.pick(x, half)
			text := s.print(x, half, i)
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || v >= s[i].limit {
				t.Fatalf("%g ± %g prints as %s %s", x, half, text, s[i].name)
			}
			if scaled := x / s[i].factor; math.Abs(v-scaled) > 0.051*scaled {
				t.Fatalf("%g prints as %s %s", x, text, s[i].name)
			}
		}
	}
}

// Strange numbers must neither hang nor panic.
func TestPrintStrangeNumbers(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64, -math.MaxFloat64} {
		for _, half := range []float64{0, math.NaN(), math.Inf(1), math.MaxFloat64, math.SmallestNonzeroFloat64, -1} {
			for _, s := range []scale{timeScale, byteScale, rateScale, countScale} {
				if amount(x, half, s) == "" {
					t.Errorf("amount(%g, %g) is empty", x, half)
				}
			}
		}
	}
}

// One unit serves a column while every number reads well in it.
func TestColumnShares(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want string
	}{
		{[]float64{950e-9, 1.2e-6, 8e-6}, "0.950 µs, 1.20 µs, 8.00 µs"},
		{[]float64{3e-9, 500e-9}, "3.00 ns, 500 ns"},
		{[]float64{3e-9, 5e-3}, "3.00 ns, 5.00 ms"}, // too far apart
		{[]float64{0, 5e-3}, "0.00 ms, 5.00 ms"},
	} {
		var values []value
		for _, x := range c.xs {
			values = append(values, value{x: x, ok: true})
		}
		var got []string
		for _, cell := range numbers(values, timeScale) {
			got = append(got, cell.Number+" "+cell.Unit)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%v: got %v, want %s", c.xs, got, c.want)
		}
	}
}

func TestShares(t *testing.T) {
	for x, want := range map[float64]string{0: "0.0%", 0.0004: "<0.1%", 0.0083: "0.8%", 0.12: "12.0%", 30: ">999%", math.Inf(1): ">999%"} {
		if got := percent(x); got != want {
			t.Errorf("percent(%g) = %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0%", 0.0004: "<1%", 0.97: "97%", 3.97: "397%"} {
		if got := whole(x); got != want {
			t.Errorf("whole(%g) = %s, want %s", x, got, want)
		}
	}
}

// Exact counts are printed as 1 or more, and zero without a prefix.
func TestExactCountsStayWhole(t *testing.T) {
	of := func(s scale, unit string, xs ...float64) (texts []string) {
		var values []value
		for _, x := range xs {
			values = append(values, value{x: x, unit: unit, ok: true})
		}
		for _, c := range numbers(values, s) {
			texts = append(texts, strings.TrimSpace(c.Number+" "+c.Unit))
		}
		return texts
	}
	for want, got := range map[string][]string{
		"116, 12.3k, 0":             of(countScale, countUnit, 116, 12345, 0),
		"12.0k, 12.3k, 0":           of(countScale, countUnit, 12000, 12345, 0),
		"0 B, 64.0 KiB, 2.00 KiB":   of(byteScale, "", 0, 65536, 2048),
		"512 B, 64.0 KiB, 1.50 MiB": of(byteScale, "", 512, 65536, 3<<19),
	} {
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("got %s, want %s", text, want)
		}
	}
}
