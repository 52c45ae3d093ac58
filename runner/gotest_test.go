package runner

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// goTestTrack is a case of an existing benchmark after its sizing.
func goTestTrack(change func(*spec.Case)) *track {
	c := spec.Case{Name: "p/Parse/small", Kind: result.KindGoTest, Unit: "op", Work: 1, Settings: spec.Defaults(),
		Metrics: []spec.Metric{{Declared: result.Declared{Name: "hits_s", Unit: "hits/s", Better: result.Higher}, From: "stdout", Bench: "hits/s", Scale: 1}},
		GoTest:  &spec.GoTest{Pattern: "./p", Package: "m/p", Benchmark: "BenchmarkParse/small", Dir: "/src/p", Program: "/cache/test-1"}}
	if change != nil {
		change(&c)
	}
	t := newTrack(&spec.Plan{Suite: "test"}, &c)
	t.own.series.ID, t.own.series.N = 1, 3
	t.own.enter(&remote{Client: &client.Client{}})
	return t
}

// A process that takes long to start takes two samples nevertheless, if there is time for both.
func TestAProcessThatStaysTakesTwoSamples(t *testing.T) {
	track := goTestTrack(func(c *spec.Case) { c.GoTest.Serves, c.Settings.TargetTime = true, spec.Duration(time.Second) })
	track.own.series.Batch = 2 * time.Second
	for left, want := range map[time.Duration]int{time.Minute: 2, 3 * time.Second: 1} {
		if got := track.own.blockLength(left); got != want {
			t.Errorf("%d samples with %v left, want %d", got, left, want)
		}
	}
}

// Samples that take long are six, unless somebody has asked for more. The others are ten.
func TestDearSamplesAreFew(t *testing.T) {
	for _, test := range []struct {
		what    string
		origin  spec.Origin
		stays   bool
		took    time.Duration
		samples int
		want    result.Stop
	}{
		{"dear", spec.FromBuiltin, true, time.Second, 6, result.StopTargetTime},
		{"too few", spec.FromBuiltin, true, time.Second, 5, ""},
		{"cheap", spec.FromBuiltin, true, time.Second - 1, 6, ""},
		{"cheap, and all", spec.FromBuiltin, true, time.Second - 1, 10, result.StopTargetTime},
		{"asked for", spec.FromSuite, true, time.Second, 6, ""},
		{"each a process", spec.FromBuiltin, false, time.Second, 6, ""},
	} {
		one := goTestTrack(func(c *spec.Case) {
			c.GoTest.Serves, c.Origins = test.stays, map[string]spec.Origin{"samples.min": test.origin}
			c.Settings.SamplesMin, c.Settings.TargetTime = 10, spec.Duration(200*time.Millisecond)
		})
		for range test.samples {
			one.take(printedReadings(), 1, 0)
		}
		one.own.series.Used, one.own.series.Sampled = test.took, time.Second
		w := &window{run: &run{}, rig: &rig{tracks: []*track{one}}}
		if got := w.enough(one); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}

func TestExistingBenchmarkIsStartedAsGoTestDoes(t *testing.T) {
	track := goTestTrack(func(c *spec.Case) { c.GoTest.Procs, c.Settings.Benchtime = 4, spec.Benchtime{N: 100} })
	g := track.own.request().GoTest
	want := []string{"/cache/test-1", "-test.paniconexit0", "-test.run=^$", "-test.count=1", "-test.benchmem", "-test.cpu=4"}
	if g == nil || !slices.Equal(g.Argv, want) || g.Dir != "/src/p" || g.Match != "^BenchmarkParse$/^small$" || g.Printed != "BenchmarkParse/small-4" || g.N != 100 {
		t.Errorf("%+v, want %q", g, want)
	}
	if id := track.result.Identity; id.Package != "m/p" || id.Benchmark != "BenchmarkParse/small" || id.Procs != 4 || track.result.Settings.Batch != 100 {
		t.Errorf("identity %+v, settings %+v", id, track.result.Settings)
	}
	want[5] = "-test.cpu=1"
	track = goTestTrack(nil)
	if got, procs := track.own.request().GoTest, runtime.GOMAXPROCS(0); got.Goal != int64(10*time.Millisecond) || got.N != 0 || track.target.Procs() != procs {
		t.Errorf("%+v with GOMAXPROCS %d", got, procs)
	}
}

// printedReadings are the readings of three iterations from a host.
func printedReadings() *wire.Readings {
	return &wire.Readings{ID: []int{1, 1}, N: []int{3, 3}, Elapsed: 20_000_000,
		Columns: map[string][]int64{"time": {37, 60}, "wall": {5_000_000, 5_000_000}, "rss": {4096, 4096}, "switches": {0, 0}},
		Values:  map[string]wire.Values{"time": {12.33e-9, 20e-9}, "throughput": {250e6, 125e6}, "allocs": {2, 2}, "heap": {16, 17}, "hits_s": {3, 4}}}
}

func TestWhatABenchmarkPrintsIsItsSample(t *testing.T) {
	track := goTestTrack(nil)
	track.take(printedReadings(), 0, 0)
	track.summarise()
	c := track.result
	for name, want := range map[string]result.Column{"time": {12.33e-9, 20e-9}, "throughput": {250e6, 125e6}, "allocs": {2, 2}, "heap": {16, 17}, "hits_s": {3, 4}, "rss": {4096, 4096}} {
		if got := c.Samples.Columns[name]; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if c.Samples.Columns["wall"] != nil || c.RateUnit() != "byte" {
		t.Errorf("wall %v, rate in %s", c.Samples.Columns["wall"], c.RateUnit())
	}
	var metrics []string
	for _, s := range c.Metrics {
		metrics = append(metrics, s.Metric)
	}
	if want := []string{"time", "throughput", "rss", "switches", "allocs", "heap", "hits_s"}; !slices.Equal(metrics, want) {
		t.Errorf("metrics %v, want %v", metrics, want)
	}
	if s := c.Summary("allocs"); !s.Exact || s.Median != 2 {
		t.Errorf("allocs %+v", s)
	}
	if s := c.Summary("throughput"); s.Median != 187.5e6 {
		t.Errorf("throughput %+v", s)
	}
	if s := c.Summary("heap"); s.Exact {
		t.Errorf("heap varies and is exact: %+v", s)
	}
	if !slices.Equal(c.Samples.Block, []int{0, 1}) { // each process is a block
		t.Errorf("blocks %v", c.Samples.Block)
	}
}

// A case with its own work counts units, as everywhere, and ignores MB/s.
func TestWorkOfAnExistingBenchmarkCountsUnits(t *testing.T) {
	track := goTestTrack(func(c *spec.Case) { c.Work, c.WorkSet, c.Unit = 10, true, "line" })
	for _, m := range track.own.request().GoTest.Values {
		if m.Name == "throughput" {
			t.Error("MB/s is looked for")
		}
	}
	r := printedReadings()
	delete(r.Values, "throughput")
	track.take(r, 0, 0)
	if got := track.result.Samples.Columns["time"]; !slices.Equal(got, result.Column{1.233e-9, 2e-9}) || track.result.RateUnit() != "line" {
		t.Errorf("time %v, rate in %s", got, track.result.RateUnit())
	}
	if got := track.result.Samples.Column("throughput"); math.Abs(got[1]-5e8) > 1 {
		t.Errorf("throughput %v", got)
	}
}
