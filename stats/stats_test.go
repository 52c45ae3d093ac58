package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Worked by hand; the R lines give the same:
//
//	xs <- c(4, 2, 9, 5, 7, 4)
//	median(xs); mean(xs); sd(xs); mad(xs, constant = 1)
//	quantile(xs, c(.05, .25, .5, .75, .9), type = 8)
func TestKnownAnswers(t *testing.T) {
	xs := []float64{4, 2, 9, 5, 7, 4}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"median", Median(xs), 4.5},
		{"median of one", Median([]float64{3}), 3},
		{"median of two huge", Median([]float64{math.MaxFloat64, math.MaxFloat64}), math.MaxFloat64},
		{"mean", Mean(xs), 31.0 / 6},
		{"stddev", StdDev(xs), math.Sqrt(185.0 / 6 / 5)}, // Σx² − (Σx)²/n = 191 − 961/6
		{"mad", MAD(xs), 1.5},                            // deviations .5 2.5 4.5 .5 2.5 .5
		{"p05", Quantile(xs, 0.05), 2},                   // rank 0.65
		{"q25", Quantile(xs, 0.25), 2 + 11.0/12*2},       // rank 1 + 11/12
		{"q50", Quantile(xs, 0.5), 4.5},                  // rank 3.5
		{"q75", Quantile(xs, 0.75), 7 + 1.0/12*2},        // rank 5 + 1/12
		{"q90", Quantile(xs, 0.9), 9},                    // rank 6.03
	} {
		if math.Abs(c.got-c.want) > 1e-12*math.Abs(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestEmptyAndTiny(t *testing.T) {
	for name, got := range map[string]float64{
		"median": Median(nil), "mean": Mean(nil), "stddev": StdDev([]float64{7}),
		"mad": MAD(nil), "quantile": Quantile(nil, 0.5),
	} {
		if got != 0 {
			t.Errorf("%s of nothing: got %v, want 0", name, got)
		}
	}
	if got := GroupMedians(nil, nil); len(got) != 0 {
		t.Errorf("group medians of nothing: %v", got)
	}
	if low, high := Outliers([]float64{1, 2, 99}); low+high != 0 {
		t.Errorf("three samples have %d outliers", low+high)
	}
	if q := Quantile([]float64{1, 2}, math.NaN()); q != 1 {
		t.Errorf("quantile at NaN: got %v", q)
	}
}

// quantile(1:11, c(.25, .75), type = 8) is 3 + 1/6 and 8 + 5/6, so the fences of
// 1:11 with its ends moved are −5.33 and 17.33.
func TestOutliers(t *testing.T) {
	xs := []float64{17.4, 2, 3, 4, 5, 6, 7, 8, 9, 10, -5.4}
	if low, high := Outliers(xs); low != 1 || high != 1 {
		t.Errorf("beyond the fences: got %d low, %d high, want 1 and 1", low, high)
	}
	xs[0], xs[10] = 17.3, -5.3
	if low, high := Outliers(xs); low != 0 || high != 0 {
		t.Errorf("inside the fences: got %d low, %d high, want none", low, high)
	}
}

func TestInputIsLeftAlone(t *testing.T) {
	xs := []float64{3, 1, 2, 9, 8, 7, 5, 4, 6, 12, 11, 10}
	group := []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}
	xsBefore, groupBefore := slices.Clone(xs), slices.Clone(group)
	Median(xs)
	MAD(xs)
	Quantile(xs, 0.9)
	Outliers(xs)
	Drift(xs)
	GroupMedians(xs, group)
	BlockInterval(xs, group, 0.95)
	MedianInterval(xs, 0.95)
	sequentialInterval(xs, 0.98)
	SequentialBlockInterval(xs, group, 0.98)
	if !slices.Equal(xs, xsBefore) || !slices.Equal(group, groupBefore) {
		t.Errorf("the input was changed: %v %v", xs, group)
	}
}

func TestNaNNeverPanics(t *testing.T) {
	nan := math.NaN()
	xs := []float64{nan, 1, nan, 2, math.Inf(1), 3, 4, 5, 6, 7, 8, 9}
	Median(xs)
	MAD(xs)
	Outliers(xs)
	Drift(xs)
	for _, conf := range []float64{nan, -3, -1, 0, 0.5, 1, 2, math.Inf(1)} {
		MedianInterval(xs, conf)
		sequentialInterval(xs, conf)
	}
}

func TestGroupMedians(t *testing.T) {
	xs := []float64{3, 1, 2, 10, 20, 5, 8}
	got := GroupMedians(xs, []int{0, 0, 0, 4, 4, 9, 9, 9, 9})
	if want := []float64{2, 15, 6.5}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBlockMediansPoolWholeBlocks(t *testing.T) {
	var xs []float64
	var block []int
	for b := range 45 {
		for range 10 {
			xs, block = append(xs, float64(b)), append(block, b)
		}
	}
	got := blockMedians(xs, block)
	// 45 blocks over 20 stretches: 3, 2, 2, 2, 3, … blocks in order.
	if len(got) != 20 || got[0] != 1 || got[1] != 3.5 || got[4] != 10 || got[19] != 43.5 {
		t.Errorf("got %d stretches: %v", len(got), got)
	}
	if got := blockMedians(xs[:200], block[:200]); len(got) != 20 || got[7] != 7 {
		t.Errorf("20 blocks must stand for themselves: %v", got)
	}
}

// Of two samples in each of 20 blocks one is long: medians of blocks are 5, and all but half of the samples are 1.
func TestBlockIntervalsIncludeTheMedian(t *testing.T) {
	xs, block := []float64{1, 1}, []int{0, 0}
	for b := range 19 {
		xs, block = append(xs, 1, 9), append(block, b+1, b+1)
	}
	if low, high, err := MedianInterval(GroupMedians(xs, block), 0.99); low != 5 || high != 5 || err != nil {
		t.Fatalf("medians of blocks: %v to %v, %v; want 5", low, high, err)
	}
	for name, interval := range map[string]func([]float64, []int, float64) (float64, float64, error){
		"fixed": BlockInterval, "sequential": SequentialBlockInterval,
	} {
		if low, high, err := interval(xs, block, 0.99); low != 1 || high != 5 || err != nil {
			t.Errorf("%s: %v to %v, %v; the median is %v", name, low, high, err, Median(xs))
		}
		if _, _, err := interval(xs[:4], block[:4], 0.99); err == nil {
			t.Errorf("%s: two blocks have an interval", name)
		}
	}
}

func TestDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	series := func(n int, change, noise float64) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 1 + change*(float64(i)/float64(n-1)-0.5) + noise*rng.NormFloat64()
		}
		return xs
	}
	for _, n := range []int{20, 200, 201, 1000, 5000} {
		change, significant := Drift(series(n, 0.10, 0.01))
		if !significant || math.Abs(change-0.10) > 0.02 {
			t.Errorf("10 %% over %d: got %.3f, %v", n, change, significant)
		}
	}
	// A rising line of five could be luck (1 in 60), of six hardly (1 in 360).
	if _, significant := Drift([]float64{1, 2, 3, 4, 5}); significant {
		t.Error("five points cannot be significant")
	}
	// A time that falls to a sixth has not moved by more than 100 %. Slopes of
	// logarithms: the median is that from 5 to 2, ln(2/5)/3 a step.
	want := math.Pow(2.0/5, 5.0/3) - 1
	if change, significant := Drift([]float64{6, 5, 4, 3, 2, 1}); !significant || math.Abs(change-want) > 1e-12 {
		t.Errorf("six falling points: got %v, %v, want about %v", change, significant, want)
	}
	if change, _ := Drift([]float64{6, 5, 4, 3, 2, -1}); change != -1 {
		t.Errorf("points below zero fell by %v", change)
	}
	if _, significant := Drift(make([]float64, 100)); significant {
		t.Error("a series of zeros moves")
	}
}

func TestDriftFalseAlarms(t *testing.T) {
	rng, alarms := rand.New(rand.NewPCG(5, 6)), 0
	const trials = 2000
	for range trials {
		xs := make([]float64, 50)
		for i := range xs {
			xs[i] = math.Round(20*math.Exp(0.1*rng.NormFloat64())) / 20 // skewed, with ties
		}
		if _, significant := Drift(xs); significant {
			alarms++
		}
	}
	if limit := trials*0.01 + 5*math.Sqrt(trials*0.01*0.99); float64(alarms) > limit || alarms == 0 {
		t.Errorf("%d alarms in %d series without a trend, allowed %.0f", alarms, trials, limit)
	}
}
