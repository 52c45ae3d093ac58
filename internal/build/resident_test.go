package build

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/suite/internal/paths"
)

// The package testing of this toolchain is known, and one that is different in a place that matters is left alone.
func TestOnlyAKnownPackageTestingGetsCalls(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("there is no go command")
	}
	folder := filepath.Join(strings.TrimSpace(string(root)), "src", "testing")
	own, others := []byte(read(t, filepath.Join(folder, "benchmark.go"))), []byte(read(t, filepath.Join(folder, "testing.go"))+read(t, filepath.Join(folder, "match.go")))
	changed, ok := withCalls(own, others)
	undone := strings.NewReplacer(" if served.serve(b) { return }", "", "served.order(b, bs, benchmarks)", "bs", "served.begin()", "runtime.GC()",
		"served.run(b)", "b.benchFunc(b)", "; served.end()", "", "; served.started()", "", " served.stops()", "", "; served.reset()", "", " served.shares()", "")
	if !ok || undone.Replace(string(changed)) != string(own) {
		t.Fatalf("this package testing is not known, or has not its calls on its own lines: %v", ok)
	}
	for _, other := range [][2]string{{"Benchmark := range bs", "Benchmark := range all"}, {"processBench(b *B) {", "processBench(b *B, _ int) {"}, {"\truntime.GC()\n", ""}, {"\tb.StopTimer()\n\tb.previousN", "\tb.previousN"}, {"memStats", "statistics"},
		{"\t\tb.timerOn = true\n", ""}, {"StopTimer() {\n\tif b.timerOn {", "StopTimer() {\n\tif !b.timerOn {"}, {"\tb.netBytes = 0\n", ""}, {"RunParallel(body func(*PB)) {", "RunParallel(body func(*PB), _ int) {"}} {
		text := strings.ReplaceAll(string(own), other[0], other[1])
		if _, ok := withCalls([]byte(text), others); ok || text == string(own) {
			t.Errorf("with %q in place of %q it is taken for known", other[1], other[0])
		}
	}
	for _, name := range []string{"output ", "filter "} {
		if _, ok := withCalls(own, []byte(strings.ReplaceAll(string(others), name, "text "))); ok {
			t.Errorf("without its %sit is taken for known", name)
		}
	}
}

// A toolchain in the module cache is run under another name: go refuses to build otherwise.
func TestAFetchedToolchainHasAnotherName(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no go command, or test binaries do not stay")
	}
	goroot := strings.TrimSpace(string(root))
	for modules, fetched := range map[string]bool{filepath.Dir(goroot): true, t.TempDir(): false} {
		b := &building{Request: Request{Cache: t.TempDir()}, tool: tool{path: "go"}}
		for range 2 { // the name is there
			if err := b.serving(goroot, modules); err != nil || !b.serves {
				t.Fatalf("with modules in %s: %v, it serves: %v", modules, err, b.serves)
			}
		}
		vars, errs, err := b.tool.variables(context.Background())
		if _, inside := paths.Within(modules, vars["GOROOT"]); err != nil || inside || (vars["GOROOT"] == goroot) == fetched {
			t.Errorf("with modules in %s go finds its files in %s: %v %s", modules, vars["GOROOT"], err, errs)
		}
	}
}

const served = `package served

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	os.Stdout.WriteString("before\n")
	status := m.Run()
	os.Stdout.WriteString("after\n")
	os.Exit(status)
}

var sets int

func BenchmarkSets(b *testing.B) {
	sets++
	b.Run("loop", func(b *testing.B) {
		b.SetBytes(8)
		n := 0
		for b.Loop() {
			n++
		}
		b.ReportMetric(float64(n), "iterations")
		b.ReportMetric(float64(sets), "set-ups")
		_, inherited := os.LookupEnv("SUITE_BENCHMARK")
		if inherited {
			b.Fatal("its children would take samples too")
		}
	})
	b.Run("count", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			time.Sleep(1)
		}
		b.ReportMetric(float64(b.N), "iterations")
		b.ReportMetric(12.5, "ns/op")
		if b.N == 13 {
			b.Fatal("unlucky")
		}
	})
	b.Run("count", func(b *testing.B) { b.ReportMetric(99, "ns/op") })
}

func BenchmarkOther(b *testing.B) {
	b.Run("loop", func(b *testing.B) {
		b.ReportMetric(7, "ns/op")
		percent := debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		b.ReportMetric(float64(percent), "percent")
	})
	b.Run("calls", func(b *testing.B) {
		calls++
		b.ReportMetric(float64(calls), "calls")
	})
}

var calls int

func BenchmarkCollects(b *testing.B) {
	debug.SetGCPercent(50)
	reportCollections(b)
}

var collected uint32

// reportCollections reports how often garbage was collected since it was called before.
func reportCollections(b *testing.B) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.NumGC-collected), "collections")
	collected = m.NumGC
}

var garbage []byte

func BenchmarkLeaves(b *testing.B) { go time.Sleep(time.Hour) }

var held []byte

func BenchmarkFills(b *testing.B) { held = make([]byte, 1<<28) }

var stops, more uint64

// BenchmarkStops counts how often the world has stopped since it was called before, but for collections.
func BenchmarkStops(b *testing.B) {
	seen := []metrics.Sample{{Name: "/sched/pauses/stopping/other:seconds"}}
	metrics.Read(seen)
	before, moreBefore := stops, more
	stops = 0
	for _, n := range seen[0].Value.Float64Histogram().Counts {
		stops += n
	}
	more = stops - before
	b.ReportMetric(float64(int64(moreBefore)-int64(more)), "fewer")
	if b.N == 5 {
		held = make([]byte, 1<<26)
	}
}

var before, shares int // iterations of the last call, and calls so far

func BenchmarkShares(b *testing.B) {
	shares++
	b.ReportMetric(float64(shares), "turns")
	reportCollections(b)
	b.ReportMetric(float64(before), "before")
	before = b.N
	if b.N == 5 {
		debug.SetGCPercent(-1)
		for range 40 {
			garbage = make([]byte, 1<<20)
		}
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}
`

// One process runs each benchmark as often as it is asked, in any order, between what TestMain does before and after
// all benchmarks.
func TestATestBinaryServesItsBenchmarks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its test binaries do not stay")
	}
	tests, err := Tests(context.Background(), offline(tree(t, "-- go.mod --\nmodule served\n\ngo 1.24\n-- served_test.go --\n"+served), "."))
	if err != nil {
		t.Fatal(err)
	}
	const loop, count = "BenchmarkSets/loop", "BenchmarkSets/count"
	type request struct {
		ask  string
		want []string
	}
	for last, c := range map[string]struct {
		requests []request
		printed  string
		fails    bool
	}{
		"fails": {[]request{
			{"3000 " + loop, []string{"ok 3000 ", " 3000 iterations ", " 1 set-ups ", " MB/s ", " 0 allocs/op ", " ns/op "}},
			{"70 " + loop, []string{"ok 70 ", " 70 iterations ", " 1 set-ups "}},
			{"3 " + count, []string{"ok 3 ", " 3 iterations ", " 12.5 ns/op ", " B/op "}},
			{"1 BenchmarkOther/loop", []string{"ok 1 ", " 7 ns/op "}},
			{"1 " + loop, []string{"ok 1 ", " 1 iterations ", " 3 set-ups "}},
			{"5 " + count + "#01", []string{"ok 5 ", " 99 ns/op "}},
			{"70 " + count, []string{"ok 70 ", " 70 iterations "}},
			{"6 " + count + "#01", []string{"ok 6 ", " 99 ns/op "}},
			{"13 " + count, []string{"FAIL "}},
		}, "--- FAIL: BenchmarkSets/count\n    served_test.go:43: unlucky", true},
		"is not there": {[]request{{"3 " + count, []string{"ok 3 "}}, {"3 " + count + "#02", []string{" "}}}, "after", false},
		"ends":         {[]request{{"3 " + count, []string{"ok 3 "}}}, "after", false},
		"settings": {[]request{
			{"3 BenchmarkCollects", []string{"ok 3 "}},
			{"4 BenchmarkCollects", []string{"ok 4 ", " 1 collections "}},
			{"1 BenchmarkOther/loop", []string{"ok 1 ", " 120 percent "}},
		}, "after", false},
		"shares": {[]request{
			{"3 BenchmarkShares", []string{"ok 3 ", " shared: 1 "}},
			{"4 BenchmarkShares", []string{"ok 4 ", " shared: 1 ", " 0 collections "}},
			{"5 BenchmarkShares", []string{"ok 5 ", " shared: 1 ", " 0 collections "}}, // and then the collector is off
			{"6 BenchmarkShares", []string{"ok 6 ", " shared: 1 ", " 1 collections "}},
			{"3 " + count, []string{"ok 3 ", " shared: 0 "}},
			{"40 BenchmarkShares", []string{"ok 40 ", " shared: 1 ", " 16 before ", " 9 turns "}}, // for each goroutine
			{"3 " + count, []string{"ok 3 "}},
			{"40 BenchmarkShares 16", []string{"ok 40 ", " 16 before ", " 11 turns "}},
		}, "after", false},
		"stops": {[]request{ // the heap in which the last sample begins is collected by all processors
			{"3 BenchmarkStops", []string{"ok 3 "}},
			{"4 BenchmarkStops", []string{"ok 4 "}},
			{"5 BenchmarkStops", []string{"ok 5 ", " 0 fewer "}},
			{"6 BenchmarkStops", []string{"ok 6 ", " 0 fewer "}},
			{"7 BenchmarkStops", []string{"ok 7 ", " 2 fewer "}},
		}, "after", false},
		"counts": {[]request{ // the sample that is asked for is the first call
			{"1 BenchmarkOther/calls", []string{"ok 1 ", " 1 calls "}},
			{"3 BenchmarkOther/calls", []string{"ok 3 ", " 2 calls "}},
			{"3 " + loop, []string{"ok 3 ", " 1 set-ups "}},
			{"1 BenchmarkFills", []string{"ok 1 "}}, // so much that the next one has a new process
			{"1 BenchmarkFills", []string{"ok 1 "}},
			{"3 " + loop, []string{"LEFT "}},
		}, "after", false},
		"passes": {[]request{ // a function is called again only for a benchmark that it has left behind
			{"3 " + loop, []string{"ok 3 ", " 1 set-ups "}},
			{"2 " + loop, []string{"ok 2 ", " 1 set-ups "}},
			{"5 " + count + "#01", []string{"ok 5 ", " 99 ns/op "}},
			{"4 " + loop, []string{"ok 4 ", " 2 set-ups "}},
			{"1 BenchmarkOther/loop", []string{"ok 1 ", " 7 ns/op "}},
			{"6 " + count, []string{"ok 6 "}},
			{"1 BenchmarkOther/gone", []string{" "}},
		}, "after", false},
		"goroutines": {[]request{
			{"3 BenchmarkLeaves", []string{"ok 3 "}},
			{"4 BenchmarkLeaves", []string{"ok 4 "}},
			{"1 BenchmarkOther/loop", []string{"LEFT "}},
		}, "after", false},
	} {
		requests, ask, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		hear, answers, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var printed strings.Builder
		cmd := exec.Command(tests[0].Path, "-test.run=^$", "-test.bench=^BenchmarkSets$", "-test.benchtime=1x", "-test.cpu=2")
		how := cmp.Or(map[string]string{"counts": "count", "passes": "pass", "stops": "crowded"}[last], "sample")
		cmd.Env, cmd.Stdout, cmd.ExtraFiles = append(cmd.Environ(), "SUITE_BENCHMARK="+how, "GOGC=120"), &printed, []*os.File{requests, answers}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		requests.Close()
		answers.Close()
		for _, r := range c.requests {
			if _, err := ask.WriteString(r.ask + "\n"); err != nil {
				t.Fatal(err)
			}
			buffer := make([]byte, 1000)
			size, _ := hear.Read(buffer)
			got := strings.ReplaceAll(string(buffer[:size]), "\n", "") + " "
			if words := strings.Fields(got); len(words) > 13 {
				got += "shared: " + words[13] + " "
			}
			for _, want := range r.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: %q is answered with %q, which lacks %q", last, r.ask, got, want)
				}
			}
		}
		ask.Close()
		err = cmd.Wait()
		if !strings.Contains(printed.String(), c.printed) || !strings.HasPrefix(printed.String(), "before\n") || (err != nil) != c.fails {
			t.Errorf("%s: %v, it printed %q", last, err, printed.String())
		}
		hear.Close()
	}
}

// What moves the heap of a test binary is what moves the one of a host, whose test shows what it does.
func TestTheHeapOfATestBinaryMovesAsTheOneOfAHost(t *testing.T) {
	_, moves, found := strings.Cut(read(t, filepath.FromSlash("../../runner/host/heap.go")), "package host\n")
	if !found || !strings.Contains(string(inside), moves) {
		t.Errorf("inside.go lacks what is in heap.go:\n%s", moves)
	}
}
