package stats

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// E_10(10) = 2¹¹ / 11 · (1 − 2⁻¹¹) and so on, by hand from the formula.
func TestEvidenceByHand(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want float64
	}{
		{0, 0, 1},
		{1, 1, 1.5},                // 4 · 1/2 · 3/4
		{1, 0, 0.5},                // 4 · 1/2 · 1/4
		{10, 10, 2047. / 11},       // every one above
		{4, 2, 0.5333333333333333}, // 32 · 1/30 · 16/32
		{5, -3, 64. / 6 / 64},      // clipped to k = 0
		{5, 9, 63. / 6},            // clipped to k = 5
	} {
		if got := math.Exp(Evidence(c.n, c.k)); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("E_%d(%d): got %v, want %v", c.n, c.k, got, c.want)
		}
	}
}

// The golden table of the design: k*(n, α).
func TestThreshold(t *testing.T) {
	at := map[int][2]int{ // α = 1 %, 0.02 %; 0: none
		9: {9, 0}, 10: {10, 0}, 15: {14, 0}, 20: {18, 20}, 30: {24, 27}, 50: {37, 41},
		100: {68, 72}, 200: {126, 132}, 300: {182, 190}, 1000: {560, 575},
	}
	for n, want := range at {
		for i, alpha := range []float64{0.01, 0.0002} {
			k, ok := Threshold(n, alpha)
			if ok != (want[i] > 0) || ok && k != want[i] {
				t.Errorf("k*(%d) at %v: got %d %v, want %d", n, alpha, k, ok, want[i])
			}
		}
	}
	for alpha, first := range map[float64]int{0.05: 7, 0.01: 9, 0.001: 13, 0.0002: 16, 0.005: 11, 0.0005: 14} {
		_, before := Threshold(first-1, alpha)
		if _, now := Threshold(first, alpha); before || !now {
			t.Errorf("at %v the first verdict is not at %d", alpha, first)
		}
	}
}

// thresholds gives k*(n, α) for n up to limit, n+1 where there is none.
func thresholds(limit int, alpha float64) []int {
	ks := make([]int, limit+1)
	for n := range ks {
		k, ok := Threshold(n, alpha)
		if !ok {
			k = n + 1
		}
		ks[n] = k
	}
	return ks
}

// crossed gives the chance that fair coins reach k* at any n up to limit,
// exactly, by carrying the distribution of the paths that have not yet.
func crossed(limit int, alpha float64) []float64 {
	ks, total := thresholds(limit, alpha), make([]float64, limit+1)
	alive := make([]float64, limit+2)
	alive[0] = 1
	for n := 1; n <= limit; n++ {
		total[n] = total[n-1]
		for k := n; k >= 0; k-- {
			p := alive[k] / 2
			if k > 0 {
				p += alive[k-1] / 2
			}
			if k >= ks[n] {
				total[n] += p
				p = 0
			}
			alive[k] = p
		}
	}
	return total
}

// The golden table of the design, to its printed digits. By n = 50 at 1 % it
// prints 0.499; in exact fractions it is 0.49846.
func TestCrossingProbability(t *testing.T) {
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
		total := crossed(1000, row.alpha)
		for i, n := range []int{20, 50, 100, 300, 1000} {
			if got := fmt.Sprintf(row.format, 100*total[n]); got != row.want[i] {
				t.Errorf("α = %v by n = %d: got %s %%, want %s %%", row.alpha, n, got, row.want[i])
			}
		}
	}
}

// Every one of the 2ⁿ sequences of signs up to 16, walked one by one.
func TestCrossingBruteForce(t *testing.T) {
	const limit = 16
	for _, alpha := range []float64{0.05, 0.01, 0.0002} {
		ks, hits := thresholds(limit, alpha), 0
		for path := range uint(1) << limit {
			for n := 1; n <= limit; n++ {
				if bits.OnesCount(path&(1<<n-1)) >= ks[n] {
					hits++
					break
				}
			}
		}
		got, want := float64(hits)/(1<<limit), crossed(limit, alpha)[limit]
		if math.Abs(got-want) > 1e-12 || got > alpha || got == 0 {
			t.Errorf("α = %v: %v by brute force, %v by dynamic programming", alpha, got, want)
		}
	}
}

func TestSequentialInterval(t *testing.T) {
	xs := []float64{15, 1, 14, 2, 13, 3, 12, 4, 11, 5, 10, 6, 9, 7, 8}
	if lo, hi, err := SequentialInterval(xs, 0.98); err != nil || lo != 2 || hi != 14 {
		t.Errorf("15 samples at 98 %%, k* = 14: got [%v, %v], %v", lo, hi, err)
	}
	if _, _, err := SequentialInterval(xs[:8], 0.98); !errors.Is(err, ErrTooFew) {
		t.Errorf("eight samples at 98 %%: got %v", err)
	}
}

// Looking after every sample costs nothing, where the interval for one look
// is wrong nearly four times as often as agreed.
func TestSequentialIntervalFalseExclusion(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const trials = 1000
	looks := func(interval func([]float64, float64) (float64, float64, error)) float64 {
		wrong := 0
		for range trials {
			xs := make([]float64, 0, 60)
			for range cap(xs) {
				xs = append(xs, math.Exp(rng.NormFloat64()))
				if lo, hi, err := interval(xs, 0.98); err == nil && (lo > 1 || hi < 1) {
					wrong++
					break
				}
			}
		}
		return float64(wrong)
	}
	if wrong := looks(SequentialInterval); wrong > fiveSigma(trials, 0.02) || wrong == 0 {
		t.Errorf("excluded the median in %.1f %% of series", 100*wrong/trials)
	}
	if wrong := looks(MedianInterval); wrong < fiveSigma(trials, 0.04) {
		t.Errorf("peeking at a fixed interval excluded it in only %.1f %%", 100*wrong/trials)
	}
}

func TestSequentialBlockIntervalDoubles(t *testing.T) {
	var xs []float64
	var block []int
	for b := range 29 {
		for range 10 {
			xs, block = append(xs, float64(b)), append(block, b)
		}
	}
	// 28 blocks make 14 pairs, all of which 99.9 % needs; the 29th waits.
	for _, blocks := range []int{28, 29} {
		lo, hi, err := SequentialBlockInterval(xs[:10*blocks], block[:10*blocks], 0.999)
		if err != nil || lo != 0.5 || hi != 26.5 {
			t.Errorf("%d blocks: got [%v, %v], %v", blocks, lo, hi, err)
		}
	}
	if lo, hi, err := SequentialBlockInterval(xs[:140], block[:140], 0.999); err != nil || lo != 0 || hi != 13 {
		t.Errorf("14 blocks: got [%v, %v], %v", lo, hi, err)
	}
	if _, _, err := SequentialBlockInterval(xs[:130], block[:130], 0.999); !errors.Is(err, ErrTooFew) {
		t.Errorf("13 blocks: got %v", err)
	}
}

func TestSequentialBlockIntervalFalseExclusion(t *testing.T) {
	const trials = 300
	for gap, allowed := range map[int]float64{1: 0.02, 77: 0.01} {
		source, wrong := &noise{rng: rand.New(rand.NewPCG(13, 14)), rho: 0.9}, 0
		for range trials {
			xs, block := source.blocks(150, gap)
			for n := 14; n <= 150; n += 3 {
				lo, hi, err := SequentialBlockInterval(xs[:10*n], block[:10*n], 0.999)
				if err != nil {
					t.Fatalf("no interval over %d blocks", n)
				}
				if lo > 1 || hi < 1 {
					wrong++
					break
				}
			}
		}
		if float64(wrong) > fiveSigma(trials, allowed) {
			t.Errorf("gap %d: excluded the median in %d of %d series", gap, wrong, trials)
		}
	}
}
