package stats

import (
	"math"
	"math/big"
	"testing"
)

// In R: binom.test(less, less + more)$p.value
func TestSignTest(t *testing.T) {
	for _, c := range []struct {
		less, more int
		want       float64
	}{
		{0, 0, 1}, {5, 5, 1}, {0, 10, 0.001953125}, {11, 0, 0.0009765625},
		{1, 13, 0.001831054688}, {14, 1, 0.0009765625}, {20, 40, 0.01348929373}, {400, 600, 2.728464156e-10},
		{-3, 10, 0.001953125},
	} {
		if got := signTest(c.less, c.more); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("%d against %d: got %v, want %v", c.less, c.more, got, c.want)
		}
	}
	if p := signTest(500_000, 500_000); p != 1 {
		t.Errorf("a million tosses, evenly: got %v", p)
	}
}

// In R: binom.test(hits, trials, conf.level = conf)$conf.int
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		hits, trials    int
		conf, low, high float64
	}{
		{0, 20, 0.95, 0, 0.1684334710},
		{3, 20, 0.95, 0.0320709372, 0.3789268265},
		{10, 100, 0.95, 0.0490046892, 0.1762225977},
		{100, 100, 0.99, 0.9483959704, 1},
		{0, 450, 0.95, 0, 0.0081640019}, // 1 − 0.025^(1/450)
		{1, 120, 0.98, 0.0000837493, 0.0540377595},
		{200, 20_000, 0.98, 0.0084353131, 0.0117617698},
		{0, 0, 0.95, 0, 1},
	} {
		low, high := ClopperPearson(c.hits, c.trials, c.conf)
		if math.Abs(low-c.low) > 1e-9 || math.Abs(high-c.high) > 1e-9 {
			t.Errorf("%d of %d at %v: got [%.10f, %.10f], want [%v, %v]", c.hits, c.trials, c.conf, low, high, c.low, c.high)
		}
	}
}

// In R: binom.test(hits, trials, alternative = "less", conf.level = 0.99)$conf.int
func TestUpperBound(t *testing.T) {
	if got := UpperBound(200, 20_000, 0.99); math.Abs(got-0.0117617698) > 1e-9 {
		t.Errorf("200 of 20,000: got %.10f", got)
	}
	if got, want := UpperBound(0, 20_000, 0.99), 1-math.Pow(0.01, 1.0/20_000); math.Abs(got-want) > 1e-12 {
		t.Errorf("none of 20,000: got %v, want %v", got, want)
	}
	if got := UpperBound(1_000, 1_000_000, 0.99); !(got > 0.001 && got < 0.00108) {
		t.Errorf("1000 of a million: got %v", got) // 0.001 + 2.33·√(10⁻⁹) and a little
	}
}

func TestBinomialBelowAgainstSums(t *testing.T) {
	for _, p := range []float64{0.001, 0.3, 0.5, 0.9} {
		for n := 1; n <= 40; n++ {
			sum := 0.0
			for k := range n {
				ways, _ := new(big.Int).Binomial(int64(n), int64(k)).Float64()
				sum += ways * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
				if got := binomialBelow(n, k, p); math.Abs(got-sum) > 1e-12 {
					t.Fatalf("P(Bin(%d, %v) ≤ %d): got %v, want %v", n, p, k, got, sum)
				}
			}
		}
	}
}
