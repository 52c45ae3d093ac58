package build

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The package testing of this toolchain is known, and one that is different in a place that matters is left alone.
func TestOnlyAKnownPackageTestingGetsCalls(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("there is no go command")
	}
	folder := filepath.Join(strings.TrimSpace(string(root)), "src", "testing")
	own, others := []byte(read(t, filepath.Join(folder, "benchmark.go"))), []byte(read(t, filepath.Join(folder, "testing.go")))
	changed, ok := withCalls(own, others)
	if !ok || len(changed)-len(own) != len(" if served.serve(b) { return }; served.begin(); served.end()") || strings.Count(string(changed), "\n") != strings.Count(string(own), "\n") {
		t.Fatalf("this package testing is not known, or has not three calls on its own lines: %v", ok)
	}
	for _, other := range [][2]string{{"processBench(b *B) {", "processBench(b *B, _ int) {"}, {"\truntime.GC()\n", ""}, {"\tb.StopTimer()\n\tb.previousN", "\tb.previousN"}, {"memStats", "statistics"}} {
		text := strings.ReplaceAll(string(own), other[0], other[1])
		if _, ok := withCalls([]byte(text), others); ok || text == string(own) {
			t.Errorf("with %q in place of %q it is taken for known", other[1], other[0])
		}
	}
	if _, ok := withCalls(own, []byte(strings.ReplaceAll(string(others), "output ", "text "))); ok {
		t.Error("without its output it is taken for known")
	}
}

// A toolchain in the module cache is left alone: go refuses to build with it otherwise.
func TestAFetchedToolchainIsLeftAlone(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no go command, or test binaries do not stay")
	}
	goroot := strings.TrimSpace(string(root))
	for modules, want := range map[string]bool{filepath.Dir(goroot): false, t.TempDir(): true} {
		b := &building{Request: Request{Cache: t.TempDir()}}
		if err := b.serving(goroot, modules); err != nil || b.serves != want || (len(b.flags) > 0) != want {
			t.Errorf("with modules in %s: %v, it serves: %v, flags %q", modules, err, b.serves, b.flags)
		}
	}
}

const served = `package served

import (
	"os"
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
}
`

// One process runs one benchmark as often as it is asked, between what TestMain does before and after all benchmarks.
func TestATestBinaryServesOneBenchmark(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its test binaries do not stay")
	}
	tests, err := Tests(context.Background(), offline(tree(t, "-- go.mod --\nmodule served\n\ngo 1.24\n-- served_test.go --\n"+served), "."))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		printed string
		answers []string
	}{
		"BenchmarkSets/loop":  {"after", []string{"ok 3 ", "ok 70 ", "ok 1 "}},
		"BenchmarkSets/count": {"--- FAIL: BenchmarkSets/count\n    served_test.go:40: unlucky", []string{"ok 3 ", "ok 70 ", "FAIL"}},
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
		cmd := exec.Command(tests[0].Path, "-test.run=^$", "-test.bench=^BenchmarkSets$/^"+filepath.Base(name)+"$", "-test.benchtime=1x")
		cmd.Env, cmd.Stdout, cmd.ExtraFiles = append(cmd.Environ(), "SUITE_BENCHMARK="+name), &printed, []*os.File{requests, answers}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		requests.Close()
		answers.Close()
		for i, n := range []string{"3", "70", map[bool]string{true: "13", false: "1"}[strings.HasSuffix(name, "count")]} {
			if _, err := ask.WriteString(n + "\n"); err != nil {
				t.Fatal(err)
			}
			buffer := make([]byte, 1000)
			size, _ := hear.Read(buffer)
			got := string(buffer[:size])
			values := map[string][]string{"BenchmarkSets/loop": {" " + n + " iterations", " 1 set-ups", " MB/s", " 0 allocs/op", " ns/op"}, "BenchmarkSets/count": {" " + n + " iterations", " 12.5 ns/op", " B/op"}}[name]
			if c.answers[i] == "FAIL" {
				values = nil
			}
			for _, want := range append(values, c.answers[i]) {
				if !strings.Contains(got, want) {
					t.Errorf("%s with %s iterations: %q lacks %q", name, n, got, want)
				}
			}
		}
		ask.Close()
		err = cmd.Wait()
		if !strings.Contains(printed.String(), c.printed) || !strings.HasPrefix(printed.String(), "before\n") || (err != nil) != (c.answers[2] == "FAIL") {
			t.Errorf("%s: %v, it printed %q", name, err, printed.String())
		}
		hear.Close()
	}
}
