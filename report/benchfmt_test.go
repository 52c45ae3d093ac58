package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/suite/report/benchfmt"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
	perf "golang.org/x/perf/benchfmt"
)

// series are the numbers of one benchmark, side and unit, as benchstat's reader finds
// them.
type series struct{ name, side, unit string }

func readBench(t testing.TB, text string) (map[series][]float64, *perf.Reader) {
	t.Helper()
	r, all := perf.NewReader(strings.NewReader(text), "x"), map[series][]float64{}
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *perf.SyntaxError:
			t.Errorf("%v", rec)
		case *perf.Result:
			name := rec.GetConfig("suite") + " " + rec.GetConfig("pkg") + " " + string(rec.Name)
			for _, v := range rec.Values {
				key := series{name, rec.GetConfig("side"), v.Unit}
				all[key] = append(all[key], v.Value)
			}
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	return all, r
}

// What is written is read back by the code of benchstat without an error, with a
// direction for every unit and a series for every case.
func TestBenchfmtIsRead(t *testing.T) {
	for name, doc := range recorded(t) {
		all, r := readBench(t, render(t, "benchfmt", doc, table.Options{}))
		cases := map[string]bool{}
		for key := range all {
			cases[key.name] = true
			if r.Units().Get(key.unit, "better") == nil {
				t.Errorf("%s: no direction for %q", name, key.unit)
			}
		}
		measured := 0
		for i := range doc.Cases {
			if doc.Cases[i].Status == result.Measured {
				measured++
			}
		}
		if len(cases) != measured {
			t.Errorf("%s: %d benchmarks for %d measured cases", name, len(cases), measured)
		}
	}
}

// The lines of a case are its blocks: their medians are those that our intervals
// rest on.
func TestBenchfmtLinesAreBlocks(t *testing.T) {
	doc := reporttest.Document("d")
	reporttest.Measure(doc, "x", 1e-6, 0.01)
	c := &doc.Cases[0]
	for i := range c.Samples.Block {
		c.Samples.Block[i] = i / 5
		c.Samples.Columns["time"][i] = []float64{3, 1, 2, 9, 5, 8, 4, 6, 7, 5, 30, 10}[i] * 1e-9
	}
	c.Samples.Disturbed = []result.Disturbed{{Index: 3, Cause: result.Preempted, Count: 1}}
	all, _ := readBench(t, render(t, "benchfmt", doc, table.Options{}))
	got := all[series{"d  X-2", "", "sec/op"}]
	want := []float64{2.5e-9, 6e-9, 20e-9} // of 3 1 2 5, of 8 4 6 7 5, of 30 10
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a/b-1) < 1e-9 }) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Pairs have the lines of both sides under one name.
func TestBenchfmtHasBothSides(t *testing.T) {
	doc := recorded(t)["compared"]
	all, _ := readBench(t, render(t, "benchfmt", doc, table.Options{}))
	for _, side := range []string{"base", "candidate"} {
		if n := len(all[series{"sort  Sort/worse-2", side, "sec/op"}]); n < 6 {
			t.Errorf("%s: %d lines", side, n)
		}
	}
	if base, own := all[series{"sort  Sort/worse-2", "base", "allocs/op"}], all[series{"sort  Sort/worse-2", "candidate", "allocs/op"}]; base[0] != 2 || own[0] != 3 {
		t.Errorf("allocations of both sides are %v and %v", base, own)
	}
	if all[series{"sort  Sort/base-2", "base", "sec/op"}] != nil {
		t.Error("a case without a base has lines of one")
	}
}

// Existing Go benchmarks have the name that go test prints, so that benchstat
// compares both.
func TestBenchfmtKeepsNamesOfGoTest(t *testing.T) {
	text := render(t, "benchfmt", recorded(t)["gotest"], table.Options{})
	for _, want := range []string{"\npkg: example.org/words\n", "\nBenchmarkWords/split-1 ", "\nBenchmarkWords/split-2 ", "\nBenchmarkWords/split#01-2 "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A name that gets a number because another one looks the same does not become the name
// of a third case, whose samples benchstat would count in.
func TestBenchfmtNumbersMeetNoName(t *testing.T) {
	for _, names := range [][]string{{"a#01", "A", "a"}, {"A", "a", "a#01"}, {"a b", "a_b", "A b", "A_b", "a_b#02"}} {
		doc := reporttest.Document("d")
		for _, name := range names {
			reporttest.Measure(doc, name, 1e-6, 0.01)
		}
		all, _ := readBench(t, render(t, "benchfmt", doc, table.Options{}))
		got := map[string]int{}
		for key := range all {
			got[key.name]++
		}
		if len(got) != len(names) {
			t.Errorf("%q came out as %v", names, got)
		}
	}
}

// Of several results a case has the same name in each: else benchstat would compare it with
// another one, which was named first in the other result.
func TestBenchfmtSavedNamesCasesAlike(t *testing.T) {
	both, one := reporttest.Document("d"), reporttest.Document("d")
	reporttest.Measure(both, "A", 1e-3, 0.01)
	reporttest.Measure(both, "a", 1e-6, 0.01)
	reporttest.Measure(one, "a", 1e-6, 0.01)
	reporttest.Measure(one, "b", 1e-6, 0.01)
	var text strings.Builder
	if err := benchfmt.RenderSaved(&text, []table.Saved{{Name: "both", Doc: both}, {Name: "one", Doc: one}}); err != nil {
		t.Fatal(err)
	}
	_, second, _ := strings.Cut(text.String(), "\nresult: one\n")
	if !strings.Contains(second, "BenchmarkA#01-2 ") || strings.Contains(second, "BenchmarkA-2 ") || !strings.Contains(second, "BenchmarkB-2 ") {
		t.Errorf("the second result has\n%s", second)
	}
}

// benchstat leaves a zero in the unit that it reads and turns every other number of
// nanoseconds into seconds: both have to end in one series.
func TestBenchfmtZerosStayWithTheOthers(t *testing.T) {
	doc := reporttest.Document("d")
	c := reporttest.Command(reporttest.Measure(doc, "x", 1e-3, 0.01), 1, 1, "true")
	for i := range c.Samples.Block {
		c.Samples.Block[i] = i
		c.Samples.Columns["time"][i] = float64(i%2) * 1e-6
		c.Samples.Columns["cpu"][i] = float64(i%2) * 1e-6
	}
	all, _ := readBench(t, render(t, "benchfmt", doc, table.Options{}))
	for _, unit := range []string{"sec/op", "cpu-sec/op"} {
		if got := all[series{"d  X-2", "", unit}]; len(got) != 12 {
			t.Errorf("%s: %d of 12 samples in %v", unit, len(got), all)
		}
	}
}

func FuzzBenchfmtNames(f *testing.F) {
	fuzzNames(f, func(t *testing.T, doc *result.Document) {
		all, _ := readBench(t, render(t, "benchfmt", doc, table.Options{}))
		names := map[string]bool{}
		for key := range all {
			names[key.name] = true
		}
		if len(names) != 2 {
			t.Errorf("two cases came out as %v", names)
		}
	})
}
