package gate

import (
	"math"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// TestMain collects garbage seldom, which is a fifth of the time of these tests otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

// The table of metrics is the law; the names of the language follow it.
func TestEnvAgreesWithMetricTable(t *testing.T) {
	known := map[string]bool{}
	for _, m := range result.Metrics() {
		known[m.Name] = true
		i, ok := fieldOf[m.Name]
		if !ok {
			t.Errorf("metric %q has no name in the language", m.Name)
			continue
		}
		plain := reflect.TypeFor[Metrics]().Field(i).Type.Kind() == reflect.Float64
		if plain != (m.Name == "exit_code") {
			t.Errorf("metric %q is a plain number: %t", m.Name, plain)
		}
	}
	for name := range fieldOf {
		if !known[name] {
			t.Errorf("the language has %q, the table has not", name)
		}
	}
	want := "median mean min max p50 p90 p95 p99 stddev mad cv n low high"
	if got := len(statOf); got != len(strings.Fields(want)) {
		t.Errorf("a metric has %d statistics", got)
	}
	for _, stat := range strings.Fields(want) {
		if _, ok := statOf[stat]; !ok {
			t.Errorf("statistic %q has no name in the language", stat)
		}
	}
}

// around makes n blocks of 10 samples. The block medians are middle·(1 ± spread),
// above and below in turn.
func around(middle, spread float64, n int) (xs []float64, blocks []int) {
	for b := range n {
		x := middle * (1 + spread*float64(1-2*(b%2)))
		for range 10 {
			xs, blocks = append(xs, x), append(blocks, b)
		}
	}
	return xs, blocks
}

// sampled makes a measured case with one noisy metric.
func sampled(name, metric string, middle, spread float64, blocks int) result.Case {
	xs, block := around(middle, spread, blocks)
	m, _ := result.FindMetric(metric)
	return result.Case{Suite: "s", Name: name, Kind: result.KindGo, Status: result.Measured,
		Samples: result.Samples{Block: block, Launch: make([]int, len(block)), At: make([]float64, len(block)),
			Columns: map[string]result.Column{metric: xs}},
		Metrics: []result.Summary{{Metric: metric, Unit: m.Unit, N: len(xs), Blocks: blocks, Median: middle, Mean: middle,
			Min: middle * (1 - spread), Max: middle * (1 + spread), P50: middle, P90: middle * (1 + spread),
			P95: middle * (1 + spread), P99: middle * (1 + spread), StdDev: middle * spread, MAD: middle * spread}}}
}

// exact adds a metric that never varied.
func exact(c result.Case, metric string, value float64) result.Case {
	m, _ := result.FindMetric(metric)
	c.Metrics = append(c.Metrics, result.Summary{Metric: metric, Unit: m.Unit, Exact: true, N: 3,
		Median: value, Mean: value, Min: value, Max: value, P50: value, P90: value, P95: value, P99: value})
	return c
}

// typical takes 2 ms ± 1 % and does not allocate.
func typical() result.Case {
	c := exact(exact(sampled("typical", "time", 2e-3, 0.01, 20), "allocs", 0), "heap", 0)
	size := 64.0
	c.Params = []result.Param{{Name: "size", Text: "64", Number: &size}, {Name: "mode", Text: "fast"}}
	return c
}

// source is a gate at a place of its own.
func source(c *result.Case, expr string) Source {
	return Source{Suite: c.Suite, Case: c.Name, Kind: c.Kind, ID: expr, Severity: "fail", OnInconclusive: "list", Params: c.Params,
		Expr: lang.Text{Value: expr, Place: diag.Place{File: "s.yaml", Line: 7, Col: 9}}}
}

// compile compiles gates that have no problems.
func compile(t testing.TB, gates []Source, cases map[string][]string) *Compiled {
	t.Helper()
	set, problems := Compile(gates, cases)
	if len(problems) > 0 {
		t.Fatalf("%q: %v", gates[0].Expr.Value, problems)
	}
	return set
}

// judged compiles one gate of the first case and judges it among all.
func judged(t *testing.T, expr string, cases ...result.Case) result.Gate {
	t.Helper()
	names := map[string][]string{"s": {"absent"}}
	for _, c := range cases {
		names["s"] = append(names["s"], c.Name)
	}
	set := compile(t, []Source{source(&cases[0], expr)}, names)
	set = set.On(func(int) Host { return Host{"linux", "amd64", 2} })
	set.Assess(nil).Judge(cases)
	if len(cases[0].Gates) != 1 {
		t.Fatalf("%s: %d gates", expr, len(cases[0].Gates))
	}
	caused(t, cases[0].Gates[0])
	return cases[0].Gates[0]
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		expr    string
		verdict result.Verdict
		form    result.Form
	}{
		// the 99 % interval of time.median is [1.98 ms, 2.02 ms]
		{"time.median < 2.1ms", result.Pass, result.FormInterval},
		{"time.median < 2.02ms", result.Inconclusive, result.FormInterval},
		{"time.median <= 2.02ms", result.Pass, result.FormInterval},
		{"time.median < 2ms", result.Inconclusive, result.FormInterval},
		{"time.median < 1.98ms", result.Fail, result.FormInterval},
		{"time.median <= 1.98ms", result.Inconclusive, result.FormInterval},
		{"time.median > 1.9ms", result.Pass, result.FormInterval},
		{"time.median >= 1.98ms", result.Pass, result.FormInterval},
		{"time.median > 2.02ms", result.Fail, result.FormInterval},
		{"time.median == 2ms", result.Inconclusive, result.FormInterval},
		{"time.median == 3ms", result.Fail, result.FormInterval},
		{"time.median != 3ms", result.Pass, result.FormInterval},
		{"time.p50 < 2.1ms", result.Pass, result.FormInterval},
		{"2.1ms > time.median", result.Pass, result.FormInterval},
		{"1.9ms > time.median", result.Fail, result.FormInterval},
		{"2ms >= time.median", result.Inconclusive, result.FormInterval},
		{`time["median"] < 2.1ms`, result.Pass, result.FormInterval},
		{"(time.median) < (2.1ms)", result.Pass, result.FormInterval},
		{"1.9ms < time.median < 2.1ms", result.Pass, result.FormInterval},
		{"1.9ms < time.median < 1.95ms", result.Fail, result.FormInterval},

		// limits are arithmetic, constants, parameters and properties of the machine
		{"time.median < 1ms + 1.1ms", result.Pass, result.FormInterval},
		{"time.median < 1.05 * 2ms", result.Pass, result.FormInterval},
		{`time.median < duration("2.1ms")`, result.Pass, result.FormInterval},
		{"time.median < params.size * 1ms", result.Pass, result.FormInterval},
		{"time.median < min(params.size, 1ms)", result.Fail, result.FormInterval},
		{`time.median < (host.os == "linux" ? 2.1ms : 1ms)`, result.Pass, result.FormInterval},
		{"time.median < -2ms", result.Fail, result.FormInterval},

		// Kleene: an undecided part matters only if it could change the outcome
		{"time.median < 2ms and allocs.max == 0", result.Inconclusive, result.FormInterval},
		{"time.median < 2ms and allocs.max == 1", result.Fail, result.FormInterval},
		{"allocs.max == 1 and time.median < 2ms", result.Fail, result.FormExact},
		{"time.median < 2ms or allocs.max == 0", result.Pass, result.FormInterval},
		{"time.median < 2ms || allocs.max == 1", result.Inconclusive, result.FormInterval},
		{"not (time.median < 2ms)", result.Inconclusive, result.FormInterval},
		{"not (time.median < 1ms)", result.Pass, result.FormInterval},
		{"!(time.median < 2.1ms)", result.Fail, result.FormInterval},
		{"time.median < 2ms or not (time.median < 2ms)", result.Inconclusive, result.FormInterval},
		{`host.os != "linux" || time.median < 3ms`, result.Pass, result.FormInterval},
		{`host.os == "linux" or time.median < 1ms`, result.Pass, result.FormExact},
		{`host.os == "linux" ? time.median < 3ms : time.median < 1ms`, result.Pass, result.FormInterval},
		{`host.os == "darwin" ? time.median < 3ms : time.median < 1ms`, result.Fail, result.FormInterval},
		{"time.median < 2ms ? allocs.max == 0 : heap.max == 0", result.Pass, result.FormInterval},
		{"time.median < 2ms ? allocs.max == 0 : heap.max == 1", result.Inconclusive, result.FormInterval},

		// exact
		{"allocs.max == 0", result.Pass, result.FormExact},
		{"heap.median < 4KiB and allocs.median < 1", result.Pass, result.FormExact},
		{`heap.median < size("4KiB")`, result.Pass, result.FormExact},
		{"allocs.max > 0", result.Fail, result.FormExact},
		{"params.size == 64 and params.mode == \"fast\" and allocs.max == 0", result.Pass, result.FormExact},
		{"host.cpus >= 4", result.Fail, result.FormExact},

		// point values, marked
		{"time.p99 < 10ms", result.Pass, result.FormPoint},
		{"time.p99 < 10ms && time.n >= 100", result.Pass, result.FormPoint},
		{"time.max < 2ms", result.Fail, result.FormPoint},
		{"time.cv < 0.10", result.Pass, result.FormPoint},
		{"2 * time.median < 4.1ms", result.Pass, result.FormPoint},
		{"abs(time.median - 2ms) < 10% * 1s", result.Pass, result.FormPoint},
		{"time.median / time.min < 1.005", result.Fail, result.FormPoint},
		{"time.median < 2.1ms and time.p99 < 10ms", result.Pass, result.FormPoint},
		{"time.median in [1, 2]", result.Fail, result.FormPoint},

		// what is not defined is undecided, never a pass
		{"time.low < 3ms", result.Inconclusive, result.FormPoint},
		{"not (time.low >= 3ms)", result.Inconclusive, result.FormPoint},
		{"heap.cv < 1", result.Inconclusive, result.FormExact}, // 0/0
		{"not (heap.cv >= 1)", result.Inconclusive, result.FormExact},

		// no value is an error, never a pass
		{"time.median / allocs.max < 1", result.Error, ""},
		{"not (time.median / allocs.max < 1)", result.Error, ""},
		{"time.median < 2ms / allocs.max", result.Error, ""},
		{"(allocs.max/0) < 2", result.Error, ""},
		{"not ((allocs.max/0) >= 2)", result.Error, ""},
		{"allocs.max < 1/0", result.Error, ""},
		{"cpu.median < 1s", result.Error, ""},
		{"time.median < 3ms and cpu.median < 1s", result.Error, ""},
		{"time.median < 1ms and cpu.median < 1s", result.Fail, result.FormInterval},
		{"time.median < 2ms and cpu.median < 1s", result.Error, ""},
		{"time.median < 3ms or cpu.median < 1s", result.Pass, result.FormInterval},
		{"cpu.median < 1s or time.median < 3ms", result.Error, ""},
		{"cpu.median < 1s ? true : true", result.Error, ""},
		{`case("absent").time.median < 1s`, result.Error, ""},

		// whole numbers do not wrap, because there are none
		{"9223372036854775807 + 1 > allocs.max", result.Pass, result.FormExact},
	} {
		g := judged(t, c.expr, typical())
		if g.Verdict != c.verdict || g.Verdict != result.Error && g.Form != c.form {
			t.Errorf("%s: got %s by %s, want %s by %s (%s)", c.expr, g.Verdict, g.Form, c.verdict, c.form, g.Reason)
		}
		if (g.Reason == "") != (g.Verdict == result.Pass) {
			t.Errorf("%s: %s with reason %q", c.expr, g.Verdict, g.Reason)
		}
	}
}

func TestReasons(t *testing.T) {
	for expr, want := range map[string]string{
		"time.median < 1.9ms":                    "time.median is 2 ms, 99% interval [1.98 ms, 2.02 ms], limit 1.9 ms",
		"time.median < 2ms":                      "time.median is 2 ms, 99% interval [1.98 ms, 2.02 ms], limit 2 ms",
		"allocs.max == 1 and time.median < 2ms":  "allocs.max is 0, limit 1",
		"time.median < 1ms or allocs.max == 1":   "time.median is 2 ms, 99% interval [1.98 ms, 2.02 ms], limit 1 ms; allocs.max is 0, limit 1",
		"not (allocs.max == 0)":                  "allocs.max is 0, limit 0",
		"2 * time.median < time.max":             "2 * time.median < time.max: time.median is 2 ms, time.max is 2.02 ms",
		"host.os == \"windows\"":                 "host.os == \"windows\" is false",
		"not (host.os == \"linux\")":             "host.os == \"linux\" is true",
		"time.median / allocs.max < 1":           `"time.median / allocs.max" is infinite`,
		"heap.cv < 1":                            `heap.cv is not defined: the mean is 0`,
		"1ms / allocs.max > time.median":         `"1ms / allocs.max" is infinite`,
		"time.median < 1ms / allocs.max":         `"1ms / allocs.max" is infinite`,
		"thread_cpu.median < 1s":                 `metric "thread_cpu" was not measured here: it is available on Linux, loops locked to their thread`,
		`case("absent").time.median < 1`:         `case "absent" was not measured in this run`,
		`1 < case("absent").time.p99 / time.p99`: `case "absent" was not measured in this run`,
		"time.cv < 0.5%":                         "time.cv is 0.01, limit 0.005",
	} {
		if g := judged(t, expr, typical()); g.Reason != want {
			t.Errorf("%s:\n got %s\nwant %s", expr, g.Reason, want)
		}
	}
}

func TestValues(t *testing.T) {
	g := judged(t, `time.median < 3ms and time.p99 < 1s and time.median > 1ms and allocs.max == 0 and case("other").time.median < 1s and time.low < 1s`,
		typical(), sampled("other", "time", 5e-3, 0, 9))
	low, high, five := 2e-3*0.99, 2e-3*1.01, 5e-3
	want := []result.Value{
		{Text: "time.median", Value: 2e-3, Low: &low, High: &high, Confidence: 0.99, Unit: "s"},
		{Text: "time.p99", Value: 2e-3 * 1.01, Unit: "s"},
		{Text: "allocs.max"},
		{Text: `case("other").time.median`, Value: 5e-3, Low: &five, High: &five, Confidence: 0.99, Unit: "s"},
	}
	if !reflect.DeepEqual(g.Values, want) {
		t.Errorf("got  %+v\nwant %+v", g.Values, want)
	}
}

func TestTooFewBlocks(t *testing.T) {
	c := sampled("c", "time", 2e-3, 0, 7)
	g := judged(t, "time.median < 1s", c)
	want := "time.median is 2 ms; a 99% interval needs 8 blocks of samples, and there are 7"
	if g.Verdict != result.Inconclusive || g.Reason != want {
		t.Errorf("seven blocks: got %s: %s", g.Verdict, g.Reason)
	}
	if g := judged(t, "time.median < 1s", sampled("c", "time", 2e-3, 0, 8)); g.Verdict != result.Pass {
		t.Errorf("eight blocks: got %s: %s", g.Verdict, g.Reason)
	}
}

func TestDisturbedSamplesDoNotDecide(t *testing.T) {
	c := sampled("c", "time", 2e-3, 0.001, 30)
	for i := range c.Samples.Len() / 3 { // the first blocks ran ten times slower
		c.Samples.Columns["time"][i] *= 10
		c.Samples.Disturbed = append(c.Samples.Disturbed, result.Disturbed{Index: i, Cause: result.Preempted, Count: 1})
	}
	if g := judged(t, "time.median < 2.1ms", c); g.Verdict != result.Pass {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
	c.Samples.Disturbed = nil
	if g := judged(t, "time.median < 2.1ms", c); g.Verdict == result.Pass {
		t.Error("unmarked, they must not be left out")
	}
}

func TestBelowResolution(t *testing.T) {
	c := sampled("c", "time", 2e-10, 0.5, 20)
	bound := 3e-10
	c.Metrics[0].Bound = &bound
	c.Metrics = append(c.Metrics, result.Summary{Metric: "throughput", Unit: "1/s", Median: 5e9})
	for expr, want := range map[string]result.Verdict{
		"time.median < 1ns":                  result.Pass,
		"time.median < 0.3ns":                result.Pass, // it is less than the bound
		"time.median < 0.2ns":                result.Inconclusive,
		"time.median > 0.1ns":                result.Inconclusive,
		"time.median > 0.3ns":                result.Fail,
		"time.median >= 0s":                  result.Pass,
		"throughput.median > 1e9":            result.Pass,
		"throughput.median > 1e10":           result.Inconclusive,
		"throughput.median < 1e9":            result.Fail,
		"time.max < 1ns":                     result.Inconclusive,
		"time.median / 2 < 1ns":              result.Inconclusive,
		"time.n > 10":                        result.Pass,
		"time.median < 1ns or host.cpus > 0": result.Pass,
	} {
		if g := judged(t, expr, c); g.Verdict != want {
			t.Errorf("%s: got %s, want %s (%s)", expr, g.Verdict, want, g.Reason)
		}
	}
	g := judged(t, "time.median < 0.2ns", c)
	if want := "time.median is below resolution (less than 0.3 ns), limit 0.2 ns"; g.Reason != want {
		t.Errorf("got %q, want %q", g.Reason, want)
	}
}

// command makes a case whose runs ended with these statuses.
func command(codes ...float64) result.Case {
	c := sampled("c", "time", 0.1, 0.01, 10)
	c.Kind = result.KindCommand
	column := make([]float64, c.Samples.Len())
	for i := range column {
		column[i] = codes[i%len(codes)]
	}
	c.Samples.Columns["exit_code"] = column
	c = exact(c, "exit_code", codes[0])
	s := c.Summary("exit_code")
	for _, x := range codes {
		s.Exact = s.Exact && x == codes[0]
		s.Min, s.Max = min(s.Min, x), max(s.Max, x)
	}
	return c
}

func TestExitCodeHoldsForEveryRun(t *testing.T) {
	same, varied := command(0), command(0, 0, 3)
	for _, c := range []struct {
		expr  string
		of    result.Case
		want  result.Verdict
		value float64
	}{
		{"exit_code == 0", same, result.Pass, 0},
		{"exit_code == 1", same, result.Fail, 0},
		{"exit_code == 0", varied, result.Fail, 3},
		{"exit_code == 3", varied, result.Fail, 0},
		{"not (exit_code == 0)", varied, result.Fail, 0},
		{"not (exit_code == 3)", varied, result.Fail, 3},
		{"not (exit_code == 1)", varied, result.Pass, 3},
		{"exit_code in [0, 3]", varied, result.Pass, 3},
		{"exit_code < 2 and time.median < 1s", varied, result.Fail, 3},
		{`case("c").exit_code == 0`, varied, result.Fail, 3},
	} {
		g := judged(t, c.expr, c.of)
		if g.Verdict != c.want || g.Values[0].Value != c.value {
			t.Errorf("%s: got %s for %v, want %s for %v (%s)", c.expr, g.Verdict, g.Values[0].Value, c.want, c.value, g.Reason)
		}
	}
	g := judged(t, "exit_code == 0", varied)
	if want := "exit_code is 3, limit 0; exit_code was not the same every time: 0 to 3"; g.Reason != want || g.Form != result.FormPoint {
		t.Errorf("got %s by %s", g.Reason, g.Form)
	}
}

func TestExactMetricThatVaried(t *testing.T) {
	c := exact(sampled("c", "time", 2e-3, 0.01, 20), "allocs", 3)
	s := c.Summary("allocs")
	s.Exact, s.Max = false, 5
	g := judged(t, "allocs.median <= 3", c)
	if want := "allocs was not the same every time: 3 to 5"; g.Verdict != result.Pass || g.Form != result.FormPoint || g.Reason != want {
		t.Errorf("got %s by %s: %s", g.Verdict, g.Form, g.Reason)
	}
}

func TestOtherCases(t *testing.T) {
	slow, gone, broken := sampled("slow", "time", 20e-3, 0.01, 20), typical(), typical()
	gone.Name, gone.Status, gone.Metrics = "gone", result.NotRun, nil
	broken.Name, broken.Status = "broken", result.Failed
	for expr, want := range map[string]result.Gate{
		`case("slow").time.median / time.median < 12`: {Verdict: result.Pass, Form: result.FormPoint},
		`case("slow").time.median < 30ms`:             {Verdict: result.Pass, Form: result.FormInterval},
		`case("slow").allocs.max == 0`:                {Verdict: result.Error, Form: result.FormExact},
		`case("gone").time.median < 1s`:               {Verdict: result.Error, Form: result.FormExact},
		`case("broken").time.median < 1s`:             {Verdict: result.Error, Form: result.FormExact},
		`case("typical").time.median < 3ms`:           {Verdict: result.Pass, Form: result.FormInterval},
	} {
		g := judged(t, expr, typical(), slow, gone, broken)
		if g.Verdict != want.Verdict || g.Form != want.Form {
			t.Errorf("%s: got %s by %s (%s)", expr, g.Verdict, g.Form, g.Reason)
		}
	}
}

func TestCasesThatWereNotMeasured(t *testing.T) {
	c := typical()
	c.Status, c.Failure = result.Failed, &result.Failure{Message: "panic: index out of range"}
	if g := judged(t, "allocs.max == 0", c); g.Verdict != result.Error || g.Reason != "the case could not be measured: panic: index out of range" {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
	c.Status, c.Failure = result.NotRun, nil
	if g := judged(t, "allocs.max == 0", c); g.Verdict != result.NotJudged || g.Reason != "the case was not run" {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
}

func TestJudgeKeepsOrderAndTwins(t *testing.T) {
	a, b := typical(), typical()
	b.Name, b.Metrics[0].Median = "b", 9e-3
	b.Samples = sampled("", "time", 9e-3, 0, 20).Samples
	sources := []Source{source(&a, "time.median < 5ms"), source(&a, "allocs.max == 0"), source(&b, "time.median < 5ms")}
	set := compile(t, sources, nil)
	if set.gates[sides.KeyOf(&a)][0].rule != set.gates[sides.KeyOf(&b)][0].rule {
		t.Error("equal texts of one kind were compiled twice")
	}
	cases := []result.Case{a, b, {Suite: "s", Name: "free", Status: result.Measured}}
	set.Assess(nil).Judge(cases)
	set.Assess(nil).Judge(cases) // again: gates are replaced, not added
	if len(cases[0].Gates) != 2 || cases[0].Gates[1].Expr != "allocs.max == 0" || cases[1].Gates[0].Verdict != result.Fail || cases[2].Gates != nil {
		t.Errorf("got %+v", cases)
	}
	if g := cases[0].Gates[0]; g.Severity != "fail" || g.OnInconclusive != "list" || g.Place.Line != 7 {
		t.Errorf("got %+v", g)
	}
}

func TestNaNInAResultIsAnError(t *testing.T) {
	c := typical()
	c.Metrics[0].P99 = math.NaN()
	if g := judged(t, "not (time.p99 >= 1s)", c); g.Verdict != result.Error || g.Reason != `"time.p99" has no value` {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
}

// A difference that the digits do not show is printed separately.
func TestRangesThatRoundingHides(t *testing.T) {
	for want, s := range map[string]result.Summary{
		"2":                         {Min: 2, Max: 2},
		"2 to 3":                    {Min: 2, Max: 3},
		"2 to 2.001":                {Min: 2, Max: 2, Slack: 0.001},
		"2 and up to 0.000125 more": {Min: 2, Max: 2, Slack: 0.000125},
	} {
		if got := sides.RangeOf(&s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	c := typical()
	allocs := c.Summary("allocs")
	allocs.Min, allocs.Max, allocs.Median, allocs.Exact, allocs.Slack = 2, 2, 2, false, 0.0001
	if g := judged(t, "allocs.max < 2", c); !strings.HasSuffix(g.Reason, "; allocs was not the same every time: 2 and up to 0.0001 more") {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
}

// Batches of one of a function that takes about 61 ns, by a clock that steps by 20 ns and whose
// readings take 26 ns: every number may be wrong by 46 ns.
func TestNumbersWithAnErrorOfTheClockAreRanges(t *testing.T) {
	c := sampled("c", "time", 61e-9, 0.01, 20)
	c.ClockError, c.Metrics[0].Error = 46e-9, 46e-9
	rates, blocks := around(1/61e-9, 0.01, 20)
	c.Samples.Columns["throughput"], c.Samples.Block = rates, blocks
	c.Metrics = append(c.Metrics, result.Summary{Metric: "throughput", Unit: "1/s", Median: 1 / 61e-9})
	for expr, want := range map[string]result.Verdict{
		"time.median < 110ns":     result.Pass,
		"time.median < 100ns":     result.Inconclusive, // decided without the error
		"time.median > 50ns":      result.Inconclusive,
		"time.median > 120ns":     result.Fail,
		"time.min > 10ns":         result.Pass,
		"time.min > 50ns":         result.Inconclusive,
		"time.min >= 120ns":       result.Fail,
		"time.mean < 100ns":       result.Inconclusive,
		"time.max == 61ns":        result.Inconclusive,
		"time.stddev < 1ns":       result.Pass, // the same error in all values
		"throughput.median > 9e6": result.Pass,
		"throughput.median > 1e7": result.Inconclusive,
		"throughput.median < 5e7": result.Inconclusive, // 61 ns less 46 ns is 15 ns
		"throughput.median < 8e7": result.Pass,
	} {
		if g := judged(t, expr, c); g.Verdict != want || want == result.Inconclusive && expr[:8] != "throughp" && g.Cause != result.CauseResolution && !strings.Contains(expr, "median") {
			t.Errorf("%s: got %s by %s, want %s (%s)", expr, g.Verdict, g.Cause, want, g.Reason)
		}
	}
	g := judged(t, "time.min > 50ns", c)
	if want := "time.min is 60.39 ns, which may be wrong by 46 ns, and the limit is 50 ns"; g.Reason != want || g.Cause != result.CauseResolution {
		t.Errorf("got %q by %q, want %q", g.Reason, g.Cause, want)
	}
}
