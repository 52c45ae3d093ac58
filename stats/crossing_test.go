package stats

import (
	"fmt"
	"math"
	"math/bits"
	"testing"
)

// crossings returns the chance that the evidence for one side has reached 1/α by each
// number of pairs.
func crossings(pairs int, alpha, p float64) []float64 {
	walk := newWalk(alpha, p)
	for range pairs {
		walk.step()
	}
	return walk.crossed
}

// The golden table of the procedure, to its printed digits. By n = 50 at 1 % it
// prints 0.499; in exact fractions it is 0.498462.
func TestCrossings(t *testing.T) {
	for _, row := range []struct {
		alpha  float64
		format string
		want   [5]string // by n = 20, 50, 100, 300, 1000
	}{
		{0.05, "%.3f", [5]string{"1.837", "2.497", "2.900", "3.330", "3.626"}},
		{0.01, "%.3f", [5]string{"0.312", "0.498", "0.589", "0.699", "0.773"}},
		{0.001, "%.3f", [5]string{"0.017", "0.039", "0.050", "0.063", "0.072"}},
		{0.0002, "%.4f", [5]string{"0.0015", "0.0059", "0.0086", "0.0114", "0.0134"}},
	} {
		total := crossings(1000, row.alpha, 0.5)
		for i, n := range []int{20, 50, 100, 300, 1000} {
			if got := fmt.Sprintf(row.format, 100*total[n]); got != row.want[i] {
				t.Errorf("α = %v by n = %d: got %s %%, want %s %%", row.alpha, n, got, row.want[i])
			}
		}
	}
}

// All 2ⁿ sequences of signs up to 16 are walked one by one, with the formula's
// evidence at every step; each path is weighted by its chance.
func TestCrossingBruteForce(t *testing.T) {
	const limit = 16
	var step [limit + 1][limit + 1]float64
	for n := range step {
		for k := range n + 1 {
			step[n][k] = evidence(n, k)
		}
	}
	for _, alpha := range []float64{0.05, 0.01, 0.0002} {
		enough := needed(alpha)
		hits := make([]float64, limit+1) // by k of the whole path
		for path := range uint(1) << limit {
			for n := 1; n <= limit; n++ {
				if step[n][bits.OnesCount(path&(1<<n-1))] >= enough {
					hits[bits.OnesCount(path)]++
					break
				}
			}
		}
		for _, p := range []float64{0.5, 0.7, 1} {
			want := 0.0
			for k, paths := range hits {
				want += paths * math.Pow(p, float64(k)) * math.Pow(1-p, float64(limit-k))
			}
			got := crossings(limit, alpha, p)[limit]
			if math.Abs(got-want) > 1e-12 || want == 0 {
				t.Errorf("α = %v, p = %v: %v by brute force, %v by dynamic programming", alpha, p, want, got)
			}
		}
		if false := crossings(limit, alpha, 0.5)[limit]; false > alpha {
			t.Errorf("α = %v: crossed in %v of all sequences", alpha, false)
		}
	}
}

// The planning table: pairs to a verdict, median and nine of ten, for a share p
// on the true side. The one of the procedure was simulated; these are exact, and
// differ from it by what luck explains (265 for 274, 549 for 558 at p = 0.60).
func TestPairsToVerdict(t *testing.T) {
	shares := []float64{0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.99}
	for alpha, want := range map[float64][9][2]int{
		0.01:   {{265, 549}, {108, 228}, {58, 123}, {36, 74}, {24, 47}, {17, 33}, {14, 24}, {9, 17}, {9, 9}},
		0.0002: {{479, 822}, {205, 350}, {111, 190}, {68, 116}, {48, 76}, {35, 54}, {25, 38}, {21, 28}, {16, 21}},
	} {
		for i, p := range shares {
			median, ok := PairsToVerdict(1000, alpha, p, 0.5)
			most, ok2 := PairsToVerdict(1000, alpha, p, 0.9)
			if !ok || !ok2 || median != want[i][0] || most != want[i][1] {
				t.Errorf("α = %v, p = %v: got %d / %d, want %d / %d", alpha, p, median, most, want[i][0], want[i][1])
			}
		}
	}
	if n, ok := PairsToVerdict(300, 0.01, 0.5, 0.5); ok {
		t.Errorf("nothing to find, found in half of all cases after %d pairs", n)
	}
}

func TestFirstVerdict(t *testing.T) {
	for alpha, want := range map[float64]int{0.05: 7, 0.01: 9, 0.001: 13, 0.0002: 16} {
		if got := FirstVerdict(alpha); got != want {
			t.Errorf("at %v: got %d, want %d", alpha, got, want)
		}
	}
}

func BenchmarkCrossings1000(b *testing.B) {
	for b.Loop() {
		crossings(1000, 0.01, 0.5)
	}
}
