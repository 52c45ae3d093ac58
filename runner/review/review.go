// Package review ends a case that has its samples: metrics are summarised, and what is odd
// about the samples becomes warnings. It asks no host.
package review

import (
	"fmt"
	"math"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/sample"
	"example.com/suite/stats"
	"example.com/suite/timer"
)

// Case is a case after its last sample.
type Case struct {
	Result *result.Case
	Own    *sample.Series
	Base   *sample.Series // nil without a base
}

// Summarise describes every metric of a case that has samples, in the order of the
// metric table, and warns of what is doubtful about them. It returns a failure, and leaves the
// samples without a summary, which would describe the wrong ones, if too few iterations, or
// runs, count.
func (v Case) Summarise() *result.Failure {
	c := v.Result
	if c.Samples.Len() == 0 && c.Counted != nil {
		if c.Status != result.Failed {
			c.Status = result.Measured
		}
		c.Metrics = append(c.Metrics, v.Own.Passed...)
		if v.Base != nil && v.Base.Target.Tree != "" {
			c.Pairs.Metrics = v.Base.Passed
		}
		return nil
	}
	if c.Samples.Len() == 0 {
		if c.Status != result.Failed {
			c.Status = result.NotRun
		}
		return nil
	}
	if c.Status != result.Failed {
		c.Status = result.Measured
	}
	for _, s := range v.sides() {
		s.ForgetQueue()
	}
	for _, s := range v.sides() {
		if failure := tooVoid(s); failure != nil {
			return s.Target.AsBase(failure)
		}
	}
	v.metrics()
	v.doubts()
	return nil
}

func (v Case) sides() []*sample.Series {
	if v.Base == nil {
		return []*sample.Series{v.Own}
	}
	return []*sample.Series{v.Own, v.Base}
}

// metrics adds the summaries of both sides to the result.
func (v Case) metrics() {
	c := v.Result
	v.Own.LoopTimes.Cost(c)
	addSummaries(v.Own, c.Table())
	v.uncounted()
	c.Metrics = append(c.Metrics, v.Own.Passed...)
	v.metricsOfBase()
	v.noteCollections()
	if v.Own.Watched > 0 {
		share := min(float64(v.Own.Waited)/float64(v.Own.Watched), 1)
		c.Stolen = &share
	}
}

// addSummaries adds a summary of each metric of a table that a side has samples of to its
// result. What is summarised of a metric may depend on the metrics before it.
func addSummaries(s *sample.Series, table []result.Metric) {
	sum := &summary.Side{Case: s.Result, Iterations: s.N, Counter: s.Counter, Folds: s.Folds}
	for _, m := range table {
		if sum.Has(m) {
			s.Result.Metrics = append(s.Result.Metrics, sum.Summary(m))
		}
	}
}

// metricsOfBase adds to the pairs what timing costs the base. If the base is in another tree,
// and so no case of this document, it adds its metrics too. A loop of the same kind costs what
// the case's loop does, which was measured next to the pairs.
func (v Case) metricsOfBase() {
	b := v.Base
	if b == nil {
		return
	}
	c := b.Result
	if c.Loop == v.Result.Loop {
		c.SetOverhead(v.Result.Overhead())
	}
	if c.Kind == result.KindGo {
		v.Result.Pairs.Overhead = c.Overhead()
	}
	if b.Target.Tree == "" {
		return
	}
	addSummaries(b, v.Result.Table()) // what the base alone reports has no counterpart
	c.Metrics = append(c.Metrics, b.Passed...)
	v.Result.Pairs.Metrics = c.Metrics
}

// uncounted warns of counters that were read and have no count in some samples, or in any.
func (v Case) uncounted() {
	c := v.Result
	var names, void []string
	if c.Counter != "" && (v.Own.Counter != string(timer.Cycles) || v.Own.Thread == "locked") {
		// else offThread has warned
		names = append(names, v.Own.Counter)
	}
	for _, name := range v.Own.Target.Spec.Counters {
		if _, opened := v.Own.Events[name]; opened {
			names = append(names, name)
		}
	}
	for _, name := range names {
		counted := 0
		if s := c.Summary(name); s != nil {
			counted = s.N
		}
		all := c.Summary("time").N
		switch {
		case counted == 0 && c.Void > 0:
			void = append(void, name)
		case counted < all:
			w := result.Say("no %s in %s samples: the counter was not on the hardware, or its readings were disturbed",
				name, result.Some(all-counted, all)).
				Warning(result.WarnUncounted, "fewer counters at a time, and a longer sample_time")
			w.Metrics = []string{name}
			c.Warnings = append(c.Warnings, w)
		}
	}
	if void != nil {
		v.Result.WarnLacking(result.WarnNoCounters, void,
			strings.Join(void, ", ")+": each batch contains void iterations, and counts cannot leave them out (with "+
				"batch: 1 it can)", "")
	}
}

// tooVoid returns the failure of a side of which too little counts, nil for others.
func tooVoid(s *sample.Series) *result.Failure {
	c, quorum := s.Result, s.Target.Spec.Settings.Quorum
	counted := float64(c.Samples.Count()) * float64(max(s.N, 1))
	all := counted + float64(c.Void)
	if c.Void == 0 || counted >= quorum*all {
		return nil
	}
	what := "iterations"
	if s.Target.IsCommand() {
		what = "runs"
	}
	return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedRejected,
		Message: fmt.Sprintf("%.0f of %.0f %s counted (%.0f%%), the others were declared void", counted,
			all, what, counted/all*100),
		Hint: fmt.Sprintf("the quorum is %g%%: lower reject.quorum, or declare fewer void", quorum*100)}
}

// leastCollections is the share of the time from which garbage collections are mentioned.
const leastCollections = 0.01

// collections measures what garbage collections cost a side of pairs. Its batches are
// short, so that both sides are close in time, and only some contain a collection: the
// median does not include them, and a change of their cost would not show. It is nil if
// too few samples contain one, or too many to know what the others take.
func collections(s *result.Samples) *result.Collections {
	times, counts := s.Columns["time"], s.Columns["gcs"]
	var with, without []float64
	for i := range min(len(times), len(counts)) {
		switch {
		case math.IsNaN(times[i]) || math.IsNaN(counts[i]):
		case counts[i] > 0:
			with = append(with, times[i])
		default:
			without = append(without, times[i])
		}
	}
	if len(with) < fewSamples || len(without) < fewSamples {
		return nil
	}
	share := float64(len(with)) / float64(len(with)+len(without))
	return &result.Collections{Share: share, Time: max(share*(stats.Median(with)-stats.Median(without)), 0)}
}

// noteCollections records what collections cost both sides of a case, and warns if that is
// much.
func (v Case) noteCollections() {
	if v.Base == nil || v.Own.Target.IsCommand() {
		return
	}
	c, p := v.Result, v.Result.Pairs
	c.Collections, p.Collections = collections(&c.Samples), collections(&v.Base.Result.Samples)
	time := c.Summary("time")
	if time == nil || c.Collections == nil || p.Collections == nil {
		return
	}
	own, base := c.Collections, p.Collections
	if max(own.Time, base.Time) < leastCollections*time.Median {
		return
	}
	share := func(x float64) result.Quantity {
		return result.Printed(units.Format(x, result.Percent), x, "ratio")
	}
	v.Result.WarnWith(result.WarnCollections,
		result.Say("garbage collections fell into %s of the batches and add %s to the time on average; in %s into "+
			"%s, and add %s",
			share(own.Share), result.Amount(own.Time, "s"), p.BaseName(), share(base.Share),
			result.Amount(base.Time, "s")),
		"the median of the time leaves them out; allocs and heap say what they come from")
}
