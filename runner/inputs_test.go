package runner

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/spec"
)

func init() {
	fresh := func(takes, body int64, size int) bench.Setup {
		return func(c *bench.Case) bench.Loop {
			return bench.Fresh(c, func() []byte { fake.Advance(takes); return make([]byte, size) }, func([]byte) { fake.Advance(body) })
		}
	}
	bench.Register("inputs/1µs", fresh(5000, 1000, 100))
	bench.Register("inputs/2µs", fresh(300, 2000, 1<<19))
	bench.Register("inputs/large-and-short", fresh(1e6, 5, 8<<20))
	bench.Register("inputs/reset", func(c *bench.Case) bench.Loop {
		return bench.Reset(c, func() { fake.Advance(700) }, func() { fake.Advance(1000) })
	})
	bench.Register("inputs/reset-short", func(c *bench.Case) bench.Loop {
		return bench.Reset(c, func() { fake.Advance(700) }, func() { fake.Advance(50) })
	})
}

// few are twenty samples of short batches, which make up to 6 MiB of inputs, and collect their
// garbage.
func few(s *spec.Settings) {
	s.Warmup, s.SampleTime, s.TargetTime = 1, spec.Duration(25*time.Microsecond), spec.Duration(500*time.Microsecond)
}

func TestPausesAreSubtractedAndStated(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		time  float64
		alone bool
	}{"inputs/1µs": {1000e-9, false}, "inputs/2µs": {2000e-9, false}, "inputs/reset": {1000e-9, true}} {
		got := measured(t, name, few)
		in := got.Inputs
		if s := got.Summary("time"); got.Loop != "inputs" || in == nil || !close1(s.Median, want.time, 1e-6) {
			t.Errorf("%s: loop %s, %g s, want %g: %+v", name, got.Loop, s.Median, want.time, in)
			continue
		}
		if want.alone != (in.Parts == got.Iterations) || in.Part > got.Iterations || in.Part*in.Parts < got.Iterations {
			t.Errorf("%s: %d parts of %d for %d iterations", name, in.Parts, in.Part, got.Iterations)
		}
		if !close1(in.Pause.Value, 20e-9, 1e-6) || !close1(in.Margin.Value, 20e-9*float64(in.Parts)/float64(got.Iterations), 1e-6) || in.Margin.Error < in.Margin.Value {
			t.Errorf("%s: %+v", name, in)
		}
		if !close1(got.ClockCost, 20e-9*float64(in.Parts), 1e-6) {
			t.Errorf("%s: %g s are taken off a batch of %d parts", name, got.ClockCost, in.Parts)
		}
		if a := got.Summary("allocs"); a == nil || a.Median != 0 {
			t.Errorf("%s: allocations %+v, and the body has none", name, a)
		}
	}
}

func TestPausesOfMoreThanATenthAreRefused(t *testing.T) {
	for name, want := range map[string]string{"inputs/reset-short": "bench.Fresh", "inputs/large-and-short": "smaller than 8"} {
		got := runCases(t, context.Background(), "fake", function(name))[0]
		f := got.Failure
		if got.Status != result.Failed || f.Cause != result.FailedCheck || !strings.Contains(f.Message, "more than a tenth") || !strings.Contains(f.Hint, want) {
			t.Errorf("%s: status %s, %+v", name, got.Status, f)
		}
	}
}

// Both sides of a pair run in parts of one length, and a base without inputs is compared
// all the same.
func TestPairsOfLoopsWithInputs(t *testing.T) {
	t.Parallel()
	brief := func(c *spec.Case) { few(&c.Settings) }
	for base, ratio := range map[string]float64{"inputs/2µs": 0.5, "inputs/reset": 1, "fake/1ms": 0.001} {
		cases := []spec.Case{function(base, brief), function("inputs/1µs", brief, basedOn(base))}
		got := runCases(t, context.Background(), "fake", cases...)[1]
		if got.Status != result.Measured {
			t.Fatalf("against %s: %s, %+v", base, got.Status, got.Failure)
		}
		own, theirs := got.Samples.Columns["time"], got.Pairs.Samples.Columns["time"]
		for i := range own {
			if !close1(own[i]/theirs[i], ratio, 1e-3) {
				t.Fatalf("against %s: pair %d is %g ÷ %g", base, i, own[i], theirs[i])
			}
		}
	}
}
