package spec

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/result"
)

// kept compares the gates of a plan with the ones of a base, as --against does.
func kept(t *testing.T, base, head string, accepted bool) (plan *Plan, problems string) {
	t.Helper()
	plan, was := planOf(t, head), planOf(t, base)
	plan.Against, plan.Other = &result.Against{Asked: "main"}, planOf(t, head)
	found, wrong := plan.Match(was.Names(), was.Removed, plan.Against)
	before := map[string]*Case{}
	for i, name := range found {
		c := &plan.Cases[i]
		for j := range was.Cases {
			if was.Cases[j].Name == name {
				before[c.Name] = &was.Cases[j]
				plan.Pair(c, &was.Cases[j], was, &plan.Other.Cases[i])
			}
		}
		if name == "" {
			c.Counterpart = &result.Counterpart{State: result.CounterpartNew, Reason: "new"}
		}
	}
	if wrong = append(wrong, plan.Compare()...); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	wrong = plan.KeepGates(was, func(name string) *Case { return before[name] }, accepted)
	return plan, fmt.Sprint(wrong)
}

// changes are the gates that were removed or relaxed, one in each line.
func changes(p *Plan) string {
	var lines []string
	for i := range p.Against.Gates {
		lines = append(lines, strings.TrimSuffix(p.Against.Gates[i].String(), " (judged as it was)"))
	}
	return strings.Join(lines, "\n")
}

// judged are the gates that a case is judged by.
func judged(c *Case) string {
	var list []string
	for _, g := range c.Gates {
		name := g.ID + ": "
		if g.ID == oneLine(g.Expr.Value) {
			name = ""
		}
		list = append(list, name+g.described(&Gate{Severity: "fail", OnInconclusive: "auto"}))
	}
	return strings.Join(list, "; ")
}

// A gate that this tree removed or relaxed is listed, and judges as the base has it. A gate
// that is as strict as before, or stricter, is neither.
func TestGatesOfTheBaseAreKept(t *testing.T) {
	suite := func(expect string) string {
		return "benchmarks: [{name: a, command: x, tolerance: 3%, expect: [" + expect + "]}]"
	}
	const tolerance = "; tolerance@against: not worse(time, 3%)"
	for _, c := range []struct{ base, head, changes, judged string }{
		{"time.median < 2ms", "time.median < 2ms", "", "time.median < 2ms"},
		{"time.median < 2ms", "time.median  <  1ms", "", "time.median < 1ms"},
		{"time.median < 2ms", "time.median < 1ms, time.median < 5ms", "", "time.median < 1ms; time.median < 5ms"},
		{"time.median < 2ms", "time.median < 5ms", "relaxed: a: time.median < 2ms, now time.median < 5ms", "time.median < 2ms@base: time.median < 2ms"},
		{"time.median < 2ms", "time.median <= 1ms", "removed: a: time.median < 2ms", "time.median <= 1ms" + tolerance + "; time.median < 2ms@base: time.median < 2ms"},
		{"throughput.median > 2", "throughput.median > 1", "relaxed: a: throughput.median > 2, now throughput.median > 1", "throughput.median > 2@base: throughput.median > 2"},
		{"throughput.median > 2", "throughput.median > 3", "", "throughput.median > 3"},
		{`"not worse(rss, 5%)"`, `"not worse(rss, 0.5)"`, "relaxed: a: not worse(rss, 5%), now not worse(rss, 0.5)", "not worse(rss, 5%)@base: not worse(rss, 5%)"},
		{`"not worse(rss, 5%)"`, `"not worse(cpu, 5%)"`, "removed: a: not worse(rss, 5%)", "not worse(cpu, 5%)" + tolerance + "; not worse(rss, 5%)@base: not worse(rss, 5%)"},
		{"{name: quick, expr: time.median < 2ms}", "{name: quick, expr: time.max < 1s or time.min < 1s}", "relaxed: a: quick: time.median < 2ms, now time.max < 1s or time.min < 1s",
			"quick: time.max < 1s or time.min < 1s" + tolerance + "; quick@base: time.median < 2ms"},
		{"time.median < 2ms", "{expr: time.median < 2ms, severity: warn}", "relaxed: a: time.median < 2ms, severity: fail, now time.median < 2ms, severity: warn", "time.median < 2ms"},
		{"{expr: time.median < 2ms, on_inconclusive: fail}", "time.median < 2ms", "relaxed: a: time.median < 2ms, on_inconclusive: fail, now time.median < 2ms, on_inconclusive: auto",
			"time.median < 2ms, on_inconclusive: fail"},
		{"{expr: time.median < 2ms, severity: warn}", "time.median < 5ms", "relaxed: a: time.median < 2ms, severity: warn, now time.median < 5ms, severity: fail",
			"time.median < 5ms" + tolerance + "; time.median < 2ms@base: time.median < 2ms, severity: warn"},
		{"time.max < 9s", "time.median < 5ms, time.max < 9s", "", "time.median < 5ms; time.max < 9s"},
	} {
		plan, problems := kept(t, suite(c.base), suite(c.head), false)
		if !strings.Contains(c.judged, tolerance) {
			c.judged += tolerance
		}
		if got := changes(plan); got != c.changes || judged(&plan.Cases[0]) != oneLine(c.judged) || problems != "" {
			t.Errorf("%s → %s: %s\n%s\njudged by %s\nwant      %s", c.base, c.head, problems, got, judged(&plan.Cases[0]), c.judged)
		}
		plan, _ = kept(t, suite(c.base), suite(c.head), true)
		if own := planOf(t, suite(c.head)); judged(&plan.Cases[0]) != judged(&own.Cases[0])+tolerance || strings.Count(fmt.Sprint(plan.Against.Gates), "true") != len(plan.Against.Gates) {
			t.Errorf("%s → %s accepted: judged by %s, %+v", c.base, c.head, judged(&plan.Cases[0]), plan.Against.Gates)
		}
	}
}

// Defaults, keys of the whole suite, other names and bases count too.
func TestGatesOfTheBaseAreKeptAcrossTheSuite(t *testing.T) {
	for name, c := range map[string]struct{ base, head, changes, judged, problems string }{
		"the default tolerance": {"benchmarks: [{name: a, command: x}]", "tolerance: 900%\nbenchmarks: [{name: a, command: x}]",
			"relaxed: a: tolerance@against: not worse(time, 3%), now not worse(time, 900%)", "tolerance@against: not worse(time, 3%)", ""},
		"a smaller tolerance": {"tolerance: 9%\nbenchmarks: [{name: a, command: x}]", "benchmarks: [{name: a, command: x}]", "", "tolerance@against: not worse(time, 3%)", ""},
		"what undecided gates do": {"on_inconclusive: fail\nbenchmarks: [{name: a, command: x}]", "on_inconclusive: list\nbenchmarks: [{name: a, command: x}]",
			"relaxed: a: tolerance@against: not worse(time, 3%), on_inconclusive: fail, now not worse(time, 3%), on_inconclusive: list", "tolerance@against: not worse(time, 3%), on_inconclusive: fail", ""},
		"gates in defaults": {"defaults: {expect: time.max < 1s}\nbenchmarks: [{name: a, command: x}]", "benchmarks: [{name: a, command: x}]",
			"removed: a: time.max < 1s", "tolerance@against: not worse(time, 3%); time.max < 1s@base: time.max < 1s", ""},
		"a case with another name": {"benchmarks: [{name: old, command: x, expect: [time.max < 1s, 'case(\"old\").time.max < 1s']}]", "benchmarks: [{name: a, was: old, command: x, expect: 'case(\"a\").time.max < 1s'}]",
			"removed: a: time.max < 1s", `case("a").time.max < 1s; tolerance@against: not worse(time, 3%); time.max < 1s@base: time.max < 1s`, ""},
		"a new case": {"benchmarks: [{name: b, command: x, expect: time.max < 1s}]", "removed: [b]\nbenchmarks: [{name: a, command: x}]", "", "tolerance@against: not worse(time, 3%)", ""},
		"another base": {"benchmarks: [{name: a, command: x, base: b, expect: ratio(time) < 2}, {name: b, command: x}]", "benchmarks: [{name: a, command: x, expect: ratio(time) < 2}, {name: b, command: x}]",
			"relaxed: a: ratio(time) < 2, compared with b, now compared with main", "ratio(time) < 2; tolerance@against: not worse(time, 3%)", "is not its base any more"},
	} {
		plan, problems := kept(t, c.base, c.head, false)
		if changes(plan) != c.changes || judged(&plan.Cases[0]) != c.judged || !strings.Contains(problems, c.problems) || c.problems == "" && problems != "" {
			t.Errorf("%s: %s\n%s\njudged by %s", name, problems, changes(plan), judged(&plan.Cases[0]))
		}
	}
}

// A gate that compares trees stays with the comparison of trees if the case gets a base.
func TestGatesOfTreesMoveToTheComparisonOfTrees(t *testing.T) {
	plan, problems := kept(t, "benchmarks: [{name: a, command: x}, {name: b, command: x, expect: ratio(rss) < 2}]", "benchmarks: [{name: a, command: x}, {name: b, command: x, base: a}]", false)
	if beside := &plan.Cases[2]; problems != "" || beside.Name != "b@against" || judged(beside) != "tolerance@against: not worse(time, 3%); ratio(rss) < 2@base: ratio(rss) < 2" {
		t.Errorf("%s, %s: %s", problems, beside.Name, judged(beside))
	}
}

// A larger floor, and a smaller chance of a false alarm, make gates milder.
func TestRisksOfTheBaseAreKept(t *testing.T) {
	suite := func(errors string) string { return "errors: {" + errors + "}\nbenchmarks: [{name: a, command: x}]" }
	plan, _ := kept(t, suite("floor: 1%, family: 2%"), suite("floor: 30%, family: 0.1%"), false)
	if want := "relaxed: errors.floor: 1%, now 30%\nrelaxed: errors.family: 2%, now 0.1%"; changes(plan) != want || *plan.Errors.Floor != 0.01 || plan.Errors.Family != 0.02 {
		t.Errorf("%s, %+v", changes(plan), plan.Errors)
	}
	if plan, _ := kept(t, suite("floor: 30%, family: 0.1%"), suite("floor: 1%, family: 2%"), false); changes(plan) != "" || *plan.Errors.Floor != 0.01 {
		t.Errorf("%s, %+v", changes(plan), plan.Errors)
	}
}
