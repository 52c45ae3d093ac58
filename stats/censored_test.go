package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var inf = math.Inf(1)

// atLeast makes samples of which those from an index on are known only to be at
// least so much.
func atLeast(from int, xs ...float64) Censored {
	c := Censored{xs, slices.Clone(xs)}
	for i := from; i < len(xs); i++ {
		c.High[i] = inf
	}
	return c
}

func TestCensoredSamplesByHand(t *testing.T) {
	few := atLeast(5, 1, 2, 3, 4, 5, 10, 10) // 1 to 5, and two that are 10 or more
	cases := map[string]struct {
		of        func() (low, high float64)
		low, high float64
	}{
		"the median among the known ones":  {few.Median, 4, 4},
		"the median among the others":      {atLeast(2, 1, 2, 10, 10).Median, 6, inf},
		"the least":                        {few.Min, 1, 1},
		"the least may be unknown":         {atLeast(1, 5, 1).Min, 1, 5},
		"the greatest":                     {few.Max, 10, inf},
		"the mean":                         {few.Mean, 5, inf},
		"a quantile among the known ones":  {func() (low, high float64) { return few.Quantile(0.25) }, 2 + 1.0/6, 2 + 1.0/6},
		"a quantile just below the others": {func() (low, high float64) { return atLeast(3, 1, 2, 3, 10, 10).Quantile(0.5) }, 3, 3},
		"a quantile beyond them":           {func() (low, high float64) { return few.Quantile(0.95) }, 10, inf},
		// Distances from 4: 3 2 1 0 1, and 6 or more twice.
		"the MAD of a known median":    {few.MAD, 2, 2},
		"the MAD of an unknown median": {atLeast(2, 1, 2, 10, 10).MAD, 0, inf},
		// At 10 each: sd(c(1:5, 10, 10)) = 3.651484
		"the deviation above the mean": {few.StdDev, 3.6514837167, inf},
		// A sample that may be anything from 1 up can be equal to the mean of 4 and
		// 6.
		"the deviation below the mean": {atLeast(2, 4, 6, 1).StdDev, 1, inf},
		"rates of what was killed":     {Censored{[]float64{0, 1, 2}, []float64{0.5, 1, 2}}.Mean, 1, 3.5 / 3},
		"the least rate":               {Censored{[]float64{0, 1, 2}, []float64{0.5, 1, 2}}.Min, 0, 0.5},
		"the greatest rate":            {Censored{[]float64{0, 1, 2}, []float64{0.5, 1, 2}}.Max, 2, 2},
		"nothing":                      {Censored{}.Max, 0, 0},
	}
	for name, c := range cases {
		low, high := c.of()
		if !alike(low, c.low) || !alike(high, c.high) {
			t.Errorf("%s: %g to %g, want %g to %g", name, low, high, c.low, c.high)
		}
	}
}

func alike(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*math.Abs(b) }

// Whatever the censored samples really were, every statistic is between its ends.
func TestStatisticsOfCensoredSamplesHoldTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 5 + rng.IntN(20)
		truth, c := make([]float64, n), Censored{make([]float64, n), make([]float64, n)}
		block := make([]int, n)
		for i := range truth {
			truth[i], block[i] = math.Exp(rng.NormFloat64()), i
			c.Low[i], c.High[i] = truth[i], truth[i]
			switch rng.IntN(4) {
			case 0:
				c.Low[i], c.High[i] = truth[i]*rng.Float64(), inf
			case 1:
				c.Low[i], c.High[i] = 0, truth[i]*(1+rng.Float64())
			}
		}
		for name, s := range map[string]struct {
			ends func() (low, high float64)
			of   float64
		}{
			"median": {c.Median, Median(truth)}, "mean": {c.Mean, Mean(truth)}, "deviation": {c.StdDev, StdDev(truth)},
			"MAD": {c.MAD, MAD(truth)}, "least": {c.Min, slices.Min(truth)}, "greatest": {c.Max, slices.Max(truth)},
			"p90": {func() (low, high float64) { return c.Quantile(0.9) }, Quantile(truth, 0.9)},
		} {
			if low, high := s.ends(); math.IsNaN(low) || math.IsNaN(high) || s.of < low-1e-12 || s.of > high+1e-12 {
				t.Fatalf("%s: %g is not between %g and %g of %v", name, s.of, low, high, c)
			}
		}
		low, high, err := c.BlockInterval(block, 0.9)
		inner, outer, _ := BlockInterval(truth, block, 0.9)
		if err == nil && (low > inner || high < outer) {
			t.Fatalf("interval %g to %g, and without censoring %g to %g", low, high, inner, outer)
		}
	}
}

func TestKnownSamplesAreNotCensored(t *testing.T) {
	xs := []float64{5, 1, 4, 2, 3, 6, 8}
	c := Censored{xs, xs}
	for name, s := range map[string]struct {
		ends func() (low, high float64)
		of   float64
	}{"deviation": {c.StdDev, StdDev(xs)}, "MAD": {c.MAD, MAD(xs)}, "median": {c.Median, 4}, "greatest": {c.Max, 8}} {
		if low, high := s.ends(); low != s.of || high != s.of {
			t.Errorf("%s: %g to %g, want %g", name, low, high, s.of)
		}
	}
}

// The median is a sample if their number is odd, and unknown samples next to it do
// not matter, however the rank is rounded.
func TestTheMiddleQuantileIsTheMedianBesideUnknownOnes(t *testing.T) {
	for n := 1; n < 2000; n += 2 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(i)
		}
		if low, high := atLeast(n/2+1, xs...).Quantile(0.5); !(math.Abs(low-float64(n/2)) <= 1e-6 && math.Abs(high-low) <= 1e-6) {
			t.Fatalf("of %d samples: %g to %g", n, low, high)
		}
	}
}
