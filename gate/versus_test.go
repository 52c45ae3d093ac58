package gate

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// pairedWith makes a measured case with pairs: row i of a metric is own[i] in the
// case and base[i] in the base. Each pair has a setup of its own, so each is an
// observation.
func pairedWith(metric string, base, own []float64) result.Case {
	c := result.Case{Suite: "s", Name: "c", Kind: result.KindGo, Status: result.Measured, Clock: "wall",
		Samples: samples(metric, own), Pairs: &result.Pairs{Base: "b", Iterations: 1, First: make([]int, len(own)), Samples: samples(metric, base)}}
	c.Metrics = append(c.Metrics, summaryOf(metric, own))
	return c
}

func samples(metric string, xs []float64) result.Samples {
	s := result.Samples{Launch: make([]int, len(xs)), At: make([]float64, len(xs)), Columns: map[string]result.Column{metric: xs}}
	for i := range xs {
		s.Block = append(s.Block, i)
	}
	return s
}

func summaryOf(metric string, xs []float64) result.Summary {
	m, _ := result.FindMetric(metric)
	s := result.Summary{Metric: metric, Unit: m.Unit, N: len(xs)}
	if len(xs) > 0 {
		s.Median, s.Mean, s.Min, s.Max, s.P50 = xs[0], xs[0], xs[0], xs[0], xs[0]
	}
	return s
}

// spread makes n pairs of which some have one ratio and the others the other, mixed
// as evenly as possible: so a boundary is reached at the end or not at all.
func spread(n, some int, one, other float64) (base, own []float64) {
	for i := range n {
		ratio := other
		if (i+1)*some/n > i*some/n {
			ratio = one
		}
		base, own = append(base, 1e-3), append(own, 1e-3*ratio)
	}
	return base, own
}

// with compiles gates of the case and judges it with its base.
func with(t *testing.T, c result.Case, exprs ...string) (result.Case, *Compiled) {
	t.Helper()
	var sources []Source
	for _, expr := range exprs {
		s := source(&c, expr)
		s.Base = "b"
		sources = append(sources, s)
	}
	set := compile(t, sources, map[string][]string{"s": {"b", "c"}})
	set = set.On(func(int) Host { return Host{"linux", "amd64", 2} })
	cases := []result.Case{c, baseOf(c)}
	set.Assess(nil).Judge(cases)
	for _, g := range cases[0].Gates {
		caused(t, g)
	}
	return cases[0], set
}

// baseOf is the base as a case of its own.
func baseOf(c result.Case) result.Case {
	b := typical()
	b.Name, b.Kind, b.Suite = "b", c.Kind, c.Suite
	b.Metrics = []result.Summary{summaryOf("time", []float64{1e-3})}
	b = exact(exact(b, "allocs", 2), "heap", 0)
	return b
}

func verdict(t *testing.T, c result.Case, expr string) result.Gate {
	t.Helper()
	judged, _ := with(t, c, expr)
	return judged.Gates[0]
}

// among judges one of so many gates of a suite.
func among(t *testing.T, c result.Case, gates int, expr string) result.Gate {
	t.Helper()
	s := source(&c, expr)
	s.Base = "b"
	set := compile(t, []Source{s}, nil)
	cases := []result.Case{c, baseOf(c)}
	set.Share("s", 0.01, gates).Assess(nil).Judge(cases)
	return cases[0].Gates[0]
}

// The bounds k*(n, α) of the procedure: one pair fewer does not decide. In a suite of many gates it takes fewer to pass,
// which is no alarm, unless the gate asks for a change and fails if there is none.
func TestVerdictsAtTheBounds(t *testing.T) {
	for _, c := range []struct{ gates, n, k, pass int }{
		{1, 9, 9, 9}, {1, 10, 10, 10}, {1, 15, 14, 14}, {1, 20, 18, 18}, {1, 30, 24, 24}, {1, 50, 37, 37}, {1, 100, 68, 68}, {1, 200, 126, 126},
		{1, 300, 182, 182}, {1, 1000, 560, 560},
		{50, 20, 20, 18}, {50, 30, 27, 25}, {50, 50, 41, 38}, {50, 100, 72, 69}, {50, 200, 132, 127}, {50, 300, 190, 183}, {50, 1000, 575, 563},
	} {
		for _, step := range []struct {
			expr          string
			k             int
			most, others  float64
			reached, less result.Verdict
		}{
			{"not worse(time, 3%)", c.k, 1.04, 1.02, result.Fail, result.Inconclusive},
			{"not worse(time, 3%)", c.pass, 1.02, 1.04, result.Pass, result.Inconclusive},
			{"not better(time, 3%)", c.k, 0.96, 0.98, result.Fail, result.Inconclusive},
			{"not better(time, 3%)", c.pass, 0.98, 0.96, result.Pass, result.Inconclusive},
			{"better(time, 3%)", c.k, 0.96, 0.98, result.Pass, result.Inconclusive},
			{"better(time, 3%)", c.k, 0.98, 0.96, result.Fail, result.Inconclusive},
			{"worse(time, 3%) ? false : true", c.k, 1.02, 1.04, result.Pass, result.Inconclusive},
		} {
			for i, want := range []result.Verdict{step.reached, step.less} {
				k := timed(spread(c.n, step.k-i, step.most, step.others))
				if g := among(t, k, c.gates, step.expr); g.Verdict != want || g.Form != result.FormPairs {
					t.Errorf("%s, %d of %d pairs are %v, %d gates: %s by %s, want %s: %s", step.expr, step.k-i, c.n, step.most, c.gates, g.Verdict, g.Form,
						want, g.Reason)
				}
			}
		}
	}
}

// timed is a case whose pairs have times.
func timed(base, own []float64) result.Case { return pairedWith("time", base, own) }

func TestComparativeVerdicts(t *testing.T) {
	for _, c := range []struct {
		metric  string
		ratio   float64 // of all of 100 pairs
		expr    string
		verdict result.Verdict
		form    result.Form
	}{
		{"time", 1.10, "not worse(time, 3%)", result.Fail, result.FormPairs},
		{"time", 1.10, "worse(time, 3%)", result.Pass, result.FormPairs},
		{"time", 1.10, "not worse(time, 0.03)", result.Fail, result.FormPairs},
		{"time", 1.10, "!worse(time, 3%)", result.Fail, result.FormPairs},
		{"time", 1.10, "not worse(time, 15%)", result.Pass, result.FormPairs},
		{"time", 1.10, "not worse(time, 300%)", result.Pass, result.FormPairs},
		{"time", 1.10, "better(time, 3%)", result.Fail, result.FormPairs},
		{"time", 0.90, "better(time, 3%)", result.Pass, result.FormPairs},
		{"time", 0.90, "better(time, 12%)", result.Fail, result.FormPairs}, // 1/1.12 is 0.893
		{"time", 0.90, "better(time, 11%)", result.Pass, result.FormPairs}, // 1/1.11 is 0.901
		{"time", 0.90, "not worse(time, 0)", result.Pass, result.FormPairs},
		{"time", 1.00, "not worse(time, 0)", result.Inconclusive, result.FormPairs}, // ties are on neither side
		{"time", 1.00, "not worse(time, 1%)", result.Pass, result.FormPairs},
		{"time", 1.03, "not worse(time, 3%)", result.Inconclusive, result.FormPairs},
		{"throughput", 1.10, "not worse(throughput, 3%)", result.Pass, result.FormPairs},
		{"throughput", 1.10, "better(throughput, 3%)", result.Pass, result.FormPairs},
		{"throughput", 0.90, "not worse(throughput, 3%)", result.Fail, result.FormPairs},
		{"throughput", 0.90, "better(throughput, 3%)", result.Fail, result.FormPairs},
		{"throughput", 0.98, "not worse(throughput, 3%)", result.Pass, result.FormPairs},

		{"time", 1.10, "ratio(time) < 1.05", result.Fail, result.FormInterval},
		{"time", 1.01, "ratio(time) < 1.05", result.Pass, result.FormInterval},
		{"time", 1.01, "1.05 > ratio(time)", result.Pass, result.FormInterval},
		{"time", 1.05, "ratio(time) < 1.05", result.Fail, result.FormInterval},
		{"time", 1.10, "0.95 < ratio(time) < 1.05", result.Fail, result.FormInterval},
		{"time", 1.01, "ratio(time) < 1 + 5%", result.Pass, result.FormInterval},
		{"time", 1.01, "ratio(time) < params.size / 60", result.Pass, result.FormInterval},
		{"time", 1.10, "ci(time).low <= 1.03", result.Fail, result.FormPoint},
		{"time", 1.01, "ci(time).high < 1.05", result.Pass, result.FormPoint},
		{"time", 1.01, "abs(ratio(time) - 1) < 3%", result.Pass, result.FormPoint},
		{"time", 1.10, "abs(ratio(time) - 1) < 3%", result.Fail, result.FormPoint},
		{"time", 1.10, "time.median <= 1.05 * base.time.median", result.Fail, result.FormPoint},
		{"time", 1.10, "time.median < 1.2 * base.time.median", result.Pass, result.FormPoint},

		// an undecided call counts only if the outcome hangs on it
		{"time", 1.03, "not worse(time, 3%) or ratio(time) < 1.1", result.Pass, result.FormInterval},
		{"time", 1.03, "not worse(time, 3%) and ratio(time) < 1.1", result.Inconclusive, result.FormInterval},
		{"time", 1.03, "not worse(time, 3%) and ratio(time) < 1.01", result.Fail, result.FormInterval},
		{"time", 1.03, "worse(time, 3%) ? ratio(time) < 1.1 : ratio(time) < 1.2", result.Pass, result.FormInterval},
		{"time", 1.03, `host.os != "linux" or not worse(time, 3%)`, result.Inconclusive, result.FormPairs},
		{"time", 1.03, `host.os == "linux" or not worse(time, 3%)`, result.Pass, result.FormExact},
	} {
		base, own := spread(100, 100, c.ratio, 1)
		k := pairedWith(c.metric, base, own)
		size := 64.0
		k.Params = []result.Param{{Name: "size", Text: "64", Number: &size}}
		if g := verdict(t, k, c.expr); g.Verdict != c.verdict || g.Form != c.form {
			t.Errorf("%s at %v: %s by %s: %s", c.expr, c.ratio, g.Verdict, g.Form, g.Reason)
		}
	}
}

// Numbers that never vary are compared without statistics, with the base's own
// numbers.
func TestExactComparisons(t *testing.T) {
	for _, c := range []struct {
		metric  string
		own     float64 // the base allocates twice, and no byte
		expr    string
		verdict result.Verdict
		reason  string
	}{
		{"allocs", 2, "not worse(allocs, 0)", result.Pass, ""},
		{"allocs", 3, "not worse(allocs, 0)", result.Fail, "allocs is 3, and 2 in b, and nothing is tolerated"},
		{"allocs", 3, "not worse(allocs, 50%)", result.Pass, ""},
		{"allocs", 3, "not worse(allocs, 49%)", result.Fail, "allocs is 3, and 2 in b, and 49% is tolerated"},
		{"allocs", 1, "better(allocs, 0)", result.Pass, ""},
		{"allocs", 1, "better(allocs, 100%)", result.Fail, "allocs is 1, and 2 in b, not a gain of more than 100%"},
		{"allocs", 0, "better(allocs, 5000%)", result.Pass, ""},
		{"allocs", 3, "ratio(allocs) <= 1.5", result.Pass, ""},
		{"allocs", 3, "ratio(allocs) < 1.5", result.Fail, "allocs is 3, and 2 in b: a ratio of 1.5, limit 1.5"},
		{"allocs", 3, "ci(allocs).high == 1.5", result.Pass, ""},
		{"allocs", 3, "allocs.max <= base.allocs.max", result.Fail, "allocs.max <= base.allocs.max: allocs.max is 3, base.allocs.max is 2"},
		{"heap", 0, "not worse(heap, 0)", result.Pass, ""},
		{"heap", 0, "ratio(heap) == 1", result.Pass, ""},
		{"heap", 1, "not worse(heap, 9900%)", result.Fail, "heap is 1 B, and 0 B in b, and 9900% is tolerated"},
		{"heap", 1, "ratio(heap) < 1000", result.Fail, "heap is 1 B, and 0 B in b: a ratio of ∞, limit 1000"},
		{"heap", 1, "ratio(heap) > 1000", result.Pass, ""},
	} {
		base, own := spread(20, 20, 1, 1)
		k := exact(timed(base, own), c.metric, c.own)
		g := verdict(t, k, c.expr)
		if g.Verdict != c.verdict || g.Form != result.FormExact || g.Reason != c.reason {
			t.Errorf("%s of %v: %s by %s: %q", c.expr, c.own, g.Verdict, g.Form, g.Reason)
		}
	}
}

// Whatever keeps a comparison from being made is no pass.
func TestComparisonsNeverPassSilently(t *testing.T) {
	base, own := spread(100, 100, 1, 1)
	cleared := func() result.Case { return timed(append([]float64{}, base...), append([]float64{}, own...)) }
	for name, c := range map[string]struct {
		change  func(c *result.Case)
		expr    string
		verdict result.Verdict
		reason  string
	}{
		"no base":           {func(c *result.Case) { c.Pairs = nil }, "not worse(time, 3%)", result.Error, `no pairs were taken with base "b"`},
		"no pair":           {func(c *result.Case) { *c = timed(nil, nil) }, "not worse(time, 3%)", result.Error, `no pairs were taken with base "b"`},
		"eight pairs":       {func(c *result.Case) { *c = timed(base[:8], own[:8]) }, "not worse(time, 3%)", result.Inconclusive, "it takes 9 blocks, and there are 8"},
		"ten for a ratio":   {func(c *result.Case) { *c = timed(base[:10], own[:10]) }, "ratio(time) < 9", result.Inconclusive, "it takes 11 blocks, and there are 10"},
		"ten for ci":        {func(c *result.Case) { *c = timed(base[:10], own[:10]) }, "ci(time).high < 9", result.Inconclusive, "it takes 11 blocks, and there are 10"},
		"ten in arithmetic": {func(c *result.Case) { *c = timed(base[:10], own[:10]) }, "abs(ratio(time) - 1) < 9", result.Inconclusive, "it takes 11 blocks, and there are 10"},
		"NaN everywhere":    {func(c *result.Case) { fill(c.Pairs.Samples.Columns["time"], math.NaN()) }, "not worse(time, 3%)", result.Error, `metric "time" of base "b" was not measured`},
		"NaN nearly everywhere": {func(c *result.Case) { fill(c.Pairs.Samples.Columns["time"][5:], math.NaN()) }, "not worse(time, 3%)", result.Inconclusive,
			"it takes 9 blocks, and there are 5"},
		"a metric that the case lacks": {func(c *result.Case) {}, "not worse(cpu, 3%)", result.Error, `metric "cpu" was not measured here`},
		"a metric that the base lacks": {func(c *result.Case) { c.Samples.Columns["cpu"] = own }, "not worse(cpu, 3%)", result.Error, `metric "cpu" of base "b" was not measured`},
		"zero times":                   {func(c *result.Case) { c.Pairs.Samples.Columns["time"][3] = 0 }, "not worse(time, 3%)", result.Inconclusive, "in 1 of 100 pairs a side took less than the clock can show"},
		"negative times":               {func(c *result.Case) { c.Samples.Columns["time"][3] = -1e-9 }, "not worse(time, 3%)", result.Inconclusive, "in 1 of 100 pairs a side is below zero"},
		"an endless rate":              {func(c *result.Case) { c.Samples.Columns["time"][3] = 0 }, "not worse(throughput, 3%)", result.Inconclusive, "less than the clock can show"},
		"a run that was killed": {func(c *result.Case) {
			c.Kind, c.Samples.Censored, c.Pairs.Samples.Censored, c.Settings.Timeout = result.KindCommand, []int{2, 3}, []int{3}, 30
		},
			"not worse(time, 3%)", result.Inconclusive, "in 2 of 100 pairs a run was killed after the timeout of 30 s"},
		"below resolution":          {func(c *result.Case) { bound := 2e-3; c.Summary("time").Bound = &bound }, "not worse(time, 3%)", result.Inconclusive, "time is below resolution"},
		"both below resolution":     {func(c *result.Case) { c.LoopCost = 1; bound := 2e-3; c.Summary("time").Bound = &bound }, "ratio(time) < 9", result.Inconclusive, "time is below resolution"},
		"base below resolution":     {func(c *result.Case) { c.LoopCost = 1e-3 }, "not worse(time, 3%)", result.Inconclusive, "time is below resolution"},
		"allocations that vary":     {func(c *result.Case) { *c = exact(*c, "allocs", 2); s := c.Summary("allocs"); s.Exact, s.Max = false, 3 }, "not worse(allocs, 0)", result.Inconclusive, "allocs was not the same every time: 2 to 3 here, and 2 in b"},
		"no allocations":            {func(c *result.Case) {}, "not worse(allocs, 0)", result.Error, `metric "allocs" was not measured here`},
		"no allocations of base":    {func(c *result.Case) {}, "base.rss.max < 1 or time.median < 1s", result.Error, ""},
		"a case that broke":         {func(c *result.Case) { c.Status, c.Failure = result.Failed, &result.Failure{Message: "exit status 2"} }, "not worse(time, 3%)", result.Error, "the case could not be measured: exit status 2"},
		"a case that was not run":   {func(c *result.Case) { c.Status = result.NotRun }, "not worse(time, 3%)", result.NotJudged, "the case was not run"},
		"ratio of nothing, negated": {func(c *result.Case) { fill(c.Pairs.Samples.Columns["time"], math.NaN()) }, "not (ratio(time) > 1.05)", result.Error, `of base "b" was not measured`},
	} {
		if name == "no allocations of base" {
			continue // a Go case has no rss at all
		}
		k := cleared()
		c.change(&k)
		if g := verdict(t, k, c.expr); g.Verdict != c.verdict || !strings.Contains(g.Reason, c.reason) {
			t.Errorf("%s: %s: %q", name, g.Verdict, g.Reason)
		}
	}
}

func fill(xs []float64, x float64) {
	for i := range xs {
		xs[i] = x
	}
}

// A base that could not be measured, or was not reached, cannot be compared with; the
// pairs of a case are judged all the same.
func TestBaseThatIsMissing(t *testing.T) {
	b, o := spread(100, 100, 1, 1)
	for _, c := range []struct {
		expr    string
		status  result.Status
		gone    bool
		verdict result.Verdict
		reason  string
	}{
		{"base.time.median < 1s", result.Failed, false, result.Error, `base "b" could not be measured`},
		{"base.time.median < 1s", result.NotRun, false, result.Error, `base "b" was not measured in this run`},
		{"base.time.median < 1s", "", true, result.Error, `base "b" was not measured in this run`},
		{"time.median <= base.time.median", result.Failed, false, result.Error, `base "b" could not be measured`},
		{"not worse(allocs, 0)", result.Failed, false, result.Error, `base "b" could not be measured`},
		{"not worse(allocs, 0)", "", true, result.Error, `base "b" was not measured in this run`},
		{"not worse(time, 3%)", result.Failed, false, result.Pass, ""},
	} {
		k := exact(timed(b, o), "allocs", 2)
		s := source(&k, c.expr)
		s.Base = "b"
		set := compile(t, []Source{s}, nil)
		base := baseOf(k)
		base.Status = c.status
		cases := []result.Case{k, base}
		if c.gone {
			cases = cases[:1]
		}
		set.Assess(nil).Judge(cases)
		if g := cases[0].Gates[0]; g.Verdict != c.verdict || g.Reason != c.reason {
			t.Errorf("%s: %s: %q", c.expr, g.Verdict, g.Reason)
		}
	}
}

// Without a base a gate that needs one is skipped, with the reason; its other
// problems are still found.
func TestWithoutABase(t *testing.T) {
	for _, expr := range []string{"not worse(time, 3%)", "ratio(time) < 1.05", "ci(time).high < 2", "base.time.median < 1s", "time.median < 1s or worse(time, 3%)"} {
		g := judged(t, expr, typical())
		if g.Verdict != result.NotJudged || !strings.Contains(g.Reason, "has no base") {
			t.Errorf("%s: %s: %q", expr, g.Verdict, g.Reason)
		}
		if open, decided := opened(t, typical(), expr); open+decided > 0 {
			t.Errorf("%s asks for samples", expr)
		}
	}
}

// The empty loop that both sides pay for brings ratios nearer to 1: what is beyond
// the tolerance all the same is.
func TestBeyondToleranceOverABaseBelowResolution(t *testing.T) {
	k := timed(spread(20, 20, 9, 1))
	k.LoopCost = 1e-3
	if g := verdict(t, k, "not worse(time, 3%)"); g.Verdict != result.Fail {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
}

// Counts of which many are zero have ratios too: as far from 1 as can be.
func TestZeroCounts(t *testing.T) {
	zeros, some := make([]float64, 20), make([]float64, 20)
	fill(some, 3)
	for _, c := range []struct {
		base, own []float64
		expr      string
		verdict   result.Verdict
	}{
		{zeros, zeros, "not worse(switches, 1%)", result.Pass},
		{zeros, some, "not worse(switches, 9900%)", result.Fail},
		{some, zeros, "better(switches, 9900%)", result.Pass},
		{zeros, some, "ratio(switches) < 100", result.Fail},
	} {
		k := pairedWith("switches", c.base, c.own)
		k.Samples.Columns["time"], k.Pairs.Samples.Columns["time"] = some, some
		k, _ = with(t, k, c.expr)
		o := k.Comparison("switches")
		if g := k.Gates[0]; g.Verdict != c.verdict || o == nil || math.IsNaN(float64(o.Ratio)) || o.Ratio.IsInfinite() != (o.Base == 0 && o.Candidate > 0) {
			t.Errorf("%s: %s: %s, %+v", c.expr, g.Verdict, g.Reason, o)
		}
	}
}

// What is 3 % more, to the last digit of a float, is not more than 3 %.
func TestExactLimits(t *testing.T) {
	m, _ := result.FindMetric("allocs")
	for percent := 1; percent < 100; percent++ {
		for base := 100; base <= 10_000; base += 100 {
			more := float64(base + base/100*percent)
			tolerance := float64(percent) / 100
			if v := sides.Plainly(m, float64(base), more, tolerance, 0.01); v.Change() != result.Same {
				t.Fatalf("%v against %d at %d%%: %s", more, base, percent, v.Change())
			}
			if v := sides.Plainly(m, more, float64(base), tolerance, 0.01); v.Change() != result.Same {
				t.Fatalf("%d against %v at %d%%: %s", base, more, percent, v.Change())
			}
			if v := sides.Plainly(m, float64(base), more+1, tolerance, 0.01); v.Change() != result.Worse {
				t.Fatalf("%v against %d at %d%%: %s", more+1, base, percent, v.Change())
			}
		}
	}
}

// Numbers below zero can only be equal or not: -100 is more than 1.03 times -100, and
// has not changed.
func TestExactNumbersBelowZero(t *testing.T) {
	for _, direction := range []result.Direction{result.Lower, result.Higher} {
		m := result.Metric{Name: "score", Unit: "pt", Direction: direction, Exact: true, Sampled: true}
		for _, c := range []struct {
			base, own float64
			want      result.Change
		}{{-100, -100, result.Same}, {-100, -101, result.Unclear}, {-100, -50, result.Unclear}, {-1, 1, result.Unclear}, {1, -1, result.Unclear}, {0, -1, result.Unclear}} {
			v := sides.Plainly(m, c.base, c.own, 0.03, 0.01)
			if v.Change() != c.want || (v.Why == "") != (c.want == result.Same) || v.Exact != (c.want == result.Same) {
				t.Errorf("%v against %v, %s is better: %s, %q", c.own, c.base, direction, v.Change(), v.Why)
			}
		}
	}
}

// An exact number is known up to the difference of its passes: equal code has 0 or
// 0.001 allocations, depending on where its passes began. A larger difference is a
// change.
func TestExactNumbersWithinWhatPassesDifferBy(t *testing.T) {
	m, _ := result.FindMetric("allocs")
	of := func(x, slack float64) *result.Summary {
		return &result.Summary{Metric: "allocs", Exact: true, Median: x, Min: x, Max: x, Slack: slack}
	}
	for _, c := range []struct {
		base, own     *result.Summary
		tolerance     float64
		worse, better result.Verdict
	}{
		{of(0, 0), of(0.001, 0), 0.03, result.Pass, result.Fail}, // every batch had it
		{of(0, 0.001), of(0.001, 0), 0.03, result.Inconclusive, result.Fail},
		{of(0.001, 0), of(0, 0.001), 0.03, result.Fail, result.Inconclusive},
		{of(0, 0.001), of(0.002, 0), 0.03, result.Pass, result.Fail},
		{of(2, 0.001), of(2, 0), 0, result.Fail, result.Inconclusive},
		{of(2, 0), of(2, 0.001), 0, result.Inconclusive, result.Fail},
		{of(2, 0.001), of(2, 0.001), 0, result.Inconclusive, result.Inconclusive},
		{of(2, 0.001), of(2, 0.001), 0.03, result.Fail, result.Fail},
		{of(2, 0.001), of(3, 0.001), 0, result.Pass, result.Fail},
		{of(3, 1), of(3, 0), 0.5, result.Fail, result.Fail},
	} {
		v := sides.Within(m, c.base, c.own, c.tolerance, 0.01)
		open := c.worse == result.Inconclusive || c.better == result.Inconclusive
		if v.Worse() != c.worse || v.Better() != c.better || (v.Why != "") != open || v.Exact == open {
			t.Errorf("%+v against %+v at %v: worse %s, better %s, %q", *c.own, *c.base, c.tolerance, v.Worse(), v.Better(), v.Why)
		}
	}
	k := exact(timed(spread(20, 20, 1, 1)), "allocs", 2)
	k.Summary("allocs").Slack = 0.001
	if g := verdict(t, k, "not worse(allocs, 0)"); g.Verdict != result.Inconclusive || !strings.Contains(g.Reason, "allocs was not the same every time: 2 to 2.001 here, and 2 there") {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
	if g := verdict(t, k, "better(allocs, 0)"); g.Verdict != result.Fail || !strings.HasPrefix(g.Reason, "allocs is the same as in b") {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
	if g := verdict(t, k, "not worse(allocs, 1%)"); g.Verdict != result.Pass {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
}

// A ratio that moves from one side of the tolerance to the other is neither; one
// that moves within it leaves the verdict as it is.
func TestRatiosThatMove(t *testing.T) {
	moving := func(before, after float64) result.Case {
		base, own := spread(120, 120, after, 1)
		fill(own[:20], 1e-3*before)
		return timed(base, own)
	}
	for _, c := range []struct {
		before, after float64
		verdict       result.Verdict
		change        result.Change
	}{
		{1.1, 0.9, result.Inconclusive, result.Unclear},
		{0.9, 1.1, result.Inconclusive, result.Unclear},
		{1.0, 0.9, result.Pass, result.Unclear}, // not worse, whether it is better or the same
		{1.001, 1.002, result.Pass, result.Same},
		{1.1, 1.2, result.Fail, result.Worse},
	} {
		k, _ := with(t, moving(c.before, c.after), "not worse(time, 3%)")
		g, o := k.Gates[0], k.Comparison("time")
		if g.Verdict != c.verdict || o.Change != c.change || *o.Low > float64(o.Ratio) || *o.High < float64(o.Ratio) {
			t.Errorf("%v, then %v: %s: %s: %+v", c.before, c.after, g.Verdict, g.Reason, o)
		}
		if o.Change == result.Unclear && !strings.Contains(o.Reason, "early and late pairs contradict each other") {
			t.Errorf("%v, then %v: %s", c.before, c.after, o.Reason)
		}
	}
}
