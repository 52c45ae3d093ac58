package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// Ranks worked from binomial tables; in R the rank is
//
//	qbinom((1 - conf) / 2, n, 0.5), less 1 where pbinom of it exceeds (1 − conf)/2, plus 1
func TestMedianRank(t *testing.T) {
	for _, c := range []struct {
		n    int
		conf float64
		rank int
	}{
		{0, 0.95, 0}, {5, 0.95, 0}, {6, 0.95, 1}, {8, 0.95, 1}, {9, 0.95, 2}, {10, 0.95, 2},
		{20, 0.95, 6}, {100, 0.95, 40}, {7, 0.99, 0}, {8, 0.99, 1}, {20, 0.99, 4},
		{6, 1 - 2.0/64, 1},    // reached exactly: 1 − 2·2⁻⁶
		{10000, 0.95, 4902},   // 5000 − 1.96·50, and beyond the range of 2⁻ⁿ
		{100000, 0.99, 49593}, // 50000 − 2.5758·158.11
		{10, 1, 0}, {10, math.NaN(), 0},
	} {
		if got := medianRank(c.n, c.conf); got != c.rank {
			t.Errorf("n = %d at %v: got rank %d, want %d", c.n, c.conf, got, c.rank)
		}
	}
}

func TestLogCoinsAgainstSums(t *testing.T) {
	for n := range 60 {
		cdf, pmf := 0.0, math.Pow(0.5, float64(n))
		for k := range n + 1 {
			cdf += pmf
			if got := math.Exp(logCoins(n, k)); math.Abs(got/cdf-1) > 1e-11 {
				t.Fatalf("P(Bin(%d) ≤ %d): got %v, want %v", n, k, got, cdf)
			}
			pmf *= float64(n-k) / float64(k+1)
		}
	}
}

func TestIntervalTooFew(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 5, 6, 7}
	if _, _, err := MedianInterval(xs[:5], 0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("five samples at 95 %%: got %v", err)
	}
	if _, _, err := MedianInterval(xs, 0.99); !errors.Is(err, ErrTooFew) {
		t.Errorf("seven samples at 99 %%: got %v", err)
	}
	if lo, hi, err := MedianInterval(xs[:6], 0.95); err != nil || lo != 1 || hi != 6 {
		t.Errorf("six samples at 95 %%: got [%v, %v], %v", lo, hi, err)
	}
}

// fiveSigma is the most misses that luck leaves room for at rate p.
func fiveSigma(trials, p float64) float64 { return trials*p + 5*math.Sqrt(trials*p*(1-p)) }

func TestMedianIntervalCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const trials = 4000
	for _, n := range []int{6, 15, 40} {
		missed, xs := 0, make([]float64, n)
		for range trials {
			for i := range xs {
				xs[i] = math.Exp(rng.NormFloat64()) // skewed; the true median is 1
			}
			if lo, hi, err := MedianInterval(xs, 0.95); err != nil || lo > 1 || hi < 1 {
				missed++
			}
		}
		if limit := fiveSigma(trials, 0.05); float64(missed) > limit {
			t.Errorf("n = %d: missed %d of %d, allowed %.0f", n, missed, trials, limit)
		}
	}
}

// noise is a skewed series of median 1 in which neighbours resemble each other.
type noise struct {
	rng *rand.Rand
	rho float64
	x   float64
}

func (s *noise) next() float64 {
	s.x = s.rho*s.x + math.Sqrt(1-s.rho*s.rho)*s.rng.NormFloat64()
	return math.Exp(s.x)
}

// blocks takes blocks of 10 samples, after gap samples of other cases each.
func (s *noise) blocks(count, gap int) (xs []float64, block []int) {
	for b := range count {
		for range gap {
			s.next()
		}
		for range 10 {
			xs, block = append(xs, s.next()), append(block, b)
		}
	}
	return xs, block
}

// Intervals over block medians cover the median of strongly correlated samples. Blocks follow each other after one discarded
// batch, the hardest case; with others in between they resemble each other less.
func TestBlockIntervalCoverage(t *testing.T) {
	source := &noise{rng: rand.New(rand.NewPCG(7, 8)), rho: 0.9}
	const trials = 1000
	var blocks95, blocks99, unpooled, samples float64
	for range trials {
		xs, block := source.blocks(100, 1)
		blocks95 += miss(BlockInterval(xs, block, 0.95))
		blocks99 += miss(BlockInterval(xs, block, 0.99))
		unpooled += miss(MedianInterval(GroupMedians(xs, block), 0.95))
		samples += miss(MedianInterval(xs, 0.95))
	}
	// 5.5 and 0.6 % over 20,000 series: a hair above, for neighbours still meet.
	if blocks95 > fiveSigma(trials, 0.055) || blocks99 > fiveSigma(trials, 0.01) {
		t.Errorf("missed %.1f %% at 95 %%, %.1f %% at 99 %%", 100*blocks95/trials, 100*blocks99/trials)
	}
	// The test has teeth: intervals over what is not independent must fail it.
	if samples < 0.4*trials || unpooled <= fiveSigma(trials, 0.055) {
		t.Errorf("over samples %.1f %% missed, over single blocks %.1f %%: too good",
			100*samples/trials, 100*unpooled/trials)
	}
}

func TestBlockIntervalCoverageInAWindow(t *testing.T) {
	source := &noise{rng: rand.New(rand.NewPCG(9, 10)), rho: 0.9}
	const trials = 1000
	missed := 0.0
	for range trials {
		missed += miss(interval95(source.blocks(24, 77))) // seven other cases in between
	}
	if missed > fiveSigma(trials, 0.05) {
		t.Errorf("missed %.1f %%", 100*missed/trials)
	}
}

func interval95(xs []float64, block []int) (lo, hi float64, err error) {
	return BlockInterval(xs, block, 0.95)
}

func miss(lo, hi float64, err error) float64 {
	if err != nil || lo > 1 || hi < 1 {
		return 1
	}
	return 0
}

func BenchmarkMedianInterval10000(b *testing.B) {
	xs := lognormal(10000)
	for b.Loop() {
		MedianInterval(xs, 0.95)
	}
}

func BenchmarkBlockInterval10000(b *testing.B) {
	xs := lognormal(10000)
	block := make([]int, len(xs))
	for i := range block {
		block[i] = i / 10
	}
	for b.Loop() {
		BlockInterval(xs, block, 0.99)
	}
}

func BenchmarkDrift1000(b *testing.B) {
	xs := lognormal(1000)
	for b.Loop() {
		Drift(xs)
	}
}

func lognormal(n int) []float64 {
	rng, xs := rand.New(rand.NewPCG(1, 2)), make([]float64, n)
	for i := range xs {
		xs[i] = math.Exp(rng.NormFloat64())
	}
	return xs
}
