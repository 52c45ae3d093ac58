package sides

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Why a case has no number of a metric that its kind of case can have.

// MissingOf returns the error for a metric that a case lacks. If the case would have it with a
// longer batch or another program, the gate is undecided and not wrong.
func MissingOf(c *result.Case, m result.Metric) error {
	if m.Quantile > 0 && c.Latency != nil {
		return &Absence{result.CauseFewSamples,
			fmt.Sprintf("%s is compared by stretches, and %s are too few for one: raise target_time",
				m.Name, units.Plural(int(c.Latency.Count), "iteration")),
			true}
	}
	if why := tooShort(c, m); why != "" {
		return &Absence{result.CauseNoMetric, fmt.Sprintf("metric %q is not known here: %s", m.Name, why), true}
	}
	return &Absence{result.CauseNoMetric, fmt.Sprintf("metric %q was not measured here: %s", m.Name, whyNot(c, m)),
		m.Counted}
}

// Length of a batch, in seconds, from which functions have these metrics. The first
// is wire.LongBatch; the second is ten readings of a slow clock of CPU time.
const (
	waitFrom = 5e-3
	cpuFrom  = 1e-4
)

// tooShort explains how long a batch or run must be for the metric, "" if the metric is missing
// for another reason.
func tooShort(c *result.Case, m result.Metric) string {
	isGo := c.Kind == result.KindGo
	length := batchLength(c)
	switch {
	case length == 0:
	case m.Name == "wait" && !isGo:
		return "it is known of runs whose main thread does all of the work (tree_wait knows of all threads " +
			"and processes)"
	case m.Name == "wait" && length < waitFrom:
		return fmt.Sprintf("functions have it in batches above 5 ms, and a batch takes %s: raise sample_time",
			shown(length))
	case isGo && (m.Name == "cpu" || m.Name == "thread_cpu") && length < cpuFrom:
		return fmt.Sprintf("a batch of %s is too short for the clock of CPU time: raise sample_time", shown(length))
	}
	return ""
}

func shown(seconds float64) string {
	return units.Format(time.Duration(seconds*1e9).Seconds(), "s")
}

// batchLength returns the median length of a batch or a run, in seconds, 0 if it is not known.
func batchLength(c *result.Case) float64 {
	wall := c.Summary("wall")
	if wall == nil {
		wall = c.Summary("time")
	}
	if wall == nil || c.Iterations == 0 && c.Kind == result.KindGo {
		return 0
	}
	return wall.Median * float64(max(c.Iterations, 1)) * max(c.Work, 1) * float64(max(c.Settings.Parallel, 1))
}

// NoneVoid returns the summary of void for a case in which nothing was declared void: 0 in each
// sample.
func NoneVoid(c *result.Case) *result.Summary {
	if c.Void > 0 || c.Samples.Len() == 0 || c.Kind == result.KindGoTest {
		return nil
	}
	return &result.Summary{Metric: "void", N: c.Samples.Count(), Exact: true}
}

// whyNot explains why a case lacks a metric: by the failure of its counters if a warning mentions
// one, else by the systems or settings that the metric needs.
func whyNot(c *result.Case, m result.Metric) string {
	if m.OptIn != "" {
		if why := Refused(c, result.WarnNoCounters, m.Name); why != "" {
			return why
		}
		return "it is available " + m.When
	}
	if why := Refused(c, result.WarnNoAllocations, m.Name); why != "" && !m.Sampled {
		return why
	}
	if m.When == "everywhere" || strings.HasPrefix(m.When, "with ") {
		return "it is available " + m.When
	}
	return "it is available on " + m.When
}

// Refused returns the message of the warning with this code that names the metric. If there is
// none, it returns the message of the first warning with the code, or "".
func Refused(c *result.Case, code result.WarningCode, metric string) (why string) {
	for _, w := range c.Warnings {
		if w.Code != code {
			continue
		}
		if slices.Contains(w.Metrics, metric) {
			return w.Message
		}
		if why == "" {
			why = w.Message
		}
	}
	return why
}

// Killed explains why a number is a bound. It counts disturbed runs too, as every report does.
func Killed(c *result.Case) string {
	were := "runs were"
	if len(c.Samples.Censored) == 1 {
		were = "runs was"
	}
	return fmt.Sprintf("%d of %d %s killed after the timeout of %s",
		len(c.Samples.Censored), c.Samples.Count(), were, units.Format(c.Settings.Timeout, "s"))
}
