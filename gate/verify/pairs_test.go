package verify

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/runner/draw"
)

// paired is a document with a case that takes 1.4 times as long as its base, coins as
// a run draws them.
func paired(t *testing.T) *result.Document {
	t.Helper()
	d := document(t)
	c := add(d, "slower", result.KindGo, 2.8e-6, "not worse(time, 3%)", "ratio(time) < 2", "ci(time).high < 1.1", "base.time.median < time.median", "not worse(allocs, 0%)")
	d.Suites[0].Errors = &result.Errors{Family: 0.01, Calls: 4, Alpha: 0.0025} // more than are left by a filter
	seed, err := draw.ParseSeed(d.Seed)
	if err != nil {
		t.Fatal(err)
	}
	p := &result.Pairs{Base: "function", Iterations: 1}
	p.Samples = result.Samples{Launch: c.Samples.Launch, Block: c.Samples.Block, At: slices.Clone(c.Samples.At), Columns: map[string]result.Column{}}
	rng := rand.New(rand.NewPCG(5, 9))
	for i := range c.Samples.Len() {
		p.Samples.Columns["time"] = append(p.Samples.Columns["time"], 2e-6*math.Exp(0.1*rng.NormFloat64()))
		p.First = append(p.First, seed.Coin(c.Suite, c.Name, c.Samples.Launch[i], i))
	}
	c.Pairs = p
	judged(t, d)
	return d
}

func TestPairsVerify(t *testing.T) {
	d := paired(t)
	r := check(t, reread(t, d))
	for _, f := range r.Findings {
		t.Errorf("%+v", f)
	}
	if r.Coins != 120 || r.Comparisons != 2 {
		t.Errorf("%d coins, %d comparisons", r.Coins, r.Comparisons)
	}
	if c := &d.Cases[len(d.Cases)-1]; c.Gates[0].Verdict != result.Fail || c.Comparison("time").Change != result.Worse || c.Comparison("time").Alpha != 0.0025 {
		t.Errorf("%+v of %+v", c.Gates[0], c.Comparisons)
	}
}

// A coin that was turned, a seed that was not the one, a base that was swapped: each
// is found.
func TestPairsChangedByHand(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *result.Document, c *result.Case)
		want   string
	}{
		"a coin":       {func(_ *result.Document, c *result.Case) { c.Pairs.First[7] = 1 - c.Pairs.First[7] }, "1 coin of 120 (the first: pair 8)"},
		"the last":     {func(_ *result.Document, c *result.Case) { c.Pairs.First[119] = 1 - c.Pairs.First[119] }, "1 coin of 120 (the first: pair 120)"},
		"the seed":     {func(d *result.Document, _ *result.Case) { d.Seed = "00" + d.Seed[2:] }, "coins of 120"},
		"the order":    {func(_ *result.Document, c *result.Case) { clear(c.Pairs.First) }, "coins of 120"},
		"a launch":     {func(_ *result.Document, c *result.Case) { c.Pairs.Samples.Launch = ones(120) }, "pair 1"},
		"its n":        {func(_ *result.Document, c *result.Case) { c.Pairs.Iterations = 2 }, "iterations of its pairs"},
		"the case":     {func(_ *result.Document, c *result.Case) { c.Name = "renamed" }, "coins of 120"},
		"a verdict":    {func(_ *result.Document, c *result.Case) { c.Gates[0].Verdict = result.Pass }, `gate "not worse(time, 3%)": verdict`},
		"a comparison": {func(_ *result.Document, c *result.Case) { c.Comparisons[0].Change = result.Same }, `comparison of "time": verdict`},
		"its blocks":   {func(_ *result.Document, c *result.Case) { c.Comparisons[0].Blocks = 120 }, `comparison of "time": set ups`},
		"a ratio":      {func(_ *result.Document, c *result.Case) { c.Comparisons[0].Ratio = 1.01 }, `comparison of "time": ratio`},
		"its end":      {func(_ *result.Document, c *result.Case) { *c.Comparisons[0].High *= 1.01 }, `comparison of "time": high`},
		"none":         {func(_ *result.Document, c *result.Case) { c.Comparisons = c.Comparisons[1:] }, `comparison of "time"`},
		"the base": {func(_ *result.Document, c *result.Case) {
			for i := range c.Pairs.Samples.Columns["time"] {
				c.Pairs.Samples.Columns["time"][i] *= 1.4
			}
		}, `gate "not worse(time, 3%)": verdict`},
		"a block for each pair": {func(_ *result.Document, c *result.Case) {
			for i := range c.Samples.Block {
				c.Samples.Block[i], c.Pairs.Samples.Block[i] = i, i
			}
		}, `comparison of "time": set ups`},
		"what disturbed": {func(_ *result.Document, c *result.Case) {
			c.Pairs.Samples.Disturbed = []result.Disturbed{{Index: 0, Cause: result.Stopped}}
		}, `comparison of "time": used`},
		"alpha":     {func(d *result.Document, _ *result.Case) { d.Suites[0].Errors.Alpha = 0.01 }, `suite "s": alpha`},
		"the calls": {func(d *result.Document, _ *result.Case) { e := d.Suites[0].Errors; e.Calls, e.Alpha = 1, 0.01 }, `comparison of "time": alpha`},
		"no calls":  {func(d *result.Document, _ *result.Case) { e := d.Suites[0].Errors; e.Calls, e.Alpha = 0, 0.01 }, `suite "s": comparative calls`},
		"no errors": {func(d *result.Document, _ *result.Case) { d.Suites[0].Errors = nil }, `suite "s": errors`},
		"one comparison more": {func(_ *result.Document, c *result.Case) {
			more := c.Comparisons[0]
			more.Metric = "heap"
			c.Comparisons = append(c.Comparisons, more)
		}, `comparison of "heap"`},
		"one summary more": {func(_ *result.Document, c *result.Case) {
			more := *c.Summary("time")
			more.Metric = "cpu"
			c.Metrics = append(c.Metrics, more)
		}, `metric "cpu"`},
		"the unit of a pass": {func(_ *result.Document, c *result.Case) { c.Summary("allocs").Unit = "s" }, `metric "allocs": unit`},
		"an accepted pass": {func(d *result.Document, c *result.Case) {
			g := &c.Gates[1]
			g.Verdict = result.Fail
			g.Accepted = &result.Accepted{Until: "2026-12-31", Reason: "slower until mended"}
			d.Acceptances = []result.Acceptance{{Suite: c.Suite, Case: c.Name, Gate: g.ID, Until: "2026-12-31", State: result.AcceptanceUsed}}
		}, `gate "ratio(time) < 2": accepted`},
		"a row of own": {func(_ *result.Document, c *result.Case) { c.Samples.Columns["time"][4] *= 2 }, `metric "time": mean`},
	} {
		d := paired(t)
		c.change(d, &d.Cases[len(d.Cases)-1])
		var found []string
		for _, f := range check(t, reread(t, d)).Findings {
			found = append(found, f.What)
		}
		if !strings.Contains(strings.Join(found, "\n"), c.want) {
			t.Errorf("%s: want a difference about %s, got %q", name, c.want, found)
		}
	}
}

func ones(n int) []int { return slices.Repeat([]int{1}, n) }
