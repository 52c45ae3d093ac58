package review

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
	"example.com/suite/runner/target"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// sized is a function after its sizing: batches of n that take so long.
func sized(n int, batch time.Duration) Case {
	plan := &spec.Case{Name: "x", Kind: result.KindGo, Function: "x", Unit: "op", Work: 1, Settings: spec.Defaults()}
	return of(plan, n, batch)
}

func of(c *spec.Case, n int, batch time.Duration) Case {
	s := sample.NewSeries(target.Target{Plan: &spec.Plan{Suite: "test"}, Spec: c})
	s.ID, s.N, s.Thread, s.Sized, s.Batch = 1, n, "locked", batch, batch
	cost := timer.Estimate{NS: 20}
	s.AddEmpty(map[string]timer.Estimate{"time": cost, "wall": cost})
	return Case{Result: s.Result, Own: &s}
}

// sampled is a one with samples in blocks of 10, x(i) seconds each.
func sampled(n int, x func(i int) float64) Case {
	t := sized(1, time.Millisecond)
	s := &t.Result.Samples
	for i := range n {
		s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, i/10), append(s.At, float64(i))
		for _, name := range []string{"time", "wall"} {
			s.Columns[name] = append(s.Columns[name], x(i))
		}
	}
	t.Result.Stop = "target_time"
	return t
}

func steadily(int) float64 { return 1e-3 }

func wiggling(i int) float64 { return 1e-3 * (1 + 0.001*float64(i*7%10)) }

func warning(t Case, code result.WarningCode) string {
	i := slices.IndexFunc(t.Result.Warnings, func(w result.Warning) bool { return w.Code == code })
	if i < 0 {
		return ""
	}
	return t.Result.Warnings[i].Message
}

func TestDoubtsAreTold(t *testing.T) {
	for code, make := range map[string]func() Case{
		"": func() Case { return sampled(100, wiggling) },
		"disturbed": func() Case {
			t := sampled(20, wiggling)
			for i := range 11 {
				t.Result.Samples.Disturbed = append(t.Result.Samples.Disturbed, result.Disturbed{Index: i, Cause: result.Preempted, Count: 1})
			}
			return t
		},
		"stolen": func() Case {
			t := sampled(20, wiggling)
			t.Own.Waited, t.Own.Watched = 11*time.Millisecond, 100*time.Millisecond
			return t
		},
		"outliers": func() Case {
			return sampled(100, func(i int) float64 { return wiggling(i) + 1e-2*float64(i%8/7) })
		},
		"drift": func() Case {
			return sampled(100, func(i int) float64 { return wiggling(i) * (1 + 0.001*float64(i)) })
		},
		"gc-mixed": func() Case {
			t := sampled(100, func(i int) float64 { return wiggling(i) + 4e-4*float64(i%20/19) })
			t.Own.Mixed = true
			return t
		},
		"leaked":      func() Case { t := sampled(20, wiggling); t.Own.Leaked = 3; return t },
		"few-samples": func() Case { return sampled(5, wiggling) },
		"cut-short":   func() Case { t := sampled(8, wiggling); t.Result.Stop = "max_time"; return t },
		"slow-body":   func() Case { t := sampled(20, wiggling); t.Own.Batch = time.Hour; return t },
	} {
		one := make()
		one.Summarise()
		var codes []string
		for _, w := range one.Result.Warnings {
			codes = append(codes, string(w.Code))
		}
		if got := strings.Join(codes, " "); got != code {
			t.Errorf("want %q, got %q: %v", code, got, one.Result.Warnings)
		}
	}
}

// Reports print a minus sign; a hyphen next to it would look like another number.
func TestDriftHasTheSignOfReports(t *testing.T) {
	for word, slope := range map[string]float64{"by −": -0.001, "by +": 0.001} {
		one := sampled(100, func(i int) float64 { return wiggling(i) * (1 + slope*float64(i)) })
		one.Summarise()
		if ws := one.Result.Warnings; len(ws) != 1 || !strings.Contains(ws[0].Message, word) {
			t.Errorf("want %q in %v", word, ws)
		}
	}
}

func TestBatchTimesAreReadable(t *testing.T) {
	for d, want := range map[time.Duration]string{
		5*time.Second + 1: "5 s", 61*time.Second + 1e6: "61 s", 12_345_678: "12.35 ms", 922_771: "922.8 µs", 4_321: "4.321 µs", 12: "12 ns", 0: "0 s",
	} {
		if got := length(d); got.Text != want || got.Value != d.Seconds() {
			t.Errorf("%d ns is %+v, want %s", d, got, want)
		}
	}
}

func TestSummariesLeaveOutWhatWasDisturbed(t *testing.T) {
	one := sampled(20, func(i int) float64 { return 1e-3 + float64(i%4/3) })
	for i := 3; i < 20; i += 4 {
		one.Result.Samples.Disturbed = append(one.Result.Samples.Disturbed, result.Disturbed{Index: i, Cause: result.Preempted, Count: 1})
	}
	one.Summarise()
	if s := one.Result.Summary("time"); s.N != 15 || s.Max != 1e-3 || s.Blocks != 2 || one.Result.Status != result.Measured {
		t.Errorf("summary %+v", s)
	}
}

func TestStatusesOfCases(t *testing.T) {
	none := sized(1, time.Millisecond)
	if none.Summarise(); none.Result.Status != result.NotRun {
		t.Errorf("without samples: %s", none.Result.Status)
	}
	broken := sampled(20, steadily)
	broken.Result.Status, broken.Result.Failure = result.Failed, &result.Failure{Cause: "panic"}
	if broken.Summarise(); broken.Result.Status != result.Failed || broken.Result.Failure.Cause != "panic" || broken.Result.Summary("time") == nil {
		t.Errorf("a failure behind samples: %s, %+v", broken.Result.Status, broken.Result.Failure)
	}
}

func TestABoundStandsWhereTheLoopIsAllThereIs(t *testing.T) {
	for median, bounded := range map[float64]bool{0.3e-9: true, 0.36e-9: true, 0.39e-9: false} {
		one := sampled(100, func(int) float64 { return median })
		one.Own.N = 1_000_000
		one.Result.LoopCost, one.Result.LoopError = 0.34e-9, 0.04e-9
		one.Summarise()
		if s := one.Result.Summary("time"); (s.Bound != nil) != bounded || bounded && (*s.Bound < median || *s.Bound > median+0.1e-9) {
			t.Errorf("median %g: bound %v", median, s.Bound)
		}
	}
}

// A bound includes the true value: one cycle that hides under the loop takes as long
// as the loop, and whatever hides under the readings of the clock takes at most as
// long as they do.
func TestABoundHoldsTheTruth(t *testing.T) {
	loop := &timer.Overhead{Time: timer.LoopCost{Iteration: timer.Estimate{NS: 0.26, Error: 0.01}}, Count: &timer.LoopCost{Iteration: timer.Estimate{NS: 0.68, Error: 0.01}}, Frequency: &timer.Estimate{NS: 2.6}}
	costs := &wire.Costs{Resolution: 20, Reading: timer.Estimate{NS: 24, Error: 0.1}, Count: &timer.Estimate{NS: 77}, Direct: loop, Indirect: loop,
		Empty: map[string]timer.Estimate{"time": {NS: 24}, "wall": {NS: 24}, "ticks": {NS: 77}}}
	for _, c := range []struct {
		name         string
		n            int
		shown, truth float64 // ns: what is left of a batch per iteration, and the body
	}{{"add", 3_000_000, 0.26, 0.26}, {"xorshift", 1, 0, 2.6}, {"xorshift", 10, 1, 2.6}} {
		one := sampled(100, func(i int) float64 { return c.shown * 1e-9 * (1 + 0.001*float64(i%3)) })
		one.Own.N, one.Own.Sized = c.n, time.Duration(float64(c.n)*c.truth+24)
		one.Own.Charge(&sample.Calibration{Hello: &wire.Hello{Clock: "wall", Counter: "x86-rdtscp", Unit: timer.Ticks}, Costs: costs})
		for _, x := range one.Result.Samples.Columns["time"] {
			one.Result.Samples.Columns["ticks"] = append(one.Result.Samples.Columns["ticks"], x*2.6e9)
		}
		one.Summarise()
		time, ticks := one.Result.Summary("time"), one.Result.Summary("ticks")
		if time.Bound == nil || *time.Bound < c.truth*1e-9 {
			t.Errorf("%s in batches of %d: bound %v, and it takes %g ns", c.name, c.n, time.Bound, c.truth)
		}
		if ticks.Bound == nil || *ticks.Bound < c.truth*2.6 {
			t.Errorf("%s in batches of %d: bound %v, and it takes %g ticks", c.name, c.n, ticks.Bound, c.truth*2.6)
		}
	}
}

// A batch of one iteration between two steps of a microsecond takes anything
// below that, and its time is 0. A finer clock hides what overlaps with its reading.
func TestACoarseClockCannotTellWhatIsBelowItsStep(t *testing.T) {
	for resolution, want := range map[int64]float64{1000: 2820e-9, 40: 900e-9} { // twice a step and a reading
		one := sampled(100, func(int) float64 { return 0 })
		loop := &timer.Overhead{Time: timer.LoopCost{Iteration: timer.Estimate{NS: 0.34, Error: 0.01}}}
		one.Own.Charge(&sample.Calibration{Hello: &wire.Hello{Clock: timer.StdcClock}, Costs: &wire.Costs{Resolution: resolution,
			Reading: timer.Estimate{NS: 410}, Direct: loop, Indirect: loop}})
		one.Summarise()
		if s := one.Result.Summary("time"); s.Bound == nil || *s.Bound < want || *s.Bound > want+1e-9 {
			t.Errorf("step %d ns: bound %v, want %g", resolution, s.Bound, want)
		}
	}
}

func TestTimesOfZeroHaveNeitherRatesNorOutliers(t *testing.T) {
	one := sampled(100, func(i int) float64 { return 40e-9 * float64(i%8/7) })
	one.Summarise()
	if c := one.Result; c.Summary("throughput") != nil || warning(one, result.WarnOutliers) != "" {
		t.Errorf("throughput %+v, warnings %v", c.Summary("throughput"), c.Warnings)
	}
}

func TestStatisticsOfKilledRunsAreBounds(t *testing.T) {
	one := sampled(20, func(i int) float64 { return 1e-3 * float64(1+i%5) })
	for i := range 20 {
		one.Result.Samples.Block[i] = i
	}
	one.Result.Kind, one.Result.Samples.Censored = result.KindCommand, []int{4, 9, 14}
	one.Summarise()
	s := one.Result.Summary("time")
	if want := []string{"mean", "stddev", "max", "p90", "p95", "p99"}; !slices.Equal(s.AtLeast, want) || s.AtMost != nil || s.Censored != 3 {
		t.Errorf("at least: %q, want %q; at most: %q", s.AtLeast, want, s.AtMost)
	}
	if s.Median != 3e-3 || s.High == nil || *s.High < 3e-3 || s.OutliersHigh != 0 {
		t.Errorf("summary %+v", s)
	}
	one = sampled(7, func(i int) float64 { return 1e-3 * float64(1+i) })
	for i := range 7 {
		one.Result.Samples.Block[i] = i
	}
	one.Result.Kind, one.Result.Samples.Censored = result.KindCommand, []int{4, 5, 6}
	one.Summarise()
	if s := one.Result.Summary("time"); s.Median != 4e-3 || s.Low == nil || s.High != nil || s.Confidence == 0 {
		t.Errorf("an interval that reaches killed runs: %+v", s)
	}
}
