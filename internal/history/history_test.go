package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/testfile"
	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

func sample(n int) *Run {
	low, high := 0.9e-3, 1.1e-3
	return &Run{Schema: Schema, Started: time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC), Commit: strings.Repeat(fmt.Sprint(n%10), 40), Origin: "suite", Digest: fmt.Sprintf("sha256:%064d", n),
		Machine: result.Machine{OS: "linux", Arch: "amd64", CPU: "EPYC", CPUs: 2},
		Cases: []Case{{Suite: "s", Name: "parse/<small>", Against: strings.Repeat("a", 40), Metrics: []Metric{
			{Name: "time", Unit: "s", Better: result.Lower, Value: 1e-3, Low: &low, High: &high, N: 30, Ratio: &Ratio{Value: new(1.02), Low: &low, Call: result.Same}},
			{Name: "allocs", Better: result.Lower, Value: 3, N: 1}}},
			{Suite: "s", Name: "print", Metrics: []Metric{{Name: "time", Unit: "s", Better: result.Lower, Value: 2e-3, N: 30}}}}}
}

func all(string, string) bool { return true }

// Merged shards are a run for each machine, because only times of one machine make a series.
func TestRunsOfSeveralMachines(t *testing.T) {
	one := func(name string, shard int) result.Case {
		return result.Case{Suite: "s", Name: name, Kind: result.KindGo, Status: result.Measured, Shard: shard, Seconds: 2, Metrics: []result.Summary{{Metric: "time", Unit: "s", N: 9, Median: 1}}}
	}
	doc := &result.Document{Digest: "sha256:1", Cases: []result.Case{one("a", 2), one("b", 1), one("c", 2)},
		Division: &result.Division{Count: 3, Machines: []result.ShardMachine{{Shard: 1, Machine: result.Machine{CPU: "x"}}, {Shard: 2, Machine: result.Machine{CPU: "y"}}, {Shard: 3}}}}
	runs := Runs(doc)
	if len(runs) != 2 || runs[0].Machine.CPU != "x" || len(runs[0].Cases) != 1 || runs[1].Machine.CPU != "y" || len(runs[1].Cases) != 2 ||
		runs[0].Digest == runs[1].Digest || runs[0].Shard || runs[1].Cases[1].Seconds != 2 {
		t.Errorf("%+v", runs)
	}
	doc.Division = &result.Division{Index: 2, Count: 3}
	if runs := Runs(doc); len(runs) != 1 || !runs[0].Shard || runs[0].Digest != doc.Digest {
		t.Errorf("of a shard: %+v", runs)
	}
}

func TestWhatIsSavedIsRead(t *testing.T) {
	s := Store{Dir(filepath.Join(t.TempDir(), "deep", "history"))}
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
	if entries, err := (Store{Dir(t.TempDir() + "/none")}).List(); entries != nil || err != nil {
		t.Error(entries, err)
	}
}

// A damaged file costs its own run only.
func TestADamagedFile(t *testing.T) {
	s := Store{Dir(t.TempDir())}
	file, _, err := s.Save(sample(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Save(sample(2)); err != nil {
		t.Fatal(err)
	}
	text := testfile.Read(t, file)
	if err := os.WriteFile(file, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Path("README.jsonl.gz"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	entries, err := s.Read(all)
	if len(entries) != 1 || err == nil || !strings.Contains(err.Error(), filepath.Base(file)) || !strings.Contains(err.Error(), "README.jsonl.gz: not a file of a history") {
		t.Errorf("%d runs, %v", len(entries), err)
	}
}

// Several processes save at once, some of them the same run.
func TestSavingAtOnce(t *testing.T) {
	s := Store{Dir(t.TempDir())}
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
	files, _ := os.ReadDir(string(s.Place.(Dir)))
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

// A result keeps parameters, units of work and verdicts, and also the cases that have a verdict
// although they could not be measured.
func TestWhatIsKeptOfAResult(t *testing.T) {
	x := func(metric string) result.Summary { return result.Summary{Metric: metric, N: 9, Median: 2} }
	gates := []result.Gate{{ID: "a", Verdict: result.Pass}, {ID: "b", Verdict: result.Fail, Accepted: &result.Accepted{}}, {ID: "c", Verdict: result.Fail, Accepted: &result.Accepted{Expired: true}}}
	params := []result.Param{{Name: "size", Text: "8"}}
	run := Of(&result.Document{Cases: []result.Case{
		{Suite: "s", Name: "whole", Unit: "byte", Status: result.Measured, Params: params, Metrics: []result.Summary{x("time"), x("user")}, Gates: gates},
		{Suite: "s", Name: "broken", Status: result.Failed, Metrics: []result.Summary{x("time")}, Gates: []result.Gate{{ID: "a", Verdict: result.Error}}},
		{Suite: "s", Name: "nothing", Status: result.NotRun},
	}})
	want := []Case{
		{Suite: "s", Name: "whole", Params: params, Metrics: []Metric{{Name: "time", Per: "byte", Better: result.Lower, Value: 2, N: 9}, {Name: "user", Better: result.Lower, Value: 2, N: 9}},
			Gates: []Gate{{"a", result.Pass, false}, {"b", result.Fail, true}, {"c", result.Fail, false}}},
		{Suite: "s", Name: "broken", Gates: []Gate{{"a", result.Error, false}}},
	}
	if diff := cmp.Diff(want, run.Cases); diff != "" || !run.Measured() {
		t.Error(run.Measured(), diff)
	}
	run.Cases = run.Cases[1:]
	if run.Measured() {
		t.Error("a run without a number is measured")
	}
}

// The ratio to a base of the suite is kept as one to a commit is, and a ratio to 0 is infinite:
// no number.
func TestRatiosOfAResult(t *testing.T) {
	measured := func(name string, pairs *result.Pairs, ratio result.Ratio) result.Case {
		return result.Case{Suite: "s", Name: name, Unit: "op", Status: result.Measured, Metrics: []result.Summary{{Metric: "allocs", N: 9, Median: 1}},
			Pairs: pairs, Comparisons: []result.Comparison{{Metric: "allocs", Ratio: ratio, Change: result.Worse}}}
	}
	run := Of(&result.Document{Suites: []result.Suite{{Name: "s", Against: &result.Against{Revision: "abc"}}}, Cases: []result.Case{
		measured("of a case", &result.Pairs{Base: "plain"}, 1.5), measured("of a commit", &result.Pairs{Base: "x", Tree: "main"}, math.MaxFloat64), measured("now", &result.Pairs{Base: "x", Tree: "main"}, result.Ratio(math.Inf(1))), measured("alone", nil, 1),
	}})
	var got []string
	for _, c := range run.Cases {
		text := c.Name + ": "
		if m := c.Metric("allocs"); m.Ratio != nil {
			text += m.Ratio.change() + " vs " + c.Against
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"of a case: +50.0% vs base: plain", "of a commit: +∞ vs abc", "now: +∞ vs abc", "alone: "}, got); diff != "" {
		t.Error(diff)
	}
	text, err := json.Marshal(run.Cases[1].Metrics[0].Ratio)
	if err != nil || string(text) != `{"value":null,"call":"worse"}` {
		t.Errorf("%s, %v", text, err)
	}
}

func TestExportAndImport(t *testing.T) {
	entries := []Entry{{Run: *sample(1)}, {Run: *sample(2)}}
	var text bytes.Buffer
	if err := Export(&text, entries); err != nil {
		t.Fatal(err)
	}
	runs, err := Import(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*Run{sample(1), sample(2)}, runs); diff != "" {
		t.Error(diff)
	}
}

// However narrow a list is, it has dates and commits, and a pipe has all columns.
func TestAListFitsItsWidth(t *testing.T) {
	run := *sample(1)
	run.Subject = "decode numbers without a copy of the text, in half of the time"
	for columns, heads := range map[int]string{
		0:   "DATE COMMIT SUBJECT FROM MACHINE",
		200: "DATE COMMIT SUBJECT FROM MACHINE",
		80:  "DATE COMMIT SUBJECT FROM",
		70:  "DATE COMMIT SUBJECT",
		40:  "DATE COMMIT SUBJECT",
	} {
		var out bytes.Buffer
		if err := text.Write(&out, []page.Block{List([]Entry{{Run: run}})}, text.Options{Width: columns}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if got := strings.Join(strings.Fields(lines[0]), " "); got != heads {
			t.Errorf("%d columns: %s, want %s", columns, got, heads)
		}
		if !strings.Contains(lines[1], "2026-11-01 12:00") || !strings.Contains(lines[1], "1111111") || !strings.Contains(lines[1], "dec") {
			t.Errorf("%d columns: %s", columns, lines[1])
		}
		for _, line := range lines {
			if w := display.Width(line); columns > 0 && w > columns {
				t.Errorf("a line of %d columns in %d: %s", w, columns, line)
			}
		}
	}
}
