package host

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// lines of a trace that match.
func lines(trace, pattern string) int {
	return len(regexp.MustCompile("(?m)"+pattern).FindAllString(trace, -1))
}

func TestEveryPointOfACalibrationAndEveryBatchOfASearchIsTraced(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := counting(t, clock, &timer.FakeCounter{Fake: clock, Counts: timer.Ticks, PerNS: 2})
	var b bytes.Buffer
	h.Trace(&b)
	ask(t, h, wire.Request{Op: "calibrate"})
	// 41 triples of each loop, and the batches that find how long the longest is.
	for _, kind := range []string{"direct", "indirect"} {
		if n := lines(b.String(), `^timer: calibration: `+kind+` \d+ iterations in \d+ ns.*; \d+ ticks$`); n < 3*41 {
			t.Errorf("%d points of %s loops in\n%s", n, kind, &b)
		}
	}
	for _, want := range []string{
		`^timer: calibration: clock: steps of 20 ns, a reading takes \S+ ± \S+ ns$`,
		`^timer: calibration: direct loop: 0\.333\d ± \S+ ns an iteration, \S+ ± \S+ ns a batch$`,
		`^timer: calibration: indirect loop: 0\.66\d+ ± \S+ counts an iteration, `,
	} {
		if lines(b.String(), want) != 1 {
			t.Errorf("not one line %s in the trace", want)
		}
	}

	b.Reset()
	f := wire.Function{Name: "hash/1KiB", GC: "on", Thread: "locked", SampleTime: ms, Coalesce: 5}
	id := prepare(t, h, f, func(n int) { clock.Advance(100 * int64(n)) })
	sized := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized
	if n := lines(b.String(), `^timer: hash/1KiB: warm-up \d+ iterations in \d+ ns, .* ns each; \d+ ticks$`); n != sized.Batches || n < 3 {
		t.Errorf("%d of %d batches in\n%s", n, sized.Batches, &b)
	}
	end := fmt.Sprintf("timer: hash/1KiB: sized: batches of %d iterations last %d ns, thread locked; %d batches were run\n", sized.N, sized.Time, sized.Batches)
	if !strings.HasSuffix(b.String(), end) {
		t.Errorf("no result in\n%s", &b)
	}

	b.Reset()
	ask(t, h, wire.Request{Op: "once", ID: id, N: 1, Goal: second, Limit: 10 * second})
	if n := lines(b.String(), `^timer: hash/1KiB: pass \d+ iterations in \d+ ns, `); n < 3 {
		t.Errorf("%d passes in\n%s", n, &b)
	}
}

// A trace may not change what it shows: nothing is written inside a batch, and
// the batches of a run are not traced at all.
func TestATraceCostsATimedBatchNothing(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	plain, traced := fake(t, clock), fake(t, clock)
	traced.Trace(slow{clock})
	f := wire.Function{GC: "on", Thread: "locked", SampleTime: ms, Coalesce: 5}
	for name, h := range map[string]*Host{"plain": plain, "traced": traced} {
		ask(t, h, wire.Request{Op: "calibrate"})
		if cost := h.kit.costs.Direct.Time; cost.Batch.NS > 21 || cost.Iteration.NS > 0.334 {
			t.Errorf("%s: calibrated %+v", name, cost)
		}
		id := prepare(t, h, f, func(n int) { clock.Advance(100 * int64(n)) })
		if sized := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized; sized.Time != 100*int64(sized.N)+20 {
			t.Errorf("%s: batches of %d take %d", name, sized.N, sized.Time)
		}
		before := clock.Time
		ask(t, h, wire.Request{Op: "run", Limit: second, Batches: []wire.Batch{{ID: id, N: 10}, {ID: id, N: 10}}})
		if took := clock.Time - before; took > 3000 {
			t.Errorf("%s: two batches of 1 µs took %d", name, took)
		}
	}
}

// slow takes 1 µs for each line.
type slow struct{ clock *timer.Fake }

func (s slow) Write(p []byte) (int, error) { s.clock.Advance(ms / 1000); return len(p), nil }

func TestAnInterruptBeforeAPassGivesNone(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", Coalesce: 5}, func(n int) { clock.Advance(int64(n)) })
	h.Stop()
	if got := ask(t, h, wire.Request{Op: "once", ID: id, N: 1, Goal: second, Limit: second}).Readings; len(got.ID) != 0 || !got.Stopped {
		t.Errorf("%+v", got)
	}
}
