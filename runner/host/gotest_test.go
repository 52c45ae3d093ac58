//go:build linux

package host

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/extract"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// testBinary is a host for test binaries, and one that a shell plays: body runs with
// the number of iterations in $n, and with -v in $v.
func testBinary(t *testing.T, body string, change ...func(*wire.GoTest)) (*Host, wire.GoTest) {
	h := commander(t)
	h.kit.machine.Extract = func(m wire.Metric) (func([]byte) (float64, error), error) {
		return extract.Open(extract.Rule{Bench: m.Bench, Of: m.Of})
	}
	const arguments = `for a; do case $a in -test.benchtime=*) n=${a#*=}; n=${n%x};; -test.v=true) v=yes;; esac; done; `
	g := wire.GoTest{Printed: "BenchmarkX-2", Goal: 20_000_000, Command: script(t, arguments+body)}
	g.Argv = append(g.Argv, "binary")
	for _, f := range change {
		f(&g)
	}
	return h, g
}

func prepared(t *testing.T, h *Host, g wire.GoTest) int {
	t.Helper()
	return ask(t, h, wire.Request{Op: "prepare", GoTest: &g}).Prepared.ID
}

func TestIterationsOfATestBinaryAreFound(t *testing.T) {
	h, g := testBinary(t, `echo "BenchmarkX-2 $n 5000 ns/op"`)
	id := prepared(t, h, g)
	sized := ask(t, h, wire.Request{Op: "size", ID: id, Limit: 1000 * second}).Sized
	if sized.N != 4000 || sized.Time != 20_000_000 || sized.Batches < 3 { // 1, 100, 4000 and its confirmation
		t.Errorf("%+v, want 4000 iterations of 5 µs", sized)
	}
}

// The first call of a benchmark in its process may prepare what the others use. A sample does not consist of it.
func TestASampleIsNotTheFirstCall(t *testing.T) {
	for body, want := range map[string]int{
		`if [ $n = 1 ]; then echo "BenchmarkX-2 1 30000000 ns/op"; else echo "BenchmarkX-2 $n 5000 ns/op"; fi`:     4000,
		`if [ $n = 1 ]; then echo "BenchmarkX-2 1 90000000 ns/op"; else echo "BenchmarkX-2 $n 30000000 ns/op"; fi`: 2,
		`echo "BenchmarkX-2 $n 30000000 ns/op"`: 1,
	} {
		h, g := testBinary(t, body)
		if sized := ask(t, h, wire.Request{Op: "size", ID: prepared(t, h, g), Limit: 1000 * second}).Sized; sized.N != want {
			t.Errorf("%s: %+v, want %d iterations", body, sized, want)
		}
	}
}

func TestIterationsOfATestBinaryCanBeFixed(t *testing.T) {
	h, g := testBinary(t, `echo "BenchmarkX-2 $n 5000 ns/op"; echo $n >> runs`, func(g *wire.GoTest) { g.N = 7 })
	id := prepared(t, h, g)
	sized := ask(t, h, wire.Request{Op: "size", ID: id, Limit: 1000 * second}).Sized
	if runs := text(t, g.Dir+"/runs"); sized.N != 7 || sized.Time != 35_000 || runs != "7\n" {
		t.Errorf("%+v after runs of %q", sized, runs)
	}
}

// Under a tracer nothing is measured: the binary is started once, and finds its iterations itself.
func TestATracedTestBinaryIsStartedOnce(t *testing.T) {
	for fixed, want := range map[int]string{0: "20000000ns", 7: "7"} {
		h, g := testBinary(t, `echo "BenchmarkX-2 4 5000 ns/op"; echo $n >> runs`, func(g *wire.GoTest) { g.N, g.Traced = fixed, true })
		id := prepared(t, h, g)
		sized := ask(t, h, wire.Request{Op: "size", ID: id, Limit: 1000 * second}).Sized
		ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: sized.N}}})
		if runs := text(t, g.Dir+"/runs"); runs != want+"\n" {
			t.Errorf("%d iterations: runs of %q, want %s", fixed, runs, want)
		}
	}
}

// A process that stays takes the one sample of a benchmark as soon as its iterations are known, so that the process
// goes on to the next benchmark of the function.
func TestATracedProcessTakesASampleAtOnce(t *testing.T) {
	for fixed, want := range map[int]string{0: "1\n4000\n", 7: "7\n"} {
		h, g := staying(t, `echo $n >> runs; say 5000 ns/op; [ "$SUITE_BENCHMARK" = pass ] || exit 1`, func(g *wire.GoTest) { g.N, g.Traced = fixed, true })
		id := prepared(t, h, g)
		sized := ask(t, h, wire.Request{Op: "size", ID: id, Limit: 1000 * second}).Sized
		before := text(t, g.Dir+"/runs")
		r := ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: sized.N}}}).Readings
		if after := text(t, g.Dir+"/runs"); before != want || after != want || len(r.Columns["time"]) != 1 {
			t.Errorf("%d iterations: runs of %q, then of %q, want %q; times %v", fixed, before, after, want, r.Columns["time"])
		}
	}
}

func TestLineOfATestBinaryBecomesASample(t *testing.T) {
	h, g := testBinary(t, `echo "BenchmarkOther-2 $n 1 ns/op"
echo "BenchmarkX-2 $n 12.33 ns/op 250 MB/s 16 B/op 2 allocs/op"
if [ $n = 4 ]; then echo "BenchmarkX-2 $n 10 ns/op 99 p9-ns/op"; fi
echo "BenchmarkX-20 $n 1 ns/op"
echo PASS`, func(g *wire.GoTest) {
		g.Values = []wire.Metric{{Name: "throughput", Bench: "MB/s", Scale: 1e6}, {Name: "heap", Bench: "B/op", Scale: 1}, {Name: "p9", Bench: "p9-ns/op", Scale: 1e-9}}
	})
	id := prepared(t, h, g)
	r := ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 3}, {ID: id, N: 4}}}).Readings
	if want := []int64{37, 40}; !slices.Equal(r.Columns["time"], want) { // 12.33·3, 10·4
		t.Errorf("times %v, want %v", r.Columns["time"], want)
	}
	p9 := r.Values["p9"]
	if r.Values["throughput"][0] != 250e6 || r.Values["heap"][0] != 16 || !math.IsNaN(p9[0]) || math.Abs(p9[1]-99e-9) > 1e-20 {
		t.Errorf("values %v", r.Values)
	}
	if x := r.Values["time"][0]; math.Abs(x-12.33e-9) > 1e-20 {
		t.Errorf("time as printed is %v", x)
	}
	if r.Columns["rss"] == nil || r.Columns["cpu"] != nil {
		t.Errorf("columns %v", r.Columns)
	}
}

// Infinite numbers cannot be sent to suite: one that a benchmark reports is none.
func TestInfiniteNumbersOfATestBinaryAreNone(t *testing.T) {
	h, g := testBinary(t, `echo "BenchmarkX-2 $n 5 ns/op +Inf hits 1e99 MB/s NaN misses 1e120 things 3 kept"`, func(g *wire.GoTest) {
		for _, unit := range []string{"hits", "MB/s", "misses", "things", "kept"} {
			g.Values = append(g.Values, wire.Metric{Name: unit, Bench: unit, Scale: 1e6})
		}
	})
	r := ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: prepared(t, h, g), N: 1}}}).Readings
	if text, err := json.Marshal(r); err != nil {
		t.Error(err)
	} else if !strings.Contains(string(text), `"kept":[3000000]`) || len(r.Values) != 2 {
		t.Errorf("%s", text)
	}
}

// A body that prints splits its line, unless -test.v is set.
func TestTornLineIsAskedForOnceMore(t *testing.T) {
	h, g := testBinary(t, `if [ -n "$v" ]; then echo hello; echo "BenchmarkX-2 $n 3 ns/op"; else echo "BenchmarkX-2 hello"; echo "$n 3 ns/op"; echo torn >> runs; fi`)
	id := prepared(t, h, g)
	r := ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 1}, {ID: id, N: 1}, {ID: id, N: 1}}}).Readings
	if torn := text(t, g.Dir+"/runs"); len(r.ID) != 3 || torn != "torn\n" { // and then never again
		t.Errorf("%d samples, torn in %q", len(r.ID), torn)
	}
}

func TestFailuresOfATestBinaryAreTold(t *testing.T) {
	for body, want := range map[string][3]string{
		`echo "BenchmarkX-2 --- FAIL: BenchmarkX-2"; echo "    x_test.go:3: boom"; echo FAIL; exit 1`: {"error", "BenchmarkX-2 failed: x_test.go:3: boom", "--- FAIL"},
		`echo "panic: ouch [recovered]" >&2; exit 2`:                                                  {"panic", "panic: ouch [recovered]", "panic: ouch"},
		`echo "fatal error: all asleep" >&2; exit 2`:                                                  {"crash", "fatal error: all asleep", ""},
		`echo here >&2; exit 1`:                                                                       {"exit", "exit status 1", "here"},
		`echo here >&2; exit 5`:                                                                       {"exit", "exit status 5", "here"},
		`echo PASS`:                                                                                   {"missing", "BenchmarkX-2 printed no ns/op", "PASS"},
		`echo "tornBenchmarkX-2 $n 3 ns/op"`:                                                          {"missing", "BenchmarkX-2 prints without a line break, which tears its result apart", ""},
		`echo "--- SKIP: BenchmarkX"`:                                                                 {"missing", "BenchmarkX-2 is skipped", ""},
		`echo "BenchmarkX-2 $n NaN ns/op 0 B/op"`:                                                     {"missing", "BenchmarkX-2 printed NaN ns/op, which is no time", "NaN"},
		`echo "BenchmarkX-2 $n +Inf ns/op"`:                                                           {"missing", "BenchmarkX-2 printed +Inf ns/op, which is no time", "Inf"},
		`echo "BenchmarkX-2 $n -5.000 ns/op"`:                                                         {"missing", "BenchmarkX-2 printed -5.000 ns/op, which is no time", ""},
		`head -c 17000000 /dev/zero`:                                                                  {"error", "stdout: more than 16 MiB were written, and no more is looked at", ""},
		`echo "BenchmarkY-2 $n 3 hits"`:                                                               {"missing", "BenchmarkX-2 printed no ns/op", ""},
		`kill -9 $$`:                                                                                  {"signal", "ended by signal SIGKILL", ""},
		`while :; do sleep 1000; done`:                                                                {"timeout", "killed after the timeout of 200ms", ""},
	} {
		h, g := testBinary(t, body, func(g *wire.GoTest) {
			if strings.Contains(body, "while") {
				g.Timeout = 200_000_000
			}
		})
		r := h.answer(&wire.Request{Op: "size", ID: prepared(t, h, g), Limit: 1000 * second})
		if f := r.Failure; f == nil || string(f.Cause) != want[0] || f.Message != want[1] || !strings.Contains(f.Detail, want[2]) || f.Batch != 1 || f.Phase != "warmup" {
			t.Errorf("%s: %+v, want %q", body, f, want)
		}
		if left := grandchildren(t); len(left) > 0 {
			t.Errorf("%s: processes %v are left behind", body, left)
		}
	}
}

// Starting a binary takes the same for any n, so a slow start must not make the
// search shy.
func TestSlowStartDoesNotCutTheSearch(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	s := &sizer{goal: 20 * ms, limit: second, inside: true, elapsed: func() int64 { return clock.Time }}
	s.time = func(n int) int64 {
		clock.Advance(100*ms + 50*int64(n))
		return 50 * int64(n)
	}
	if n, _, cut := s.find(); n != 400_000 || cut {
		t.Errorf("batches of %d, cut %v; want 400000", n, cut)
	}
}

// A benchmark that stops its timer shows 40 ns of the 2 ms that an iteration takes.
// The limit must have room for some samples, so the search uses the time of the
// process, even if its start varies.
func TestTimeOutsideTheTimerBoundsTheSearch(t *testing.T) {
	for _, start := range []int64{ms, 300 * ms} {
		clock, tries := &timer.Fake{Cost: 20}, int64(0)
		s := &sizer{goal: 20 * ms, limit: 10 * second, inside: true, elapsed: func() int64 { return clock.Time }}
		s.time = func(n int) int64 {
			clock.Advance(start + start/20*(tries%2) + 2*ms*int64(n))
			tries++
			return 40 * int64(n)
		}
		n, _, cut := s.find()
		if took := 2 * ms * int64(n); took < 100*ms || took > 600*ms || !cut || clock.Time > 5*second {
			t.Errorf("start of %d ms: a sample takes %d ms, cut %v, and the search took %d ms", start/ms, took/ms, cut, clock.Time/ms)
		}
	}
}
