// Package summary computes the summaries of a result from its samples: medians with their
// intervals, spread, extremes and bounds. A run computes the summaries of what it has
// measured, and gate/verify computes them again from a document. It knows no plans and no
// hosts.
package summary

import (
	"math"
	"slices"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// Side is what the summaries of a case, or of the base of its pairs, are computed from.
type Side struct {
	// Case has the samples, the settings and the cost of the empty loop. Its metrics are
	// the summaries that are known so far.
	Case       *result.Case
	Iterations int    // of a batch
	Counter    string // unit of the cycle counter: ticks, cycles, empty for none
	Folds      *Folds // if only a summary of the samples is kept, else nil
}

// Of computes again, from the samples of a case alone, the summary of every sampled
// metric, as a run computes it. Metrics from a pass of their own, such as allocations, are
// not among them. If only a summary of the samples is kept, medians and their intervals
// follow from the rows, and nothing else does. c is left as it is.
func Of(c *result.Case) (all []result.Summary) {
	side := sideOf(c)
	for _, m := range c.Table() {
		if side.Has(m) {
			all = append(all, side.Summary(m))
		}
	}
	return all
}

func sideOf(c *result.Case) *Side {
	return &Side{Case: c, Iterations: int(c.Iterations), Counter: countedIn(c)}
}

// countedIn returns the unit of the cycle counter that a case has, empty for none.
func countedIn(c *result.Case) string {
	for _, unit := range []string{"ticks", "cycles"} {
		if c.Counter != "" && c.Samples.Columns[unit] != nil {
			return unit
		}
	}
	return ""
}

// Has reports whether there are samples of a metric to summarise. If some of the times are
// zero there is no rate.
func (side *Side) Has(m result.Metric) bool {
	c := side.Case
	if m.Quantile > 0 {
		return c.Latency != nil
	}
	if !m.Sampled && c.Kind != result.KindGoTest || !slices.Contains(m.Kinds, c.Kind) ||
		c.Samples.Column(m.Name) == nil {
		return false
	}
	time := c.Summary("time")
	return m.Name != "throughput" || time == nil || time.Min != 0
}

// isCommand reports whether the case is a process and not a function.
func (side *Side) isCommand() bool { return side.Case.Kind != result.KindGo }

// Summary describes one metric that the side has.
func (side *Side) Summary(m result.Metric) result.Summary {
	if m.Quantile > 0 {
		return side.percentile(m)
	}
	xs, blocks, _ := side.Case.Samples.Headline(m.Name)
	conf := side.Case.Settings.Confidence
	s := result.Summary{Metric: m.Name, Unit: m.Unit, N: len(xs), Blocks: len(stats.GroupMedians(xs, blocks)),
		Median: stats.Median(xs), Mean: stats.Mean(xs), StdDev: stats.StdDev(xs), MAD: stats.MAD(xs),
		Min: slices.Min(xs), Max: slices.Max(xs),
		P50: stats.Quantile(xs, 0.5), P90: stats.Quantile(xs, 0.9), P95: stats.Quantile(xs, 0.95),
		P99: stats.Quantile(xs, 0.99)}
	s.OutliersLow, s.OutliersHigh = stats.Outliers(xs)
	if side.Folds != nil {
		side.Folds.streams[m.Name].describe(&s)
	}
	s.Exact = m.Exact && s.Min == s.Max
	c := side.Case
	s.Error = c.ErrorOf(m.Name)
	if low, high, err := stats.BlockInterval(xs, blocks, conf); err == nil {
		low, high = c.Widen(m.Name, low, high)
		s.Low = &low
		s.Confidence = conf
		if !math.IsInf(high, 1) {
			s.High = &high
		}
	}
	side.censor(&s)
	if m.PerWork {
		s.Extremes = side.extremes()
	}
	if loop, has := side.loop(m.Name); has {
		s.Bound = side.bound(xs, blocks, loop, s.Max)
	}
	return s
}

// extremes returns whose values the least and the greatest are: a batch of many iterations
// hides the extremes of single ones, and nothing can bring them back.
func (side *Side) extremes() string {
	if side.Iterations == 1 {
		return "iteration"
	}
	return "batch"
}

// boundConfidence is the confidence of the interval whose upper end a bound starts
// from: gates take a bound for certain, and decide by intervals of 99 %.
const boundConfidence = 0.99

// loop is what the empty loop costs in a metric, per unit of work. The second result is false
// for metrics without a loop, and if its cost is not known.
func (side *Side) loop(metric string) (result.Cost, bool) {
	c := side.Case
	switch {
	case side.isCommand():
	case metric == "time" || metric == "wall":
		return result.Cost{Value: c.LoopCost, Error: c.LoopError}, true
	case metric == side.Counter && c.LoopCount != nil:
		return *c.LoopCount, true
	}
	return result.Cost{}, false
}

// Loop returns what the empty loop costs in a metric of a case, per unit of work, zero if the
// metric has no loop or its cost is not known.
func Loop(c *result.Case, metric string) result.Cost {
	cost, _ := sideOf(c).loop(metric)
	return cost
}

// Bound computes from the samples of a case what a metric is less than. It is nil if the metric
// is not below resolution, or has no samples.
func Bound(c *result.Case, metric string) *float64 {
	side := sideOf(c)
	loop, has := side.loop(metric)
	xs, blocks, _ := c.Samples.Headline(metric)
	if !has || len(xs) == 0 {
		return nil
	}
	return side.bound(xs, blocks, loop, slices.Max(xs))
}

// bound is what the body takes less than, nil if a time or a count exceeds the cost of
// the empty loop by more than its error. The loop may hide under the body, so nothing is
// subtracted for it. The error counts twice, because a short batch may have been relieved
// of twice the cost of a reading, and the body may hide under that. Too few blocks for an
// interval leave the greatest sample as the bound.
func (side *Side) bound(xs []float64, blocks []int, loop result.Cost, greatest float64) *float64 {
	if stats.Median(xs) > loop.Value+loop.Error {
		return nil
	}
	upper := greatest
	if _, high, few := stats.BlockInterval(xs, blocks,
		max(boundConfidence, side.Case.Settings.Confidence)); few == nil {
		upper = high
	}
	upper += 2 * loop.Error
	return &upper
}

// Counted describes the instructions that valgrind has counted in some runs. There is an interval of the median from
// six runs on.
func Counted(c *result.Case, runs []float64) result.Summary {
	m, _ := result.FindMetric(result.Instructions)
	s := result.Summary{Metric: m.Name, Unit: m.Unit, N: len(runs), Exact: slices.Min(runs) == slices.Max(runs),
		Median: stats.Median(runs), Mean: stats.Mean(runs), MAD: stats.MAD(runs),
		Min: slices.Min(runs), Max: slices.Max(runs),
		P50: stats.Quantile(runs, 0.5), P90: stats.Quantile(runs, 0.9), P95: stats.Quantile(runs, 0.95),
		P99: stats.Quantile(runs, 0.99)}
	if len(runs) > 1 {
		s.StdDev = stats.StdDev(runs)
	}
	if low, high, err := stats.MedianInterval(runs, c.Settings.Confidence); err == nil && !s.Exact {
		s.Low, s.High, s.Confidence = &low, &high, c.Settings.Confidence
	}
	return s
}
