package runner

import (
	"context"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

func TestSuitesOwnWorkIsChargedToItsCase(t *testing.T) {
	now := time.Now()
	w := newWindow(newRig(newRun(Options{Now: func() time.Time { return now }}), new(spec.Plan), 0))
	track, other := sized(1, time.Millisecond), sized(1, time.Millisecond)
	const ms = time.Millisecond
	charge := w.own(track)
	for i, step := range []struct{ passed, answered, want time.Duration }{
		{5 * ms, 2 * ms, 3 * ms},
		{4 * ms, 0, 7 * ms},
		{1 * ms, 3 * ms, 7 * ms}, // a host has another clock
		{1 * ms, 1 * ms, 7 * ms},
		{2 * ms, 1 * ms, 8 * ms},
	} {
		now = now.Add(step.passed)
		track.answered(&wire.Readings{Elapsed: int64(step.answered)})
		if charge(); track.own.series.Used != step.want || other.own.series.Used != 0 {
			t.Errorf("step %d: %v is used, want %v; by the other case %v", i, track.own.series.Used, step.want, other.own.series.Used)
		}
	}
	track.own.remote.Stopped = time.Second // the host was stopped before it answered
	now = now.Add(time.Second + ms)
	track.answered(&wire.Readings{Elapsed: int64(ms / 2)})
	if charge(); track.own.series.Used != 9*ms {
		t.Errorf("%v is used, want 9ms: a stop is nobody's", track.own.series.Used)
	}
}

// The clock of the controller goes on by 100 µs whenever it is looked at, and that
// of the host by 20 µs in a block: what ends the case is suite's own work.
func TestMaxTimeHoldsForSuitesOwnWork(t *testing.T) {
	now := time.Now()
	tiny := function("fake/4ns", func(c *spec.Case) {
		s := &c.Settings
		s.Batch, s.Keep, s.SamplesMax = 1, "summary", 1e8
		s.TargetTime, s.MaxTime = spec.Duration(time.Hour), spec.Duration(50*time.Millisecond)
	})
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: []spec.Case{tiny}}
	doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"),
		Now: func() time.Time { now = now.Add(100 * time.Microsecond); return now }})
	c := doc.Cases[0]
	if c.Stop != "max_time" || c.Seconds < 0.045 || c.Seconds > 0.2 {
		t.Errorf("stopped by %q behind %g s, failure %+v", c.Stop, c.Seconds, c.Failure)
	}
	if c.Status != result.Measured || c.Summary("allocs") == nil {
		t.Errorf("status %s, allocations %v: they are counted whatever suite took", c.Status, c.Summary("allocs"))
	}
}

func TestASummaryIsTakenInLongerBlocks(t *testing.T) {
	for batch, want := range map[time.Duration]int{0: 10, 3 * time.Microsecond: 100, 20 * time.Microsecond: 50, 100 * time.Microsecond: 10, time.Second: 10} {
		track := sized(1, batch)
		if got := track.own.blockSize(); got != 10 {
			t.Errorf("every sample is kept: blocks of %d", got)
		}
		if track.own.series.Folds = summary.NewFolds(); track.own.blockSize() != want {
			t.Errorf("batches of %v: blocks of %d, want %d", batch, track.own.blockSize(), want)
		}
	}
}
