package history

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

func sample(n int) *Run {
	low, high := 0.9e-3, 1.1e-3
	return &Run{Schema: Schema, Started: time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC), Commit: strings.Repeat(fmt.Sprint(n%10), 40), Origin: "suite", Digest: fmt.Sprintf("sha256:%064d", n),
		Machine: result.Machine{OS: "linux", Arch: "amd64", CPU: "EPYC", CPUs: 2},
		Cases: []Case{{Suite: "s", Name: "parse/<small>", Against: strings.Repeat("a", 40), Metrics: []Metric{
			{Name: "time", Unit: "s", Better: result.Lower, Value: 1e-3, Low: &low, High: &high, N: 30, Ratio: &Ratio{Value: 1.02, Low: &low, Call: result.Same}},
			{Name: "allocs", Better: result.Lower, Value: 3, N: 1}}},
			{Suite: "s", Name: "print", Metrics: []Metric{{Name: "time", Unit: "s", Better: result.Lower, Value: 2e-3, N: 30}}}}}
}

func all(string, string) bool { return true }

func TestWhatIsSavedIsRead(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "deep", "history")}
	for _, n := range []int{2, 1, 3} {
		if _, fresh, err := s.Save(sample(n)); err != nil || !fresh {
			t.Fatal(fresh, err)
		}
	}
	if _, fresh, err := s.Save(sample(2)); err != nil || fresh {
		t.Fatalf("the same run again: %v, %v", fresh, err)
	}
	entries, err := s.Read(all)
	if err != nil || len(entries) != 3 {
		t.Fatal(len(entries), err)
	}
	for i, e := range entries {
		if diff := cmp.Diff(sample(i+1), &e.Run); diff != "" {
			t.Error(diff)
		}
	}
	only, err := s.Read(func(_, name string) bool { return name == "print" })
	if err != nil || len(only[0].Cases) != 1 || only[0].Cases[0].Name != "print" {
		t.Error(only, err)
	}
	if list, err := s.List(); err != nil || len(list) != 3 || list[0].Cases != nil {
		t.Error(list, err)
	}
	if entries, err := (Store{t.TempDir() + "/none"}).List(); entries != nil || err != nil {
		t.Error(entries, err)
	}
}

// A damaged file costs its own run only.
func TestADamagedFile(t *testing.T) {
	s := Store{t.TempDir()}
	file, _, err := s.Save(sample(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Save(sample(2)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "README.jsonl.gz"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	entries, err := s.Read(all)
	if len(entries) != 1 || err == nil || !strings.Contains(err.Error(), filepath.Base(file)) || !strings.Contains(err.Error(), "README.jsonl.gz: not a file of a history") {
		t.Errorf("%d runs, %v", len(entries), err)
	}
}

// Several processes save at once, some of them the same run.
func TestSavingAtOnce(t *testing.T) {
	s := Store{t.TempDir()}
	var writers sync.WaitGroup
	for i := range 20 {
		writers.Go(func() {
			if _, _, err := s.Save(sample(1 + i%10)); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	entries, err := s.Read(all)
	if len(entries) != 10 || err != nil {
		t.Error(len(entries), err)
	}
	files, _ := os.ReadDir(s.Dir)
	if len(files) != 10 {
		t.Error("files are left over: ", files)
	}
}

func TestLimits(t *testing.T) {
	var entries []Entry
	for n := 1; n <= 6; n++ {
		e := Entry{Size: 100, Run: *sample(n)}
		if n == 1 {
			e.Machine.CPU = "other"
		}
		entries = append(entries, e)
	}
	now := time.Date(2026, 11, 6, 13, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		limits Limits
		want   []int
	}{
		"none": {Limits{}, nil}, "runs of a machine": {Limits{Runs: 2}, []int{2, 3, 4}}, "age": {Limits{Age: 72 * time.Hour}, []int{1, 2, 3}}, "size": {Limits{Size: 450}, []int{1, 2}},
	} {
		var got []int
		for _, e := range c.limits.Beyond(entries, now) {
			got = append(got, e.Started.Day())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestExportAndImport(t *testing.T) {
	entries := []Entry{{Run: *sample(1)}, {Run: *sample(2)}}
	var text bytes.Buffer
	if err := Export(&text, entries); err != nil {
		t.Fatal(err)
	}
	runs, err := Past{Text: text.Bytes()}.Runs()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*Run{sample(1), sample(2)}, runs); diff != "" {
		t.Error(diff)
	}
}

const goBench = `goos: linux
goarch: amd64
cpu: AMD EPYC
commit: 1111111111111111111111111111111111111111
commit-time: 2026-03-01T10:00:00Z
BenchmarkParse/small-8   	 1000	 1000 ns/op	 64 B/op	 2 allocs/op
BenchmarkParse/small-8   	 1000	 3000 ns/op	 64 B/op	 2 allocs/op
BenchmarkParse/small-8   	 1000	 2000 ns/op	 64 B/op	 2 allocs/op
commit: 2222222222222222222222222222222222222222
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
			{"1111111111111111111111111111111111111111", "", "2026-05-05T00:00:00Z", map[string]float64{"Parse/small time s": 2e-6, "Parse/small heap B": 64, "Parse/small allocs ": 2}},
			{"2222222222222222222222222222222222222222", "", "2026-05-05T00:00:00Z", map[string]float64{"Parse/small time s": 4e-6, "Parse/small hits_op hits": 12.5}}}},
		"google/benchmark":        {google, []want{{"", "", "2026-02-03T03:05:06Z", map[string]float64{"BM_Sort/8 time s": 2.5e-6, "BM_Sort/8 cpu s": 2.4e-6, "BM_Sort/8 throughput 1/s": 4e5}}}},
		"github-action-benchmark": {actions, []want{{"3333333333333333333333333333333333333333", "faster", "2026-01-02T03:04:05Z", map[string]float64{"Fib10 time s": 3.25e-7, "Fib10 heap B": 16}}}},
	} {
		runs, err := Past{File: name, Text: []byte(c.text), Modified: time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC), Suite: "bench"}.Runs()
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
		if runs, err := (Past{Text: []byte(text)}).Runs(); err != ErrUnknown {
			t.Errorf("%q: %v, %v", text, runs, err)
		}
	}
}

func FuzzRuns(f *testing.F) {
	var text bytes.Buffer
	_ = Export(&text, []Entry{{Run: *sample(1)}})
	for _, seed := range []string{goBench, google, actions, text.String(), `{"entries": {}}`, `{"benchmarks": null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		runs, err := Past{Text: text, Suite: "s"}.Runs()
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
