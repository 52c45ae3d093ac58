package host

import (
	"fmt"
	"runtime"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// What mLib bench and micro-bench promise of a measurement: docs/evidence/ancestors.md.

// The code around a call decides how fast it is, so there is one call.
func TestWarmUpAndMeasuringShareOneCallSite(t *testing.T) {
	clock, sites := &timer.Fake{Cost: 20}, map[string]string{}
	phase := ""
	note := func(n int) {
		_, file, line, _ := runtime.Caller(2)
		if at := fmt.Sprintf("%s:%d", file, line); sites[phase] == "" {
			sites[phase] = at
		} else if sites[phase] != at {
			t.Errorf("%s: called at %s and at %s", phase, sites[phase], at)
		}
		clock.Advance(100 * int64(n))
	}
	loops := func() []bench.Loop { return []bench.Loop{func(n int) { note(n) }} }
	h := New(Machine{Open: func(timer.Prefs) (*timer.Timer, error) { return timer.New(clock, nil), nil },
		System: func() timer.System { return clock }, Direct: loops, Indirect: loops})
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindGo})
	for _, step := range []wire.Request{
		{Op: "calibrate"},
		{Op: "size", ID: 1, Limit: second},
		{Op: "run", Limit: second, Batches: []wire.Batch{{ID: 1, N: 10}, {ID: wire.EmptyDirect, N: 10}}},
		{Op: "once", ID: 1, N: 1, Goal: ms, Limit: second},
	} {
		if phase = step.Op; step.Op == "size" {
			phase = "prepare"
			prepare(t, h, wire.Function{GC: "on", Thread: "locked", SampleTime: ms, Coalesce: 5, Warmup: ms}, func(n int) { note(n) })
			phase = step.Op
		}
		ask(t, h, step)
	}
	for _, phase := range []string{"calibrate", "size", "run", "once"} {
		if sites[phase] == "" || sites[phase] != sites["run"] {
			t.Errorf("%s calls the loop at %q, run at %q", phase, sites[phase], sites["run"])
		}
	}
}

func TestALaterHostKeepsTheCostsOfTheFirstUnlessTheyMoved(t *testing.T) {
	first := &timer.Fake{Cost: 20}
	known := ask(t, fake(t, first), wire.Request{Op: "calibrate"}).Costs
	for cost, kept := range map[int64]bool{20: true, 21: true, 60: false} {
		clock := &timer.Fake{Cost: cost}
		h := fake(t, clock)
		start := clock.Time
		got := ask(t, h, wire.Request{Op: "calibrate", Known: known}).Costs
		if (got == known) != kept || h.kit.costs != got {
			t.Errorf("readings of %d ns: costs %+v, known are %+v", cost, got.Reading, known.Reading)
		}
		if took := clock.Time - start; kept && took > known.Elapsed/10 {
			t.Errorf("readings of %d ns: to keep the costs took %d ns, to find them %d", cost, took, known.Elapsed)
		}
	}
}

func TestAFixedBatchIsNotSearchedFor(t *testing.T) {
	clock, sizes := &timer.Fake{Cost: 20}, map[int]bool{}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", SampleTime: ms, Coalesce: 5, Batch: 37, Warmup: ms}, func(n int) {
		sizes[n] = true
		clock.Advance(100 * int64(n))
	})
	if got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized; got.N != 37 || len(sizes) != 1 || !sizes[37] {
		t.Errorf("batches of %d, tried %v", got.N, sizes)
	}
}

func TestAWarmUpLastsAsLongAsItShouldAndNoneIsNone(t *testing.T) {
	for warmup, most := range map[int64]int{0: 5, 50 * ms: 100} {
		clock := &timer.Fake{Cost: 20}
		h := fake(t, clock)
		id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", SampleTime: ms, Coalesce: 5, Warmup: warmup}, func(n int) { clock.Advance(100 * int64(n)) })
		got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized
		if got.Elapsed < warmup || got.Elapsed > warmup+5*ms || got.Batches > most {
			t.Errorf("a warm-up of %d ns: %d batches in %d ns", warmup, got.Batches, got.Elapsed)
		}
	}
}

// A warm-up of so many batches ends with batches of the size that was found.
func TestAWarmUpMayBeANumberOfBatches(t *testing.T) {
	for _, fixed := range []int{0, 37} {
		clock := &timer.Fake{Cost: 20}
		h, last, same := fake(t, clock), 0, 0
		id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", SampleTime: ms, Coalesce: 5, Batch: fixed, WarmupBatches: 50}, func(n int) {
			if n != last {
				same = 0
			}
			last = n
			same++
			clock.Advance(100 * int64(n))
		})
		got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized
		if last != got.N || same < 50 || same > 60 {
			t.Errorf("the last %d batches had %d iterations, and batches have %d", same, last, got.N)
		}
	}
}

// Five clock costs, or as many as are asked for; a coarse clock counts by its steps.
func TestABatchLastsSoManyClockCosts(t *testing.T) {
	for _, test := range []struct {
		cost, step int64
		coalesce   float64
		want       int64
	}{{20, 1, 5, 100}, {20, 1, 1000, 20_000}, {20, 15_000, 5, 75_000}} {
		clock := &timer.Fake{Cost: test.cost, Step: test.step}
		h := fake(t, clock)
		ask(t, h, wire.Request{Op: "calibrate"})
		if got := h.kit.goal(1, test.coalesce); got < test.want*98/100 || got > test.want*102/100 {
			t.Errorf("%+v: batches of %d ns", test, got)
		}
		if got := h.kit.goal(ms, test.coalesce); got != max(ms, test.want) {
			t.Errorf("%+v: batches of %d ns, and 1 ms was asked for", test, got)
		}
	}
}
