package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// sampled is a track with samples in blocks of 10, x(i) seconds each.
func sampled(n int, x func(i int) float64) *track {
	t := sized(1, time.Millisecond)
	s := &t.result.Samples
	for i := range n {
		s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, i/10), append(s.At, float64(i))
		for _, name := range []string{"time", "wall"} {
			s.Columns[name] = append(s.Columns[name], x(i))
		}
	}
	t.result.Stop = "target_time"
	return t
}

func steadily(int) float64 { return 1e-3 }

func wiggling(i int) float64 { return 1e-3 * (1 + 0.001*float64(i*7%10)) }

func TestDoubtsAreTold(t *testing.T) {
	for code, make := range map[string]func() *track{
		"": func() *track { return sampled(100, wiggling) },
		"disturbed": func() *track {
			t := sampled(20, wiggling)
			for i := range 11 {
				t.result.Samples.Disturbed = append(t.result.Samples.Disturbed, result.Disturbed{Index: i, Cause: result.Preempted, Count: 1})
			}
			return t
		},
		"stolen": func() *track {
			t := sampled(20, wiggling)
			t.own.series.Waited, t.own.series.Watched = 11*time.Millisecond, 100*time.Millisecond
			return t
		},
		"outliers": func() *track {
			return sampled(100, func(i int) float64 { return wiggling(i) + 1e-2*float64(i%8/7) })
		},
		"drift": func() *track {
			return sampled(100, func(i int) float64 { return wiggling(i) * (1 + 0.001*float64(i)) })
		},
		"gc-mixed": func() *track {
			t := sampled(100, func(i int) float64 { return wiggling(i) + 4e-4*float64(i%20/19) })
			t.own.series.Mixed = true
			return t
		},
		"leaked":      func() *track { t := sampled(20, wiggling); t.own.series.Leaked = 3; return t },
		"few-samples": func() *track { return sampled(5, wiggling) },
		"cut-short":   func() *track { t := sampled(8, wiggling); t.result.Stop = "max_time"; return t },
		"slow-body":   func() *track { t := sampled(20, wiggling); t.own.series.Batch = time.Hour; return t },
	} {
		track := make()
		track.summarise()
		var codes []string
		for _, w := range track.result.Warnings {
			codes = append(codes, string(w.Code))
		}
		if got := strings.Join(codes, " "); got != code {
			t.Errorf("want %q, got %q: %v", code, got, track.result.Warnings)
		}
	}
}

// Reports print a minus sign; a hyphen next to it would look like another number.
func TestDriftHasTheSignOfReports(t *testing.T) {
	for word, slope := range map[string]float64{"by −": -0.001, "by +": 0.001} {
		track := sampled(100, func(i int) float64 { return wiggling(i) * (1 + slope*float64(i)) })
		track.summarise()
		if ws := track.result.Warnings; len(ws) != 1 || !strings.Contains(ws[0].Message, word) {
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
	track := sampled(20, func(i int) float64 { return 1e-3 + float64(i%4/3) })
	for i := 3; i < 20; i += 4 {
		track.result.Samples.Disturbed = append(track.result.Samples.Disturbed, result.Disturbed{Index: i, Cause: result.Preempted, Count: 1})
	}
	track.summarise()
	if s := track.result.Summary("time"); s.N != 15 || s.Max != 1e-3 || s.Blocks != 2 || track.result.Status != result.Measured {
		t.Errorf("summary %+v", s)
	}
}

func TestStatusesOfCases(t *testing.T) {
	none := sized(1, time.Millisecond)
	if none.summarise(); none.result.Status != result.NotRun {
		t.Errorf("without samples: %s", none.result.Status)
	}
	broken := sampled(20, steadily)
	broken.fail(&result.Failure{Cause: "panic"})
	broken.fail(&result.Failure{Cause: "timeout"})
	if broken.summarise(); broken.result.Status != result.Failed || broken.result.Failure.Cause != "panic" || broken.result.Summary("time") == nil {
		t.Errorf("a failure behind samples: %s, %+v", broken.result.Status, broken.result.Failure)
	}
}

func TestABoundStandsWhereTheLoopIsAllThereIs(t *testing.T) {
	for median, bounded := range map[float64]bool{0.3e-9: true, 0.36e-9: true, 0.39e-9: false} {
		track := sampled(100, func(int) float64 { return median })
		track.own.series.N = 1_000_000
		track.result.LoopCost, track.result.LoopError = 0.34e-9, 0.04e-9
		track.summarise()
		if s := track.result.Summary("time"); (s.Bound != nil) != bounded || bounded && (*s.Bound < median || *s.Bound > median+0.1e-9) {
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
		track := sampled(100, func(i int) float64 { return c.shown * 1e-9 * (1 + 0.001*float64(i%3)) })
		track.own.series.N, track.own.series.Sized = c.n, time.Duration(float64(c.n)*c.truth+24)
		track.own.series.Charge(&sample.Calibration{Hello: &wire.Hello{Clock: "wall", Counter: "x86-rdtscp", Unit: timer.Ticks}, Costs: costs})
		for _, x := range track.result.Samples.Columns["time"] {
			track.result.Samples.Columns["ticks"] = append(track.result.Samples.Columns["ticks"], x*2.6e9)
		}
		track.summarise()
		time, ticks := track.result.Summary("time"), track.result.Summary("ticks")
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
		track := sampled(100, func(int) float64 { return 0 })
		loop := &timer.Overhead{Time: timer.LoopCost{Iteration: timer.Estimate{NS: 0.34, Error: 0.01}}}
		track.own.series.Charge(&sample.Calibration{Hello: &wire.Hello{Clock: timer.StdcClock}, Costs: &wire.Costs{Resolution: resolution,
			Reading: timer.Estimate{NS: 410}, Direct: loop, Indirect: loop}})
		track.summarise()
		if s := track.result.Summary("time"); s.Bound == nil || *s.Bound < want || *s.Bound > want+1e-9 {
			t.Errorf("step %d ns: bound %v, want %g", resolution, s.Bound, want)
		}
	}
}

func TestTimesOfZeroHaveNeitherRatesNorOutliers(t *testing.T) {
	track := sampled(100, func(i int) float64 { return 40e-9 * float64(i%8/7) })
	track.summarise()
	if c := track.result; c.Summary("throughput") != nil || warned(*c, "outliers") {
		t.Errorf("throughput %+v, warnings %v", c.Summary("throughput"), c.Warnings)
	}
}

func TestTheLoopCostComesFromBesideTheBody(t *testing.T) {
	track := sampled(20, steadily)
	track.result.LoopCost, track.result.LoopError = 0.34e-9, 0.01e-9
	for i := range 20 {
		track.own.series.LoopTimes.Loops = append(track.own.series.LoopTimes.Loops, 0.40e-9+float64(i%3)*0.01e-9)
	}
	if track.own.series.LoopTimes.Cost(track.result); !close1(track.result.LoopCost, 0.41e-9, 1e-9) || !close1(track.result.LoopError, 0.02e-9, 0.01) {
		t.Errorf("%g ± %g", track.result.LoopCost, track.result.LoopError)
	}
	track.result.LoopCost, track.own.series.LoopTimes.Loops = 0.34e-9, track.own.series.LoopTimes.Loops[:3]
	if track.own.series.LoopTimes.Cost(track.result); track.result.LoopCost != 0.34e-9 {
		t.Errorf("three loops beside it gave %g", track.result.LoopCost)
	}
}

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
