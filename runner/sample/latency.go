package sample

import (
	"fmt"
	"math"
	"time"

	"example.com/suite/internal/histogram"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/latencies"
	"example.com/suite/runner/host/wire"
)

// enoughFor is how many iterations a percentile of a stretch is taken of, so that at least
// ten of them are above it. The slowest is the slowest of a thousand.
func enoughFor(q float64) int64 {
	switch {
	case q >= 1:
		return 1000
	case q <= 0.5:
		return 20
	}
	return int64(10/(1-q) + 0.5)
}

// stretches turn times of single iterations into samples of percentiles. Iterations of
// batches in a row are collected until there are enough for a percentile, which then is a
// sample of the last of these batches.
type stretches struct {
	open map[string]*result.Latency // by metric; each has one group
}

// latencies takes the times of single iterations of the row that was just appended, whose
// batch was busy for so many nanoseconds.
func (s *Series) latencies(l *wire.Latency, busy int64) {
	if l == nil {
		return
	}
	group := result.LatencyGroup{Batches: 1}
	count := int64(0)
	for _, b := range l.Bins {
		low, high := histogram.Bounds(int(b[0]))
		group.Bins = append(group.Bins, result.ArcBin{seconds(float64(low)), seconds(float64(high)), float64(b[1])})
		count += b[1]
	}
	if count == 0 {
		return
	}
	row := &result.Latency{Count: count, Mean: seconds(float64(l.Sum)) / float64(count), Min: seconds(float64(l.Min)),
		Max:    seconds(float64(l.Max)),
		Cost:   result.Cost{Value: seconds(s.Overhead.Iteration.NS), Error: seconds(s.Overhead.Iteration.Error)},
		Groups: []result.LatencyGroup{group}}
	row.Arrivals = s.arrivals(l.Arrivals, count, busy)
	s.Result.Latency = WithBatch(s.Result.Latency, row)
	if s.Keeps {
		s.fresh.Latency = append(s.fresh.Latency, row)
	}
	for _, m := range s.Result.Table() {
		if m.Quantile > 0 {
			s.stretches.add(m, row, &s.Result.Samples)
		}
	}
}

// WithBatch adds the times of a batch to the times of its case, nil for none.
func WithBatch(all, row *result.Latency) *result.Latency {
	if all == nil {
		all = &result.Latency{}
	}
	latencies.Add(all, row)
	all.Cost = row.Cost
	return all
}

// add adds a batch to the running stretch of a percentile, and ends the stretch if it is long
// enough.
func (t *stretches) add(m result.Metric, row *result.Latency, samples *result.Samples) {
	if t.open == nil {
		t.open = map[string]*result.Latency{}
	}
	open := t.open[m.Name]
	if open == nil {
		open = &result.Latency{}
		t.open[m.Name] = open
	}
	latencies.Join(open, row)
	if open.Count < enoughFor(m.Quantile) {
		return
	}
	samples.Columns[m.Name] = append(Filled(samples.Columns[m.Name], samples.Len()),
		latencies.Percentile(open, m.Quantile))
	delete(t.open, m.Name)
}

// clearlyLonger is how many times longer than a reading of the clock an iteration has to
// be for its own time to be known: what is subtracted is then at most a tenth.
const clearlyLonger = 10

// tooShortForLatency refuses a case whose single iterations are too short to be timed.
func (s *Series) tooShortForLatency() *result.Failure {
	if !s.Target.Spec.Settings.Latency {
		return nil
	}
	n := float64(max(s.N, 1))
	body := float64(s.Sized)/n - s.Overhead.Iteration.NS
	if gap := 1e9 / s.Target.Spec.Settings.Arrivals; gap < clearlyLonger*s.Overhead.Iteration.NS {
		// +Inf without arrivals
		return &result.Failure{Phase: result.PhaseWarmup, Cause: result.FailedCheck,
			Message: fmt.Sprintf("arrivals are %s apart, and reading the clock after each takes %s: it has no time "+
				"for less than ten readings", units.Format(seconds(gap), "s"),
				units.Format(seconds(s.Overhead.Iteration.NS), "s")),
			Hint: fmt.Sprintf("at most %.0f/s", math.Floor(1e9/(clearlyLonger*s.Overhead.Iteration.NS)))}
	}
	if body >= clearlyLonger*s.Overhead.Iteration.NS {
		return nil
	}
	return &result.Failure{Phase: result.PhaseWarmup, Cause: result.FailedCheck,
		Message: fmt.Sprintf("an iteration takes %s, and reading the clock after it %s: its own time is not "+
			"known to a tenth", units.Format(seconds(max(body, 0)), "s"),
			units.Format(seconds(s.Overhead.Iteration.NS), "s")),
		Hint: "leave out latency:, or let an iteration do more"}
}

// Span is how long a batch lasts that is busy for some time: at least until its last
// iteration is due.
func (s *Series) Span(busy time.Duration) time.Duration {
	if !s.Target.HasArrivals() {
		return busy
	}
	return max(busy, time.Duration(float64(s.N)/s.Target.Spec.Settings.Arrivals*1e9))
}

// Warm marks batches that are thrown away: their iterations are no part of the schedule.
func (s *Series) Warm(batches []wire.Batch) {
	for i := range batches {
		batches[i].Warm = s.Target.HasArrivals()
	}
}

// arrivals describes how a batch of so many iterations kept to its schedule, nil if it had
// none.
func (s *Series) arrivals(a *wire.Arrivals, count, busy int64) *result.Arrivals {
	if a == nil {
		return nil
	}
	set, n := &s.Target.Spec.Settings, float64(count)
	s.Waiting = int64(seconds(float64(a.Behind)) * set.Arrivals)
	return &result.Arrivals{Rate: set.Arrivals, Poisson: set.Poisson,
		Achieved: n / seconds(float64(busy+a.Idle)), Utilization: seconds(float64(busy)) * set.Arrivals / n,
		Waits: a.Waits, Lag: seconds(float64(a.Lag)) / float64(max(a.Waits, 1)), MostLag: seconds(float64(a.MostLag))}
}

// ForgetQueue counts the iterations that are due and will not be run, because the program that
// was to run them ends.
func (s *Series) ForgetQueue() {
	s.Unserved += s.Waiting
	if l := s.Result.Latency; l != nil && l.Arrivals != nil {
		l.Arrivals.Unserved = s.Unserved
	}
	s.Waiting = 0
}
