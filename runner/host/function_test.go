package host

import (
	"bytes"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// refused prepares a benchmark, which has to fail.
func refused(t testing.TB, h *Host, f wire.Function, setup bench.Setup) *wire.Failure {
	t.Helper()
	f.Function, f.Parallel = register(t, setup), max(f.Parallel, 1)
	response := h.answer(&wire.Request{Op: "prepare", Function: &f})
	if response.Failure == nil {
		t.Fatal("the set-up succeeded")
	}
	return response.Failure
}

func TestABodyKeepsItsSurroundingsAndOthersTheirs(t *testing.T) {
	h, dir, before := fake(t, &timer.Fake{Cost: 20}), t.TempDir(), look()
	var inside, later surroundings
	f := wire.Function{Function: register(t, func(*bench.Case) bench.Loop {
		before.become(surroundings{procs: before.procs + 1, percent: 50, memory: 1 << 40, dir: dir})
		return func(int) { inside = look() }
	}), GC: "on", Thread: "locked", Parallel: 1}
	changer := ask(t, h, wire.Request{Op: "prepare", Function: &f}).Prepared.ID
	other := prepare(t, h, wire.Function{GC: "on", Thread: "free"}, func(int) { later = look() })
	ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: changer, N: 1}, {ID: other, N: 1}}})
	if want := (surroundings{before.procs + 1, 50, 1 << 40, dir}); inside != want {
		t.Errorf("the body that made %+v runs in %+v", want, inside)
	}
	if now := look(); later != before || now != before {
		t.Errorf("others run in %+v and %+v, want %+v", later, now, before)
	}
}

func TestCollectorPoliciesPutBackWhatTheyFound(t *testing.T) {
	before := debug.SetMemoryLimit(1 << 40)
	defer debug.SetMemoryLimit(before)
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	for _, mode := range []string{"on", "between", "off"} {
		var during surroundings
		id := prepare(t, h, wire.Function{GC: mode, Thread: "locked"}, func(int) { clock.Advance(1); during = look() })
		ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1}}})
		ask(t, h, wire.Request{Op: "allocs", ID: id, Batches: []wire.Batch{{ID: id, N: 1}}})
		if during.percent != -1 {
			t.Errorf("gc %s: GOGC is %d while allocations are counted, want it off", mode, during.percent)
		}
		if now := look(); now.percent != 70 || now.memory != 1<<40 {
			t.Errorf("gc %s leaves GOGC %d and a limit of %d bytes", mode, now.percent, now.memory)
		}
	}
}

func TestGarbageStaysBeforeAndBehindARow(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	for mode, least := range map[string]int64{"between": 2, "off": 2} {
		id := prepare(t, h, wire.Function{GC: mode, Thread: "locked"}, func(int) {})
		before := timer.Machine().GCs()
		ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1}}})
		if got := timer.Machine().GCs() - before; got < least {
			t.Errorf("gc %s: %d collections around a row, want one before and one behind", mode, got)
		}
	}
}

func TestWordsOfABodyFitIntoAMessage(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	long := strings.Repeat("é", 20<<20)
	for _, setup := range []bench.Setup{
		func(*bench.Case) bench.Loop { panic("first\n" + long) },
		func(c *bench.Case) bench.Loop { c.Fatalf("first\n%s", long); return nil },
		func(*bench.Case) bench.Loop { panic(long) },
	} {
		got := refused(t, h, wire.Function{GC: "on"}, setup)
		if strings.Contains(got.Message, "\n") || len(got.Message) > longestLine+8 || len(got.Detail) > longestDetail+8 {
			t.Errorf("a message of %d and a detail of %d bytes", len(got.Message), len(got.Detail))
		}
		if err := wire.WriteMessage(io.Discard, wire.Response{Failure: got}); err != nil {
			t.Error(err)
		}
	}
}

func TestPanicsAreToldWithTheirStack(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	for want, parallel := range map[string]int{"panic: here": 1, "panic: there": 3} {
		id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", Parallel: parallel}, func(int) { panic(strings.TrimPrefix(want, "panic: ")) })
		got := h.answer(&wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1}}})
		if f := got.Failure; f == nil || f.Cause != "panic" || f.Message != want || f.Batch != 1 || !strings.Contains(f.Detail, "function_test.go") {
			t.Errorf("failure %+v, want %s", f, want)
		}
	}
	got := refused(t, h, wire.Function{GC: "on"}, func(*bench.Case) bench.Loop { panic(nil) })
	if got.Cause != "panic" || !strings.Contains(got.Message, "nil") {
		t.Errorf("failure %+v, want a panic of nil", got)
	}
}

func TestReadingsBeforeAPanicAreKept(t *testing.T) {
	h, batches := fake(t, &timer.Fake{Cost: 20}), 0
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(int) {
		if batches++; batches == 4 {
			panic("late")
		}
	})
	got := h.answer(&wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1}, {ID: wire.EmptyDirect, N: 5}, {ID: id, N: 1}, {ID: id, N: 1}, {ID: id, N: 1}, {ID: id, N: 1}}})
	if f := got.Failure; f == nil || f.Batch != 5 || len(got.Readings.ID) != 4 {
		t.Errorf("failure %+v behind %d batches, want 4", f, len(got.Readings.ID))
	}
}

// threadClock is a fake clock with the name of a thread's clock.
type threadClock struct{ *timer.Fake }

func (threadClock) Name() string { return timer.ThreadCPU }

func TestAClockOfOneThreadTimesOnlyThat(t *testing.T) {
	clock := threadClock{&timer.Fake{Cost: 20}}
	h := New(Machine{
		Open:   func(timer.Prefs) (*timer.Timer, error) { return timer.New(clock, nil), nil },
		System: func() timer.System { return clock.Fake },
		Direct: func() []bench.Loop { return nil }, Indirect: func() []bench.Loop { return nil },
	})
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindGo})
	waits := func(n int) { clock.Advance(100 * int64(n)); clock.Voluntary += int64(n) }
	for _, f := range []wire.Function{{GC: "on", Thread: "free"}, {GC: "on", Thread: "auto", Parallel: 2}} {
		if got := refused(t, h, f, func(*bench.Case) bench.Loop { return waits }); !strings.Contains(got.Message, timer.ThreadCPU) {
			t.Errorf("failure %+v", got)
		}
	}
	id := prepare(t, h, wire.Function{GC: "on", Thread: "auto", SampleTime: ms, Coalesce: 5, Warmup: 10 * ms}, waits)
	if got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized; got.Thread != "locked" {
		t.Errorf("a loop timed by the clock of its thread is %s", got.Thread)
	}
}

func goroutine() string {
	text := make([]byte, 32)
	return string(bytes.Fields(text[:runtime.Stack(text, false)])[1])
}

func TestAFreedLoopIsSizedForWhatItIsThen(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h, here := fake(t, clock), goroutine()
	id := prepare(t, h, wire.Function{GC: "on", Thread: "auto", SampleTime: ms, Coalesce: 5, Warmup: 10 * ms}, func(n int) {
		clock.Voluntary += int64(n)
		if goroutine() == here { // handing over from a locked thread is slow
			clock.Advance(5000 * int64(n))
		} else {
			clock.Advance(200 * int64(n))
		}
	})
	got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized
	if got.Thread != "free" || got.N < 3500 || got.N > 7100 {
		t.Errorf("%+v, want batches of about 5000", got)
	}
}

// An event in one batch of ten does not depend on the body: another thread of the
// host runs while this one is preempted, or a page of memory is waited for.
func TestALoopStaysLockedUnlessItsBodyNeedsOtherThreads(t *testing.T) {
	counter := func(clock *timer.Fake) *timer.FakeCounter {
		return &timer.FakeCounter{Fake: clock, Counts: timer.Cycles, PerNS: 2}
	}
	preempted := func(clock *timer.Fake, batch, n int) {
		if batch%10 == 9 {
			clock.Preempt(2 * ms)
			clock.CPU += 2 * ms
		}
	}
	waits := func(clock *timer.Fake, batch, n int) { clock.Voluntary += int64(n) }
	for name, c := range map[string]struct {
		also    func(clock *timer.Fake, batch, n int)
		count   bool
		request wire.Function
		want    string
	}{
		"nothing":                       {also: func(*timer.Fake, int, int) {}, want: "locked"},
		"preempted at times":            {also: preempted, want: "locked"},
		"always preempted":              {also: func(clock *timer.Fake, batch, n int) { preempted(clock, 9, n) }, want: "locked"},
		"a wait at times":               {also: func(clock *timer.Fake, batch, n int) { clock.Voluntary += int64(n * (batch % 10 / 9)) }, want: "locked"},
		"another thread at times":       {also: func(clock *timer.Fake, batch, n int) { clock.CPU += int64(1000 * n * (batch % 10 / 9)) }, want: "locked"},
		"another thread in each batch":  {also: func(clock *timer.Fake, batch, n int) { clock.CPU += int64(100 * n) }, want: "free"},
		"waits":                         {also: waits, want: "free"},
		"waits, and is preempted":       {also: func(clock *timer.Fake, batch, n int) { waits(clock, batch, n); preempted(clock, batch, n) }, want: "free"},
		"waits, always preempted":       {also: func(clock *timer.Fake, batch, n int) { waits(clock, batch, n); preempted(clock, 9, n) }, want: "free"},
		"waits, and always collects":    {also: func(clock *timer.Fake, batch, n int) { waits(clock, batch, n); clock.Collections++ }, want: "free"},
		"the collector waits":           {also: func(clock *timer.Fake, batch, n int) { clock.Voluntary += 20; clock.Collections++ }, want: "locked"},
		"waits, with a counter":         {also: waits, count: true, want: "locked"},
		"waits, and counters are asked": {also: waits, request: wire.Function{Counters: []string{"page_faults"}}, want: "locked"},
		"waits, and is to be free":      {also: waits, count: true, request: wire.Function{Thread: "free"}, want: "free"},
	} {
		clock, batch := &timer.Fake{Cost: 20}, 0
		h := fake(t, clock)
		if c.count {
			h = counting(t, clock, counter(clock))
		}
		h.kit.machine.Events = func(names []string, _ timer.Scope) (timer.Events, []timer.Skipped) {
			return &timer.FakeEvents{Fake: clock, Names: names, PerNS: 2}, nil
		}
		f := c.request
		f.GC, f.SampleTime, f.Coalesce, f.Warmup = "on", ms, 5, 20*ms
		if f.Thread == "" {
			f.Thread = "auto"
		}
		id := prepare(t, h, f, func(n int) {
			clock.Advance(1000 * int64(n))
			c.also(clock, batch, n)
			batch++
		})
		if got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized; got.Thread != c.want {
			t.Errorf("%s: %s, want %s", name, got.Thread, c.want)
		}
	}
}

func TestAnInterruptEndsTheWarmUp(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h, batches := fake(t, clock), 0
	id := prepare(t, h, wire.Function{GC: "on", Thread: "auto", SampleTime: ms, Coalesce: 5, Warmup: 1000 * second}, func(n int) {
		if clock.Advance(1000 * int64(n)); batches == 20 {
			h.Stop()
		}
		batches++
	})
	got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: 2000 * second}).Sized
	if batches > 21 || got.N < 1 {
		t.Errorf("%d batches, interrupted in the 21st; %+v", batches, got)
	}
}

func TestSizingKeepsToItsLimit(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	n, _, cut := sizing(clock, 20*second, 100*ms, 10*second, steady(float64(ms)))
	if !cut || n < 1000 || clock.Time > 10*second {
		t.Errorf("batches of 20 s within 10: n = %d, cut %v, after %d ms", n, cut, clock.Time/ms)
	}
	// A clock of CPU time sees 30 µs of a body that sleeps for 2 s.
	clock = &timer.Fake{}
	s := &sizer{goal: ms, warmup: 100 * ms, limit: 30 * second, elapsed: func() int64 { return clock.Time }}
	s.time = func(n int) int64 { clock.Sleep(2 * second * int64(n)); return 30_000 * int64(n) }
	if _, _, cut := s.find(); !cut || clock.Time > 30*second {
		t.Errorf("cut %v after %d s, want it within 30", cut, clock.Time/second)
	}
}

func TestTheGoroutinesOfAParallelLoopAreNotItsAllocations(t *testing.T) {
	h := New(Real())
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindGo})
	id := prepare(t, h, wire.Function{GC: "on", Thread: "auto", Parallel: 4}, func(n int) {
		sum := 0
		for i := range n {
			sum += i
		}
		bench.Keep(&sum)
	})
	ask(t, h, wire.Request{Op: "run", Limit: second, Batches: []wire.Batch{{ID: id, N: 1}, {ID: id, N: 1}}})
	got := ask(t, h, wire.Request{Op: "allocs", ID: id, Batches: []wire.Batch{{ID: id, N: 1000}}}).Allocated
	if math.Round(got.Allocs*4000) > 4 { // a new goroutine now and then; making and waiting for four takes nine
		t.Errorf("%+v, want no allocations", got)
	}
}

func TestCleanupsRunWhenTheControllerGoesAway(t *testing.T) {
	clock, cleaned := &timer.Fake{Cost: 20}, ""
	h := fake(t, clock)
	f := wire.Function{GC: "on", Parallel: 1, Function: register(t, func(c *bench.Case) bench.Loop {
		c.Cleanup(func() { cleaned += "a" })
		c.Cleanup(func() { panic("in between") })
		return func(int) {}
	})}
	ask(t, h, wire.Request{Op: "prepare", Function: &f})
	id := ask(t, h, wire.Request{Op: "prepare", Function: &f}).Prepared.ID
	if got := h.answer(&wire.Request{Op: "finish", ID: id}).Failure; got == nil || got.Message != "panic: in between" || got.Phase != "finish" {
		t.Errorf("failure %+v", got)
	}
	if err := h.Serve(strings.NewReader(""), io.Discard); err != nil || cleaned != "aa" {
		t.Errorf("cleanups %q ran, error %v", cleaned, err)
	}
}

func TestAnswersRepeatTheNumberOfTheirRequest(t *testing.T) {
	var in, out bytes.Buffer
	for seq, op := range map[int]string{7: "list", 8: "dance"} {
		if err := wire.WriteMessage(&in, wire.Request{Op: op, Seq: seq}); err != nil {
			t.Fatal(err)
		}
	}
	if err := New(Real()).Serve(&in, &out); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for range 2 {
		var r wire.Response
		if err := wire.ReadMessage(&out, &r); err != nil {
			t.Fatal(err)
		}
		sum += r.Seq
	}
	if sum != 15 {
		t.Errorf("answers carry other numbers than 7 and 8")
	}
}

func TestMemoryForAHeapWithoutACollector(t *testing.T) {
	if got := memoryLimit(); got < 64<<20 || got > 1<<50 {
		t.Errorf("a limit of %d bytes", got)
	}
	if _, err := os.Stat("/proc/meminfo"); err == nil && runtime.GOOS == "linux" && memoryLimit() == 1<<30 {
		t.Error("the available memory was not found")
	}
}

// Clocks of CPU time are not read around batches that are too short for them, and are read
// again in the next request.
func TestBriefBatchesHaveNoCPUTime(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	ask(t, h, wire.Request{Op: "calibrate"})
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", SampleTime: ms, Coalesce: 5}, func(n int) { clock.Advance(int64(n)) })
	for _, brief := range []bool{true, false} {
		r := ask(t, h, wire.Request{Op: "run", Limit: second, Brief: brief, Batches: []wire.Batch{{ID: id, N: 10}}}).Readings
		for _, name := range []string{"cpu", "thread_cpu"} {
			if (r.Columns[name] == nil) != brief {
				t.Errorf("brief %t: %s is %v", brief, name, r.Columns[name])
			}
		}
		if r.Columns["time"] == nil || r.Columns["switches"] == nil {
			t.Errorf("brief %t: %v", brief, r.Columns)
		}
	}
}
