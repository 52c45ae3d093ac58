package runner

import (
	"context"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// What mLib bench and micro-bench promise of results: docs/evidence/ancestors.md.

// The direct loop of the fake machine costs ⅓ ns, the indirect one 1⅓ ns.
func TestEachKindOfLoopIsChargedWithItsOwnCost(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/1ms"), function("micro/slow-start"))
	for i, want := range []struct {
		loop string
		cost float64
	}{{"direct", 0.3333e-9}, {"indirect", 1.3333e-9}} {
		if c := got[i]; c.Loop != want.loop || !close1(c.LoopCost, want.cost, 0.01) {
			t.Errorf("%s: a %s loop of %g s, want %s and %g; failure %+v", c.Name, c.Loop, c.LoopCost, want.loop, want.cost, c.Failure)
		}
	}
}

func TestTimesArePerUnitOfWorkAndRatesUnitsPerSecond(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/1ms", func(c *spec.Case) { c.Work, c.Unit = 1000, "byte" }))[0]
	time, rate := got.Summary("time"), got.Summary("throughput")
	if time == nil || rate == nil || !close1(time.Median, 1e-6, 1e-6) || !close1(rate.Median, 1e6, 1e-6) || got.Unit != "byte" {
		t.Errorf("%+v, %+v, unit %q, failure %+v", time, rate, got.Unit, got.Failure)
	}
}

// micro-bench asserts that min ≤ mean ≤ max and that nothing is negative. The same is
// true here for every metric of difficult bodies.
func TestEverySummaryIsPlausible(t *testing.T) {
	t.Parallel()
	var list []spec.Case
	for _, name := range []string{"fake/4ns", "fake/1ms", "fake/nothing", "fake/hides", "fake/preempted", "micro/bimodal", "micro/spin", "micro/slow-start", "micro/rejects-10th"} {
		for _, coalesce := range []float64{0, 5, 1000} {
			list = append(list, function(name, withTicks, func(c *spec.Case) {
				c.Name += time.Duration(coalesce).String()
				c.Settings.Coalesce, c.Settings.SampleTime, c.Settings.Quorum = coalesce, 1, 0.5
			}))
		}
	}
	for _, c := range runCases(t, context.Background(), "fake", list...) {
		if c.Status != result.Measured || c.Summary("time") == nil {
			t.Errorf("%s: %s, %+v", c.Name, c.Status, c.Failure)
		}
		for _, s := range c.Metrics {
			const hair = 1e-9 // a mean is rounded
			if s.Min < 0 || s.Mean < s.Min*(1-hair) || s.Mean > s.Max*(1+hair) || s.Median < s.Min || s.Median > s.Max || s.StdDev < 0 || s.MAD < 0 {
				t.Errorf("%s, %s: %+v", c.Name, s.Metric, s)
			}
		}
	}
}

// The end comes with the batch that crosses it, warm-up included.
func TestMaxTimeIncludesTheWarmUp(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/1ms", func(c *spec.Case) {
		s := &c.Settings
		s.Warmup, s.TargetTime, s.MaxTime = spec.Duration(400*time.Millisecond), spec.Duration(time.Hour), spec.Duration(500*time.Millisecond)
	}))[0]
	if n := got.Samples.Len(); got.Stop != "max_time" || n < 70 || n > 101 {
		t.Errorf("%d samples of 1 ms, stopped by %q", n, got.Stop)
	}
}

// With these settings micro-bench multiplies beyond 64 bits and never ends.
func TestALongRunThatIsNeverCoalescedEndsAtMaxTime(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/1ms", func(c *spec.Case) {
		s := &c.Settings
		s.Coalesce, s.SampleTime, s.SamplesMax = 0, spec.Duration(10*time.Millisecond), 1_000_000
		s.Warmup, s.TargetTime, s.MaxTime = spec.Duration(3*time.Second), spec.Duration(time.Hour), spec.Duration(6200*time.Millisecond)
	}))[0]
	if n := got.Samples.Len(); n < 2500 || n > 3201 || got.Iterations != 1 || got.Stop != "max_time" {
		t.Errorf("%d samples of %d iterations, stopped by %q; failure %+v", n, got.Iterations, got.Stop, got.Failure)
	}
}
