package gate

import (
	"fmt"
	"math"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/latencies"
)

// latencyEvidence is the 99 % interval of a percentile of all iterations.
func latencyEvidence(c *result.Case, m result.Metric) evidence {
	if c.Latency == nil {
		return evidence{span: span{math.NaN(), math.NaN()}, err: errNoLatency}
	}
	if c.Latency.Arrivals.Saturated() {
		return evidence{span: span{math.NaN(), math.NaN()}, err: because(result.CauseSaturated, "%s", saturatedText(c.Latency.Arrivals))}
	}
	low, high, err := latencies.Interval(c.Latency, m.Quantile, confidence)
	return evidence{span{low, high}, len(c.Latency.Groups), err}
}

var errNoLatency = because(result.CauseNoMetric, "single iterations were not timed")

// fewIterations explains why a percentile has no interval.
func fewIterations(c *result.Case, m mention, s *result.Summary) string {
	text := fmt.Sprintf("%s is %s in %s", m.text, units.Format(s.Median, m.metric.Unit), units.Plural(s.N, "iteration"))
	needed := math.Ceil(math.Log((1-confidence)/2) / math.Log(m.metric.Quantile))
	text += fmt.Sprintf("; a 99%% interval needs %.0f that do not depend on each other, in at least %d batches", needed, leastBlocks)
	if a := c.Latency.Arrivals; a != nil && a.Unserved > 0 {
		text += fmt.Sprintf(", and %d were due that had not begun", a.Unserved)
	}
	return text
}

// saturatedText explains why percentiles of an open loop have no meaning.
func saturatedText(a *result.Arrivals) string {
	return fmt.Sprintf("iterations are due faster than they end (%s, utilization %s), so that latencies grow as long as one measures",
		units.Format(a.Rate, "1/s"), units.Format(a.Utilization, result.Percent))
}

// saturated leaves a leaf undecided that reads a percentile of a case whose iterations are due
// faster than they end. The second result is false for other leaves. Comparisons find out
// by themselves: see flawed.
func saturated(j *judging, l *leaf) (outcome, bool) {
	for _, m := range l.mentions {
		if m.metric.Quantile == 0 || m.by != nil {
			continue
		}
		if s, _, err := j.summary(m); err == nil && s.Latency != nil && s.Latency.Arrivals.Saturated() {
			return undecided(result.CauseSaturated, result.FormInterval, m.text+": "+saturatedText(s.Latency.Arrivals)), true
		}
	}
	return outcome{}, false
}
