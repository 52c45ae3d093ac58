package host

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

func TestMain(m *testing.M) {
	runtime.LockOSThread() // as Main does
	spawn.Adopt()
	os.Exit(m.Run())
}

// fake is a host on a fake machine, greeted and ready to prepare cases.
func fake(t testing.TB, clock *timer.Fake) *Host {
	t.Helper()
	loops := func() []bench.Loop { return []bench.Loop{func(n int) { clock.Advance(int64(n) / 3) }} }
	h := New(Machine{
		Open:   func(timer.Prefs) (*timer.Timer, error) { return timer.New(clock, nil), nil },
		System: func() timer.System { return clock }, Direct: loops, Indirect: loops, Sleep: clock.Sleep,
	})
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindGo})
	return h
}

// ask is one request that must succeed.
func ask(t testing.TB, h *Host, r wire.Request) *wire.Response {
	t.Helper()
	response := h.answer(&r)
	if response.Failure != nil {
		t.Fatalf("%s: %+v", r.Op, response.Failure)
	}
	return response
}

// register makes a benchmark with a name that no other has.
func register(t testing.TB, setup bench.Setup) string {
	name := fmt.Sprint(t.Name(), len(benchcase.Names()))
	bench.Register(name, setup)
	return name
}

// prepare registers a loop and prepares it.
func prepare(t testing.TB, h *Host, f wire.Function, loop bench.Loop) int {
	t.Helper()
	f.Function = register(t, func(*bench.Case) bench.Loop { return loop })
	f.Parallel = max(f.Parallel, 1)
	return ask(t, h, wire.Request{Op: "prepare", Function: &f}).Prepared.ID
}

func TestReadingsNestAndHoldTheBodyAlone(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) {
		clock.Advance(100 * int64(n))
		clock.Preempt(7)
		clock.Collections++
	})
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10}, {ID: id, N: 3}}}).Readings
	for name, want := range map[string][2]int64{
		"time": {1000 + 7 + 20, 300 + 7 + 20}, "cpu": {1000 + 40, 300 + 40}, "switches": {1, 1}, "voluntary": {0, 0}, "gcs": {1, 1},
	} {
		if c := got.Columns[name]; len(c) != 2 || c[0] != want[0] || c[1] != want[1] {
			t.Errorf("%s = %v, want %v", name, c, want)
		}
	}
	if clock.Reads == 0 || *got.Waited != 14 {
		t.Errorf("waited %v, want 14 ns", got.Waited)
	}
}

func TestAbsentColumnsAreLeftOut(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "free"}, func(n int) { clock.Advance(int64(n)) })
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1}}}).Readings
	for _, name := range []string{"thread_cpu", "wait"} {
		if c, there := got.Columns[name]; there {
			t.Errorf("%s = %v for a loop that is not locked to a thread", name, c)
		}
	}
	if got.Waited != nil {
		t.Errorf("waited %d", *got.Waited)
	}
}

func TestBatchesKeepTheirOrder(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	var order strings.Builder
	letter := func(name string) int {
		return prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(int) { order.WriteString(name) })
	}
	a, b := letter("a"), letter("b")
	got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: a, N: 1}, {ID: b, N: 1}, {ID: b, N: 1}, {ID: a, N: 1}}}).Readings
	if order.String() != "abba" || len(got.ID) != 4 || got.ID[1] != b {
		t.Errorf("ran %s, reported %v", order.String(), got.ID)
	}
}

func TestNoBatchBeginsBehindTheLimit(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) { clock.Advance(400 * int64(n)) })
	request := wire.Request{Op: "run", Limit: 1000, Batches: []wire.Batch{{ID: id, N: 1}, {ID: id, N: 1}, {ID: id, N: 1}, {ID: id, N: 1}, {ID: id, N: 1}}}
	if got := ask(t, h, request).Readings; len(got.ID) != 3 {
		t.Errorf("%d batches of 420 ns began within 1000 ns, want 3", len(got.ID))
	}
	h.Stop()
	if got := ask(t, h, request).Readings; len(got.ID) != 0 || !got.Stopped {
		t.Errorf("%d batches began behind an interrupt", len(got.ID))
	}
}

func TestThreadsAreFreedForBodiesThatSpread(t *testing.T) {
	for name, test := range map[string]struct {
		body func(c *timer.Fake, n int)
		want string
	}{
		"computes":       {func(c *timer.Fake, n int) { c.Advance(100 * int64(n)) }, "locked"},
		"waits":          {func(c *timer.Fake, n int) { c.Sleep(100 * int64(n)); c.Voluntary += int64(n) }, "free"},
		"other threads":  {func(c *timer.Fake, n int) { c.Advance(100 * int64(n)); c.CPU += 50 * int64(n) }, "free"},
		"rarely waits":   {func(c *timer.Fake, n int) { c.Advance(100 * int64(n)); c.Voluntary += int64(n) / 1000 }, "locked"},
		"collector only": {func(c *timer.Fake, n int) { c.Advance(100 * int64(n)); c.CPU += 50 * int64(n); c.Collections++ }, "locked"},
	} {
		t.Run(name, func(t *testing.T) {
			clock := &timer.Fake{Cost: 20}
			h := fake(t, clock)
			id := prepare(t, h, wire.Function{GC: "on", Thread: "auto", SampleTime: ms, Coalesce: 5, Warmup: 10 * ms}, func(n int) { test.body(clock, n) })
			if got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized; got.Thread != test.want {
				t.Errorf("thread %s, want %s", got.Thread, test.want)
			}
		})
	}
}

// collecting costs 1 µs an iteration and has a collection of 20 µs each period.
func collecting(clock *timer.Fake, period int64) bench.Loop {
	return func(n int) {
		before := clock.Time / period
		clock.Advance(1000 * int64(n))
		if passed := clock.Time/period - before; passed > 0 {
			clock.Collections += passed
			clock.Advance(20_000 * passed)
		}
	}
}

func TestBatchesGrowUntilTheyHoldACollection(t *testing.T) {
	for _, test := range []struct {
		period  int64
		shortly bool // the batch may stay at 1 ms
		mixed   bool
	}{
		{4 * ms, false, false}, // grows
		{ms / 5, true, false},  // every sample contains some already
		{45 * ms, true, true},  // would need more than 50 ms: a footnote
		{second * 9, true, false},
	} {
		clock := &timer.Fake{Cost: 20}
		h := fake(t, clock)
		id := prepare(t, h, wire.Function{GC: "on", Thread: "auto", SampleTime: ms, Coalesce: 5, Warmup: 100 * ms}, collecting(clock, test.period))
		got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: 10 * second}).Sized
		if got.GCMixed != test.mixed || test.shortly != (got.Time < 2*ms) || !test.shortly && got.Time < test.period {
			t.Errorf("a collection every %v: batches of %v, mixed %v", time.Duration(test.period), time.Duration(got.Time), got.GCMixed)
		}
	}
}

func TestAllocationsAreCountedExactly(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	var held [][]byte
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) {
		held = held[:0]
		for range n {
			held = append(held, make([]byte, 100)) // 112 bytes, the next size class
		}
	})
	ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 500}}}) // held has its capacity now
	got := ask(t, h, wire.Request{Op: "allocs", ID: id, Batches: []wire.Batch{{ID: id, N: 500}}}).Allocated
	if got.Allocs != 1 || got.Bytes != 112 || !got.Exact || got.N != 500 {
		t.Errorf("%+v, want 1 allocation of 112 bytes", got)
	}
}

func TestGCOffIsAPromise(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := prepare(t, h, wire.Function{GC: "off", Thread: "locked"}, func(n int) { clock.Advance(1); clock.Collections++ })
	response := h.answer(&wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 1}}})
	if response.Failure == nil || response.Failure.Cause != "memory" || response.Failure.Batch != 1 {
		t.Errorf("failure %+v, want memory in batch 1", response.Failure)
	}
}

func TestWrongRequestsAreRefused(t *testing.T) {
	h := New(Real())
	for _, r := range []wire.Request{{Op: "run"}, {Op: "size", ID: 1}} {
		if got := h.answer(&r).Failure; got == nil || got.Message != "the first request has to be hello" {
			t.Errorf("%s before hello: %+v", r.Op, got)
		}
	}
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindGo})
	for _, r := range []wire.Request{
		{Op: "dance"}, {Op: "prepare"}, {Op: "run", Batches: []wire.Batch{{ID: 99, N: 1}}}, {Op: "finish", ID: 99},
		{Op: "size", ID: -1}, {Op: "allocs", ID: 1}, {Op: "prepare", Function: &wire.Function{Function: "no such"}},
	} {
		if h.answer(&r).Failure == nil {
			t.Errorf("%+v is accepted", r)
		}
	}
}

func TestServeEndsWithItsController(t *testing.T) {
	var in, out bytes.Buffer
	for _, r := range []wire.Request{{Op: "hello", Kind: wire.KindGo}, {Op: "list"}} {
		if err := wire.WriteMessage(&in, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := New(Real()).Serve(&in, &out); err != nil {
		t.Fatal(err)
	}
	var hello, list wire.Response
	if err := wire.ReadMessage(&out, &hello); err != nil || hello.Hello.Version != wire.Version || hello.Hello.Hash != Hash() {
		t.Errorf("hello %+v, %v", hello.Hello, err)
	}
	if err := wire.ReadMessage(&out, &list); err != nil || list.Failure != nil {
		t.Errorf("list %+v, %v", list, err)
	}
}

func TestGarbageEndsAHost(t *testing.T) {
	for _, text := range []string{"\xff\xff\xff\xff", "\x02\x00\x00\x00{]", "\x09\x00\x00\x00{}", "\x01"} {
		err := New(Real()).Serve(strings.NewReader(text), io.Discard)
		if err == nil || !strings.Contains(err.Error(), wire.ErrFrame.Error()) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAnEmptyBatchAllocatesNothing(t *testing.T) {
	for _, cycle := range []string{timer.Null, timer.Any} {
		tm, err := timer.Open(timer.Prefs{Cycle: []string{cycle}})
		if err != nil {
			t.Fatal(err)
		}
		defer tm.Close()
		m := &meter{loop: timer.Loop{Timer: tm}, sys: timer.Machine(), thread: true, long: true}
		k := &kit{machine: Real(), timer: tm}
		defer m.count(k, []string{"page-faults", "task-clock"})() // if this system has them
		r, empty := reading{events: make([]int64, len(m.counts))}, func(int) {}
		m.sample(empty, 0, &r)
		if got := testing.AllocsPerRun(100, func() { m.sample(empty, 0, &r) }); got != 0 {
			t.Errorf("cycle=%s: %v allocations for a batch", cycle, got)
		}
		op := func() bool { return true }
		if got := testing.AllocsPerRun(100, func() { m.trial(op, 3, &r, 1) }); got != 0 {
			t.Errorf("cycle=%s: %v allocations for a batch of Try", cycle, got)
		}
	}
}

// BenchmarkEmptyBatch compares an empty batch with two successive readings, for a
// clock alone and for a clock with a counter. "inside" is the timed interval, ns/op
// everything including the bookkeeping.
func BenchmarkEmptyBatch(b *testing.B) {
	for _, cycle := range []string{timer.Null, "x86-rdtscp", "arm64-cntvct"} {
		b.Run(cycle, func(b *testing.B) {
			tm, err := timer.Open(timer.Prefs{Cycle: []string{cycle}})
			if err != nil {
				b.Skip(err)
			}
			besideTwoReadings(b, tm)
		})
	}
}

func besideTwoReadings(b *testing.B, tm *timer.Timer) {
	m := &meter{loop: timer.Loop{Timer: tm}, sys: timer.Machine(), thread: true}
	empty, rows := func(int) {}, make([]reading, 10_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.batch(empty, 0, &rows[i%len(rows)])
	}
	var pairs, inside []float64
	var t0, t1 timer.Instant
	for i := range rows {
		_, _ = tm.Now(&t0, timer.T0), tm.Now(&t1, timer.T1) // a move to another CPU leaves the time as it is
		pairs = append(pairs, float64(tm.Diff(&t0, &t1).NS))
		m.batch(empty, 0, &rows[i])
		inside = append(inside, float64(rows[i].time))
	}
	two, batch := timer.NewEstimate(pairs).NS, timer.NewEstimate(inside).NS
	b.ReportMetric(two, "ns/two-readings")
	b.ReportMetric(batch, "ns/inside")
	b.ReportMetric(batch/two, "inside/two-readings")
}

// BenchmarkRequest is one request to a host in the same process over pipes,
// and back.
func BenchmarkRequest(b *testing.B) {
	hostIn, toHost := mustPipe(b)
	fromHost, hostOut := mustPipe(b)
	go func() {
		runtime.LockOSThread()
		New(Real()).Serve(hostIn, hostOut)
	}()
	for b.Loop() {
		if err := wire.WriteMessage(toHost, wire.Request{Op: "list"}); err != nil {
			b.Fatal(err)
		}
		var response wire.Response
		if err := wire.ReadMessage(fromHost, &response); err != nil {
			b.Fatal(err)
		}
	}
	toHost.Close()
}

func mustPipe(b *testing.B) (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	return r, w
}

func FuzzReadMessage(f *testing.F) {
	var good bytes.Buffer
	if err := wire.WriteMessage(&good, wire.Request{Op: "run", Batches: []wire.Batch{{ID: 1, N: 2}}, Limit: 5}); err != nil {
		f.Fatal(err)
	}
	f.Add(good.Bytes())
	f.Add([]byte("\xff\xff\xff\xff"))
	f.Add([]byte("\x02\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var request wire.Request
		if wire.ReadMessage(bytes.NewReader(data), &request) != nil {
			return
		}
		// What was understood survives the way back.
		var copied wire.Request
		var buffer bytes.Buffer
		if err := wire.WriteMessage(&buffer, request); err != nil {
			t.Fatal(err)
		}
		if err := wire.ReadMessage(&buffer, &copied); err != nil || copied.Op != request.Op || len(copied.Batches) != len(request.Batches) {
			t.Fatalf("%+v came back as %+v, %v", request, copied, err)
		}
		if request.Function != nil || request.Command != nil {
			return // would run what the fuzzer made up
		}
		h := New(Real())
		h.answer(&wire.Request{Op: "hello", Kind: wire.KindGo})
		if request.Op == "calibrate" {
			return // takes 0.1 s
		}
		h.answer(&request)
	})
}

// A host that serves nothing any more ends by itself: it may have something to write.
func TestAHostThatIsOverIsLeftAlone(t *testing.T) {
	h := New(Real())
	if err := h.Serve(strings.NewReader(""), io.Discard); err != nil {
		t.Fatal(err)
	}
	h.abandoned(func() {}) // else it ends this process
}
