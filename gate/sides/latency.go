package sides

import (
	"fmt"
	"math"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/latencies"
)

// latencyEvidence is the 99 % interval of a percentile of all iterations.
func latencyEvidence(c *result.Case, m result.Metric) Evidence {
	if c.Latency == nil {
		return Evidence{Span: Span{math.NaN(), math.NaN()}, Err: errNoLatency}
	}
	if c.Latency.Arrivals.Saturated() {
		return Evidence{
			Span: Span{math.NaN(), math.NaN()},
			Err:  Because(result.CauseSaturated, "%s", SaturatedText(c.Latency.Arrivals)),
		}
	}
	low, high, err := latencies.Interval(c.Latency, m.Quantile, Confidence)
	return Evidence{Span{low, high}, len(c.Latency.Groups), err}
}

var errNoLatency = Because(result.CauseNoMetric, "single iterations were not timed")

// SaturatedText explains why percentiles of an open loop have no meaning.
func SaturatedText(a *result.Arrivals) string {
	return fmt.Sprintf("iterations are due faster than they end (%s, utilization %s), so that latencies grow "+
		"as long as one measures",
		units.Format(a.Rate, "1/s"), units.Format(a.Utilization, result.Percent))
}
