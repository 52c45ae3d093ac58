package foreign

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/history"
	"github.com/google/go-cmp/cmp"
)

const goBench = `goos: linux
goarch: amd64
cpu: AMD EPYC
commit: 1111111111111111111111111111111111111111
commit-time: 2026-03-01T10:00:00Z
BenchmarkParse/small-8   	 1000	 1000 ns/op	 64 B/op	 2 allocs/op
BenchmarkParse/small-8   	 1000	 3000 ns/op	 64 B/op	 2 allocs/op
BenchmarkParse/small-8   	 1000	 2000 ns/op	 64 B/op	 2 allocs/op
commit: 2222222222222222222222222222222222222222
commit-time: 2026-03-02T10:00:00Z
BenchmarkParse/small-8   	 1000	 4000 ns/op	 12.5 hits/op
PASS
`

const google = `{"context": {"date": "2026-02-03T04:05:06+01:00", "num_cpus": 8}, "benchmarks": [
 {"name": "BM_Sort/8", "run_name": "BM_Sort/8", "run_type": "iteration", "real_time": 2.5, "cpu_time": 2.4, "time_unit": "us", "items_per_second": 4e5},
 {"name": "BM_Sort/8_mean", "run_name": "BM_Sort/8", "run_type": "aggregate", "real_time": 99, "cpu_time": 99, "time_unit": "us"},
 {"name": "BM_Bad", "run_name": "BM_Bad", "run_type": "iteration", "error_occurred": true}]}`

const actions = `window.BENCHMARK_DATA = {"lastUpdate": 1, "repoUrl": "", "entries": {"Go Benchmark": [
 {"commit": {"id": "3333333333333333333333333333333333333333", "message": "faster\n\nmore", "timestamp": "2026-01-02T03:04:05+00:00"}, "date": 1767323045000, "tool": "go", "benches": [
  {"name": "BenchmarkFib10-4", "value": 325, "unit": "ns/op", "extra": "5000000 times"},
  {"name": "BenchmarkFib10-4 - B/op", "value": 16, "unit": "B/op"}]}]}};`

// The page of a commit is the one that the file names, or else is below its repository.
func TestPagesOfCommits(t *testing.T) {
	for text, want := range map[string]string{
		actions: "",
		strings.Replace(actions, `"repoUrl": ""`, `"repoUrl": "https://example.com/a/b"`, 1):      "https://example.com/a/b/commit/3333333333333333333333333333333333333333",
		strings.Replace(actions, `"commit": {`, `"commit": {"url": "https://example.com/c", `, 1): "https://example.com/c",
	} {
		runs, err := source{Text: []byte(text)}.runs()
		if err != nil || len(runs) != 1 || runs[0].Page != want {
			t.Errorf("%v, %v; want %s", runs, err, want)
		}
	}
}

func TestResultsOfOtherPrograms(t *testing.T) {
	type want struct {
		commit, subject, started string
		values                   map[string]float64
	}
	for name, c := range map[string]struct {
		text string
		want []want
	}{
		"go test": {goBench, []want{
			{"1111111111111111111111111111111111111111", "", "2026-03-01T10:00:00Z", map[string]float64{"Parse/small time s": 2e-6, "Parse/small heap B": 64, "Parse/small allocs ": 2}},
			{"2222222222222222222222222222222222222222", "", "2026-03-02T10:00:00Z", map[string]float64{"Parse/small time s": 4e-6, "Parse/small hits_op hits": 12.5}}}},
		"google/benchmark":        {google, []want{{"", "", "2026-02-03T03:05:06Z", map[string]float64{"BM_Sort/8 time s": 2.5e-6, "BM_Sort/8 cpu s": 2.4e-6, "BM_Sort/8 throughput 1/s": 4e5}}}},
		"github-action-benchmark": {actions, []want{{"3333333333333333333333333333333333333333", "faster", "2026-01-02T03:04:05Z", map[string]float64{"Fib10 time s": 3.25e-7, "Fib10 heap B": 16}}}},
	} {
		runs, err := source{File: name, Text: []byte(c.text), Modified: time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC), Suite: "bench"}.runs()
		if err != nil || len(runs) != len(c.want) {
			t.Errorf("%s: %d runs, %v", name, len(runs), err)
			continue
		}
		for i, w := range c.want {
			r := runs[i]
			got := map[string]float64{}
			for _, k := range r.Cases {
				for _, m := range k.Metrics {
					got[k.Name+" "+m.Name+" "+m.Unit] = m.Value
				}
			}
			if diff := cmp.Diff(w, want{r.Commit, r.Subject, r.Started.Format(time.RFC3339), got}, cmp.AllowUnexported(want{}), cmp.Comparer(func(a, b float64) bool { return a/b > 1-1e-12 && a/b < 1+1e-12 })); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
	for _, text := range []string{"", "{}", "hello", "[1]", "BenchmarkX"} {
		if runs, err := (source{Text: []byte(text)}).runs(); err != errUnknown {
			t.Errorf("%q: %v, %v", text, runs, err)
		}
	}
}

func FuzzRuns(f *testing.F) {
	var text bytes.Buffer
	_ = history.Export(&text, []history.Entry{{Run: history.Run{Schema: history.Schema, Cases: []history.Case{{Name: "c"}}}}})
	for _, seed := range []string{goBench, google, actions, text.String(), `{"entries": {}}`, `{"benchmarks": null}`} {
		f.Add([]byte(seed))
	}
	files, _ := filepath.Glob("testdata/*.*")
	for _, file := range files {
		if seed, err := os.ReadFile(file); err == nil {
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		runs, err := source{Text: text, Suite: "s"}.runs()
		if err != nil {
			return
		}
		for _, r := range runs {
			for _, c := range r.Cases {
				if c.Name == "" && len(c.Metrics) == 0 {
					t.Errorf("a case without name and metrics in %q", text)
				}
			}
		}
	})
}

// go test -cpu 1,2 makes two cases of a benchmark, whose values are not pooled. One number of
// processors is no part of the name.
func TestProcessorsDoNotMix(t *testing.T) {
	for text, want := range map[string]string{
		"BenchmarkF 1 1 ns/op\nBenchmarkF-2 1 2 ns/op\nBenchmarkF 1 1 ns/op\nBenchmarkG-2 1 3 ns/op\n": "F 1e-09 2, F-2 2e-09 1, G 3e-09 1",
		"BenchmarkF-2 1 2 ns/op\nBenchmarkF-2 1 2 ns/op\n":                                             "F 2e-09 2",
		`window.BENCHMARK_DATA = {"entries": {"Go": [{"tool": "go", "benches": [{"name": "BenchmarkF", "value": 1, "unit": "ns/op"},
			{"name": "BenchmarkF-2", "value": 2, "unit": "ns/op"}, {"name": "BenchmarkF-2 - B/op", "value": 5, "unit": "B/op"}]}]}}`: "F 1e-09 1, F-2 2e-09 1",
	} {
		runs, err := source{Text: []byte(text)}.runs()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range runs[0].Cases {
			m := c.Metric("time")
			got = append(got, fmt.Sprintf("%s %.3g %d", c.Name, m.Value, m.N))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// What other programs have measured has the columns of suite's own runs: per, parameters and
// CPUs come from the names of benchmarks.
func TestColumnsFromNames(t *testing.T) {
	for text, cpus := range map[string]int{
		"BenchmarkSort/size=1e3/sorted-8 \t 10 \t 5 ns/op \t 64 B/op \t 2 allocs/op\n":                         8,
		"BenchmarkSort/size=1e3/sorted \t 10 \t 5 ns/op \t 64 B/op \t 2 allocs/op\n":                           0,
		"BenchmarkSort/size=1e3/sorted-8 \t 10 \t 5 ns/op \t 64 B/op \t 2 allocs/op\nBenchmarkX-4 1 1 ns/op\n": 0, // -cpu 8,4
		`window.BENCHMARK_DATA = {"entries": {"Go": [{"tool": "go", "benches": [{"name": "BenchmarkSort/size=1e3/sorted-8", "value": 5, "unit": "ns/op"},
			{"name": "BenchmarkSort/size=1e3/sorted-8 - B/op", "value": 5, "unit": "B/op"}, {"name": "BenchmarkSort/size=1e3/sorted-8 - allocs/op", "value": 5, "unit": "allocs/op"}]}]}}`: 8,
	} {
		runs, err := source{Text: []byte(text)}.runs()
		if err != nil {
			t.Fatal(err)
		}
		c := &runs[0].Cases[0]
		if c.Name != "Sort/size=1e3/sorted" || len(c.Params) != 1 || c.Params[0].Name != "size" || c.Params[0].Text != "1e3" || *c.Params[0].Number != 1000 || runs[0].Machine.CPUs != cpus {
			t.Errorf("%s: %+v of %d CPUs, want %d", text, c, runs[0].Machine.CPUs, cpus)
		}
		for name, per := range map[string]string{"time": "op", "heap": "iteration", "allocs": "iteration"} {
			if m := c.Metric(name); m == nil || m.Per != per {
				t.Errorf("%s: %s is %+v, want it per %s", text, name, m, per)
			}
		}
	}
}
