package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// R: qt(c(0.975, 0.9995, 0.975, 0.975, 0.9, 0.025, 0.95), c(10, 8, 1, 2, 30, 10, 4))
func TestStudentQuantilesAreThoseOfR(t *testing.T) {
	for _, test := range []struct{ p, freedom, want float64 }{
		{0.975, 10, 2.228138852}, {0.9995, 8, 5.041305433}, {0.975, 1, 12.70620474}, {0.975, 2, 4.302652730}, {0.9, 30, 1.310415025}, {0.025, 10, -2.228138852}, {0.95, 4, 2.131846786},
	} {
		if got := StudentQuantile(test.p, test.freedom); math.Abs(got-test.want) > 1e-6*math.Abs(test.want) {
			t.Errorf("p %g, %g degrees: %.9f, want %.9f", test.p, test.freedom, got, test.want)
		}
	}
}

// By hand: variances of 46/7 and 32/7, so the squared error is 1.3929 and there are 13.56
// degrees of freedom, for which 2.1515 errors are 95 %.
func TestWelchDifferenceOfAWorkedExample(t *testing.T) {
	d, err := WelchDifference([]float64{8, 1, 4, 6, 6, 4, 1, 2}, []float64{5, 7, 5, 3, 5, 3, 3, 9}, 0.95, 0)
	if err != nil || d.Value != 1 || math.Abs(d.Low+1.5392) > 2e-3 || math.Abs(d.High-3.5392) > 2e-3 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestWelchDifferenceNeedsTwoOfEachSide(t *testing.T) {
	if _, err := WelchDifference([]float64{1}, []float64{1, 2}, 0.95, 0); err != ErrTooFew {
		t.Error(err)
	}
}

func TestWelchDifferenceOfConstantsHasTheLeastVariance(t *testing.T) {
	same := []float64{0, 0, 0, 0}
	d, _ := WelchDifference(same, []float64{1, 1, 1, 1}, 0.95, 0)
	if d.Low != 1 || d.High != 1 {
		t.Errorf("%+v", d)
	}
	d, _ = WelchDifference(same, []float64{1, 1, 1, 1}, 0.95, 1)
	if d.Low >= 0 || d.High <= 2 { // half is 2.447 × √½ = 1.73
		t.Errorf("%+v", d)
	}
}

// Counts of readings of a profiler, few and many, with a side that has three times the
// other's variance: the interval misses the truth no oftener than agreed.
func TestWelchDifferenceCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const trials = 4000
	for _, conf := range []float64{0.95, 0.999} {
		for _, mean := range []float64{0.3, 3, 30} {
			missed := 0
			for range trials {
				var xs, ys []float64
				for range 8 {
					xs = append(xs, poisson(rng, mean))
					ys = append(ys, poisson(rng, mean))
				}
				least := max(Mean(append(xs[:8:8], ys...)), 1.0/16)
				d, _ := WelchDifference(xs, ys, conf, least)
				if d.Low > 0 || d.High < 0 {
					missed++
				}
			}
			limit := trials*(1-conf) + 5*math.Sqrt(trials*(1-conf)*conf)
			if float64(missed) > limit {
				t.Errorf("confidence %g, counts of %g: %d of %d missed, want at most %.0f", conf, mean, missed, trials, limit)
			}
		}
	}
}

// poisson draws a count by Knuth's method.
func poisson(rng *rand.Rand, mean float64) float64 {
	limit, p, n := math.Exp(-mean), 1.0, -1.0
	for p > limit {
		p *= rng.Float64()
		n++
	}
	return n
}
