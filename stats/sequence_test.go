package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// logs makes n log ratios about a true ratio, skewed a little.
func logs(n int, ratio, spread float64, rng *rand.Rand) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = math.Log(ratio) + spread*rng.NormFloat64()
	}
	return xs
}

func sequence(t *testing.T, limit, alpha float64, ratios ...float64) *Sequence {
	t.Helper()
	s, err := NewSequence(limit, alpha)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range ratios {
		if err := s.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// repeated makes n copies of the logarithm of ratio.
func repeated(n int, ratio float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = math.Log(ratio)
	}
	return xs
}

func TestSequenceDecidesAtTheFirstPairThatCan(t *testing.T) {
	for ratio, want := range map[float64]Side{1.05: Above, 1.01: Below} {
		s := sequence(t, 1.03, 0.01, repeated(8, ratio)...)
		if s.Side() != Undecided || s.DecidedAt() != 0 {
			t.Errorf("ratio %v: %v after eight pairs", ratio, s.Side())
		}
		for range 5 {
			_ = s.Add(math.Log(ratio))
		}
		if s.Side() != want || s.DecidedAt() != 9 || s.Pairs() != 13 {
			t.Errorf("ratio %v: %v at pair %d of %d, want %v at 9", ratio, s.Side(), s.DecidedAt(), s.Pairs(), want)
		}
	}
}

// With one of them tied nine do not suffice, but 13 of 14 do, as with one pair on
// the other side: E_13(12) is 16369/182 = 89.9, E_14(13) 32752/210 = 156.
func TestSequenceTiesCountForNeitherSide(t *testing.T) {
	for _, tie := range []float64{0, math.Log(103.0) - math.Log(100.0)} {
		limit := math.Exp(tie)
		s := sequence(t, limit, 0.01, append(repeated(8, limit*1.5), tie)...)
		if above, below := s.Counts(); above != 8 || below != 0 || s.Side() != Undecided {
			t.Fatalf("limit %v: %d above, %d below, %v", limit, above, below, s.Side())
		}
		for s.Side() == Undecided {
			_ = s.Add(tie + 0.5)
		}
		if above, _ := s.Counts(); s.DecidedAt() != 14 || above != 13 {
			t.Errorf("limit %v: decided at %d with %d above", limit, s.DecidedAt(), above)
		}
	}
	if s := sequence(t, 1, 0.01, make([]float64, 1000)...); s.Side() != Undecided {
		t.Errorf("a thousand equal pairs are %v", s.Side())
	}
	// 103 against 100 is 3 % exactly, whatever the logarithms round to.
	d := math.Log(103e-9 / 100e-9)
	if s := sequence(t, 1.03, 0.01, d, d, d); s.above+s.below != 0 {
		t.Errorf("3 %% against 3 %%: %d above, %d below", s.above, s.below)
	}
}

// Later pairs may take the evidence back, never the verdict.
func TestSequenceIsDecidedForGood(t *testing.T) {
	s := sequence(t, 1, 0.01, append(repeated(9, 1.1), repeated(200, 0.9)...)...)
	above, below := s.Evidence()
	if s.Side() != Above || s.DecidedAt() != 9 || above > 0 || below < math.Log(100) {
		t.Errorf("%v at %d, evidence %v above and %v below", s.Side(), s.DecidedAt(), above, below)
	}
	if low, high, err := s.Intersection(); !errors.Is(err, ErrContradiction) || !(low > high) {
		t.Errorf("first 1.1, then 0.9: got [%v, %v], %v", low, high, err)
	}
	if low, high, err := s.Interval(); err != nil || math.Abs(low-0.9) > 1e-9 || math.Abs(high-0.9) > 1e-9 {
		t.Errorf("as things stand: got [%v, %v], %v", low, high, err)
	}
}

// At every n the interval equals sequentialInterval's, the ratio is the median, the
// evidence equals Evidence, and the intersection leaves the limit exactly if there is
// a verdict.
func TestSequenceAtEveryPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	decided := 0
	for range 40 {
		xs := logs(150, 1.02, 0.05, rng)
		s, greatest, least := sequence(t, 1, 0.01), 0.0, math.Inf(1)
		for n := 1; n <= len(xs); n++ {
			_ = s.Add(xs[n-1])
			if want := math.Exp(Median(xs[:n])); math.Abs(s.Ratio()/want-1) > 1e-14 {
				t.Fatalf("ratio of %d pairs: got %v, want %v", n, s.Ratio(), want)
			}
			low, high, err := s.Interval()
			a, b, want := sequentialInterval(xs[:n], 0.98)
			if !errors.Is(err, want) || err == nil && (low != math.Exp(a) || high != math.Exp(b)) {
				t.Fatalf("interval of %d pairs: got [%v, %v], %v; want [%v, %v], %v", n, low, high, err, math.Exp(a), math.Exp(b), want)
			}
			if err != nil {
				continue
			}
			greatest, least = max(greatest, low), min(least, high)
			if low, high, _ := s.Intersection(); low != greatest || high != least {
				t.Fatalf("intersection of %d pairs: got [%v, %v], want [%v, %v]", n, low, high, greatest, least)
			}
			if (s.Side() == Above) != (greatest > 1) || (s.Side() == Below) != (least < 1) {
				t.Fatalf("%d pairs: %v, and the intersection is [%v, %v]", n, s.Side(), greatest, least)
			}
		}
		decided += int(s.Side())
	}
	if decided < 10 || decided > 39 {
		t.Errorf("%d of 40 decided: the test does not see both", decided)
	}
}

// Asking between pairs, or only once at the end, changes nothing.
func TestSequenceReplays(t *testing.T) {
	xs := logs(400, 1.01, 0.05, rand.New(rand.NewPCG(25, 26)))
	s, often := sequence(t, 1, 0.01, xs...), sequence(t, 1, 0.01)
	for _, x := range xs {
		_ = often.Add(x)
		often.Ratio()
		often.Intersection()
	}
	low, high, err := s.Intersection()
	if a, b, err2 := often.Intersection(); a != low || b != high || err != nil || err2 != nil {
		t.Errorf("[%v, %v] asked once, [%v, %v] asked often", low, high, a, b)
	}
	if s.Side() != often.Side() || s.DecidedAt() != often.DecidedAt() || s.Ratio() != often.Ratio() {
		t.Errorf("%v at %d asked once, %v at %d asked often", s.Side(), s.DecidedAt(), often.Side(), often.DecidedAt())
	}
}

// With half of 50 pairs at each end the interval is from one end to the other.
func TestSequenceNear(t *testing.T) {
	for _, c := range []struct {
		low, high, tolerance float64
		pairs                int
		want                 bool
	}{
		{1.0265, 1.0335, 0.03, 50, true},  // 0.7 % wide, and a quarter is 0.75 %
		{1.0260, 1.0340, 0.03, 50, false}, // 0.8 % wide
		{1.0265, 1.0335, 0.03, 8, false},  // no interval yet
		{1.0265, 1.0335, 0, 50, false},    // no tolerance: every difference counts
		{1.0301, 1.0302, 0.03, 50, false}, // beyond the limit
		{1.0298, 1.0299, 0.03, 50, false}, // below it
	} {
		xs := append(repeated(c.pairs/2, c.low), repeated(c.pairs/2, c.high)...)
		if got := sequence(t, 1.03, 0.01, xs...).Near(c.tolerance); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

func TestSequenceRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, limit := range []float64{0, -1, nan, inf, -inf} {
		if _, err := NewSequence(limit, 0.01); !errors.Is(err, ErrLimit) {
			t.Errorf("limit %v: %v", limit, err)
		}
	}
	for _, alpha := range []float64{0, -1, 1, 2, nan, inf} {
		if _, err := NewSequence(1, alpha); !errors.Is(err, ErrAlpha) {
			t.Errorf("α %v: %v", alpha, err)
		}
	}
	s := sequence(t, 1, 0.01)
	for _, x := range []float64{nan, inf, -inf} {
		if err := s.Add(x); !errors.Is(err, ErrNotFinite) {
			t.Errorf("log ratio %v: %v", x, err)
		}
	}
	if s.Pairs() != 0 || s.Ratio() != 0 {
		t.Errorf("%d pairs of what was refused, ratio %v", s.Pairs(), s.Ratio())
	}
}

func BenchmarkSequence100000(b *testing.B) {
	xs := logs(100_000, 1, 0.05, rand.New(rand.NewPCG(29, 30)))
	for b.Loop() {
		s, _ := NewSequence(1.03, 0.01)
		for _, x := range xs {
			_ = s.Add(x)
		}
		s.Intersection()
	}
}
