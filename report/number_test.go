package report

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// A case whose runs were all killed has samples, and its summaries are of what they took
// until then: formats that have no word for that do not take the timeout for its time.
func TestNumbersOfCasesThatTimedOutAreNotExported(t *testing.T) {
	d := reporttest.Document("s")
	reporttest.Measure(d, "whole", 1e-3, 0.01)
	c := reporttest.Command(reporttest.Measure(d, "sleepy", 0.2, 0), 1<<20, 0.01, "sleep", "5")
	c.Status, c.Failure = result.Failed, &result.Failure{Phase: "run", Cause: "timeout", Message: "5 of 5 runs were killed after the timeout of 200ms"}
	c.Samples.Censored = []int{0, 1, 2, 3}
	for _, format := range []string{"bmf", "customSmallerIsBetter", "customBiggerIsBetter", "openmetrics", "prometheus", "benchfmt", "hyperfine"} {
		for line := range strings.Lines(render(t, format, d, table.Options{})) {
			if strings.Contains(line, "sleepy") && !strings.HasPrefix(line, "#") {
				t.Errorf("%s: %s", format, line)
			}
		}
	}
}

// The end of a program is printed once.
func TestFailuresSayOnceHowItEnded(t *testing.T) {
	d := reporttest.Document("s")
	reporttest.Breakdown(reporttest.Measure(d, "x", 1e-3, 0.01), result.Failure{Phase: "warmup", Cause: "exit", Message: "exit status 1", Exit: reporttest.Ptr(1)})
	reporttest.Breakdown(reporttest.Measure(d, "y", 1e-3, 0.01), result.Failure{Phase: "run", Cause: "exit", Message: "no such thing", Exit: reporttest.Ptr(1)})
	failures := table.NewTable(d).Failures
	if f := failures[0]; f.Ended != "" {
		t.Errorf("%s (%s)", f.Message, f.Ended)
	}
	if f := failures[1]; f.Ended != "exit status 1" {
		t.Errorf("%s (%s)", f.Message, f.Ended)
	}
	text := render(t, "markdown", d, table.Options{})
	for _, want := range []string{"x\n  exit in warmup: exit status 1\n", "y\n  exit in run: no such thing (exit status 1)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
