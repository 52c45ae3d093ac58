package summary

import (
	"slices"

	"example.com/suite/result"
	"example.com/suite/result/latencies"
	"example.com/suite/stats"
)

// percentile describes a percentile of single iterations. The value and its interval are
// the ones of all iterations together; the other statistics describe the samples, each of
// which is the percentile of a stretch.
func (side *Side) percentile(m result.Metric) result.Summary {
	l, conf := side.Case.Latency, side.Case.Settings.Confidence
	value := latencies.Percentile(l, m.Quantile)
	xs, _, _ := side.Case.Samples.Headline(m.Name)
	if len(xs) == 0 {
		xs = []float64{value}
	}
	s := result.Summary{Metric: m.Name, Unit: m.Unit, N: int(l.Count), Blocks: len(l.Groups),
		Median: value, Mean: stats.Mean(xs), StdDev: stats.StdDev(xs), MAD: stats.MAD(xs), Min: min(slices.Min(xs),
			value), Max: max(slices.Max(xs), value),
		P50: stats.Quantile(xs, 0.5), P90: stats.Quantile(xs, 0.9), P95: stats.Quantile(xs, 0.95),
		P99:      stats.Quantile(xs, 0.99),
		Extremes: "iteration"}
	if low, high, err := latencies.Interval(l, m.Quantile, conf); err == nil {
		s.Low, s.High, s.Confidence = &low, &high, conf
	}
	return s
}
