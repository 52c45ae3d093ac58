package summary

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// censor corrects a summary for samples whose runs were killed. A statistic that depends
// on their unknown values becomes a bound: a lower bound for metrics that grow during a
// run, an upper bound for rates.
func (side *Side) censor(s *result.Summary) {
	low, high, blocks := side.Case.Samples.Ends(s.Metric)
	for i := range low {
		if low[i] != high[i] {
			s.Censored++
		}
	}
	if s.Censored == 0 {
		return
	}
	c := stats.Censored{Low: low, High: high}
	quantile := func(p float64) func() (low, high float64) {
		return func() (low, high float64) { return c.Quantile(p) }
	}
	for _, statistic := range []struct {
		name string
		x    *float64
		ends func() (low, high float64)
	}{
		{"median", &s.Median, c.Median}, {"mean", &s.Mean, c.Mean}, {"stddev", &s.StdDev,
			c.StdDev}, {"mad", &s.MAD, c.MAD},
		{"min", &s.Min, c.Min}, {"max", &s.Max, c.Max},
		{"p50", &s.P50, quantile(0.5)}, {"p90", &s.P90, quantile(0.9)}, {"p95", &s.P95, quantile(0.95)},
		{"p99", &s.P99, quantile(0.99)},
	} {
		switch low, high := statistic.ends(); {
		case low == high:
			*statistic.x = low
		case s.Metric == "throughput" && !math.IsInf(high, 1):
			*statistic.x, s.AtMost = high, append(s.AtMost, statistic.name)
		default:
			*statistic.x, s.AtLeast = low, append(s.AtLeast, statistic.name)
		}
	}
	if from, to := c.Quantile(0.75); from != to {
		s.OutliersLow, s.OutliersHigh = 0, 0 // they would be a guess
	}
	s.Low = nil
	s.High = nil
	s.Confidence = 0
	if low, high, err := c.BlockInterval(blocks, side.Case.Settings.Confidence); err == nil {
		s.Low, s.Confidence = &low, side.Case.Settings.Confidence
		if !math.IsInf(high, 1) {
			s.High = &high
		}
	}
}
