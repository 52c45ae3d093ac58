package runner

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host"
	"example.com/suite/spec"
)

func withTicks(c *spec.Case) {
	c.Timer = spec.TimerPrefs{Clock: []string{"wall"}, Cycle: []string{"x86-rdtscp"}}
}

func TestCasesOfDifferentTimersHaveHostsAndCalibrationsOfTheirOwn(t *testing.T) {
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: []spec.Case{function("fake/4ns"), function("fake/1ms", withTicks)}}
	doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake")})
	if len(doc.Calibrations) != 2 || doc.Calibrations[0].Counter != nil || doc.Calibrations[1].Counter == nil {
		t.Fatalf("calibrations %+v", doc.Calibrations)
	}
	if c := doc.Calibrations[1]; math.Abs(c.Counter.Frequency.Value-2e9) > 2e7 || c.Counter.Unit != "ticks" || len(c.Skipped) != 1 || c.Counter.Direct == nil {
		t.Errorf("counter %+v, skipped %v", c.Counter, c.Skipped)
	}
	without, with := doc.Cases[0], doc.Cases[1]
	if without.Counter != "" || without.Summary("ticks") != nil {
		t.Errorf("the case without a counter has one: %q", without.Counter)
	}
	// The body takes 1 ms, 2 million ticks; reading the counter is not part of it.
	if s := with.Summary("ticks"); s == nil || !close1(s.Median, 2e6, 1e-5) || with.Counter != "fake" || with.LoopCount == nil {
		t.Errorf("ticks %+v, counter %q, loop %+v", s, with.Counter, with.LoopCount)
	}
}

func TestCommandsHaveNoCycleCounter(t *testing.T) {
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: []spec.Case{program("true", []string{"true"}, withTicks)}}
	doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake")})
	c := doc.Calibrations[0]
	if c.Counter != nil || c.Skipped != nil || c.SpawnFloor == nil || doc.Cases[0].Counter != "" || doc.Cases[0].Status != result.Measured {
		t.Errorf("counter %+v of the host, skipped %v, %q of the case, failure %+v", c.Counter, c.Skipped, doc.Cases[0].Counter, doc.Cases[0].Failure)
	}
}

func TestTicksBelowResolutionHaveABound(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/nothing", withTicks, func(c *spec.Case) { c.Settings.Batch = 1000 }))[0]
	if s := got.Summary("ticks"); s == nil || s.Bound == nil || *s.Bound < 0 || *s.Bound > 3 {
		t.Errorf("ticks %+v, failure %+v; want a bound", s, got.Failure)
	}
}

func TestCountersArePerUnitAndThoseMissingSaySo(t *testing.T) {
	counted := func(c *spec.Case) { c.Counters = []string{"instructions", "page_faults", "task_clock"}; c.Work = 2 }
	got := runCases(t, context.Background(), "fake", function("fake/1ms", counted))[0]
	faults, clock := got.Summary("page_faults"), got.Summary("task_clock")
	if faults == nil || !close1(faults.Median, 0.5*1e6/2, 1e-3) || clock == nil || !close1(clock.Median, 0.5*1e-3/2, 1e-3) {
		t.Errorf("page faults %+v, task clock %+v, failure %+v", faults, clock, got.Failure)
	}
	if got.Summary("instructions") != nil || !warned(got, "no-counters") {
		t.Errorf("instructions %+v, warnings %v", got.Summary("instructions"), got.Warnings)
	}
	if got.Multiplexed == nil || *got.Multiplexed > 0.26 {
		t.Errorf("multiplexed %v, want 0.25", got.Multiplexed)
	}
	if len(got.Settings.Counters) != 3 {
		t.Errorf("settings %+v", got.Settings)
	}
}

func TestCountersOfALoopOnSeveralThreadsAreRefusedWithAReason(t *testing.T) {
	free := func(c *spec.Case) { c.Counters = []string{"page_faults"}; c.Settings.Thread = "free" }
	got := runCases(t, context.Background(), "fake", function("fake/1ms", free))[0]
	if got.Summary("page_faults") != nil || !warned(got, "no-counters") || got.Status != result.Measured {
		t.Errorf("%+v, warnings %v", got.Summary("page_faults"), got.Warnings)
	}
}

func TestCyclesOfALoopOnSeveralThreadsAreAbsentWithAReason(t *testing.T) {
	free := func(c *spec.Case) { c.Name, c.Settings.Thread = "free", "free" }
	got := runCases(t, context.Background(), "cycles", function("fake/1ms", free), function("fake/1ms"))
	if got[0].Summary("cycles") != nil || !warned(got[0], "no-counters") || got[0].Status != result.Measured {
		t.Errorf("%+v, warnings %v", got[0].Summary("cycles"), got[0].Warnings)
	}
	if got[1].Summary("cycles") == nil || warned(got[1], "no-counters") {
		t.Errorf("locked: %+v, warnings %v", got[1].Summary("cycles"), got[1].Warnings)
	}
}

// A counter is on the hardware for 4 ms and off it for 4 ms. Batches take 1 ms.
func TestSamplesWithoutACountAreCounted(t *testing.T) {
	set := func(c *spec.Case) { c.Settings.Batch = 1 }
	once := func(c *spec.Case) { c.Name, c.Settings.Sampling = "once", "once" }
	got := runCases(t, context.Background(), "rotated", function("fake/1ms", set), function("fake/1ms", set, once))
	times, cycles := got[0].Summary("time"), got[0].Summary("cycles")
	if times == nil || cycles == nil || cycles.N < times.N/3 || cycles.N >= times.N || !close1(times.Median, 1e-3, 1e-3) || !close1(cycles.Median, 2e6, 1e-3) {
		t.Fatalf("time %+v, cycles %+v, failure %+v", times, cycles, got[0].Failure)
	}
	i := slices.IndexFunc(got[0].Warnings, func(w result.Warning) bool { return w.Code == result.WarnUncounted })
	want := result.Some(times.N-cycles.N, times.N)
	if i < 0 || !slices.Equal(got[0].Warnings[i].Values, []result.Quantity{want}) || !slices.Equal(got[0].Warnings[i].Metrics, []string{"cycles"}) {
		t.Errorf("%d of %d samples have cycles, warnings %+v", cycles.N, times.N, got[0].Warnings)
	}
	missing := got[1].Summary("cycles") == nil
	if got[1].Summary("time") == nil || missing != warned(got[1], result.WarnUncounted) {
		t.Errorf("one pass: cycles are missing: %t, warnings %+v, failure %+v", missing, got[1].Warnings, got[1].Failure)
	}
}

func TestOnePassIsOneSample(t *testing.T) {
	once := func(c *spec.Case) {
		c.Settings.Sampling, c.Settings.TargetTime = "once", spec.Duration(500*time.Millisecond)
	}
	got := runCases(t, context.Background(), "fake", function("fake/4ns", once, withTicks))[0]
	s := got.Summary("time")
	if s == nil || s.N != 1 || !close1(s.Median, 4e-9, 1e-6) || got.Stop != "once" || s.Low != nil {
		t.Fatalf("%+v, stopped by %q, failure %+v", s, got.Stop, got.Failure)
	}
	if took := float64(got.Iterations) * 4e-9; took < 0.353 || took > 0.708 {
		t.Errorf("%d iterations last %g s, want 0.5 within √2", got.Iterations, took)
	}
	if warned(got, "few-samples") || got.Summary("ticks") == nil {
		t.Errorf("warnings %v, ticks %v", got.Warnings, got.Summary("ticks"))
	}
}

func TestAMovedCalibrationIsAWarningWithNumbers(t *testing.T) {
	for machine, want := range map[string]bool{"fake": false, "drifting": true} {
		plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: []spec.Case{function("fake/1ms")}}
		doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, machine)})
		moved := len(doc.Warnings) == 1 && doc.Warnings[0].Code == "calibration-drift" &&
			strings.Contains(doc.Warnings[0].Message, "a step of an empty loop took 1 ") && strings.Contains(doc.Warnings[0].Message, "and 10 ")
		if moved != want {
			t.Errorf("%s: warnings %+v", machine, doc.Warnings)
		}
	}
}

// The fake body hides 7 ns of the readings, 14 ticks: the counts of short batches
// are relieved of what is left, as their times are.
func TestCountsOfShortBatchesAreRelievedOfWhatTheirReadingsReallyCost(t *testing.T) {
	fixed := func(c *spec.Case) {
		c.Settings.Batch, c.Settings.TargetTime = 400, spec.Duration(200*time.Microsecond)
	}
	got := runCases(t, context.Background(), "fake", function("fake/hides", fixed, withTicks))[0]
	if s := got.Summary("ticks"); s == nil || !close1(s.Min, 8, 1e-9) || !close1(s.Max, 8, 1e-9) {
		t.Errorf("ticks %+v, failure %+v; want 8, twice the 4 ns", s, got.Failure)
	}
}

func TestCountsThatHoldVoidIterationsSayWhyTheyAreAbsent(t *testing.T) {
	got := measured(t, "micro/rejects-10th", func(s *spec.Settings) { s.SampleTime = spec.Duration(50 * time.Microsecond) })
	if warned(got, "no-counters") {
		t.Errorf("none were asked for: %v", got.Warnings)
	}
	counted := func(c *spec.Case) { c.Counters, c.Settings.Quorum = []string{"page_faults"}, 0.5 }
	got = runCases(t, context.Background(), "fake", function("micro/rejects-10th", counted))[0]
	if got.Summary("page_faults") != nil || !warned(got, "no-counters") {
		t.Errorf("page faults %+v, warnings %v", got.Summary("page_faults"), got.Warnings)
	}
}

// An interrupt ends one of the passes on the way to the goal: a pass of 1 s, although
// 2 s were asked for.
func TestAnInterruptedPassIsNoResult(t *testing.T) {
	t.Parallel()
	begun := filepath.Join(t.TempDir(), "begun")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(begun); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	got := runCases(t, ctx, "fake", function("fake/tells", func(c *spec.Case) {
		c.Settings.Sampling, c.Settings.TargetTime, c.Settings.MaxTime = "once", spec.Duration(2*time.Second), spec.Duration(time.Hour)
		c.Params = []spec.Param{param("file", begun)}
	}))[0]
	if got.Stop != "interrupted" || got.Samples.Len() != 0 || got.Status != result.NotRun {
		t.Errorf("stopped by %q with %d samples of %d iterations, %s, failure %+v", got.Stop, got.Samples.Len(), got.Iterations, got.Status, got.Failure)
	}
}
