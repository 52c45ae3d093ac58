package stats

import (
	"errors"
	"math"
	"math/big"
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
		if got := math.Exp(evidence(c.n, c.k)); math.Abs(got-c.want) > 1e-12*c.want {
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

// E_n(k) = Σ_(j≤k) C(n+1, j) / ((n+1) C(n, k)), in whole numbers.
func TestEvidenceExactly(t *testing.T) {
	for n := 1; n <= 64; n++ {
		sum := new(big.Int)
		for k := 0; k <= n; k++ {
			sum.Add(sum, new(big.Int).Binomial(int64(n+1), int64(k)))
			below := new(big.Int).Binomial(int64(n), int64(k))
			want, _ := new(big.Rat).SetFrac(sum, below.Mul(below, big.NewInt(int64(n+1)))).Float64()
			if got := math.Exp(evidence(n, k)); math.Abs(got/want-1) > 1e-11 {
				t.Fatalf("E_%d(%d): got %v, want %v", n, k, got, want)
			}
		}
	}
}

// The same with 200 bits at n = 10⁶, where 2ⁿ and C(n, k) are beyond float64;
// at the ends E_n(n) is 2ⁿ⁺¹/(n+1) and E_n(0) is 1/(n+1).
func TestEvidenceFarOut(t *testing.T) {
	const n = 1_000_000
	for _, k := range []int{490_000, 500_000, 502_000, 503_000, 520_000} {
		if got, want := evidence(n, k), bigEvidence(n, k); math.Abs(got-want) > 1e-7 {
			t.Errorf("ln E at k = %d: got %.9f, want %.9f", k, got, want)
		}
	}
	if got, want := evidence(n, n), (n+1)*math.Ln2-math.Log(n+1); math.Abs(got-want) > 1e-6 {
		t.Errorf("ln E where all agree: got %v, want %v", got, want)
	}
	if got, want := evidence(n, 0), -math.Log(n+1); math.Abs(got-want) > 1e-6 {
		t.Errorf("ln E where none does: got %v, want %v", got, want)
	}
}

// bigEvidence sums C(n+1, j) / C(n, k) for j from k down, of which 40,000 terms
// are enough: in ratios of neighbours, so that no C is ever computed.
func bigEvidence(n, k int) float64 {
	ratio := func(a, b int) *big.Float {
		x := new(big.Float).SetPrec(200).SetInt64(int64(a))
		return x.Quo(x, new(big.Float).SetPrec(200).SetInt64(int64(b)))
	}
	term := ratio(n+1, n+1-k) // C(n+1, k) / C(n, k)
	sum := new(big.Float).SetPrec(200).Set(term)
	for j := k; j > k-40_000; j-- {
		term.Mul(term, ratio(j, n+2-j))
		sum.Add(sum, term)
	}
	mantissa := new(big.Float)
	exponent := sum.Quo(sum, ratio(n+1, 1)).MantExp(mantissa)
	value, _ := mantissa.Float64()
	return math.Log(value) + float64(exponent)*math.Ln2
}

func TestSequentialInterval(t *testing.T) {
	xs := []float64{15, 1, 14, 2, 13, 3, 12, 4, 11, 5, 10, 6, 9, 7, 8}
	if lo, hi, err := sequentialInterval(xs, 0.98); err != nil || lo != 2 || hi != 14 {
		t.Errorf("15 samples at 98 %%, k* = 14: got [%v, %v], %v", lo, hi, err)
	}
	if _, _, err := sequentialInterval(xs[:8], 0.98); !errors.Is(err, ErrTooFew) {
		t.Errorf("eight samples at 98 %%: got %v", err)
	}
}

// Looking after every sample makes no error, whereas the interval for one look is
// wrong nearly four times as often as promised.
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
	if wrong := looks(sequentialInterval); wrong > fiveSigma(trials, 0.02) || wrong == 0 {
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
