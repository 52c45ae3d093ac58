package runner

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// The defects of micro-bench, each shown on a model of it first and then not
// found here. Both run the same bodies on the fake clock.

// microBench computes like the source of micro-bench of April 2023: the rate of
// batches of one decides on the coalescing, deviations are from the mean of the
// warm-up, the maximum begins at zero, and numbers of batches become numbers of calls
// by the root of their size. Times are in ns.
func microBench(body func(), longest, warmup int64, multiple float64) (m micro) {
	start := fake.Now()
	last, calls := start, int64(0)
	for last-start <= warmup {
		body()
		calls++
		last = fake.Now()
	}
	checks := max(5, float64(longest-(last-start))/max(multiple*float64(fake.Cost), 1))
	k := int64(max(1, float64(calls)*float64(longest-(last-start))/(float64(last-start)*checks)))
	e := (last - start) / calls
	sum, squares, batches, least, most := 0.0, 0.0, 0.0, math.Inf(1), 0.0
	for last-start <= longest {
		for range k {
			body()
		}
		now := fake.Now()
		d := float64(now - last - e)
		last, batches, sum, squares = now, batches+1, sum+d, squares+d*d
		least, most = min(least, d), max(most, d)
	}
	b := float64(k)
	m.batch, m.mean = k, (sum+float64(e)*batches)/(batches*b)
	m.deviation = math.Sqrt(math.Abs(squares-sum*sum/batches)/(batches-1)) / math.Sqrt(b)
	scale := func(x float64) float64 { return m.mean + ((x+float64(e))/b-m.mean)*math.Sqrt(b) }
	m.min, m.max = max(0, scale(least)), scale(most)
	return m
}

type micro struct {
	batch                     int64
	mean, deviation, min, max float64
}

// bodies of known cost, ns, by name: both sides run them.
var bodies = map[string]func() func(){
	"micro/xorshift": func() func() { return func() { fake.Advance(4) } },
	// 1 ms each in the first 40 ms, then 100 to 123 µs.
	"micro/slow-start": func() func() {
		calls := int64(0)
		return func() {
			if calls++; calls <= 40 {
				fake.Advance(1_000_000)
			} else {
				fake.Advance(100_000 + 1000*(calls%24))
			}
		}
	},
	// Never below 1 µs: every third call takes 10 µs, but in turn eight or none in a row.
	"micro/spin": func() func() {
		calls := int64(0)
		return func() {
			if calls++; calls%3 == 0 && calls/300%2 == 0 {
				fake.Advance(10_000)
			} else {
				fake.Advance(1000)
			}
		}
	},
	// Every tenth call takes 11 µs, the others 1 µs: mean 2 µs, deviation 3 µs.
	"micro/bimodal": func() func() {
		calls := 0
		return func() {
			if calls++; calls%10 == 0 {
				fake.Advance(11_000)
			} else {
				fake.Advance(1000)
			}
		}
	},
}

func init() {
	for name, body := range bodies {
		bench.Register(name, func(*bench.Case) bench.Loop { return bench.Each(body()) })
	}
	bench.Register("micro/rejects", func(c *bench.Case) bench.Loop {
		return c.Try(func() bool { fake.Advance(1000); return false })
	})
	bench.Register("micro/rejects-half", func(c *bench.Case) bench.Loop {
		calls := 0
		return c.Try(func() bool { calls++; fake.Advance(1000); return calls%5 < 2 })
	})
	bench.Register("micro/rejects-10th", func(c *bench.Case) bench.Loop {
		calls := 0
		return c.Try(func() bool {
			if calls++; calls%10 == 0 {
				fake.Advance(11_000)
				return false
			}
			fake.Advance(1000)
			return true
		})
	})
}

func measured(t *testing.T, name string, change ...func(*spec.Settings)) result.Case {
	t.Helper()
	got := runCases(t, context.Background(), "fake", function(name, func(c *spec.Case) {
		c.Settings.Quorum = 0.5
		for _, f := range change {
			f(&c.Settings)
		}
	}))[0]
	if got.Status != result.Measured {
		t.Fatalf("%s: %s, %+v", name, got.Status, got.Failure)
	}
	return got
}

func TestTheMeanDoesNotMoveWithCoalescing(t *testing.T) {
	t.Parallel()
	theirs := map[float64]float64{}
	for _, k := range []float64{0, 5, 1000} {
		theirs[k] = microBench(bodies["micro/xorshift"](), 5e6, 1e5, k).mean
	}
	if theirs[0] < 5*theirs[1000] || theirs[5] < 1.4*theirs[1000] {
		t.Errorf("the model does not show the defect: %v", theirs)
	}
	for _, k := range []float64{0, 5, 100, 1000} {
		got := measured(t, "micro/xorshift", func(s *spec.Settings) { s.Coalesce, s.SampleTime = k, 1 })
		s := got.Summary("time")
		if s.Bound != nil && *s.Bound < 4e-9 {
			t.Errorf("coalesce %g: below %g ns in batches of %d, and it takes 4", k, *s.Bound*1e9, got.Iterations)
		}
		if !close1(s.Median, 4e-9, 0.01) && s.Bound == nil {
			t.Errorf("coalesce %g: %g ns in batches of %d, want 4", k, s.Median*1e9, got.Iterations)
		}
	}
}

func TestASlowWarmUpDoesNotRaiseTheGreatest(t *testing.T) {
	const truth = 123_000
	if m := microBench(bodies["micro/slow-start"](), 200e6, 50e6, 5); m.max < 2*truth {
		t.Errorf("the model does not show the defect: max %g", m.max)
	}
	got := measured(t, "micro/slow-start", func(s *spec.Settings) { s.Warmup, s.SampleTime = spec.Duration(50*time.Millisecond), 1 })
	if s := got.Summary("time"); s.Max > truth*1e-9*1.001 || s.Min < 100_000e-9 || s.Extremes != "iteration" {
		t.Errorf("%g to %g s, of %s", s.Min, s.Max, s.Extremes)
	}
}

func TestNoExtremeIsMadeUp(t *testing.T) {
	if m := microBench(bodies["micro/spin"](), 20e6, 1e6, 1000); m.min >= 1000 {
		t.Errorf("the model does not show the defect: min %g of batches of %d", m.min, m.batch)
	}
	got := measured(t, "micro/spin", func(s *spec.Settings) { s.Coalesce, s.SampleTime = 1000, 1 })
	s := got.Summary("time")
	if got.Iterations < 2 || s.Min < 1000e-9*0.999 || s.Max > 10_000e-9*1.001 || s.Extremes != "batch" {
		t.Errorf("%g to %g s of %s of %d", s.Min, s.Max, s.Extremes, got.Iterations)
	}
}

func TestTheDeviationOfAPeriodicCostIsThatOfCallsOrSaidToBeOfBatches(t *testing.T) {
	if m := microBench(bodies["micro/bimodal"](), 20e6, 1e6, 1000); m.deviation > 2000 {
		t.Errorf("the model does not show the defect: deviation %g of batches of %d", m.deviation, m.batch)
	}
	single := measured(t, "micro/bimodal", func(s *spec.Settings) { s.Coalesce, s.SamplesMin = 0, 1000 })
	if s := single.Summary("time"); !close1(s.StdDev, 3000e-9, 0.01) || s.Extremes != "iteration" || !close1(s.Max, 11_000e-9, 1e-3) {
		t.Errorf("batches of one: deviation %g s, of %s, greatest %g", s.StdDev, s.Extremes, s.Max)
	}
	many := measured(t, "micro/bimodal", func(s *spec.Settings) { s.Coalesce, s.SampleTime = 10_000, 1 })
	if s := many.Summary("time"); s.Extremes != "batch" || !close1(s.Mean, 2000e-9, 0.01) {
		t.Errorf("batches of %d: extremes of %s, mean %g", many.Iterations, s.Extremes, s.Mean)
	}
}

// Micro-bench multiplies the time gone by, in ns, by the number of checks to
// come: 3 s · 3.2e9 does not fit 64 bits, and the run never ends.
func TestLongRunsThatAreNeverCoalescedEndOnTime(t *testing.T) {
	if elapsed, checks := int64(3e9), int64(3.2e9); elapsed*checks > 0 {
		t.Error("the product does not overflow")
	}
	got := runCases(t, context.Background(), "fake", function("fake/1ms", func(c *spec.Case) {
		s := &c.Settings
		s.Coalesce, s.SamplesMax = 0, 1_000_000
		s.Warmup, s.TargetTime, s.MaxTime = spec.Duration(3*time.Second), spec.Duration(3200*time.Millisecond), spec.Duration(6200*time.Millisecond)
	}))[0]
	last := got.Samples.At[got.Samples.Len()-1]
	if n := got.Samples.Len(); n < 2500 || n > 3200 || got.Iterations != 1 || last > 6.21 {
		t.Errorf("%d samples of %d, the last at %g s, stopped by %q", n, got.Iterations, last, got.Stop)
	}
}

func TestBodiesThatRejectAreCountedAndHeldToAQuorum(t *testing.T) {
	got := measured(t, "micro/rejects-10th", func(s *spec.Settings) { s.SampleTime = spec.Duration(50 * time.Microsecond) })
	share := float64(got.Void) / (float64(got.Void) + float64(got.Samples.Len())*float64(got.Iterations))
	if s := got.Summary("time"); !close1(s.Median, 1000e-9, 1e-3) || got.Loop != "trial" || math.Abs(share-0.1) > 0.02 || got.Summary("void") == nil {
		t.Errorf("median %g s, loop %s, %d void (%.2f)", s.Median, got.Loop, got.Void, share)
	}
	for name, message := range map[string]string{"micro/rejects": "0 of ", "micro/rejects-half": "(40%)"} {
		bad := runCases(t, context.Background(), "fake", function(name, func(c *spec.Case) { c.Settings.Quorum = 0.5 }))[0]
		if f := bad.Failure; bad.Status != result.Failed || f.Cause != "rejected" || !strings.Contains(f.Message, message) || len(bad.Metrics) > 0 {
			t.Errorf("%s: status %s, failure %+v, want %q", name, bad.Status, f, message)
		}
	}
}
