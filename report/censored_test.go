package report

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// killed makes a case a command of which the last runs were killed after 2 s.
func killed(c *result.Case, runs int) *result.Case {
	c.Kind, c.Iterations, c.Settings.Timeout = result.KindCommand, 1, 2
	n := c.Samples.Len()
	for i := n - runs; i < n; i++ {
		c.Samples.Censored = append(c.Samples.Censored, i)
		c.Samples.Columns["time"][i], c.Samples.Columns["wall"][i] = 2, 2
	}
	for i := range c.Metrics {
		c.Metrics[i].Censored, c.Metrics[i].Max, c.Metrics[i].AtLeast = runs, 2, []string{"mean", "stddev", "max"}
	}
	return c
}

func TestKilledRunsAreShownAsBounds(t *testing.T) {
	d := reporttest.Document("hangs")
	killed(reporttest.Measure(d, "known", 10e-3, 0.02), 1)
	open := killed(reporttest.Measure(d, "open above", 20e-3, 0.02), 2)
	open.Summary("time").High = nil
	bound := killed(reporttest.Measure(d, "bound", 2, 0.02), 6)
	for _, metric := range []string{"time", "cpu"} {
		s := bound.Summary(metric)
		s.High, s.AtLeast = nil, append(s.AtLeast, "median", "p50")
	}
	used := killed(reporttest.Measure(d, "by its CPU time", 10e-3, 0.02), 1)
	used.Samples.Columns["time"][11] = 0.5
	got := strings.Join(strings.Fields(render(t, "text", d, table.Options{})), " ")
	for _, want := range []string{
		"known: 1 of 12 runs was killed after the timeout of 2 s, and counts as at least that",
		"open above: 2 of 12 runs were killed after the timeout of 2 s, and count as at least that; the interval has no upper end",
		"by its CPU time: 1 of 12 runs was killed after the timeout of 2 s, and counts as at least the CPU time until then",
		"bound¹ ≥ 2.00 s 12", "open above¹ 20.0 ms 12", "known¹ 10.00 ms ± 2.0% 12",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	junit := render(t, "junit", d, table.Options{})
	for _, want := range []string{`name="killed" value="6"`, "12 samples × 1, 2 killed after 2 s", "ms or more (95%)", "time ≥ 2"} {
		if !strings.Contains(junit, want) {
			t.Errorf("no %q in\n%s", want, junit)
		}
	}
}

func TestValuesWithoutAnUpperEnd(t *testing.T) {
	low := 9e-3
	v := result.Value{Text: "time.median", Value: 10e-3, Unit: "s", Low: &low, Confidence: 0.99}
	if got := table.ValueText(v); got != "time.median = 10 ms, 9 ms or more (99%)" {
		t.Error(got)
	}
}
