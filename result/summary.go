package result

import (
	"math"
	"slices"
)

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

// Latency is how long single iterations of a case took, from all of its batches.
type Latency struct {
	Count  int64          `json:"count"` // iterations
	Mean   float64        `json:"mean"`  // seconds
	Min    float64        `json:"min"`
	Max    float64        `json:"max"`
	Cost   Cost           `json:"cost"`   // seconds of reading the clock after an iteration, subtracted from each
	Stride int            `json:"stride"` // batches of a group; the last group may have fewer
	Groups []LatencyGroup `json:"groups"` // stretches of iterations in a row, in order, at most MostLatencyGroups

	Arrivals *Arrivals `json:"arrivals,omitempty"` // if iterations began when they were due
}

// Arrivals describes an open loop, in which iterations begin when they are due and latencies
// count from then.
type Arrivals struct {
	Rate    float64 `json:"rate"`              // iterations that were due in a second
	Poisson bool    `json:"poisson,omitempty"` // their times were drawn from the seed of the run
	// iterations in a second that was spent running them or waiting for them
	Achieved float64 `json:"achieved"`
	// mean time of an iteration, with the reading of the clock, over the mean time between two arrivals
	Utilization float64 `json:"utilization"`
	Unserved    int64   `json:"unserved,omitempty"` // iterations that were due and had not begun when measuring ended
	Waits       int64   `json:"waits"`              // iterations that were waited for
	Lag         float64 `json:"lag"`                // seconds by which these began late, in the mean
	MostLag     float64 `json:"most_lag"`           // seconds by which the latest of them did
}

// Saturated reports whether iterations were due faster than they could be run. The queue then
// grows as long as one measures, and so do latencies.
func (a *Arrivals) Saturated() bool { return a != nil && a.Utilization >= 1 }

// MostLatencyGroups is how many stretches a document has: when there are more, neighbours
// are joined.
const MostLatencyGroups = 24

// LatencyGroup counts the iterations of a stretch of batches by their time. Iterations that
// follow each other are alike, and how much the stretches differ shows how much.
type LatencyGroup struct {
	Batches int      `json:"batches"`
	Bins    []ArcBin `json:"bins"` // low, high, count; ascending, at most 0.8 % wide
}

// ErrorOf returns by how much a number of a metric may be wrong, in the unit of the metric,
// however many samples there are: a step of the clock or counter, and the part of a reading
// that overlaps with the body. It is 0 for metrics without such an error, for commands, and
// in documents of earlier versions.
func (c *Case) ErrorOf(metric string) float64 {
	switch metric {
	case "time", "wall":
		return c.ClockError
	case "ticks", "cycles":
		return c.CountError
	}
	return 0
}

// Widen adds the error of a metric to an interval of its values. Rates have the error of
// their times.
func (c *Case) Widen(metric string, low, high float64) (float64, float64) {
	e := c.ErrorOf(metric)
	switch {
	case metric == "throughput" && c.ClockError > 0:
		slowest, fastest := 1/low+c.ClockError, 1/high-c.ClockError
		if fastest <= 0 {
			return 1 / slowest, math.Inf(1)
		}
		return 1 / slowest, 1 / fastest
	case e > 0:
		return max(low-e, 0), high + e
	}
	return low, high
}
