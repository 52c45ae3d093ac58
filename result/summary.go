package result

import "slices"

// Summary describes one metric of one case. Absent numbers are nil.
type Summary struct {
	Metric string `json:"metric"`
	Unit   string `json:"unit"` // s, B, 1/s, or empty for counts
	Exact  bool   `json:"exact"`
	// of an exact metric: by how much the largest pass exceeds the least, which is the value
	Slack      float64  `json:"slack,omitempty"`
	N          int      `json:"n"`      // samples summarised: only undisturbed ones if they are at least half
	Blocks     int      `json:"blocks"` // blocks (or launches) that the interval rests on
	Median     float64  `json:"median"` // the headline
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // of Low and High, at least
	// Error is by how much a statistic may be wrong however many samples there are, in Unit:
	// see Case.ClockError. Low and High include it. A least value of 40 with an error of 30
	// is anything from 10 to 70. It is 0 in documents of earlier versions.
	Error        float64  `json:"error,omitempty"`
	Mean         float64  `json:"mean"`
	StdDev       float64  `json:"stddev"`
	MAD          float64  `json:"mad"`
	Min          float64  `json:"min"`
	Max          float64  `json:"max"`
	P50          float64  `json:"p50"`
	P90          float64  `json:"p90"`
	P95          float64  `json:"p95"`
	P99          float64  `json:"p99"`
	OutliersLow  int      `json:"outliers_low,omitempty"` // Tukey, below Q1 − 1.5 IQR; reported, never dropped
	OutliersHigh int      `json:"outliers_high,omitempty"`
	Bound        *float64 `json:"bound,omitempty"` // set if the value is below resolution: it is less than this
	// Extremes is the origin of Min and Max: iteration if a batch is one iteration,
	// batch if they are extremes of means over n iterations. It is empty for metrics
	// that are not per unit of work.
	Extremes string `json:"extremes,omitempty"`
	// Censored is the number of the N samples that are only bounds, because their runs
	// were killed by the timeout. AtLeast and AtMost contain the keys of the statistics
	// that are therefore lower, or upper, bounds. All other statistics would be the same
	// if those runs had finished. An interval without an upper end has no High.
	Censored int      `json:"censored,omitempty"`
	AtLeast  []string `json:"at_least,omitempty"`
	AtMost   []string `json:"at_most,omitempty"`
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
