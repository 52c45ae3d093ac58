package latencies_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/suite/internal/histogram"
	"example.com/suite/result"
	"example.com/suite/result/latencies"
)

// batch counts times in nanoseconds as a run does.
func batch(times []int64) *result.Latency {
	var h histogram.Histogram
	h.Reset()
	l := &result.Latency{Count: int64(len(times)), Min: float64(slices.Min(times)) / 1e9, Max: float64(slices.Max(times)) / 1e9}
	for _, ns := range times {
		h.Add(ns)
		l.Mean += float64(ns) / 1e9 / float64(len(times))
	}
	group := result.LatencyGroup{Batches: 1}
	for _, b := range h.Bins() {
		low, high := histogram.Bounds(b.Number)
		group.Bins = append(group.Bins, result.ArcBin{float64(low) / 1e9, float64(high) / 1e9, float64(b.Count)})
	}
	l.Groups = []result.LatencyGroup{group}
	return l
}

// However many batches there are, the percentiles are those of all times, to the width of a
// bin, and the groups stay few and about equally long.
func TestPercentilesAreThoseOfAllTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, batches := range []int{1, 5, 24, 25, 48, 49, 500} {
		var all []int64
		whole := &result.Latency{}
		for range batches {
			times := make([]int64, 200)
			for i := range times {
				times[i] = int64(1000 * math.Exp(rng.NormFloat64()))
			}
			all = append(all, times...)
			latencies.Add(whole, batch(times))
		}
		slices.Sort(all)
		sum := 0
		for i, g := range whole.Groups {
			sum += g.Batches
			if i < len(whole.Groups)-1 && g.Batches != whole.Stride {
				t.Errorf("%d batches: group %d has %d, stride %d", batches, i, g.Batches, whole.Stride)
			}
		}
		if sum != batches || len(whole.Groups) > result.MostLatencyGroups || whole.Count != int64(len(all)) {
			t.Errorf("%d batches: %d in %d groups, %d times", batches, sum, len(whole.Groups), whole.Count)
		}
		if float64(all[0])/1e9 != whole.Min || float64(all[len(all)-1])/1e9 != whole.Max || latencies.Percentile(whole, 1) != whole.Max {
			t.Errorf("%d batches: from %g to %g", batches, whole.Min, whole.Max)
		}
		for _, q := range []float64{0.5, 0.9, 0.99} {
			want := float64(all[int(q*float64(len(all)))-1]) / 1e9
			if got := latencies.Percentile(whole, q); math.Abs(got/want-1) > 0.02 {
				t.Errorf("%d batches: p%g is %g, want %g", batches, q*100, got, want)
			}
		}
	}
}

// A stall that slows whole batches makes iterations alike: the interval covers the truth as
// often as it promises.
func TestIntervalsOfPercentilesWithStalls(t *testing.T) {
	const trials, batches, size, conf, slow = 300, 60, 100, 0.95, 0.1
	rng := rand.New(rand.NewPCG(3, 4))
	missed, none := 0, 0
	for range trials {
		whole := &result.Latency{}
		for range batches {
			times, level := make([]int64, size), 1000.0
			if rng.Float64() < slow {
				level = 3000
			}
			for i := range times {
				times[i] = int64(level * (1 + rng.Float64()))
			}
			latencies.Add(whole, batch(times))
		}
		// Nine in ten are below 2000 ns: the 0.8-quantile is at 8/9 of them.
		low, high, err := latencies.Interval(whole, 0.8, conf)
		switch truth := 1000 * (1 + 8.0/9) * 1e-9; {
		case err != nil:
			none++
		case truth < low || truth > high:
			missed++
		}
	}
	limit := trials*(1-conf) + 5*math.Sqrt(trials*(1-conf)*conf)
	if float64(missed) > limit || none > trials/10 {
		t.Errorf("missed %d of %d, at most %.0f; %d without an interval", missed, trials, limit, none)
	}
}
