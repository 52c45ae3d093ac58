package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host"
	"example.com/suite/spec"
)

func TestNothingInADocumentIsInfinite(t *testing.T) {
	tiny := func(c *spec.Case) { c.Settings.Batch = 1000 }
	for _, c := range runCases(t, context.Background(), "fake", function("fake/nothing", tiny)) {
		if _, err := json.Marshal(c); err != nil || c.Status != result.Measured {
			t.Errorf("%s: %v, %v", c.Name, c.Status, err)
		}
	}
}

func TestTinyTimesStillGiveAResult(t *testing.T) {
	short := func(c *spec.Case) {
		c.Settings.MaxTime, c.Settings.Warmup, c.Settings.SamplesMin = spec.Duration(1), 0, 100
	}
	got := runCases(t, context.Background(), "fake", function("fake/1ms", short))[0]
	if got.Status != result.Measured || got.Stop != "max_time" || got.Samples.Len() != 1 || !warned(got, "cut-short") {
		t.Errorf("%s, stopped by %q with %d samples: %v", got.Status, got.Stop, got.Samples.Len(), got.Warnings)
	}
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Budget: 1}
	for i := range 10 {
		plan.Cases = append(plan.Cases, function("fake/1ms", func(c *spec.Case) { c.Name = fmt.Sprint(i) }))
	}
	for _, c := range Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake")}).Cases {
		if c.Status != result.Measured || c.Stop != "budget" {
			t.Errorf("%s: %s, stopped by %q, failure %+v", c.Name, c.Status, c.Stop, c.Failure)
		}
	}
}

// The body hides 7 ns of the reading of the clock, which takes 20 ns. In batches of one and of
// ten, without the samples that find out, the interval contains the 4 ns of an iteration; in
// a long batch the error is nothing to speak of. A pass on its own has the error of its own n.
func TestTheErrorOfTheClockIsThatOfTheBatch(t *testing.T) {
	for _, n := range []int{10, 100, 1_000_000} {
		fixed := func(c *spec.Case) { c.Settings.Batch, c.Settings.Latency = int64(n), false }
		once := func(c *spec.Case) {
			c.Name, c.Settings.Sampling, c.Settings.TargetTime = "once", "once", spec.Duration(time.Millisecond)
		}
		got := runCases(t, context.Background(), "fake", function("fake/hides", fixed), function("fake/hides", fixed, once))
		for _, c := range got {
			s := c.Summary("time")
			if s == nil {
				t.Fatalf("batches of %d: %+v", n, c.Failure)
			}
			want := 40e-9 / float64(c.Iterations) // a step and a reading, 20 ns each
			if !close1(c.ClockError, want, 0.02) || s.Error != c.ClockError || s.Median-s.Error > 4e-9 || s.Median+s.Error < 4e-9 && s.Bound == nil {
				t.Errorf("%s of %d: %+v, error %g, want %g", c.Name, n, s, c.ClockError, want)
			}
		}
	}
	free := func(c *spec.Case) {
		c.Settings.Sampling, c.Settings.TargetTime = "once", spec.Duration(100*time.Millisecond)
	}
	c := runCases(t, context.Background(), "fake", function("fake/4ns", free))[0]
	if want := 40e-9 / float64(c.Iterations); c.Iterations < 10_000_000 || !close1(c.ClockError, want, 0.02) {
		t.Errorf("a pass of %d iterations has an error of %g, want %g", c.Iterations, c.ClockError, want)
	}
}
