package gate

import (
	"math"
	"slices"
	"testing"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// counting makes a case with a counter metric in addition to its time.
func counting(metric string, middle, spread float64) result.Case {
	c, other := typical(), sampled("", metric, middle, spread, 20)
	c.Samples.Columns[metric] = other.Samples.Columns[metric]
	c.Metrics = append(c.Metrics, other.Metrics...)
	return c
}

// judgedWith is judged of a case that asked for metrics.
func judgedWith(t *testing.T, metrics []string, expr string, c result.Case) result.Gate {
	t.Helper()
	s := source(&c, expr)
	s.Metrics = metrics
	return judgedBy(t, c, s, 1).Gates[0]
}

// Every metric that has to be asked for can be used once it was, and is refused
// with the line to add before.
func TestMetricsThatHaveToBeAskedFor(t *testing.T) {
	asked := 0
	for _, m := range result.Metrics() {
		if m.OptIn == "" {
			continue
		}
		asked++
		if m.Quantile > 0 {
			continue // they come from a histogram: TestPercentilesOfSingleIterations
		}
		c := counting(m.Name, 100, 0.01)
		c.Kind = m.Kinds[0]
		s := source(&c, m.Name+".median < 200")
		_, problems := Compile([]Source{s}, nil)
		if len(problems) != 1 || problems[0].Message != m.Name+" is not measured in this case" || problems[0].Hint != "add "+m.OptIn {
			t.Errorf("%s: %v", m.Name, problems)
		}
		if g := judgedWith(t, []string{m.Name}, s.Expr.Value, c); g.Verdict != result.Pass || g.Form != result.FormInterval {
			t.Errorf("%s: %s by %s: %s", m.Name, g.Verdict, g.Form, g.Reason)
		}
	}
	if asked != 16 {
		t.Errorf("%d metrics have to be asked for", asked)
	}
}

// Two cases with one text, of which one has asked, do not share a rule.
func TestRulesAreNotSharedWithThoseThatDidNotAsk(t *testing.T) {
	c := typical()
	with, without := source(&c, "ticks.median < 9"), source(&c, "ticks.median < 9")
	with.Metrics, without.Case = []string{"ticks"}, "other"
	for _, order := range [][]Source{{with, without}, {without, with}} {
		if _, problems := Compile(order, nil); len(problems) != 1 {
			t.Errorf("%v", problems)
		}
	}
}

// A counter that was asked for and is missing is an error with the reason.
func TestMissingCounterSaysWhy(t *testing.T) {
	asked := []string{"instructions", "ticks"}
	c := typical()
	g := judgedWith(t, asked, "instructions.median < 5", c)
	if want := `metric "instructions" was not measured here: it is available where the machine has such a counter`; g.Verdict != result.Error || g.Reason != want {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
	c.Warnings = []result.Warning{{Code: "stolen", Message: "noise"}, {Code: "no-counters", Message: "no such event: this machine has no performance monitoring unit"}}
	for expr, want := range map[string]string{
		"instructions.median < 5":        `metric "instructions" was not measured here: no such event: this machine has no performance monitoring unit`,
		"not (instructions.max / 2 < 5)": `metric "instructions" was not measured here: no such event: this machine has no performance monitoring unit`,
		"cpu.median < 5":                 `metric "cpu" was not measured here: it is available everywhere`,
		"wait.median < 5":                `metric "wait" was not measured here: it is available on Linux`,
	} {
		if g := judgedWith(t, asked, expr, c); g.Verdict != result.Error || g.Reason != want {
			t.Errorf("%s: got %s: %s", expr, g.Verdict, g.Reason)
		}
	}
	c.Warnings = []result.Warning{{Code: "no-counters", Message: "cycles: first"}, {Code: "no-counters", Message: "branch-misses: second", Metrics: []string{"branch_misses"}}, {Code: "no-counters", Message: "third"}}
	for metric, want := range map[string]string{"branch_misses": "branch-misses: second", "cycles": "cycles: first", "ticks": "cycles: first"} {
		if got := sides.Refused(&c, result.WarnNoCounters, metric); got != want {
			t.Errorf("%s: got %q", metric, got)
		}
	}
}

// Samples without a value neither decide nor count, and no block is made of them.
func TestGapsDoNotDecide(t *testing.T) {
	c := counting("ticks", 100, 0.01)
	for i := range c.Samples.Columns["ticks"] {
		if i%10 >= 5 || i/10 >= 10 { // half of each block, and ten blocks altogether
			c.Samples.Columns["ticks"][i] = math.NaN()
		}
	}
	asked := []string{"ticks"}
	g := judgedWith(t, asked, "ticks.median < 101.5", c)
	if g.Verdict != result.Pass || g.Values[0].Low == nil || *g.Values[0].Low != 99 || *g.Values[0].High != 101 {
		t.Errorf("got %s: %s, %+v", g.Verdict, g.Reason, g.Values)
	}
	for i := range c.Samples.Columns["ticks"] {
		if i/10 == 7 || i/10 == 8 || i/10 == 9 {
			c.Samples.Columns["ticks"][i] = math.NaN()
		}
	}
	g = judgedWith(t, asked, "ticks.median < 1000", c)
	if want := "ticks.median is 100; a 99% interval needs 8 blocks of samples, and there are 7"; g.Verdict != result.Inconclusive || g.Reason != want {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
}

// Runs whose exit status is not known are not runs that ended with NaN.
func TestExitCodesWithGaps(t *testing.T) {
	c := command(0)
	c.Samples.Columns["exit_code"][3] = math.NaN()
	if g := judged(t, "exit_code == 0", c); g.Verdict != result.Pass {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
}

func TestBelowResolutionOfCounts(t *testing.T) {
	c, bound := counting("ticks", 0.05, 0.5), 0.1
	c.Summary("ticks").Bound = &bound
	for expr, want := range map[string]result.Verdict{
		"ticks.median < 1": result.Pass, "ticks.median < 0.1": result.Pass,
		"ticks.median < 0.01": result.Inconclusive, "ticks.median > 0.2": result.Fail,
	} {
		if g := judgedWith(t, []string{"ticks"}, expr, c); g.Verdict != want {
			t.Errorf("%s: got %s: %s", expr, g.Verdict, g.Reason)
		}
	}
	g := judgedWith(t, []string{"ticks"}, "ticks.median < 0.01", c)
	if want := "ticks.median is below resolution (less than 0.1), limit 0.01"; g.Reason != want {
		t.Errorf("got %s", g.Reason)
	}
}

// An extreme of batches is called that; one of iterations is not.
func TestExtremesOfBatches(t *testing.T) {
	c := typical()
	c.Iterations, c.Metrics[0].Extremes = 272000, "batch"
	for expr, want := range map[string]string{
		"time.max < 2ms":             "time.max is 2.02 ms (of batches of 272000 iterations), limit 2 ms",
		"time.min > 1s":              "time.min is 1.98 ms (of batches of 272000 iterations), limit 1 s",
		"time.p99 < 1ms":             "time.p99 is 2.02 ms, limit 1 ms",
		"time.max < 1.01 * time.min": "time.max < 1.01 * time.min: time.max is 2.02 ms (of batches of 272000 iterations), time.min is 1.98 ms (of batches of 272000 iterations)",
		"allocs.max > 0":             "allocs.max is 0, limit 0",
	} {
		if g := judged(t, expr, c); g.Reason != want {
			t.Errorf("%s: got %s", expr, g.Reason)
		}
	}
	g := judged(t, "time.max < 3ms and time.median < 3ms", c)
	if g.Verdict != result.Pass || g.Values[0].Note != "of batches of 272000 iterations" || g.Values[1].Note != "" {
		t.Errorf("got %+v", g)
	}
	c.Metrics[0].Extremes = "iteration"
	if g := judged(t, "time.max < 2ms", c); g.Reason != "time.max is 2.02 ms, limit 2 ms" || g.Values[0].Note != "" {
		t.Errorf("got %+v", g)
	}
}

// A metric that this machine lacks keeps no case open.
func TestOpenDoesNotWaitForWhatIsMissing(t *testing.T) {
	c := sampled("c", "time", 2e-3, 0, 30)
	c.Samples.Columns["ticks"] = result.Column(slices.Repeat([]float64{math.NaN()}, c.Samples.Len()))
	for expr, want := range map[string][2]int{
		"ticks.median < 9":                          {0, 0},
		"instructions.median < 9":                   {0, 0},
		"ticks.median < 9 and time.median < 3ms":    {0, 1},
		"ticks.median < 9 and time.median < 2ms":    {0, 1}, // fails: the time is not under it
		"time.median < 3ms or instructions.p50 < 9": {0, 1},
	} {
		s := source(&c, expr)
		s.Metrics = []string{"ticks", "instructions"}
		set := compile(t, []Source{s}, nil)
		if open, decided := set.Watch().Open(&c); open != want[0] || decided != want[1] {
			t.Errorf("%s: %d open, %d decided, want %v", expr, open, decided, want)
		}
	}
	// Before the first sample nothing is known to be missing.
	if open, _ := opened(t, result.Case{Suite: "s", Name: "c", Kind: result.KindGo}, "time.median < 3ms"); open != 1 {
		t.Error("given up before the first sample")
	}
}

// Where only medians of blocks are kept they decide, and looks are as far apart
// as samples, not rows, are many.
func TestSummarisedSamplesDecide(t *testing.T) {
	c := typical()
	c.Samples.Taken = 20 * 1000
	for i := range c.Samples.Block {
		c.Samples.Block[i] = i // each row is a block
	}
	if g := judged(t, "time.median < 2.1ms", c); g.Verdict != result.Pass {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
	set, _ := Compile([]Source{source(&c, "time.median < 2.1ms")}, nil)
	watch := set.Watch()
	watch.Open(&c)
	if n := watch.looks[sides.KeyOf(&c)].samples; n != 20000 {
		t.Errorf("looked at after %d samples", n)
	}
}

// A single pass is no measurement that a limit can be held to.
func TestSinglePassDecidesNothing(t *testing.T) {
	c := sampled("c", "time", 2e-3, 0, 1)
	c.Settings.Sampling = "once"
	if g := judged(t, "time.median < 1s", c); g.Verdict != result.Inconclusive || g.Reason != "time.median is 2 ms; a single pass has no interval" {
		t.Errorf("got %s: %s", g.Verdict, g.Reason)
	}
}

// What longer batches or another program would have is undecided, with what to change. Of
// void there is always a number.
func TestMetricsThatACaseDoesNotReach(t *testing.T) {
	batch := func(n int64) result.Case {
		c := typical()
		c.Iterations, c.Work = n, 1
		c.Summary("time").Median = 1e-6
		return c
	}
	run := command(0, 3)
	run.Work = 1
	slow := typical()
	slow.Warnings = []result.Warning{{Code: "no-allocations", Message: "allocations were not counted: too slow"}}
	slow.Metrics = slow.Metrics[:1]
	for _, c := range []struct {
		expr    string
		c       result.Case
		verdict result.Verdict
		reason  string
	}{
		{"wait.median < 1s", batch(1000), result.Inconclusive, `metric "wait" is not known here: functions have it in batches above 5 ms, and a batch takes 1 ms: raise sample_time`},
		{"not (wait.max / 2 > 1s)", batch(1000), result.Inconclusive, `metric "wait" is not known here: functions have it in batches above 5 ms, and a batch takes 1 ms: raise sample_time`},
		{"wait.median < 1s", batch(6000), result.Error, `metric "wait" was not measured here: it is available on Linux`},
		{"wait.median < 1s", run, result.Inconclusive, `metric "wait" is not known here: it is known of runs whose main thread does all of the work (tree_wait knows of all threads and processes)`},
		{"cpu.median < 1s", batch(10), result.Inconclusive, `metric "cpu" is not known here: a batch of 10 µs is too short for the clock of CPU time: raise sample_time`},
		{"thread_cpu.p99 < 1s", batch(10), result.Inconclusive, `metric "thread_cpu" is not known here: a batch of 10 µs is too short for the clock of CPU time: raise sample_time`},
		{"cpu.median < 1s", batch(1000), result.Error, `metric "cpu" was not measured here: it is available everywhere`},
		{"void.max == 0", typical(), result.Pass, ""},
		{"void.median > 0", run, result.Fail, "void.median is 0, limit 0"},
		{"allocs.max == 0", slow, result.Error, `metric "allocs" was not measured here: allocations were not counted: too slow`},
	} {
		if g := judged(t, c.expr, c.c); g.Verdict != c.verdict || g.Reason != c.reason {
			t.Errorf("%s: %s: %s", c.expr, g.Verdict, g.Reason)
		}
	}
}
