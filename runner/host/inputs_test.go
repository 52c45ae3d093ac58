package host

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// consuming registers and prepares a function whose inputs take 1 KiB and 1000 ns to make,
// and whose body takes 100 ns.
func consuming(t *testing.T, h *Host, clock *timer.Fake, f wire.Function) int {
	t.Helper()
	f.Function = register(t, func(c *bench.Case) bench.Loop {
		return bench.Fresh(c, func() []byte {
			clock.Advance(1000)
			return make([]byte, 1024)
		}, func([]byte) { clock.Advance(100) })
	})
	f.Parallel = max(f.Parallel, 1)
	p := ask(t, h, wire.Request{Op: "prepare", Function: &f}).Prepared
	if !p.Inputs {
		t.Fatal("the host does not report inputs")
	}
	return p.ID
}

func TestInputsAreMadeWhileTheClockStands(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := consuming(t, h, clock, wire.Function{GC: "on", Thread: "locked"})
	for _, want := range []struct{ part, parts int64 }{{0, 1}, {10, 1}, {5, 2}, {3, 4}, {1, 10}} {
		got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10, Part: int(want.part)}}}).Readings
		if c := got.Columns; c["time"][0] != 1000+20*want.parts || c["wall"][0] != c["time"][0] || c["cpu"][0] != 1000+40*want.parts {
			t.Errorf("parts of %d: time %v, wall %v, cpu %v", want.part, c["time"], c["wall"], c["cpu"])
		}
		if got.Elapsed < 10*1100 {
			t.Errorf("parts of %d: the request lasted %d ns, and its inputs took 10,000", want.part, got.Elapsed)
		}
	}
}

func TestEventsOfPartsAreAddedUp(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := counting(t, clock, nil)
	h.kit.machine.Events = func(names []string, _ timer.Scope) (timer.Events, []timer.Skipped) {
		return &timer.FakeEvents{Fake: clock, Names: names, PerNS: 1}, nil
	}
	id := consuming(t, h, clock, wire.Function{GC: "on", Thread: "locked", Batch: 10, Coalesce: 5, Counters: []string{"page_faults"}})
	costs := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized.Empty
	got := ask(t, h, wire.Request{Op: "run", Limit: second, Batches: []wire.Batch{{ID: id, N: 10, Part: 3}}}).Readings.Columns
	for _, name := range []string{"time", "page_faults", "cpu"} {
		if left := float64(got[name][0]) - 4*costs[name].NS; left != 1000 {
			t.Errorf("%s: %g are left of %d after four pauses, want 1000", name, left, got[name][0])
		}
	}
}

func TestSizingFindsWhatAPauseCosts(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	ask(t, h, wire.Request{Op: "calibrate"})
	id := consuming(t, h, clock, wire.Function{GC: "on", Thread: "locked", SampleTime: 1e6, Coalesce: 5, Warmup: 1e6})
	got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized
	if got.Empty["time"].NS != 20 || got.InputSize < 1024 || got.InputSize > 1200 || got.Part != int(warmInputs/got.InputSize) {
		t.Errorf("%+v", got)
	}
	if got.N < 9000 || got.N > 11_000 {
		t.Errorf("%d iterations of 100 ns in 1 ms", got.N)
	}
}

// Twenty samples of a body whose inputs take a thousand times as long as itself fit into
// the limit.
func TestSlowInputsShortenTheBatch(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	name := register(t, func(c *bench.Case) bench.Loop {
		return bench.Fresh(c, func() int { clock.Advance(1e6); return 0 }, func(int) { clock.Advance(1000) })
	})
	id := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", SampleTime: 1e6, Coalesce: 5, Parallel: 1}}).Prepared.ID
	if got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: 5 * second}).Sized; int64(got.N)*1e6 > 5*second/20 || got.N < 10 {
		t.Errorf("batches of %d, whose inputs take a millisecond each", got.N)
	}
}

func TestPartsGrowForShortBodiesWithinTheMemory(t *testing.T) {
	for _, want := range []struct {
		size     int64
		each     int
		cost, ns float64
		part     int
	}{
		{1 << 10, 1, 60, 1e6, 1 << 10}, // a long body: what stays in the cache
		{1 << 10, 4, 60, 1e6, 1 << 8},  // four goroutines share it
		{1 << 20, 1, 60, 1e6, 1},
		{1 << 20, 1, 60, 1000, 7},     // 60 ns are 1 % of six iterations
		{1 << 20, 1, 60, 10, 64},      // 64 MiB
		{1 << 30, 1, 60, 10, 1},       // one is more than that
		{8, 1, 60, 1, mostMade},       // of a number
		{1 << 10, 1, 60, 0, mostMade}, // a body that takes no time
	} {
		in := &inputs{Inputs: &benchcase.Inputs{}, size: want.size, each: want.each}
		in.part = in.fitting(warmInputs)
		if in.widen(want.cost, want.ns); in.part != want.part {
			t.Errorf("inputs of %d B, a body of %g ns: parts of %d, want %d", want.size, want.ns, in.part, want.part)
		}
	}
	alone := &inputs{Inputs: &benchcase.Inputs{Alone: true}, part: 1, each: 1}
	if alone.widen(60, 10); alone.part != 1 {
		t.Errorf("inputs that have to be made one by one: parts of %d", alone.part)
	}
}

var kept []*[64]byte

func TestAllocationsOfInputsAreNotCounted(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	name := register(t, func(c *bench.Case) bench.Loop {
		return bench.Fresh(c, func() []*int {
			many := make([]*int, 10)
			for i := range many {
				many[i] = new(int)
			}
			return many
		}, func([]*int) { kept = append(kept[:0], new([64]byte)) })
	})
	id := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Parallel: 1}}).Prepared.ID
	for _, part := range []int{1, 30, 1000} {
		ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1, Part: part}}})
		got := ask(t, h, wire.Request{Op: "allocs", ID: id, Batches: []wire.Batch{{ID: id, N: 100}}}).Allocated
		if got.Allocs != 1 || got.Bytes != 64 || !got.Exact {
			t.Errorf("parts of %d: %+v, want one allocation of 64 bytes", part, got)
		}
	}
}

func TestEachGoroutineHasInputsOfItsOwn(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	made := 0
	name := register(t, func(c *bench.Case) bench.Loop {
		return bench.Fresh(c, func() int { made++; return made }, func(int) {})
	})
	id := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "free", Parallel: 3}}).Prepared.ID
	before := made
	ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10, Part: 4}}})
	if made-before != 30 {
		t.Errorf("%d inputs for 10 iterations on three goroutines", made-before)
	}
}

func TestLoopsWithInputsThatCannotBeMeasured(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	shared := make([]int, 5)
	for _, want := range []struct {
		message  string
		parallel int
		setup    bench.Setup
	}{
		{"same memory twice", 1, func(c *bench.Case) bench.Loop {
			return bench.Fresh(c, func() []int { return shared }, func([]int) {})
		}},
		{"not by both", 1, func(c *bench.Case) bench.Loop {
			c.Try(func() bool { return true })
			return bench.Fresh(c, func() int { return 1 }, func(int) {})
		}},
		{"one goroutine, not on 2", 2, func(c *bench.Case) bench.Loop { return bench.Reset(c, func() {}, func() {}) }},
		{"input is broken", 1, func(c *bench.Case) bench.Loop {
			return bench.Fresh(c, func() int { c.Fatal("input is broken"); return 0 }, func(int) {})
		}},
	} {
		got := h.answer(&wire.Request{Op: "prepare", Function: &wire.Function{Function: register(t, want.setup), GC: "on", Thread: "locked", Parallel: want.parallel}})
		if got.Failure == nil || !strings.Contains(got.Failure.Message, want.message) || got.Failure.Phase != "setup" {
			t.Errorf("%+v, want %q", got.Failure, want.message)
		}
	}
	name := register(t, func(c *bench.Case) bench.Loop {
		bench.Fresh(c, func() int { return 1 }, func(int) {})
		return bench.Each(func() {})
	})
	id := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Parallel: 1}}).Prepared.ID
	got := h.answer(&wire.Request{Op: "size", ID: id, Limit: second})
	if got.Failure == nil || !strings.Contains(got.Failure.Message, "returned another loop") {
		t.Errorf("%+v", got.Failure)
	}
}

// A collection that the garbage of inputs would cause is made while the clock stands.
func TestGarbageOfInputsIsDueBeforeTheBodyPaysForIt(t *testing.T) {
	in := newInputs(&benchcase.Inputs{Make: func(int) {}, Drop: func() {}, Slot: 1 << 10}, 1, true)
	if in.garbage = warmInputs - 1; in.due() {
		t.Error("less than 1 MiB is due")
	}
	if in.garbage = wire.MostInputs; !in.due() {
		t.Error("64 MiB are not due")
	}
	in.collected = false
	if in.garbage = wire.MostInputs - 1; in.due() {
		t.Error("without a collector less than 64 MiB is due")
	}
	if in.prepare(1); in.garbage != 0 {
		t.Errorf("%d bytes are left after a collection", in.garbage)
	}
}

func TestResetPausesBeforeEachIteration(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	var order []byte
	name := register(t, func(c *bench.Case) bench.Loop {
		return bench.Reset(c, func() { order = append(order, 'r'); clock.Advance(700) }, func() { order = append(order, 'o'); clock.Advance(100) })
	})
	id := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Parallel: 1}}).Prepared.ID
	order = order[:0]
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 3}}}).Readings
	if string(order) != "rororo" || !slices.Equal(got.Columns["time"], []int64{3 * 120}) {
		t.Errorf("ran %s in %v ns", order, got.Columns["time"])
	}
}

func TestPegsOfInputsAreLeftOut(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	name := register(t, func(c *bench.Case) bench.Loop {
		return bench.Fresh(c, func() int { pegLane.Hit(pegIn); clock.Advance(1000); return 0 }, func(int) { clock.Advance(100); pegLane.Hit(pegOut) })
	})
	id := ask(t, h, wire.Request{Op: "prepare", Function: &wire.Function{Function: name, GC: "on", Thread: "locked", Parallel: 1}}).Prepared.ID
	p := ask(t, h, wire.Request{Op: "pegs", ID: id, N: 10, Runs: 3, Goal: 1, Limit: second}).Pegged
	if in, out := hits(p, "host: in"), hits(p, "host: out"); in > 0 || out != 30 {
		t.Errorf("%d hits while inputs were made, %d of 30 in the body", in, out)
	}
}
