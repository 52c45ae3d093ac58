package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// By hand: of the 252 orders of five and five numbers 1 has a statistic of 0, 1 has 1, 2 have 2, 3
// have 3, and 5 have 4.
func TestRankSumTail(t *testing.T) {
	for _, c := range []struct {
		k     int
		alpha float64
		want  int
	}{{1, 0.4, 0}, {1, 0.5, 1}, {2, 0.2, 1}, {4, 0.02, 1}, {5, 0.004, 1}, {5, 0.0039, 0}, {5, 0.05, 5}} {
		if got := rankSumTail(c.k, c.alpha); got != c.want {
			t.Errorf("%d numbers at %g: %d, want %d", c.k, c.alpha, got, c.want)
		}
	}
	// Many numbers are as the normal distribution says.
	for _, k := range []int{30, 60, 100} {
		n := float64(k)
		want := n*n/2 - 2.3263*math.Sqrt(n*n*(2*n+1)/12)
		if got := float64(rankSumTail(k, 0.01)); math.Abs(got-want) > 3 {
			t.Errorf("%d numbers: %g, want about %g", k, got, want)
		}
	}
}

func TestLevelRatioOfKnownLevels(t *testing.T) {
	xs := []float64{1, 1.01, 0.99, 1.02, 0.98}
	ys := []float64{2, 2.02, 1.98, 2.04, 1.96}
	f, err := LevelRatio(xs, ys, 0.99)
	if err != nil || math.Abs(f.Value-2) > 1e-9 || f.Low < 1.96/1.02-1e-9 || f.Low > 1.96 || f.High > 2.04/0.98+1e-9 || f.High < 2.04 {
		t.Errorf("%+v, %v", f, err)
	}
	for name, c := range map[string]struct{ xs, ys []float64 }{"too few": {xs[:4], ys[:4]}, "unequal": {xs, ys[:4]}, "zero": {append([]float64{0}, xs...), append([]float64{1}, ys...)}} {
		if _, err := LevelRatio(c.xs, c.ys, 0.99); !errors.Is(err, ErrTooFew) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := LevelPoints(1 - 2e-5); got != 10 { // 20 choose 10 is 184,756
		t.Errorf("LevelPoints = %d, want 10", got)
	}
}

// The bounds contain the true ratio as often as they promise, whatever the noise is.
func TestLevelRatioCoverage(t *testing.T) {
	const trials, conf, k = 4000, 0.9, 9
	random := rand.New(rand.NewPCG(1, 2))
	for name, noise := range map[string]func() float64{
		"normal":   func() float64 { return 0.02 * random.NormFloat64() },
		"skewed":   func() float64 { return 0.1 * random.ExpFloat64() },
		"outliers": func() float64 { return 0.01 * random.NormFloat64() / math.Max(0.01, random.Float64()) },
	} {
		missed := 0
		for range trials {
			xs, ys := make([]float64, k), make([]float64, k)
			for i := range k {
				xs[i], ys[i] = math.Exp(noise()), 1.05*math.Exp(noise())
			}
			if f, err := LevelRatio(xs, ys, conf); err != nil || f.Low > 1.05 || f.High < 1.05 {
				missed++
			}
		}
		most := trials*(1-conf) + 5*math.Sqrt(trials*conf*(1-conf))
		if float64(missed) > most || float64(missed) < trials*(1-conf)/2 {
			t.Errorf("%s: missed in %d of %d, want %g at most", name, missed, trials, most)
		}
	}
}

// The bounds of a product contain it as often as those of its factors contain theirs.
func TestProductOfRatios(t *testing.T) {
	const z98, z99 = 2.326348, 2.575829
	f := Product([]Factor{{2, 2 / math.Exp(0.03), 2 * math.Exp(0.03)}, {0.5, 0.5 / math.Exp(0.04), 0.5 * math.Exp(0.04)}}, 0.98, 0.99)
	if math.Abs(f.Value-1) > 1e-9 || math.Abs(math.Log(f.High)-0.05*z99/z98) > 1e-6 || math.Abs(math.Log(f.Low)+math.Log(f.High)) > 1e-9 {
		t.Errorf("%+v", f)
	}
}

// At 95 % wilcox.test(ys, xs, conf.int = TRUE) of R takes the third smallest and the third
// largest of 25 differences.
func TestLevelRatioHasTheRanksOfTheRankSumTest(t *testing.T) {
	xs, ys := []float64{1, 2.1, 4.3, 8.9, 17}, []float64{3, 5, 7, 11, 13}
	var ratios []float64
	for _, x := range xs {
		for _, y := range ys {
			ratios = append(ratios, y/x)
		}
	}
	slices.Sort(ratios)
	got, err := LevelRatio(xs, ys, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]float64{"value": {got.Value, ratios[12]}, "low": {got.Low, ratios[2]}, "high": {got.High, ratios[22]}} {
		if math.Abs(pair[0]/pair[1]-1) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, pair[0], pair[1])
		}
	}
}
