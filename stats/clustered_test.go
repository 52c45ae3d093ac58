package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// R: qt(0.975, 7), qt(0.995, 7), qt(0.975, 39), qt(0.995, 39)
func TestStudentQuantileAgainstR(t *testing.T) {
	for _, want := range []struct{ p, df, t float64 }{{0.975, 7, 2.364624}, {0.995, 7, 3.499483}, {0.975, 39, 2.022691}, {0.995, 39, 2.707913}} {
		if got := studentQuantile(want.p, want.df); math.Abs(got/want.t-1) > 0.002 {
			t.Errorf("t(%g, %g) = %g, want %g", want.p, want.df, got, want.t)
		}
	}
}

// R: qbinom(c(0.025, 0.975), 1000, 0.99) is 983 and 996: the ranks are 983 and 997.
func TestQuantileRanksOfKnownSizes(t *testing.T) {
	if low, high := quantileRanks(1000, 0.99, 0.95); low != 983 || high != 997 {
		t.Errorf("ranks %d and %d of 1000, want 983 and 997", low, high)
	}
	if _, high := quantileRanks(368, 0.99, 0.95); high > 368 {
		t.Errorf("368 members are enough for 95 %%, and the rank is %d", high)
	}
	if _, high := quantileRanks(367, 0.99, 0.95); high != 368 {
		t.Errorf("367 members are too few for 95 %%, and the rank is %d", high)
	}
	low, high := quantileRanks(6, 0.5, 0.95)
	if low != 1 || high != 6 {
		t.Errorf("a 95 %% interval of the median of six is from the least to the greatest, not from %d to %d", low, high)
	}
}

func TestQuantileSharesNeedClustersAndMembers(t *testing.T) {
	few := slices.Repeat([]float64{100}, 7)
	if _, _, err := QuantileShares(0.5, few, few, 0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("seven clusters: %v", err)
	}
	count, below := slices.Repeat([]float64{10}, 10), slices.Repeat([]float64{9.9}, 10)
	if _, _, err := QuantileShares(0.99, count, below, 0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("a hundred members: %v", err)
	}
}

// Members of a cluster share a level, so that they are alike, or a whole cluster is slow.
// The interval covers the true quantile as often as it promises; one that takes the members
// for independent does not.
func TestQuantileSharesCoverage(t *testing.T) {
	const trials, clusters, size, q, conf = 1000, 40, 30, 0.9, 0.95
	rng := rand.New(rand.NewPCG(1, 2))
	for name, level := range map[string]float64{"independent": 0, "alike": 0.7} {
		truth := normalQuantile(q) * math.Sqrt(1+level*level)
		missed, naive := 0, 0
		for range trials {
			xs, groups := make([]float64, 0, clusters*size), make([][]float64, clusters)
			for g := range groups {
				shared := level * rng.NormFloat64()
				for range size {
					groups[g] = append(groups[g], shared+rng.NormFloat64())
				}
				xs = append(xs, groups[g]...)
			}
			slices.Sort(xs)
			at := xs[int(q*float64(len(xs)))-1]
			var count, below []float64
			for _, g := range groups {
				hits := 0
				for _, x := range g {
					if x <= at {
						hits++
					}
				}
				count, below = append(count, size), append(below, float64(hits))
			}
			low, high, err := QuantileShares(q, count, below, conf)
			if err != nil {
				t.Fatal(err)
			}
			n := float64(len(xs))
			if truth < xs[int(low*n)-1] || truth > xs[min(int(math.Ceil(high*n)), len(xs))-1] {
				missed++
			}
			first, last := quantileRanks(len(xs), q, conf)
			if truth < xs[first-1] || truth > xs[last-1] {
				naive++
			}
		}
		limit := trials*(1-conf) + 5*math.Sqrt(trials*(1-conf)*conf)
		if float64(missed) > limit {
			t.Errorf("%s: missed %d of %d, at most %.0f", name, missed, trials, limit)
		}
		if level > 0 && naive < trials/4 {
			t.Errorf("%s: members taken for independent missed only %d of %d: the test shows nothing", name, naive, trials)
		}
	}
}
