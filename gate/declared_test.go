package gate

import (
	"strings"
	"testing"

	"example.com/suite/result"
)

// declaring adds a declared metric to a case, with a number in each sample.
func declaring(name string, d result.Declared, middle, spread float64) result.Case {
	c, other := typical(), sampled("", d.Name, middle, spread, 20)
	c.Name, c.Kind, c.Declared = name, result.KindCommand, []result.Declared{d}
	c.Samples.Columns[d.Name] = other.Samples.Columns[d.Name]
	other.Metrics[0].Unit = d.Unit
	c.Metrics = append(c.Metrics, other.Metrics...)
	return c
}

var (
	latency = result.Declared{Name: "latency", Unit: "s", Better: result.Lower}
	lines   = result.Declared{Name: "lines", Unit: "lines", Better: result.Higher, Exact: true}
)

// three cases: two that declare a metric each, and one that declares none.
func three() []result.Case {
	counted := declaring("counted", lines, 100, 0)
	counted.Metrics[len(counted.Metrics)-1].Exact = true
	plain := typical()
	plain.Name, plain.Kind = "plain", result.KindCommand
	return []result.Case{declaring("slow", latency, 3e-3, 0.01), counted, plain}
}

// compiled compiles a gate of one of the cases.
func compiled(cases []result.Case, of int, expr string) (*Compiled, string) {
	s := source(&cases[of], expr)
	s.Declared = Declared{}
	names := map[string][]string{}
	for _, c := range cases {
		names["s"] = append(names["s"], c.Name)
		if c.Declared != nil {
			s.Declared[c.Name] = c.Declared
		}
	}
	set, problems := Compile([]Source{s}, names)
	return set, problems.Error()
}

func TestDeclaredMetricsAreNamesOfExpressions(t *testing.T) {
	for _, test := range []struct {
		of      int
		expr    string
		verdict result.Verdict
		form    result.Form
		values  int
	}{
		{0, "latency.median < 4ms", result.Pass, result.FormInterval, 1},
		{0, "latency.median < 3ms", result.Inconclusive, result.FormInterval, 1},
		{0, "2ms > latency.p50", result.Fail, result.FormInterval, 1},
		{0, "latency.p99 < 3.1ms and latency.max / latency.min < 2", result.Pass, result.FormPoint, 3},
		{1, "lines.median == 100", result.Pass, result.FormExact, 1},
		{1, "lines.max > 100", result.Fail, result.FormExact, 1},
		{2, `case("counted").lines.median == 100`, result.Pass, result.FormExact, 1},
		{2, `case("slow").latency.median < 4ms`, result.Pass, result.FormInterval, 1},
		{2, `case("slow").latency.max - case("counted").lines.median / 1e6 < 4ms`, result.Pass, result.FormPoint, 2},
		{2, `case("slow").latency.p99 < case("slow").time.p99 * 2`, result.Pass, result.FormPoint, 2},
		{2, `case("slow").time.median < 3ms`, result.Pass, result.FormInterval, 1},
		{1, `lines.max * case("slow").latency.max > 0.2`, result.Pass, result.FormPoint, 2},
	} {
		cases := three()
		set, problems := compiled(cases, test.of, test.expr)
		if problems != "" {
			t.Errorf("%s: %s", test.expr, problems)
			continue
		}
		set.Assess(nil).Judge(cases)
		g := cases[test.of].Gates[0]
		if g.Verdict != test.verdict || len(g.Values) < test.values || g.Form != test.form {
			t.Errorf("%s: %s by %s, %d values: %s", test.expr, g.Verdict, g.Form, len(g.Values), g.Reason)
		}
	}
}

// What decided has the value and the unit of the metric.
func TestValuesOfDeclaredMetrics(t *testing.T) {
	cases := three()
	set, _ := compiled(cases, 0, "latency.median < 2ms")
	set.Assess(nil).Judge(cases)
	g := cases[0].Gates[0]
	if v := g.Values[0]; v.Text != "latency.median" || v.Value != 3e-3 || v.Unit != "s" || v.Low == nil || g.Form != result.FormInterval {
		t.Errorf("%+v by %s", v, g.Form)
	}
	if want := "latency.median is 3 ms, 99% interval [2.97 ms, 3.03 ms], limit 2 ms"; g.Reason != want {
		t.Errorf("%q, want %q", g.Reason, want)
	}
}

func TestDeclaredMetricsOfOthersAreRefused(t *testing.T) {
	for _, test := range []struct {
		of         int
		expr, want string
	}{
		{0, "lines.median > 5", `unknown name "lines"|another case declares it: case("counted").lines.median`},
		{0, "latncy.median > 5", `unknown name "latncy"|did you mean "latency"?`},
		{2, "nonsense.median > 5", `unknown name "nonsense"|known names: abs, base,`},
		{0, "latency.medain > 5", `unknown field "medain" of "latency"|did you mean "median"?`},
		{0, "latency > 5", "a metric is not a value|"},
		{0, `case("slow").lines.median > 5`, `case "slow" declares no metric "lines"|cases that do: counted`},
		{2, `case("plain").latency.p99 > 5`, `case "plain" declares no metric "latency"|cases that do: slow`},
		{2, `case("nowhere").latency.p99 > 5`, `unknown case "nowhere"|names are those`},
		{2, `case("slow").latenzy.p99 > 5`, `unknown field "latenzy"|did you mean "latency"?`},
		{0, `thread_cpu.median < 5`, `metric "thread_cpu" is not collected for external commands|metrics that are: time, throughput,`},
	} {
		_, problems := compiled(three(), test.of, test.expr)
		message, hint, _ := strings.Cut(test.want, "|")
		if !strings.Contains(problems, message) || !strings.Contains(problems, hint) {
			t.Errorf("%s: %s", test.expr, problems)
		}
	}
	if _, problems := compiled(three(), 0, "nonsense.median > 5"); !strings.Contains(problems, " latency,") || strings.Contains(problems, " lines,") {
		t.Errorf("a hint lists other names than those of the case: %s", problems)
	}
}

// A gate on a declared metric is one that samples decide.
func TestSteeringByDeclaredMetrics(t *testing.T) {
	for expr, want := range map[string][2]int{
		"latency.median < 9ms":                   {0, 1},
		"latency.median < 3ms":                   {1, 0},
		"latency.p99 < 9ms":                      {0, 0},
		`case("counted").lines.median > 5`:       {0, 0},
		"latency.median < 9ms and time.max < 9s": {0, 0},
	} {
		cases := three()
		cases[0].Metrics = nil
		set, problems := compiled(cases, 0, expr)
		if problems != "" {
			t.Fatal(problems)
		}
		if open, decided := set.Watch().Open(&cases[0]); open != want[0] || decided != want[1] {
			t.Errorf("%s: %d open, %d decided", expr, open, decided)
		}
	}
}

// A metric that nothing was measured of is an error, not a pass.
func TestADeclaredMetricThatIsMissingIsAnError(t *testing.T) {
	for _, expr := range []string{"latency.median < 5", "latency.max < 5", "latency.max + 1 < 5"} {
		cases := three()
		cases[0].Metrics = cases[0].Metrics[:1]
		set, _ := compiled(cases, 0, expr)
		set.Assess(nil).Judge(cases)
		if g := cases[0].Gates[0]; g.Verdict != result.Error || !strings.Contains(g.Reason, `metric "latency" was not measured here`) {
			t.Errorf("%s: %s: %s", expr, g.Verdict, g.Reason)
		}
	}
}

// If one of two cases declares a metric, the same text is two rules. If both declare
// it, each has its own unit.
func TestRulesOfDeclaredMetricsAreNotShared(t *testing.T) {
	cases := []result.Case{declaring("a", lines, 100, 0), declaring("b", result.Declared{Name: "lines", Unit: "B", Better: result.Lower}, 100, 0.01), typical()}
	cases[2].Kind = result.KindCommand
	declared := Declared{"a": cases[0].Declared, "b": cases[1].Declared}
	var all []Source
	for i := range cases {
		s := source(&cases[i], "lines.median < 1000")
		s.Declared = declared
		all = append(all, s)
	}
	for _, order := range [][]Source{all, {all[2], all[1], all[0]}} {
		if _, problems := Compile(order, nil); len(problems) != 1 {
			t.Errorf("%v", problems)
		}
	}
	set, _ := Compile(all[:2], nil)
	set.Assess(nil).Judge(cases)
	for i, unit := range []string{"lines", "B"} {
		if v := cases[i].Gates[0].Values; len(v) != 1 || v[0].Unit != unit {
			t.Errorf("case %d: %+v", i, v)
		}
	}
	s := source(&cases[2], `case("b").lines.median < 1000 and case("a").lines.median < 1000`)
	s.Declared = declared
	set = compile(t, []Source{s}, map[string][]string{"s": {"a", "b"}})
	set.Assess(nil).Judge(cases)
	if v := cases[2].Gates[0].Values; len(v) != 2 || v[0].Unit != "B" || v[1].Unit != "lines" {
		t.Errorf("%+v", v)
	}
}
