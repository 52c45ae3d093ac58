package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/defaults"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// saved is a result of one suite with these cases.
func saved(name string, cases ...result.Case) table.Saved {
	return table.Saved{Name: name, Doc: &result.Document{Suites: []result.Suite{{Name: "s", Hash: "sha256:1"}},
		Machine: result.Machine{OS: "linux", Arch: "amd64", CPU: "Z80", CPUs: 2}, Cases: cases}}
}

// timed has 100 samples in 10 blocks around a median.
func timed(name string, median float64) result.Case {
	rng := rand.New(rand.NewPCG(1, uint64(len(name))))
	c := result.Case{Suite: "s", Name: name, Kind: result.KindGo, Unit: "op", Work: 1, Clock: "wall", Status: result.Measured,
		Samples: result.Samples{Columns: map[string]result.Column{}}}
	for i := range 100 {
		c.Samples.Block = append(c.Samples.Block, i/10)
		c.Samples.Columns["time"] = append(c.Samples.Columns["time"], median*math.Exp(0.01*rng.NormFloat64()))
	}
	c.Metrics = []result.Summary{{Metric: "time", Unit: "s", Median: median}}
	return c
}

// A ratio is to the first file and inside its interval. It has moved only if the
// whole interval is beyond the floor.
func TestRatio(t *testing.T) {
	for _, c := range []struct {
		ratio float64
		moved bool
	}{{1, false}, {1.015, false}, {1.1, true}, {0.9, true}, {0.985, false}} {
		u := Results([]table.Saved{saved("a", timed("x", 1e-6)), saved("b", timed("x", 1e-6*c.ratio))}, "time")
		r := u.Rows[0].Ratios[0]
		if math.Abs(r.Ratio-c.ratio) > 1e-12 || r.Low == nil || *r.Low > c.ratio || *r.High < c.ratio || r.Moved != c.moved {
			t.Errorf("ratio %v: %+v", c.ratio, r)
		}
	}
}

// The interval of a ratio contains the true one at least as often as promised: both
// intervals must be right at once.
func TestIntervalHoldsTheRatio(t *testing.T) {
	missed, trials := 0, 1000
	for i := range trials {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		draw := func(median float64) result.Case {
			c := timed("x", median)
			for j := range c.Samples.Columns["time"] {
				c.Samples.Columns["time"][j] = median * math.Exp(0.2*rng.NormFloat64())
			}
			return c
		}
		a, b := draw(1), draw(1.3)
		low, high, err := interval(&a, &b, "time")
		if err != nil {
			t.Fatal(err)
		}
		if low > 1.3 || high < 1.3 {
			missed++
		}
	}
	if limit := (1-defaults.Confidence)*float64(trials) + 5*math.Sqrt(float64(trials)*defaults.Confidence*(1-defaults.Confidence)); float64(missed) > limit {
		t.Errorf("missed %d of %d, at most %v", missed, trials, limit)
	}
}

// Cases that cannot be compared have no ratio, and a note with the reason.
func TestNoRatio(t *testing.T) {
	for want, spoil := range map[string]func(c *result.Case){
		"has another unit (op, byte) in b":                   func(c *result.Case) { c.Unit = "byte" },
		"was timed by another clock (wall, stdc-clock) in b": func(c *result.Case) { c.Clock = "stdc-clock" },
		"could not be measured in b":                         func(c *result.Case) { c.Status = result.Failed },
		"has no time in b":                                   func(c *result.Case) { c.Metrics = nil },
		"is not in b":                                        func(c *result.Case) { c.Name = "y" },
		"is below resolution in b":                           func(c *result.Case) { c.Metrics[0].Bound = new(float64) },
	} {
		b := timed("x", 2e-6)
		spoil(&b)
		row := Results([]table.Saved{saved("a", timed("x", 1e-6)), saved("b", b)}, "time").Rows[0]
		if row.Ratios[0] != nil || !slices.Contains(row.Notes, want) {
			t.Errorf("want no ratio and %q, got %+v and %q", want, row.Ratios[0], row.Notes)
		}
	}
	below, bound := timed("x", 1e-9), 1e-10
	below.Metrics[0].Bound = &bound
	if r := ratioOf(&below, &below, "time"); r != nil {
		t.Errorf("below resolution: %+v", r)
	}
	zero := timed("x", 0)
	if r := ratioOf(&zero, &below, "time"); r != nil {
		t.Errorf("of nothing: %+v", r)
	}
}

// Too few blocks leave a ratio without an interval, which never counts as moved.
func TestFewBlocks(t *testing.T) {
	a, b := timed("x", 1), timed("x", 5)
	for _, c := range []*result.Case{&a, &b} {
		c.Samples.Block, c.Samples.Columns["time"] = c.Samples.Block[:40], c.Samples.Columns["time"][:40]
	}
	if r := ratioOf(&a, &b, "time"); r == nil || r.Low != nil || r.Moved {
		t.Errorf("%+v", r)
	}
}

// What never varies is compared plainly.
func TestExact(t *testing.T) {
	counted := func(n float64) *result.Case {
		c := timed("x", 1)
		c.Metrics = []result.Summary{{Metric: "allocs", Exact: true, Median: n}}
		return &c
	}
	if r := ratioOf(counted(3), counted(4), "allocs"); !r.Exact || !r.Moved {
		t.Errorf("3 and 4: %+v", r)
	}
	for _, n := range []float64{0, 3} {
		if r := ratioOf(counted(n), counted(n), "allocs"); r.Moved || r.Ratio != 1 {
			t.Errorf("%v and %v: %+v", n, n, r)
		}
	}
	if r := ratioOf(counted(0), counted(1), "allocs"); !r.Moved || !math.IsInf(r.Ratio, 1) {
		t.Errorf("0 and 1: %+v", r)
	}
}

// Every difference between two runs is listed.
func TestDifferencesAreSaid(t *testing.T) {
	a, b := saved("a", timed("x", 1)), saved("b", timed("x", 1))
	if notes := Results([]table.Saved{a, b}, "time").Notes; notes != nil {
		t.Errorf("of like runs: %q", notes)
	}
	b.Doc.Machine = result.Machine{OS: "darwin", Arch: "arm64", CPU: "M9", CPUs: 8, GOMAXPROCS: 8, Kernel: "1", Memory: 1 << 30, Virtual: "kvm"}
	b.Doc.Tool = result.Tool{Version: "2", Go: "go2"}
	b.Doc.Suites[0].Hash, b.Doc.Interrupted = "sha256:2", "SIGINT"
	b.Doc.Cases[0].Work, b.Doc.Cases[0].Identity.Function = 2, "other"
	u := Results([]table.Saved{a, b}, "time")
	all := strings.Join(append(u.Notes, u.Rows[0].Notes...), "\n")
	for _, want := range []string{"the CPU differs: Z80 in a, M9 in b", "number of CPUs", "system", "kernel", "memory", "virtual", "GOMAXPROCS", "version of Go",
		"version of suite", `the file of suite "s" was changed between a and b`, "b is of a run that was interrupted", "what is run was changed", "work of an iteration"} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing about %q in\n%s", want, all)
		}
	}
}

// Cases that only later files have follow the first file's, each in its suite.
func TestOrder(t *testing.T) {
	other := timed("w", 1)
	other.Suite = "other"
	two := Results([]table.Saved{saved("a", timed("x", 1), other), saved("b", timed("z", 1))}, "time")
	if got := two.Rows[0].Name + two.Rows[1].Name + two.Rows[2].Name; got != "xzw" {
		t.Errorf("order %s", got)
	}
	u := Results([]table.Saved{saved("a", timed("x", 1), timed("y", 1)), saved("b", timed("z", 1), timed("y", 1))}, "time")
	var names []string
	for _, r := range u.Rows {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); got != "x y z" {
		t.Errorf("order %s", got)
	}
}
