package runner

import (
	"fmt"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// hasArrivals reports whether the iterations of the side begin when they are due.
func (t *target) hasArrivals() bool { return !t.isCommand() && t.spec.Settings.Arrivals > 0 }

// span is how long a batch lasts that is busy for some time: at least until its last
// iteration is due.
func (s *series) span(busy time.Duration) time.Duration {
	if !s.target.hasArrivals() {
		return busy
	}
	return max(busy, time.Duration(float64(s.N)/s.target.spec.Settings.Arrivals*1e9))
}

// warm marks batches that are thrown away: their iterations are no part of the schedule.
func (s *series) warm(batches []wire.Batch) {
	for i := range batches {
		batches[i].Warm = s.target.hasArrivals()
	}
}

// arrivalSeed draws the seed of the arrivals in a block, from its i-th batch on; 0 if they are
// evenly spread. The two batches of a pair take the same one.
func (g *rig) arrivalSeed(s *side, i int) uint64 {
	if !s.target.hasArrivals() || !s.target.spec.Settings.Poisson {
		return 0
	}
	return max(g.run.options.Seed.Draw("arrivals", fmt.Sprintf("%q %q", s.result.Suite, s.result.Name), s.of.own.series.Blocks, i).Uint64(), 1)
}

// arrivals describes how a batch of so many iterations kept to its schedule, nil if it had
// none.
func (s *series) arrivals(a *wire.Arrivals, count, busy int64) *result.Arrivals {
	if a == nil {
		return nil
	}
	set, n := &s.target.spec.Settings, float64(count)
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

// isQueued reports whether a case has to go on because iterations are due that have not
// begun: the latencies of those who wait longest would be missing. Sides of pairs begin every
// block with an empty queue.
func (t *track) isQueued() bool {
	l := t.result.Latency
	return t.base == nil && t.own.series.Waiting > 0 && l != nil && !l.Arrivals.Saturated()
}

// doubtArrivals warns of sides whose iterations are due faster than they end.
func (v review) doubtArrivals() {
	for _, s := range v.sides() {
		l := s.result.Latency
		if l == nil || !l.Arrivals.Saturated() {
			continue
		}
		a := l.Arrivals
		v.result.WarnWith(result.WarnSaturated, result.Say("%siterations are due faster than they end: at %s the utilization is %s, and latencies grow as long as one measures",
			s.target.ofBase(), result.Printed(units.Format(a.Rate, "1/s"), a.Rate, "1/s"), result.Printed(units.Format(a.Utilization, result.Percent), a.Utilization, "ratio")),
			fmt.Sprintf("fewer arrivals: it serves %s", units.Format(a.Achieved, "1/s")))
	}
}
