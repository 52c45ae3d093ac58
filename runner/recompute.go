package runner

import (
	"slices"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// Summaries computes again, from the samples of a case alone, the summary of every
// sampled metric, by the code of a run. Metrics from a pass of their own, such as
// allocations, are not among them. If only a summary of the samples is kept, medians and
// their intervals follow from the rows, and nothing else does. c is left as it is.
func Summaries(c *result.Case) (all []result.Summary) {
	t := &track{result: c, recorded: recorded{N: int(c.Iterations), Counter: countedIn(c)}, spec: &spec.Case{}}
	t.spec.Kind, t.spec.Settings.Confidence = c.Kind, c.Settings.Confidence
	for _, m := range c.Table() {
		if t.describes(m) {
			all = append(all, t.summary(m))
		}
	}
	return all
}

// describes reports whether there are samples of a metric to summarise. If some of the
// times are zero there is no rate.
func (t *track) describes(m result.Metric) bool {
	c := t.result
	if !m.Sampled && !t.isGoTest() || !slices.Contains(m.Kinds, c.Kind) || c.Samples.Column(m.Name) == nil {
		return false
	}
	time := c.Summary("time")
	return m.Name != "throughput" || time == nil || time.Min != 0
}

// countedIn is the unit of the cycle counter that a case has, empty for none.
func countedIn(c *result.Case) string {
	for _, unit := range []string{"ticks", "cycles"} {
		if c.Counter != "" && c.Samples.Columns[unit] != nil {
			return unit
		}
	}
	return ""
}
