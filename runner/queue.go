package runner

import (
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// span is how long a batch lasts that is busy for some time: at least until its last
// iteration is due.
func (s *series) span(busy time.Duration) time.Duration {
	if !s.target.HasArrivals() {
		return busy
	}
	return max(busy, time.Duration(float64(s.N)/s.target.Spec.Settings.Arrivals*1e9))
}

// warm marks batches that are thrown away: their iterations are no part of the schedule.
func (s *series) warm(batches []wire.Batch) {
	for i := range batches {
		batches[i].Warm = s.target.HasArrivals()
	}
}

// arrivals describes how a batch of so many iterations kept to its schedule, nil if it had
// none.
func (s *series) arrivals(a *wire.Arrivals, count, busy int64) *result.Arrivals {
	if a == nil {
		return nil
	}
	set, n := &s.target.Spec.Settings, float64(count)
	s.Waiting = int64(seconds(float64(a.Behind)) * set.Arrivals)
	return &result.Arrivals{Rate: set.Arrivals, Poisson: set.Poisson,
		Achieved: n / seconds(float64(busy+a.Idle)), Utilization: seconds(float64(busy)) * set.Arrivals / n,
		Waits: a.Waits, Lag: seconds(float64(a.Lag)) / float64(max(a.Waits, 1)), MostLag: seconds(float64(a.MostLag))}
}

// forgetQueue counts the iterations that are due and will not be run, because the program that
// was to run them ends.
func (s *series) forgetQueue() {
	s.Unserved += s.Waiting
	if l := s.result.Latency; l != nil && l.Arrivals != nil {
		l.Arrivals.Unserved = s.Unserved
	}
	s.Waiting = 0
}
