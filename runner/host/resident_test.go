//go:build linux

package host

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// staying is a host, and a test binary that stays, which a shell plays: for each request body runs with the number of
// iterations in $n, the name of the benchmark in $name and the number of the request in $i.
func staying(t *testing.T, body string, change ...func(*wire.GoTest)) (*Host, wire.GoTest) {
	const usage = "0 ${idle:-0} 950 50 900 100 5000 7 1 2 3 0 " // collections, ns between requests, ns of running, waiting, user and system time, KiB, faults, switches, shared iterations
	return testBinary(t, `echo start >> starts; i=0; while read n name ahead <&3; do i=$((i+1)); say() { echo "ok $n `+usage+`$*" >&4; }; `+body+`; done`,
		append([]func(*wire.GoTest){func(g *wire.GoTest) { g.Stays, g.Benchmark, g.MostGoal = true, "BenchmarkX", 20_000_000 }}, change...)...)
}

func starts(t *testing.T, g wire.GoTest) int {
	return strings.Count(text(t, g.Dir+"/starts"), "start\n")
}

// Once it is known that goroutines share the iterations of a benchmark, its next process begins with some for each.
func TestAProcessBeginsWithIterationsForAllGoroutines(t *testing.T) {
	h, g := staying(t, `echo "$n:$ahead" >> asked; echo "ok $n 0 0 950 50 900 100 5000 7 1 2 3 1 12 ns/op" >&4`)
	for range 2 {
		id := prepared(t, h, g)
		ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 40}, {ID: id, N: 4}}})
		ask(t, h, wire.Request{Op: "finish", ID: id})
	}
	if got := text(t, g.Dir+"/asked"); got != "40:\n4:4\n40:16\n4:4\n" {
		t.Errorf("iterations, and those ahead: %q", got)
	}
}

func TestOneProcessTakesManySamples(t *testing.T) {
	h, g := staying(t, `say 12.33 ns/op 250 MB/s 16 B/op 3 p9-ns/op; case "$SUITE_BENCHMARK $name" in "sample BenchmarkX" | "crowded BenchmarkX") ;; *) exit 1; esac`, func(g *wire.GoTest) {
		g.Values = []wire.Metric{{Name: "throughput", Bench: "MB/s", Scale: 1e6}, {Name: "p9", Bench: "p9-ns/op", Scale: 1e-9}, {Name: "none", Bench: "none", Scale: 1}}
	})
	id := prepared(t, h, g)
	r := ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 3}, {ID: id, N: 4}}}).Readings
	if want := []int64{37, 49}; !slices.Equal(r.Columns["time"], want) || starts(t, g) != 1 {
		t.Errorf("times %v, want %v; %d starts", r.Columns["time"], want, starts(t, g))
	}
	for name, want := range map[string]int64{"wait": 0, "user": 900, "system": 100, "faults": 8, "major_faults": 1, "voluntary": 2, "switches": 3} {
		if got := r.Columns[name]; !slices.Equal(got, []int64{want, want}) {
			t.Errorf("%s %v, want %d", name, got, want)
		}
	}
	if r.Values["throughput"][1] != 250e6 || math.Abs(r.Values["p9"][0]-3e-9) > 1e-20 || r.Values["none"] != nil || r.Columns["rss"][0] <= 0 {
		t.Errorf("values %v, peak memory %v", r.Values, r.Columns["rss"])
	}
	ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 3}}})
	if starts(t, g) != 2 { // a block without a base has a process of its own
		t.Errorf("%d starts for two blocks", starts(t, g))
	}
	ask(t, h, wire.Request{Op: "finish", ID: id})
	if left := grandchildren(t); len(left) > 0 {
		t.Errorf("processes %v are left behind", left)
	}
}

// What other processes have made a sample wait is known if it was the timed part that waited, and nobody else of its
// own process can have been in its way.
func TestWhoMadeASampleWait(t *testing.T) {
	for _, c := range []struct {
		why                           string
		timed, ran, waited, cpu, want int64
	}{
		{"alone", ms, ms + ms/10, 0, ms + ms/10, 0},
		{"another process ran", 3 * ms, ms + ms/10, 2 * ms, ms + ms/10, 2 * ms},
		{"a collection ran, too", 3 * ms, ms + ms/10, 2 * ms, ms + ms/10 + ms/2, 2*ms - ms/2},
		{"its own threads did", 3 * ms, ms, 2 * ms, 4 * ms, 0},
		{"it waited before its loop", ms, ms, 2 * ms, ms, timer.Absent},
		{"it prepares something before its loop", ms, 3 * ms, 0, 3 * ms, timer.Absent},
		{"it sleeps", 3 * ms, ms, 0, ms, timer.Absent},
	} {
		if got := waitOf(c.timed, c.ran, c.waited, c.cpu); got != c.want {
			t.Errorf("%s: %d ns, want %d", c.why, got, c.want)
		}
	}
}

// Benchmarks of one file share a process, in which each block of a benchmark still finds no sample of its own. One that
// ends the process costs the others nothing, and has another environment those that have one.
func TestBenchmarksShareAProcess(t *testing.T) {
	h, g := staying(t, `if [ "$name" = BenchmarkY ] && [ $n = 13 ]; then echo "panic: unlucky" >&2; exit 2; fi; echo $name >> starts; say $((${#name}*i)) ns/op`)
	other, apart := g, g
	other.Benchmark, apart.Env = "BenchmarkY", []string{"A=1"}
	x, y, z := prepared(t, h, g), prepared(t, h, other), prepared(t, h, apart)
	run := func(id, n int) wire.Response {
		return *h.answer(&wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: n}}})
	}
	for _, id := range []int{x, y, y, x, z} {
		if r := run(id, 1); r.Failure != nil {
			t.Fatal(r.Failure)
		}
	}
	if got, want := strings.ReplaceAll(text(t, g.Dir+"/starts"), "Benchmark", ""), "start\nX\nY\nstart\nY\nX\nstart\nX\n"; got != want {
		t.Errorf("samples and starts are %q, want %q", got, want)
	}
	if r := run(y, 13); r.Failure == nil || r.Failure.Message != "panic: unlucky" {
		t.Errorf("a panic is %+v", r.Failure)
	}
	for _, id := range []int{x, z} {
		if r := run(id, 1); r.Failure != nil {
			t.Errorf("a panic of another benchmark costs %v", r.Failure)
		}
	}
	for _, id := range []int{x, y, z} {
		ask(t, h, wire.Request{Op: "finish", ID: id})
	}
	if left := grandchildren(t); len(left) > 0 || len(h.kit.residences) > 0 {
		t.Errorf("processes %v and %d residences are left behind", left, len(h.kit.residences))
	}
}

// What a benchmark has left running in its process takes no CPU from others: it is stopped once it was seen to use one.
func TestAProcessThatIsBusyBetweenItsSamplesIsStopped(t *testing.T) {
	h, g := staying(t, `[ $i = 1 ] && { while :; do :; done & }; [ $i = 2 ] && idle=1000000000000; say 5 ns/op; idle=0`)
	id := prepared(t, h, g)
	stopped := func() bool { return isStopped(t) }
	ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 1}}})
	if stopped() {
		t.Error("a process of which nothing is known is stopped")
	}
	for range 2 {
		ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 1}, {ID: id, N: 1}}})
		for deadline := time.Now().Add(30 * time.Second); !stopped(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("it goes on")
			}
		}
	}
	ask(t, h, wire.Request{Op: "finish", ID: id})
	if left := grandchildren(t); len(left) > 0 {
		t.Errorf("processes %v are left behind", left)
	}
}

// A process that goroutines of other benchmarks are left in says so, and a new one takes the sample.
func TestWhatOthersLeaveEndsAProcess(t *testing.T) {
	h, g := staying(t, `[ $i = 2 ] && { echo LEFT >&4; exit; }; say 5 ns/op`)
	other := g
	other.Benchmark = "BenchmarkY"
	for _, id := range []int{prepared(t, h, g), prepared(t, h, other)} {
		ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 1}}})
	}
	if starts(t, g) != 2 {
		t.Errorf("%d starts, want 2", starts(t, g))
	}
}

// A sample takes as long as what comes with it, within limits.
func TestSamplesAreLongerIfMoreComesWithThem(t *testing.T) {
	for _, c := range []struct{ beside, most, want int64 }{{ms / 5, 20 * ms, 1000}, {4 * ms, 20 * ms, 4000}, {400 * ms, 20 * ms, 20_000}} {
		g := &goTest{spec: wire.GoTest{MostGoal: c.most}}
		sized := &wire.Sized{N: 1000, Time: ms}
		if g.lengthen(sized, c.beside); int64(sized.N) != c.want {
			t.Errorf("with %d ns beside it a sample has %d iterations of 1 µs, want %d", c.beside, sized.N, c.want)
		}
	}
}

// A sample has so many iterations that what it begins with takes a tenth of its CPU time, or half of it if that is long.
func TestSamplesAreLongerIfTheyBeginWithWork(t *testing.T) {
	for _, c := range []struct {
		why                               string
		begin, one, wall, n, goal, shared int64 // ns, the iterations of a sample, and whether goroutines share them
	}{
		{"5 ms in pools that are empty", 5 * ms, ms / 10, ms / 10, 450, ms, 0},
		{"a little", ms / 10, ms / 1000, ms / 1000, 850, ms, 0},
		{"more than a sample may take", 300 * ms, 5 * ms, 5 * ms, 60, ms, 0},
		{"nothing, and each iteration waits", 0, ms / 100, 50 * ms, 1, ms, 0},
		{"5 ms, and each iteration waits", 5 * ms, ms / 100, 2 * ms, 400, ms, 0},
		{"nothing, in one goroutine", 0, 50 * ms, 50 * ms, 1, ms, 0},
		{"nothing, in several goroutines", 0, 50 * ms, 50 * ms, 4, ms, 1},
	} {
		h, g := staying(t, fmt.Sprintf(`cpu=$((%d+%d*n)); echo "ok $n 0 0 950 50 $cpu 0 5000 7 1 2 3 %d $(((%d+%d*n)/n)) ns/op" >&4`,
			c.begin, c.one, c.shared, c.begin, c.wall), func(g *wire.GoTest) { g.Goal = c.goal })
		sized := ask(t, h, wire.Request{Op: "size", ID: prepared(t, h, g), Limit: 1000 * second}).Sized
		if n := int64(sized.N); n < c.n*9/10 || n > c.n*11/10 {
			t.Errorf("%s: %d iterations, want %d", c.why, n, c.n)
		}
	}
}

// If goroutines share a few iterations, any of them may take all, with a pool that another one has filled or with an
// empty one: some samples begin with work. A sample has so many iterations that this matters little, or that it uses a
// CPU for 200 ms.
func TestSharedIterationsAreNotFew(t *testing.T) {
	for _, c := range []struct {
		begins     string // samples that begin with work
		begin, one int64  // ns
		want       int
	}{
		{"2 3 4", 24 * ms, 3 * ms, 8},    // the pools are full from then on
		{"2 3 4 9", 24 * ms, 3 * ms, 59}, // they are not
		{"2", 24 * ms, 3 * ms, 8},        // something else may have taken the CPU
		{"1 2 3 4 5 6", 24 * ms, 3 * ms, 52},
		{"1 2 3 4 5 6 7 8 9", 160 * ms, 3 * ms, 43}, // as long as what it begins with
		{"1", 24 * ms, 3 * ms, 8},                   // as in any process
		{"", 0, 3 * ms, 8},                          // of three, one goroutine would have two
		{"1 2", 24 * ms, ms / 10, 10},               // the search has seen only these
		{"2 3 4", 24 * ms, 50 * ms, 4},
	} {
		h, g := staying(t, fmt.Sprintf(`cpu=$((%d*n)); case " %s " in *" $i "*) cpu=$((cpu+%d));; esac; echo "ok $n 0 0 950 50 $cpu 0 5000 7 1 2 3 1 $((cpu/n)) ns/op" >&4`,
			c.one, c.begins, c.begin), func(g *wire.GoTest) { g.Goal = ms })
		sized := ask(t, h, wire.Request{Op: "size", ID: prepared(t, h, g), Limit: 1000 * second}).Sized
		if n := sized.N; n < c.want*9/10 || n > c.want*11/10 {
			t.Errorf("%d ns begin samples %q of %d ns: %d iterations, want %d", c.begin, c.begins, c.one, n, c.want)
		}
	}
}

// What each sample begins with, and what two begin with by chance, look like iterations that take long until there are
// more of them.
func TestSharedIterationsAreFoundByMore(t *testing.T) {
	h, g := staying(t, `cpu=$((3500000+200000*n)); case $i in 3|4|5|6) cpu=$((cpu+10000000));; esac; echo "ok $n 0 0 950 50 $cpu 0 5000 7 1 2 3 1 $((cpu/n)) ns/op" >&4`,
		func(g *wire.GoTest) { g.Goal = 20 * ms })
	sized := ask(t, h, wire.Request{Op: "size", ID: prepared(t, h, g), Limit: 1000 * second}).Sized
	if sized.N < 90 || sized.N > 110 { // 20 ms
		t.Errorf("%d iterations, want about 100", sized.N)
	}
}

// The samples of the search show that a sample begins with nothing: no more are taken to find that out.
func TestShortSamplesShowWhatLongOnesBeginWith(t *testing.T) {
	for begin, want := range map[int64]struct{ batches, n int }{ms / 1000: {4, 990}, ms / 2: {15, 4500}} { // 1, 100 and twice 1,000
		h, g := staying(t, fmt.Sprintf(`cpu=$((%d+1000*n)); echo "ok $n 0 0 950 50 $cpu 0 5000 7 1 2 3 0 $((cpu/n)) ns/op" >&4`, begin),
			func(g *wire.GoTest) { g.Goal, g.MostGoal = ms, ms })
		sized := ask(t, h, wire.Request{Op: "size", ID: prepared(t, h, g), Limit: 1000 * second}).Sized
		if sized.Batches > want.batches || sized.N < want.n*9/10 || sized.N > want.n*11/10 {
			t.Errorf("a sample begins with %d ns: %d samples were taken to find %d iterations, want %v", begin, sized.Batches, sized.N, want)
		}
	}
}

func TestABenchmarkThatRunsOnceOnlyIsSaidToDoSo(t *testing.T) {
	h, g := staying(t, `if [ $i = 3 ]; then echo "--- FAIL: BenchmarkX"; echo "    x_test.go:3: closed"; echo FAIL >&4; else say 5 ns/op; fi`)
	id := prepared(t, h, g)
	r := h.answer(&wire.Request{Op: "run", Limit: 1000 * second, Batches: slices.Repeat([]wire.Batch{{ID: id, N: 1}}, 5)})
	if f := r.Failure; f == nil || f.Cause != wire.FailedRepeat || f.Message != "it fails when it runs again in one process: BenchmarkX-2 failed: x_test.go:3: closed" || f.Batch != 3 || len(r.Readings.ID) != 2 {
		t.Errorf("%+v after %d samples", r.Failure, len(r.Readings.ID))
	}
}

func TestFailuresOfAProcessThatStaysAreTold(t *testing.T) {
	for body, want := range map[string][2]string{
		`echo "--- FAIL: BenchmarkX"; echo "    x_test.go:3: boom"; echo FAIL >&4; exit 1`: {"error", "BenchmarkX-2 failed: x_test.go:3: boom"},
		`echo "--- SKIP: BenchmarkX"; echo SKIP >&4`:                                       {"missing", "BenchmarkX-2 is skipped"},
		`echo "panic: ouch" >&2; exit 2`:                                                   {"panic", "panic: ouch"},
		`exit 5`:                                                                           {"exit", "exit status 5"},
		`exit 0`:                                                                           {"missing", "BenchmarkX-2 was not run: the process has none of this name, which may differ from process to process, or it was skipped"},
		`say 0 ns/op`:                                                                      {"missing", "BenchmarkX-2 printed no ns/op"},
		`say +Inf ns/op`:                                                                   {"missing", "BenchmarkX-2 reported +Inf ns/op, which is no time"},
		`say -3 ns/op`:                                                                     {"missing", "BenchmarkX-2 reported -3 ns/op, which is no time"},
		`echo "ok $n 3" >&4`:                                                               {"protocol", "the answer of the test binary is not understood: it has another form"},
		`echo "ok $n x 0 0 0 0 0 0 0 0 0 0 0 5 ns/op" >&4`: {"protocol", `the answer of the test binary is not understood: strconv.ParseInt: parsing "x": invalid syntax`},
		`kill -9 $$`: {"signal", "ended by signal SIGKILL"},
		`sleep 1000`: {"timeout", "killed after the timeout of 200ms"},
	} {
		h, g := staying(t, body, func(g *wire.GoTest) {
			if strings.HasPrefix(body, "sleep") {
				g.Timeout = 200_000_000
			}
		})
		r := h.answer(&wire.Request{Op: "size", ID: prepared(t, h, g), Limit: 1000 * second})
		if f := r.Failure; f == nil || string(f.Cause) != want[0] || f.Message != want[1] || f.Batch != 1 {
			t.Errorf("%s: %+v, want %q", body, f, want)
		}
		if left := grandchildren(t); len(left) > 0 {
			t.Errorf("%s: processes %v are left behind", body, left)
		}
	}
}

// A benchmark that keeps what it has done, and so takes longer each time, drifts in every process.
func TestABenchmarkThatDriftsIsSaidToDoSo(t *testing.T) {
	for body, want := range map[string]string{
		`say $((1000000+100000*i)) ns/op`: "it takes longer and longer as it runs again in one process",
		`say $((900000/i)) ns/op`:         "it takes shorter and shorter as it runs again in one process",
		`say $((1000000+i%3)) ns/op`:      "",
		`if [ $(wc -l < starts) = 1 ]; then say $((1000000+100000*i)) ns/op; else say 1000000 ns/op; fi`: "", // in its first process alone
	} {
		h, g := staying(t, body, func(g *wire.GoTest) { g.N, g.Warmup = 1, 1 })
		id := prepared(t, h, g)
		h.cases[id].(*goTest).tried = 1000 * second // however busy the machine is
		r := h.answer(&wire.Request{Op: "size", ID: id, Limit: 10_000 * second})
		message := ""
		if r.Failure != nil {
			message = r.Failure.Message
		}
		if message != want || want != "" && r.Failure.Cause != wire.FailedRepeat {
			t.Errorf("%s: %q, want %q", body, message, want)
		}
	}
}

// Noise of 5 % hardly ever looks like a drift, and a drift of 3 % from sample to sample nearly always does.
func TestNoiseIsNoDrift(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const runs = 20_000
	found := map[float64]int{}
	for _, drift := range []float64{0, 0.03} {
		for range runs {
			var xs []float64
			for i := range driftSamples {
				xs = append(xs, (1+drift*float64(i))*(1+0.05*random.NormFloat64()))
			}
			if trendOf(xs) != 0 {
				found[drift]++
			}
		}
	}
	if found[0] > runs/1000 || found[0.03] < runs/2 {
		t.Errorf("of %d: %d of noise, %d of a drift", runs, found[0], found[0.03])
	}
}

// A process of a benchmark may have the port or the lock that another one needs. It ends, and both are measured in turn;
// the sides of a pair cannot be.
func TestProcessesThatExcludeEachOther(t *testing.T) {
	h, g := locking(t)
	other, single := g, g
	other.Env, single.Stays = []string{"A=1"}, false
	x, y, z := prepared(t, h, g), prepared(t, h, other), prepared(t, h, single)
	for _, id := range []int{x, y, z, x, z, y} {
		r := h.answer(&wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 3}}})
		if r.Failure != nil || !slices.Equal(r.Readings.Columns["time"], []int64{15}) {
			t.Errorf("%+v, times %v", r.Failure, r.Readings)
		}
	}
	r := h.answer(&wire.Request{Op: "run", Limit: 1000 * second, Pairs: 1, Batches: []wire.Batch{{ID: x, N: 3}, {ID: y, N: 3}}})
	if f := r.Failure; f == nil || f.Cause != wire.FailedRepeat || f.Message != "it fails while another process of its tests runs: exit status 1" {
		t.Errorf("as a pair: %+v", f)
	}
	for _, id := range []int{x, y, z} {
		ask(t, h, wire.Request{Op: "finish", ID: id})
	}
	if left := grandchildren(t); len(left) > 0 {
		t.Errorf("processes %v are left behind", left)
	}
}

// locking is a test binary that needs a lock as long as it runs.
func locking(t *testing.T) (*Host, wire.GoTest) {
	return testBinary(t, `mkdir lock 2> lock.txt || exit 1; trap "rmdir lock" EXIT; [ -n "$SUITE_BENCHMARK" ] || { echo "BenchmarkX-2 $n 5 ns/op"; exit; }
while read n name ahead <&3; do echo "ok $n 0 0 950 50 900 100 5000 7 1 2 3 0 5 ns/op" >&4; done`,
		func(g *wire.GoTest) { g.Stays, g.Benchmark, g.MostGoal = true, "BenchmarkX", 20_000_000 })
}

// The main of a test may run its benchmarks in a process that it starts itself, which takes no samples.
func TestABenchmarkThatRunsInAnotherProcessIsSaidToDoSo(t *testing.T) {
	for body, want := range map[string]string{
		`echo "BenchmarkX-2 1 5 ns/op"`:                                      "its test binary runs it in another process than the one that is started",
		`[ -z "$SUITE_BENCHMARK" ] || exit 5; echo "BenchmarkX-2 1 5 ns/op"`: "it fails in a process that is to stay: exit status 5",
		`echo "BenchmarkX-2 1 5 B/op"`:                                       "",
	} {
		h, g := testBinary(t, body, func(g *wire.GoTest) { g.Stays, g.Benchmark, g.MostGoal = true, "BenchmarkX", 20_000_000 })
		f := h.answer(&wire.Request{Op: "size", ID: prepared(t, h, g), Limit: 1000 * second}).Failure
		switch {
		case f == nil:
			t.Errorf("%s: no failure", body)
		case (f.Cause == wire.FailedRepeat) != (want != ""), want != "" && f.Message != want:
			t.Errorf("%s: %+v, want %q", body, f, want)
		}
	}
}
