package gate

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/result"
)

// suiteOf judges one gate of the first case in a suite of several.
func suiteOf(t *testing.T, expr string, cases ...result.Case) result.Gate {
	t.Helper()
	s := source(&cases[0], expr)
	if p := cases[0].Pairs; p != nil {
		s.Base, s.Tree = p.BaseName(), p.Tree != ""
	}
	set := compile(t, []Source{s}, map[string][]string{"s": {"b"}})
	set.Assess(nil).Judge(cases)
	return cases[0].Gates[0]
}

// called is a case by another name.
func called(name string, c result.Case) result.Case {
	c.Name = name
	return c
}

func TestGeometricMeanOfRatios(t *testing.T) {
	twice, half, same := timed(spread(20, 20, 2, 1)), timed(spread(20, 20, 0.5, 1)), timed(spread(20, 20, 1, 1))
	alone := called("alone", typical())
	elsewhere := called("d", timed(spread(20, 20, 100, 1)))
	elsewhere.Suite = "other"
	broken := called("broken", twice)
	broken.Status, broken.Failure = result.Failed, &result.Failure{Message: "exit status 2"}
	unreached := called("unreached", twice)
	unreached.Status = result.NotRun
	zero := called("zero", timed(spread(20, 20, 0, 1)))
	command := called("command", ofCommand(twice))
	tree := called("in main", asTree(called("in main", twice), nil))
	for _, c := range []struct {
		expr    string
		cases   []result.Case
		verdict result.Verdict
		reason  string
	}{
		{`geomean("time") < 1.05`, []result.Case{called("a", twice), called("c", half), alone, elsewhere}, result.Pass, ""},
		{`geomean("time") < 1.05`, []result.Case{called("a", twice), called("c", same), alone}, result.Fail,
			`geomean("time") is 1.414 (of 2 cases compared with their bases), limit 1.05`},
		{`1.5 > geomean("time")`, []result.Case{called("a", twice), called("c", same)}, result.Pass, ""},
		{`geomean("time") < 1.05 * geomean("time")`, []result.Case{called("a", twice)}, result.Pass, ""},
		{`geomean("time") < 1.05`, []result.Case{alone, called("c", half)}, result.Pass, ""}, // it need not be one of them
		{`geomean("time") < 1.05`, []result.Case{alone, elsewhere}, result.Error, "no case of the suite is compared in time, so that there is no mean"},
		{`geomean("time") < 1.05 * geomean("time")`, []result.Case{alone}, result.Error, "no case of the suite is compared in time, so that there is no mean"},
		{`geomean("time") < 1.05`, []result.Case{called("a", half), broken, unreached}, result.Inconclusive,
			`geomean("time") is not known: broken: it could not be measured; unreached: it was not run`},
		{`geomean("time") < 1.05`, []result.Case{called("a", half), broken, called("x", broken), called("y", broken), called("z", broken), called("0", broken)}, result.Inconclusive,
			`geomean("time") is not known: broken: it could not be measured; x: it could not be measured; y: it could not be measured; and 2 more`},
		{`geomean("time") > 0`, []result.Case{called("a", half), zero}, result.Inconclusive,
			`geomean("time") is not known: zero: in 20 of 20 pairs a side took less than the clock can show`},
		{`geomean("cpu") > 0`, []result.Case{called("a", half)}, result.Inconclusive,
			`geomean("cpu") is not known: a: metric "cpu" was not measured here: it is available everywhere`},
		{`geomean("rss") > 0`, []result.Case{called("a", half), command}, result.Inconclusive,
			`geomean("rss") is not known: command: metric "rss" was not measured here: it is available on Unix`},
		{`geomean("rss") > 0`, []result.Case{called("a", half)}, result.Error, "no case of the suite is compared in rss, so that there is no mean"},
		// Ratios to another tree and those to another case are not mixed.
		{`geomean("time") == 2`, []result.Case{tree, called("c", half)}, result.Fail, `geomean("time") is 2 (of 1 case compared with the other tree), limit 2`},
		{`geomean("time") < 1`, []result.Case{called("c", half), tree}, result.Pass, ""},
		{`geomean("time") > 1.9`, []result.Case{alone, called("c", half), tree}, result.Pass, ""},
	} {
		if c.expr == `geomean("time") == 2` { // exp(log 2) may be a bit off
			c.expr, c.verdict, c.reason = `geomean("time") > 3`, result.Fail, strings.Replace(c.reason, "limit 2", "limit 3", 1)
		}
		if g := suiteOf(t, c.expr, c.cases...); g.Verdict != c.verdict || g.Reason != c.reason || g.Form != result.FormPoint && g.Verdict != result.Error {
			t.Errorf("%s of %d cases: %s by %s: %s", c.expr, len(c.cases), g.Verdict, g.Form, g.Reason)
		}
	}
	g := suiteOf(t, `geomean("time") < 1.5`, called("a", twice), called("c", same))
	if len(g.Values) != 1 || math.Abs(g.Values[0].Value-math.Sqrt2) > 1e-9 || g.Values[0].Note != "of 2 cases compared with their bases" || g.Values[0].Text != `geomean("time")` {
		t.Errorf("%+v", g.Values)
	}
}

// Exact numbers have ratios too, except for zeros.
func TestGeometricMeanOfExactNumbers(t *testing.T) {
	k := asTree(exact(timed(spread(20, 20, 1, 1)), "allocs", 3), map[string]float64{"allocs": 2})
	if g := suiteOf(t, `geomean("allocs") < 1.4`, k); g.Verdict != result.Fail || g.Form != result.FormPoint {
		t.Errorf("%s by %s: %s", g.Verdict, g.Form, g.Reason)
	}
	k = asTree(exact(timed(spread(20, 20, 1, 1)), "allocs", 3), map[string]float64{"allocs": 0})
	if g := suiteOf(t, `geomean("allocs") < 1.4`, k); g.Verdict != result.Inconclusive || !strings.HasSuffix(g.Reason, "c: one side is zero, and there is no ratio") {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
}

func TestGeometricMeanWrittenWrongly(t *testing.T) {
	c := typical()
	const quoted = "geomean takes the name of a metric in quotes"
	for expr, want := range map[string][2]string{
		`geomean(time) < 1`:        {quoted, geomeanUsage},
		`geomean() < 1`:            {quoted, geomeanUsage},
		`geomean(1) < 1`:           {quoted, geomeanUsage},
		`geomean(host.os) < 1`:     {quoted, geomeanUsage},
		`geomean < 1`:              {quoted, geomeanUsage},
		`geomean("time", 3%) < 1`:  {quoted, geomeanUsage},
		`geomean("exit_code") < 1`: {"exit_code is no metric that has a ratio", geomeanUsage},
		`geomean("tiem") < 1`:      {`unknown metric "tiem"`, `did you mean "time"?`},
		`geomean("x y") < 1`:       {`unknown metric "x y"`, geomeanUsage},
		`geomean("time")`:          {"the expression is a number, not true or false", "compare it with something: time.median < 2ms"},
	} {
		_, problems := Compile([]Source{source(&c, expr)}, nil)
		if len(problems) != 1 || problems[0].Message != want[0] || problems[0].Hint != want[1] {
			t.Errorf("%s: %v", expr, problems)
		}
	}
}
