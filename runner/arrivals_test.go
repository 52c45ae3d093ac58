package runner

import (
	"context"
	"math"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/result/latencies"
	"example.com/suite/spec"
)

func init() {
	// A server answers in 5 µs, and stops once for 5 ms.
	bench.Register("arrivals/stall", func(*bench.Case) bench.Loop {
		calls := 0
		return bench.Each(func() {
			if calls++; calls == 12_050 {
				fake.Advance(5e6)
			}
			fake.Advance(5e3)
		})
	})
	bench.Register("arrivals/steady", func(*bench.Case) bench.Loop { return bench.Each(func() { fake.Advance(5e3) }) })
	bench.Register("arrivals/slower", func(*bench.Case) bench.Loop { return bench.Each(func() { fake.Advance(9e3) }) })
}

// due makes so many iterations due in a second. The fake clock is read 20 ns at a time while
// one of them is waited for.
func due(rate float64, poisson bool) func(*spec.Case) {
	return func(c *spec.Case) {
		c.Settings.Latency, c.Settings.Arrivals, c.Settings.Poisson = true, rate, poisson
		c.Settings.TargetTime, c.Settings.SampleTime, c.Settings.SamplesMax = spec.Duration(150e6), spec.Duration(100e3), 10_000
	}
}

// 500 iterations are due while the server stops, and as many until it has caught up. They wait
// for 2.5 ms in the mean, in whatever block they are; a closed loop counts one of them.
func TestAnOpenLoopCountsAllWhoWait(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("arrivals/stall", due(100_000, false)))[0]
	l := got.Latency
	if got.Status != result.Measured || l == nil || l.Arrivals == nil {
		t.Fatalf("%s: %+v", got.Status, got.Failure)
	}
	waited := 0.0
	for _, b := range latencies.Whole(l) {
		if b[0] > 5.1e-6 {
			waited += b[2]
		}
	}
	if math.Abs(waited-1000) > 5 || l.Max < 5e-3 || l.Max > 5.1e-3 || math.Abs(latencies.Percentile(l, 0.99)-4.25e-3) > 0.25e-3 {
		t.Errorf("%g iterations of %d waited, p99 is %g, max %g", waited, l.Count, latencies.Percentile(l, 0.99), l.Max)
	}
	a := l.Arrivals
	if a.Rate != 100_000 || a.Poisson || !close1(a.Achieved, 100_000, 0.01) || !close1(a.Utilization, 0.533, 0.02) || a.Unserved != 0 || a.Waits > l.Count-990 || a.MostLag > 20e-9 {
		t.Errorf("%+v", a)
	}
	if s := got.Summary("time"); !close1(s.Median, 5e-6, 0.001) {
		t.Errorf("time %g: waits are part of it", s.Median)
	}
	if got.Iterations != 10 || got.Summary("cpu") != nil || got.Stop != result.StopTargetTime {
		t.Errorf("batches of %d, cpu %v, ended by %s", got.Iterations, got.Summary("cpu"), got.Stop)
	}
	if n := float64(l.Count); n < 15_000 || n > 15_500 {
		t.Errorf("%g iterations: target_time counts what was waited", n)
	}
}

func TestASaturatedCaseIsNamed(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("arrivals/steady", due(250_000, false)))[0]
	l := got.Latency
	if l == nil || !l.Arrivals.Saturated() || !close1(l.Arrivals.Utilization, 1.25, 0.01) || !close1(l.Arrivals.Achieved, 200_000, 0.01) || l.Arrivals.Unserved == 0 {
		t.Fatalf("%+v", l)
	}
	if w := got.Warnings; len(w) != 1 || w[0].Code != result.WarnSaturated || !strings.Contains(w[0].Message, "at 250 k/s the utilization is 125") {
		t.Errorf("%+v", w)
	}
	if s := got.Summary("latency_p99"); s == nil || s.Low != nil || got.Stop != result.StopTargetTime {
		t.Errorf("%+v: its percentiles have no interval; ended by %s", s, got.Stop)
	}
}

// Both sides of a pair have the same arrivals: with equal bodies, their latencies are equal.
func TestPairsHaveTheSameArrivals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		equal bool
	}{{"arrivals/again", true}, {"arrivals/slower", false}} {
		cases := []spec.Case{function("arrivals/steady"), function("arrivals/slower", due(100_000, true), func(c *spec.Case) {
			c.Base, c.Settings.SampleTime, c.Settings.TargetTime = "arrivals/steady", spec.Duration(250e3), spec.Duration(50e6)
			if c.Name = test.name; test.equal {
				c.Function = "arrivals/steady"
			}
		})}
		got := runCases(t, context.Background(), "fake", cases...)[1]
		if got.Status != result.Measured || got.Pairs.Latency == nil {
			t.Fatalf("%s, %+v", got.Status, got.Failure)
		}
		own, base := got.Latency, got.Pairs.Latency
		if own.Arrivals.Unserved == 0 || !own.Arrivals.Poisson || base.Arrivals.Rate != 100_000 {
			t.Errorf("%+v, base %+v", own.Arrivals, base.Arrivals)
		}
		if equal := math.Abs(own.Mean-base.Mean) < 1e-9; equal != test.equal {
			t.Errorf("%s: mean latencies %g and %g", test.name, own.Mean, base.Mean)
		}
	}
}

func TestArrivalsTooFastForTheClockAreRefused(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("arrivals/steady", due(10e6, false)))[0]
	if f := got.Failure; f == nil || f.Cause != result.FailedCheck || !strings.Contains(f.Message, "arrivals are 100 ns apart") || !strings.HasPrefix(f.Hint, "at most ") {
		t.Errorf("%s, %+v", got.Status, got.Failure)
	}
}
