package result

import (
	"math"
	"slices"
)

// Ends returns bounds of each sample of Headline, in order, and its block. If no run
// was killed, low and high are equal. The time of a killed run has no upper bound
// (high is +Inf), and its rate has the lower bound 0. Metrics that killed runs lack,
// such as the exit status, have only the samples of the other runs.
func (s *Samples) Ends(metric string) (low, high []float64, blocks []int) {
	xs, blocks, _ := s.Headline(metric)
	if len(s.Censored) == 0 {
		return xs, xs, blocks
	}
	low, high = slices.Clone(xs), slices.Clone(xs)
	i := 0 // into xs, which has the rows with a number
	for row, x := range s.Column(metric) {
		if absent(x) {
			continue
		}
		switch _, censored := slices.BinarySearch(s.Censored, row); {
		case censored && metric == "throughput":
			low[i] = 0
		case censored:
			high[i] = math.Inf(1)
		}
		i++
	}
	return low, high, blocks
}

// Bounded returns +1 if the statistic with this key is only a lower bound, -1 if it is
// only an upper bound, and 0 if its value is known.
func (s *Summary) Bounded(statistic string) int {
	switch {
	case slices.Contains(s.AtLeast, statistic):
		return 1
	case slices.Contains(s.AtMost, statistic):
		return -1
	}
	return 0
}

// boundable are the statistics that may be bounds.
var boundable = []string{"median", "mean", "stddev", "mad", "min", "max", "p50", "p90", "p95", "p99"}

func (v *validator) censored(s *Samples) {
	last := -1
	for _, i := range s.Censored {
		v.check(i >= 0 && i < s.Len(), "censored sample %d is outside the %d samples", i, s.Len())
		v.check(i > last, "censored samples are not in ascending order: %d after %d", i, last)
		v.check(!slices.ContainsFunc(s.Disturbed, func(d Disturbed) bool { return d.Index == i }), "censored sample %d is disturbed as well", i)
		last = i
	}
	v.check(s.Taken == 0 || len(s.Censored) == 0, "rows that are a summary of samples are censored")
}

func (v *validator) bounds(s *Summary) {
	v.check(s.Censored >= 0 && s.Censored <= s.N, "metric %q: %d of %d samples are censored", s.Metric, s.Censored, s.N)
	v.check(s.Censored > 0 || len(s.AtLeast)+len(s.AtMost) == 0, "metric %q: a statistic is a bound, and no sample is", s.Metric)
	for _, name := range slices.Concat(s.AtLeast, s.AtMost) {
		v.check(slices.Contains(boundable, name), "metric %q: unknown statistic %q", s.Metric, name)
	}
}
