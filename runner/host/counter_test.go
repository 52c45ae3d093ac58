package host

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// counting is a host on a fake machine with a cycle counter and events.
func counting(t testing.TB, clock *timer.Fake, counter timer.Counter) *Host {
	t.Helper()
	loops := func() []bench.Loop { return []bench.Loop{func(n int) { clock.Advance(int64(n) / 3) }} }
	h := New(Machine{
		Open:   func(timer.Prefs) (*timer.Timer, error) { return timer.New(clock, counter), nil },
		System: func() timer.System { return clock }, Direct: loops, Indirect: loops,
		Events: func(names []string, _ timer.Scope) (timer.Events, []timer.Skipped) {
			there := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "instructions" })
			return &timer.FakeEvents{Fake: clock, Names: there, PerNS: 0.5, Share: 0.25}, []timer.Skipped{{Kind: "event", Name: "instructions", Reason: "no such event"}}
		},
	})
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindGo})
	return h
}

func TestTheCountLiesInsideTheTime(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	counter := &timer.FakeCounter{Fake: clock, Counts: timer.Ticks, PerNS: 2, Cost: 10}
	h := counting(t, clock, counter)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) { clock.Advance(100 * int64(n)) })
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10}}}).Readings.Columns
	// T0: clock, counter; T1: counter, clock. The time contains both readings of the
	// counter, the count contains half of each and no reading of the clock.
	if time, ticks := got["time"][0], got["ticks"][0]; time != 1000+20+2*10 || ticks != 2*(1000+10) {
		t.Errorf("time %d, ticks %d, want 1040 and 2020", time, ticks)
	}
	costs := ask(t, h, wire.Request{Op: "calibrate"}).Costs
	if c := costs.Empty["ticks"]; c.NS != 2*10 {
		t.Errorf("an empty batch counts %+v, want 20", c)
	}
	o := costs.Direct
	if o.Count == nil || o.Count.Iteration.NS < 0.66 || o.Count.Iteration.NS > 0.67 || o.Frequency.NS < 1.99 || o.Frequency.NS > 2.01 {
		t.Errorf("calibrated %+v, %+v, want 2/3 a step and 2 GHz", o.Count, o.Frequency)
	}
}

func TestABatchWhoseThreadMovedIsTimedAgain(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	counter := &timer.FakeCounter{Fake: clock, Counts: timer.Ticks, PerNS: 2}
	h, ran := counting(t, clock, counter), 0
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) { ran++; clock.Advance(100 * int64(n)) })
	one := wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10}}}

	counter.Moves = 1
	if got := ask(t, h, one).Readings; got.Retried != 1 || ran != 2 || got.Columns["ticks"][0] != 2000 {
		t.Errorf("moved once: retried %d, ran %d times, ticks %v", got.Retried, ran, got.Columns["ticks"])
	}
	counter.Moves = 1000 // for good
	if got := ask(t, h, one).Readings; got.Retried != batchTries-1 || got.Columns["ticks"] != nil || got.Columns["time"][0] != 1020 {
		t.Errorf("moved always: retried %d, %v; want the time alone", got.Retried, got.Columns)
	}
	ran = 0
	if ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 100_000}}}); ran != 1 {
		t.Errorf("a batch of 10 ms ran %d times", ran)
	}
	counter.Moves, counter.Broken = 0, errors.New("gone")
	if got := ask(t, h, one).Readings; got.Columns["ticks"] != nil || got.Columns["time"][0] != 1020 || got.Retried != 0 {
		t.Errorf("broken: %v", got.Columns)
	}
}

func TestEventsAreCountedForTheCaseThatAskedAlone(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := counting(t, clock, nil)
	ask(t, h, wire.Request{Op: "calibrate"})
	body := func(n int) { clock.Advance(100 * int64(n)) }
	asked := wire.Function{GC: "on", Thread: "locked", Batch: 10, Coalesce: 5, Counters: []string{"instructions", "page_faults", "task_clock"}}
	id, other := prepare(t, h, asked, body), prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, body)
	sized := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized
	if empty := sized.Empty["page_faults"].NS; empty < 19 || empty > 21 { // half a count for each ns of two readings
		t.Errorf("an empty batch counts %g page faults", empty)
	}
	got := ask(t, h, wire.Request{Op: "run", Limit: second, Batches: []wire.Batch{{ID: other, N: 10}, {ID: id, N: 10}, {ID: wire.EmptyDirect, N: 10}, {ID: id, N: 20}}}).Readings
	faults := got.Columns["page_faults"]
	if len(faults) != 4 || faults[0] != timer.Absent || faults[2] != timer.Absent || faults[1] != 520 || faults[3] != 1020 {
		t.Errorf("page faults %v, want absent, 520, absent, 1020", faults)
	}
	if got.Columns["instructions"] != nil || got.Share == nil || *got.Share > 0.26 || *got.Share < 0.24 {
		t.Errorf("instructions %v, share %v", got.Columns["instructions"], got.Share)
	}
}

func TestCountersThatAreNotThereComeWithTheReason(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := counting(t, clock, nil)
	name := register(t, func(*bench.Case) bench.Loop { return func(int) {} })
	p := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, Counters: []string{"instructions", "page_faults"}}}).Prepared
	if len(p.Skipped) != 1 || p.Skipped[0].Name != "instructions" || p.Skipped[0].Reason == "" {
		t.Errorf("skipped %v", p.Skipped)
	}
}

func TestACounterOfOneThreadIsNotReadForLoopsOffIt(t *testing.T) {
	for unit, there := range map[timer.Unit]bool{timer.Ticks: true, timer.Cycles: false} {
		clock := &timer.Fake{Cost: 20}
		h := counting(t, clock, &timer.FakeCounter{Fake: clock, Counts: unit, PerNS: 2})
		id := prepare(t, h, wire.Function{GC: "on", Thread: "free"}, func(n int) { clock.Advance(int64(n)) })
		got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10}}}).Readings.Columns[string(unit)]
		if (got != nil) != there {
			t.Errorf("%s of a free loop: %v", unit, got)
		}
	}
}

// everyThirdVoid is a setup whose operation takes 1 µs, and every third time 5 µs,
// which it declares void.
func everyThirdVoid(clock *timer.Fake) bench.Setup {
	return func(c *bench.Case) bench.Loop {
		calls := 0
		return c.Try(func() bool {
			if calls++; calls%3 == 0 {
				clock.Advance(5000)
				return false
			}
			clock.Advance(1000)
			return true
		})
	}
}

func TestAVoidIterationAndOnlyItIsLeftOut(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := counting(t, clock, &timer.FakeCounter{Fake: clock, Counts: timer.Ticks, PerNS: 2})
	name := register(t, everyThirdVoid(clock))
	p := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Quorum: 0.5}}).Prepared
	if !p.Trial {
		t.Error("it is not known for a loop made by Try")
	}
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: p.ID, N: 10}, {ID: p.ID, N: 1}, {ID: p.ID, N: 1}}}).Readings.Columns
	// Ten that count, each with one reading of the clock after it. Void are the
	// third, sixth, ninth and twelfth call, and the first of the second batch.
	for name, want := range map[string][]int64{
		"time": {10 * 1020, 1020, 1020}, "void": {4, 1, 0},
		"cpu":   {timer.Absent, timer.Absent, 1000 + 4*20}, // two readings around it, one before and one after the iteration
		"ticks": {timer.Absent, timer.Absent, 2 * (1000 + 40)},
	} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s = %v, want %v", name, got[name], want)
		}
	}
}

func TestABodyThatRejectsEverythingEnds(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h, calls := fake(t, clock), 0
	name := register(t, func(c *bench.Case) bench.Loop {
		return c.Try(func() bool { calls++; clock.Advance(1000); return false })
	})
	p := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Quorum: 0.5, Coalesce: 5, SampleTime: ms}}).Prepared
	got := h.answer(&wire.Request{Op: "size", ID: p.ID, Limit: second})
	if f := got.Failure; f == nil || f.Cause != "rejected" || !strings.Contains(f.Message, "0 of ") || calls > 100 {
		t.Errorf("failure %+v after %d calls", f, calls)
	}
}

func TestABodyMayBeVoidUntilItIsWarm(t *testing.T) {
	for warmup, cause := range map[int64]wire.Cause{0: "rejected", ms: ""} {
		clock := &timer.Fake{Cost: 20}
		h, calls := fake(t, clock), 0
		name := register(t, func(c *bench.Case) bench.Loop {
			return c.Try(func() bool { calls++; clock.Advance(1000); return calls > 500 })
		})
		f := &wire.Function{Function: name, GC: "on", Thread: "locked", Quorum: 0.5, Coalesce: 5, SampleTime: ms, Warmup: warmup}
		p := ask(t, h, wire.Request{Op: "prepare", Function: f}).Prepared
		got := h.answer(&wire.Request{Op: "size", ID: p.ID, Limit: second})
		if f := got.Failure; cause == "" && f != nil || cause != "" && (f == nil || f.Cause != cause) {
			t.Errorf("warm-up of %d ns: failure %+v behind %d calls, want %q", warmup, f, calls, cause)
		}
	}
}

func TestTryRunsOnOneGoroutine(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	name := register(t, func(c *bench.Case) bench.Loop { return c.Try(func() bool { return true }) })
	got := h.answer(&wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "auto", Parallel: 2}})
	if got.Failure == nil || !strings.Contains(got.Failure.Message, "one goroutine") {
		t.Errorf("%+v", got.Failure)
	}
}

func TestBatchesAreNeverCoalescedWhereThatIsWanted(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", SampleTime: ms, Coalesce: 0, Warmup: ms}, func(n int) { clock.Advance(4 * int64(n)) })
	if got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized; got.N != 1 {
		t.Errorf("batches of %d iterations, want 1", got.N)
	}
}

func TestOnePassLastsItsGoal(t *testing.T) {
	for _, test := range []struct {
		each, goal, limit int64
		least, most       int64
	}{
		{100, second, 10 * second, 7071 * 100_000, second * 142 / 100}, // within √2
		{3 * second, second, 10 * second, 3 * second, 3 * second},      // one iteration is more than enough
		{100, 10 * second, second, 0, second},                          // the limit comes first
	} {
		clock := &timer.Fake{Cost: 20}
		h := fake(t, clock)
		id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", Coalesce: 5}, func(n int) { clock.Advance(test.each * int64(n)) })
		start := clock.Time
		got := ask(t, h, wire.Request{Op: "once", ID: id, N: 1, Goal: test.goal, Limit: test.limit}).Readings
		if len(got.ID) != 1 || got.ID[0] != id || got.N[0] < 1 {
			t.Fatalf("%+v: rows %v × %v", test, got.ID, got.N)
		}
		if took := got.Columns["time"][0] - 20; took < test.least || took > test.most || took != test.each*int64(got.N[0]) {
			t.Errorf("%+v: a pass of %d took %d", test, got.N[0], took)
		}
		if clock.Time-start > test.limit+test.each {
			t.Errorf("%+v: ended after %d", test, clock.Time-start)
		}
	}
}

// The columns of a clock that is not the wall clock: the wall time of the whole
// batch is there too, because limits go by it.
func TestTheWallTimeOfABatchWithVoidIterationsStays(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := counting(t, clock, nil)
	h.kit.wall = clock
	name := register(t, everyThirdVoid(clock))
	id := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Quorum: 0.5}}).Prepared.ID
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10}}}).Readings.Columns
	if wall := got["wall"]; got["time"][0] != 10*1020 || len(wall) != 1 || wall[0] < 10*1020+4*5020 {
		t.Errorf("time %v, wall %v, want 10200 and what the four void ones took beside it", got["time"], wall)
	}
}

// Readings of the events take CPU time, and the wall clock is read inside them.
func TestEventsDoNotLengthenTheTimesBesideThem(t *testing.T) {
	for _, cost := range []int64{0, 1000} {
		clock := &timer.Fake{Cost: 20}
		h := counting(t, clock, nil)
		h.kit.machine.Events = func(names []string, _ timer.Scope) (timer.Events, []timer.Skipped) {
			return &timer.FakeEvents{Fake: clock, Names: names, PerNS: 0.5, Cost: cost}, nil
		}
		costs := ask(t, h, wire.Request{Op: "calibrate"}).Costs.Empty
		f := wire.Function{GC: "on", Thread: "locked", Batch: 10, Coalesce: 5, Counters: []string{"page_faults"}}
		id := prepare(t, h, f, func(n int) { clock.Advance(100 * int64(n)) })
		maps.Copy(costs, ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized.Empty)
		got := ask(t, h, wire.Request{Op: "run", Limit: second, Batches: []wire.Batch{{ID: id, N: 10}}}).Readings.Columns
		for _, name := range []string{"time", "wall", "cpu", "thread_cpu"} {
			if left := float64(got[name][0]) - costs[name].NS; left != 1000 {
				t.Errorf("events of %d ns: %s is %g behind its cost, want 1000", cost, name, left)
			}
		}
	}
}

func TestALoopOffItsThreadIsNotChargedForACounterThatIsNotRead(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := counting(t, clock, &timer.FakeCounter{Fake: clock, Counts: timer.Cycles, PerNS: 2, Cost: 500})
	if c := ask(t, h, wire.Request{Op: "calibrate"}).Costs.Empty["time"]; c.NS != 20+2*500 {
		t.Fatalf("with the counter an empty batch takes %+v", c)
	}
	id := prepare(t, h, wire.Function{GC: "on", Thread: "free", Batch: 10, Coalesce: 5}, func(n int) { clock.Advance(100 * int64(n)) })
	if c := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized.Empty["time"]; c.NS != 20 {
		t.Errorf("without it %+v, want 20", c)
	}
}

func TestACostIsThatOfTheBatchesThatHaveTheColumn(t *testing.T) {
	var rows []reading
	for i := range int64(60) {
		count := 40 + i%5/2
		if i%3 > 0 {
			count = timer.Absent
		}
		rows = append(rows, reading{count: count, cpu: timer.Absent})
	}
	if got := estimate(rows, func(r *reading) int64 { return r.count }); got.NS < 40 || got.NS > 42 {
		t.Errorf("%+v, want 40 to 42", got)
	}
	if got := estimate(rows, func(r *reading) int64 { return r.cpu }); got != (timer.Estimate{}) {
		t.Errorf("%+v of a column that no row has", got)
	}
}

// The first run after a message has come through a pipe finds cold caches: 1 µs here. A pass of
// a fixed number of iterations is not that run, unless it is so long that it does not matter or
// no warm-up is wanted.
func TestAShortPassIsNotTheFirstRunAfterAMessage(t *testing.T) {
	for _, test := range []struct {
		n            int
		warmup, want int64
		runs         int
	}{{1, ms, 20 + 100, 3}, {1, 0, 20 + 100 + 1000, 1}, {2000, ms, 20 + 200_000 + 1000, 1}} {
		clock := &timer.Fake{Cost: 20}
		h, runs := fake(t, clock), 0
		id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", Batch: test.n, Coalesce: 5, Warmup: test.warmup}, func(n int) {
			if runs++; runs == 1 {
				clock.Advance(1000)
			}
			clock.Advance(100 * int64(n))
		})
		ask(t, h, wire.Request{Op: "size", ID: id, Limit: second})
		runs = 0
		got := ask(t, h, wire.Request{Op: "once", ID: id, N: test.n, Goal: 1, Limit: second}).Readings
		if len(got.ID) != 1 || got.Columns["time"][0] != test.want || runs != test.runs {
			t.Errorf("%+v: %d runs, rows %v, %v", test, runs, got.ID, got.Columns["time"])
		}
	}
}
