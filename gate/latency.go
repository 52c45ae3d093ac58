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

// saturatedText explains why percentiles of an open loop have no meaning.
func saturatedText(a *result.Arrivals) string {
	return fmt.Sprintf("iterations are due faster than they end (%s, utilization %s), so that latencies grow as long as one measures",
		units.Format(a.Rate, "1/s"), units.Format(a.Utilization, result.Percent))
}
