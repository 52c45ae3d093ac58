package host

import (
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/internal/histogram"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// timesOf are the least times of the bins, in nanoseconds, with their counts.
func timesOf(l *wire.Latency) map[uint64]int64 {
	times := map[uint64]int64{}
	for _, b := range l.Bins {
		low, _ := histogram.Bounds(int(b[0]))
		times[low] = b[1]
	}
	return times
}

func TestSingleIterationsAreCountedWithoutTheirReadings(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	calls := 0
	name := register(t, func(*bench.Case) bench.Loop {
		return bench.Each(func() {
			if calls++; calls%10 == 0 {
				clock.Advance(50_000)
			} else {
				clock.Advance(200)
			}
		})
	})
	p := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Parallel: 1, Latency: true}}).Prepared
	if p.Iteration == nil || p.Iteration.NS < 20 || p.Iteration.NS > 21 || !p.Indirect {
		t.Fatalf("%+v: a reading takes 20 ns", p.Iteration)
	}
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: p.ID, N: 30}, {ID: wire.EmptyDirect, N: 5}, {ID: p.ID, N: 10}}}).Readings
	if len(got.Latency) != 3 || got.LatencyOf(1) != nil {
		t.Fatalf("%v", got.Latency)
	}
	if times := timesOf(got.LatencyOf(0)); len(times) != 2 || times[200] != 27 || times[49_920] != 3 {
		t.Errorf("%v", times)
	}
	if l := got.LatencyOf(2); l.Sum != 9*200+50_000 || l.Min != 200 || l.Max != 50_000 {
		t.Errorf("%+v", l)
	}
	if time := got.Columns["time"][0]; time != 20+30*20+27*200+3*50_000 && time != 30*20+20+20+27*200+3*50_000 {
		t.Errorf("the batch took %d ns", time)
	}
}

func TestSingleIterationsWithInputs(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := consuming(t, h, clock, wire.Function{GC: "on", Thread: "locked", Latency: true})
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10, Part: 3}}}).Readings
	if times := timesOf(got.LatencyOf(0)); len(times) != 1 || times[100] != 10 {
		t.Errorf("%v: making inputs takes 1000 ns, the body 100", times)
	}
}

// Allocations are those of the body: reading the clock has none.
func TestTimingSingleIterationsAllocatesNothing(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", Latency: true}, func(n int) { clock.Advance(100 * int64(n)) })
	if got := ask(t, h, wire.Request{Op: "allocs", ID: id, Batches: []wire.Batch{{ID: id, N: 1000}}}).Allocated; got.Allocs != 0 {
		t.Errorf("%+v", got)
	}
}

func TestLoopsWhoseIterationsCannotBeTimed(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	try := register(t, func(c *bench.Case) bench.Loop { return c.Try(func() bool { return true }) })
	each := register(t, func(*bench.Case) bench.Loop { return bench.Each(func() {}) })
	for message, f := range map[string]wire.Function{
		"made by Try":   {Function: try, Parallel: 1},
		"one goroutine": {Function: each, Parallel: 2},
	} {
		f.Latency, f.GC, f.Thread = true, "on", "locked"
		if got := h.answer(&wire.Request{Op: "prepare", Function: &f}); got.Failure == nil || !strings.Contains(got.Failure.Message, message) {
			t.Errorf("%+v, want %q", got.Failure, message)
		}
	}
}
