package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNextLevelLook(t *testing.T) {
	for _, c := range []struct {
		n     int
		alpha float64
		want  int
	}{{0, 0.01, 5}, {0, 0.005, 5}, {0, 0.0049, 6}, {4, 0.01, 5}, {5, 0.01, 10}, {25, 0.01, 40}, {0, 0.01 / 3, 6}, {0, 0.01 / 176, 9}, {9, 0.01 / 176, 18}} {
		if got := NextLevelLook(c.n, c.alpha); got != c.want {
			t.Errorf("after %d runs at %g: %d, want %d", c.n, c.alpha, got, c.want)
		}
	}
}

// same returns n runs of a program that always counts x.
func same(n int, x float64) []float64 { return slices.Repeat([]float64{x}, n) }

func TestLevelSide(t *testing.T) {
	for _, c := range []struct {
		what      string
		base, own []float64
		want      Side
	}{
		{"3 % more than 1 %", same(5, 1000), same(5, 1030), Above},
		{"less", same(5, 1000), same(5, 970), Below},
		{"the same", same(5, 1000), same(5, 1000), Below},
		{"exactly the limit", same(5, 1000), same(5, 1010), Undecided},
		{"one run of five is like the base", same(5, 1000), []float64{1030, 1030, 1000, 1030, 1030}, Undecided},
		{"one run of twenty is like the base", same(20, 1000), append(same(19, 1030), 1000), Above},
		{"first shown, then like the base", same(10, 1000), append(same(5, 1030), same(5, 1000)...), Above},
		{"two speeds on both sides", []float64{1000, 1130, 1000, 1130, 1000}, []float64{1130, 1000, 1130, 1000, 1130}, Undecided},
	} {
		if got := LevelSide(c.base, c.own, 1.01, 0.01, 0.01); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	if got := LevelSide(same(4, 1), same(4, 2), 1, 0.01, 0.01); got != Undecided {
		t.Errorf("four runs: %v", got)
	}
	if got := LevelSide(same(5, 0), same(5, 2), 1, 0.01, 0.01); got != Undecided {
		t.Errorf("zero: %v", got)
	}
	if got := LevelSide(same(5, 1), same(5, 2), 1, 0.0001, 0.01); got != Undecided {
		t.Errorf("an error of 0.0001 needs more than five runs: %v", got)
	}
	if got := LevelSide(same(5, 2), same(5, 1), 1, 0.0001, 0.01); got != Below {
		t.Errorf("an error of 0.01 needs five runs: %v", got)
	}
}

// A program with two speeds, one with rare outliers and one with normal noise are called slower or faster than their
// equals, times the limit, no oftener than alpha, however often one looks.
func TestLevelSideSeldomErrs(t *testing.T) {
	const trials, alpha, limit = 2000, 0.05, 1.02
	rng := rand.New(rand.NewPCG(33, 1))
	for what, run := range map[string]func() float64{
		"two speeds": func() float64 { return 1000 + 130*float64(rng.IntN(2)) },
		"outliers": func() float64 {
			if rng.IntN(6) == 0 {
				return 500
			}
			return 1000 + rng.Float64()
		},
		"normal": func() float64 { return 1000 * math.Exp(0.01*rng.NormFloat64()) },
	} {
		above, below := 0, 0
		for range trials {
			base, own := make([]float64, 32), make([]float64, 32)
			for i := range base {
				base[i], own[i] = run(), run()*limit
			}
			switch LevelSide(base, own, limit, alpha, alpha) {
			case Above:
				above++
			case Below:
				below++
			}
		}
		most := trials*alpha + 4*math.Sqrt(trials*alpha*(1-alpha))
		if float64(above) > most || float64(below) > most {
			t.Errorf("%s: %d above and %d below of %d", what, above, below, trials)
		}
	}
}
