package runner

import (
	"context"
	"slices"
	"strings"
	"testing"

	"example.com/suite/bench"
	_ "example.com/suite/gate" // defines the words of its functions
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
)

// Functions that report metrics. All of them take 1 µs.
func init() {
	reports := func(report func(c *bench.Case, batch int)) bench.Setup {
		return func(c *bench.Case) bench.Loop {
			batch := 0
			return func(n int) {
				fake.Advance(1000 * int64(n))
				batch++
				report(c, batch)
			}
		}
	}
	bench.Register("reports/hits", reports(func(c *bench.Case, batch int) { c.Report("hits", 0.75+0.01*float64(batch%3), bench.Higher) }))
	bench.Register("reports/more", reports(func(c *bench.Case, batch int) {
		c.Report("hits", 1.5+0.02*float64(batch%3), bench.Higher)
		c.Report("own", 1, bench.Lower)
	}))
	bench.Register("reports/opposite", reports(func(c *bench.Case, _ int) { c.Report("hits", 1, bench.Lower) }))
	bench.Register("reports/time", reports(func(c *bench.Case, _ int) { c.Report("time", 1, bench.Lower) }))
	bench.Register("reports/word", reports(func(c *bench.Case, _ int) { c.Report("geomean", 1, bench.Lower) }))
}

func TestWhatALoopReportsIsAMetric(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("reports/hits", func(c *spec.Case) { c.Work = 4 }))[0]
	s := got.Summary("hits")
	if s == nil || s.Median != 0.76 || s.Min != 0.75 || s.Max != 0.77 || s.N != got.Samples.Count() || s.Extremes != "" || s.Unit != "" {
		t.Fatalf("%+v, failure %+v", s, got.Failure)
	}
	if want := []result.Declared{{Name: "hits", Better: result.Higher}}; !slices.Equal(got.Declared, want) {
		t.Errorf("declared %+v", got.Declared)
	}
}

func TestNamesThatSuiteHasFailTheCase(t *testing.T) {
	for name, want := range map[string]string{
		"reports/time": `Report("time"): "time" is a metric of suite itself`,
		"reports/word": `Report("geomean"): a metric cannot be called "geomean": gates use the word themselves`,
	} {
		got := runCases(t, context.Background(), "fake", function(name))[0]
		if f := got.Failure; f == nil || f.Message != want || f.Phase != result.PhaseRun || f.Hint != "choose another name" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestPairsHaveWhatBothSidesReport(t *testing.T) {
	base := function("reports/hits")
	more := function("reports/more", func(c *spec.Case) { c.Base = "reports/hits" })
	got := runCases(t, context.Background(), "fake", base, more)[1]
	own, other := got.Samples.Columns["hits"], got.Pairs.Samples.Columns["hits"]
	if len(own) == 0 || len(own) != len(other) {
		t.Fatalf("%d and %d values, failure %+v", len(own), len(other), got.Failure)
	}
	for i := range own {
		if own[i] < 1.5 || other[i] > 0.8 {
			t.Errorf("pair %d: %g and %g", i, own[i], other[i])
		}
	}
	if len(got.Warnings) > 0 && warned(got, "direction") {
		t.Errorf("warnings %+v", got.Warnings)
	}
}

func TestSidesThatDisagreeOnADirectionAreNamed(t *testing.T) {
	base := function("reports/opposite")
	hits := function("reports/hits", func(c *spec.Case) { c.Base = "reports/opposite" })
	got := runCases(t, context.Background(), "fake", base, hits)[1]
	if !warned(got, "direction") || got.Declared[0].Better != result.Higher || got.Status != result.Measured {
		t.Errorf("warnings %+v, declared %+v, failure %+v", got.Warnings, got.Declared, got.Failure)
	}
}

// A launch that reports the other direction makes the samples incomparable.
func TestADirectionThatChangesFailsTheCase(t *testing.T) {
	c := newTrack(&spec.Plan{Suite: "s"}, &spec.Case{Name: "c", Kind: result.KindGo, Work: 1})
	c.own.series.ID = 3
	c.own.reports(&wire.Readings{Reported: []wire.Reported{{ID: 3, Name: "x", Higher: true}, {ID: 4, Name: "other"}}})
	if c.result.Failure != nil || len(c.result.Declared) != 1 {
		t.Fatalf("%+v, %+v", c.result.Failure, c.result.Declared)
	}
	c.own.reports(&wire.Readings{Reported: []wire.Reported{{ID: 3, Name: "x"}}})
	if f := c.result.Failure; f == nil || !strings.Contains(f.Message, "lower is better now, and higher was before") {
		t.Errorf("%+v", f)
	}
}

// A host that answers for two sides keeps their values in their rows.
func TestValuesOfTwoHostsAreJoined(t *testing.T) {
	reading := func(id int, x float64) *wire.Readings {
		r := &wire.Readings{ID: []int{id}, N: []int{1}, Columns: map[string][]int64{"time": {1}, "wall": {1}}, Reported: []wire.Reported{{ID: id, Name: "x"}}}
		r.PutValue("x", x)
		return r
	}
	all := &wire.Readings{Columns: map[string][]int64{}}
	sample.Join(all, &wire.Readings{ID: []int{9}, N: []int{1}, Columns: map[string][]int64{"time": {1}, "wall": {1}}}, 0)
	sample.Join(all, reading(1, 10), 0)
	sample.Join(all, reading(2, 20), 0)
	x := all.Values["x"]
	if len(x) != 3 || x[0] == x[0] || x[1] != 10 || x[2] != 20 || len(all.Reported) != 2 {
		t.Errorf("%v, %+v", x, all.Reported)
	}
}

func TestAFunctionIsAskedWhatItReports(t *testing.T) {
	c := function("reports/more")
	got, err := Reports(context.Background(), hostArgv(t, "fake"), "", &c)
	if want := []result.Declared{{Name: "hits", Better: result.Higher}, {Name: "own", Better: result.Lower}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, want := range map[string]string{"fails": "the disk is full", "reports/time": "is a metric of suite itself", "nobody": "its function is not registered"} {
		c := function(name)
		if _, err := Reports(context.Background(), hostArgv(t, "fake"), "", &c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
