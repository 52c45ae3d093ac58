package sample

import (
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

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
