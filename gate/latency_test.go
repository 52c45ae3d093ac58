package gate

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
	"example.com/suite/result/summary"
)

// ofIterations is a case whose single iterations took 1 µs, except for every slow-th, which took
// 10 µs, in groups of size.
func ofIterations(groups, size, slow int) result.Case {
	c := typical()
	c.Kind = result.KindGo
	c.Settings.Confidence = 0.95
	l := &result.Latency{Min: 1e-6, Max: 10e-6, Stride: 1}
	for range groups {
		late := float64(size / slow)
		l.Groups = append(l.Groups, result.LatencyGroup{Batches: 1, Bins: []result.ArcBin{{0.996e-6, 1.004e-6, float64(size) - late}, {9.984e-6, 10.048e-6, late}}})
		l.Count += int64(size)
	}
	l.Mean = 1e-6 + 9e-6/float64(slow)
	c.Latency = l
	side := &summary.Side{Case: &c}
	for _, m := range c.Table() {
		if m.Quantile > 0 {
			c.Metrics = append(c.Metrics, side.Summary(m))
		}
	}
	return c
}

func TestPercentilesOfSingleIterations(t *testing.T) {
	for _, test := range []struct {
		groups, size, slow int
		expr               string
		verdict            result.Verdict
		form               result.Form
	}{
		{10, 1000, 50, "latency.p50 < 2us", result.Pass, result.FormInterval},
		{10, 1000, 50, "latency.p99 < 2us", result.Fail, result.FormInterval},
		{10, 1000, 50, "2us > latency.p90", result.Pass, result.FormInterval},
		{10, 1000, 50, "latency.p99 > 9us and latency.p50 > 0.9us", result.Pass, result.FormInterval},
		{10, 1000, 100, "latency.p99 < 2us", result.Inconclusive, result.FormInterval}, // exactly one in a hundred is slow
		{10, 40, 20, "latency.p99 < 2us", result.Inconclusive, result.FormInterval},    // 400 iterations
		{7, 1000, 50, "latency.p50 < 2us", result.Inconclusive, result.FormInterval},   // seven groups
		{10, 1000, 50, "latency.max < 20us", result.Pass, result.FormPoint},
		{10, 1000, 50, "latency.max < 9us", result.Fail, result.FormPoint},
		{10, 1000, 50, "latency_p99.median > 9us", result.Pass, result.FormInterval},
		{10, 1000, 50, "latency.p99 / latency.p50 < 20", result.Pass, result.FormPoint},
		{10, 1000, 50, "latency.p50 < 0.5 * latency.p99", result.Pass, result.FormPoint},
	} {
		c := ofIterations(test.groups, test.size, test.slow)
		g := judgedWith(t, result.Percentiles(), test.expr, c)
		if g.Verdict != test.verdict || g.Form != test.form || strings.Contains(g.Reason, "$") {
			t.Errorf("%d groups of %d, %s: %s by %s: %s", test.groups, test.size, test.expr, g.Verdict, g.Form, g.Reason)
		}
	}
}

func TestTooFewIterationsAreExplained(t *testing.T) {
	g := judgedWith(t, result.Percentiles(), "latency.p99 < 2us", ofIterations(10, 40, 20))
	if g.Cause != result.CauseFewSamples || !strings.Contains(g.Reason, "in 400 iterations; a 99% interval needs 528 that do not depend on each other") {
		t.Errorf("%s: %s", g.Cause, g.Reason)
	}
}

// The names that the language sees are as long as what was written, so that a problem has
// its place.
func TestPercentilesInExpressionsThatAreWrong(t *testing.T) {
	c := ofIterations(10, 1000, 50)
	for expr, want := range map[string]string{
		"latency.p99 < 2us":            "latency_p99 is not measured in this case",
		"not worse(latency.p99, 10%)":  "latency_p99 is not measured in this case",
		"latency.p98 < 2us":            `unknown name "latency"`,
		"latency.p99 < 2us and tme":    `unknown name "tme"`,
		"latency.p99.median < 2us":     "",
		"latency.p50 < 2us + time.foo": "",
	} {
		_, problems := Compile([]Source{source(&c, expr)}, map[string][]string{"s": {c.Name}})
		if len(problems) == 0 || want != "" && problems[0].Message != want || strings.Contains(problems[0].Message+problems[0].Hint, "$") {
			t.Errorf("%s: %v", expr, problems)
		}
	}
	s := source(&c, "latency.p99 < 2us and tme > 1")
	s.Metrics = result.Percentiles()
	if _, problems := Compile([]Source{s}, nil); len(problems) != 1 || problems[0].Place.Col != s.Expr.Place.Col+len("latency.p99 < 2us and ") {
		t.Errorf("%v", problems)
	}
}

// Percentiles are compared by stretches of both sides.
func TestPercentilesAreComparedInPairs(t *testing.T) {
	c := ofIterations(10, 1000, 50)
	if v := c.Summary("latency_p99"); v == nil || math.Abs(v.Median/10e-6-1) > 0.01 || v.Low == nil || *v.Low < 9e-6 {
		t.Errorf("%+v", v)
	}
	s := source(&c, "not worse(latency.p99, 10%)")
	s.Metrics, s.Base = result.Percentiles(), "b"
	set := compile(t, []Source{s}, map[string][]string{"s": {c.Name, "b"}})
	if calls := set.gates[sides.KeyOf(&c)][0].rule.calls; len(calls) != 1 || calls[0].metric.Name != "latency_p99" || calls[0].tolerance != 0.1 {
		t.Errorf("%+v", calls)
	}
}

// due makes a case one of an open loop, whose iterations take so much of the time between two
// arrivals.
func due(c result.Case, utilization float64, unserved int64) result.Case {
	c.Latency.Arrivals = &result.Arrivals{Rate: 1000, Achieved: 1000 / max(utilization, 1), Utilization: utilization, Unserved: unserved}
	return c
}

// Percentiles of a saturated case decide no gate, in whatever form it is, and whether it would
// pass or fail.
func TestPercentilesOfASaturatedCaseDecideNothing(t *testing.T) {
	for _, expr := range []string{"latency.p50 < 1h", "latency.p99 < 1ns", "latency.max < 1h", "latency_p99.median < 1h", "latency_p99.max < 1h",
		"latency.p99 / latency.p50 < 1000", "not (latency.p99 > 1h)", "latency.p50 < 0.5 * latency.p99"} {
		c := ofIterations(10, 1000, 50)
		if g := judgedWith(t, result.Percentiles(), expr, due(c, 0.99, 0)); g.Verdict == result.Inconclusive {
			t.Errorf("utilization 99%%: %s is %s: %s", expr, g.Verdict, g.Reason)
		}
		g := judgedWith(t, result.Percentiles(), expr, due(c, 1.25, 0))
		if g.Verdict != result.Inconclusive || g.Cause != result.CauseSaturated || !strings.Contains(g.Reason, "1 k/s, utilization 125%") {
			t.Errorf("%s is %s by %s: %s", expr, g.Verdict, g.Cause, g.Reason)
		}
	}
	if g := judgedWith(t, result.Percentiles(), "time.median < 1h", due(ofIterations(10, 1000, 50), 1.25, 0)); g.Verdict != result.Pass {
		t.Errorf("the time of a saturated case is known: %s", g.Reason)
	}
}

// Iterations that were due and had not begun are slower than all others: 1 % of them hide p99.
func TestIterationsThatWereNotServedCount(t *testing.T) {
	for unserved, verdict := range map[int64]result.Verdict{0: result.Pass, 10: result.Pass, 100: result.Inconclusive} {
		g := judgedWith(t, result.Percentiles(), "latency.p99 < 20us", due(ofIterations(10, 1000, 50), 0.5, unserved))
		if g.Verdict != verdict || unserved == 100 && !strings.Contains(g.Reason, "100 were due that had not begun") {
			t.Errorf("%d: %s: %s", unserved, g.Verdict, g.Reason)
		}
	}
}

// A comparison is undecided if either side is saturated.
func TestSaturatedSidesAreNotCompared(t *testing.T) {
	m, _ := result.FindMetric("latency_p99")
	for _, side := range []int{0, 1} {
		c, base := due(ofIterations(10, 1000, 50), 0.5, 0), due(ofIterations(10, 1000, 50), 0.5, 0)
		[]*result.Case{&c, &base}[side].Latency.Arrivals.Utilization = 1.1
		n := c.Samples.Len()
		column := make(result.Column, n)
		for i := range column {
			column[i] = 1e-6
		}
		c.Samples.Columns["latency_p99"] = column
		c.Pairs = &result.Pairs{Base: "b", First: make([]int, n), Samples: c.Samples, Latency: base.Latency}
		p, ok := sides.PairedOf(&c, m)
		if !ok || p.FlawCause != result.CauseSaturated {
			t.Errorf("side %d: %q", side, p.Flaw)
		}
		time, _ := result.FindMetric("time")
		if p, ok := sides.PairedOf(&c, time); !ok || p.Flaw != "" {
			t.Errorf("side %d: the time can be compared: %q", side, p.Flaw)
		}
	}
}

// A case that ended before there were enough iterations for one stretch is undecided: it would
// be known after a longer run.
func TestComparisonsOfTooFewIterations(t *testing.T) {
	c := ofIterations(10, 10, 5)
	m, _ := result.FindMetric("latency_p99")
	o := without(sides.MissingOf(&c, m))
	if o.verdict != result.Inconclusive || o.cause != result.CauseFewSamples || o.reasons[0] != "latency_p99 is compared by stretches, and 100 iterations are too few for one: raise target_time" {
		t.Errorf("%s, %s: %q", o.verdict, o.cause, o.reasons)
	}
}
