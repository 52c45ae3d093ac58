package host

import (
	"fmt"
	"math"

	"example.com/suite/bench"
	"example.com/suite/internal/histogram"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// latencies counts how long single iterations of a function take, by reading the clock
// after each of them. The reading after an iteration is where the next one begins, so that
// what the reading costs is in each time once, and is subtracted from it.
type latencies struct {
	clock timer.Clock
	cost  int64 // ns, subtracted from each iteration

	counts           histogram.Histogram // of the running batch
	sum, least, most int64

	arrivals *arrivals // nil unless iterations begin when they are due
}

// loop makes a loop that runs another one iteration by iteration, and counts their times.
func (l *latencies) loop(loop bench.Loop) bench.Loop {
	return func(n int) {
		last := l.clock.Now()
		for range n {
			loop(1)
			now := l.clock.Now()
			l.add(now - last - l.cost)
			last = now
		}
	}
}

// timed makes the loop that samples are taken with.
func (l *latencies) timed(loop bench.Loop) bench.Loop {
	if l.arrivals != nil {
		return l.arrivals.loop(l, loop)
	}
	return l.loop(loop)
}

func (l *latencies) add(ns int64) {
	ns = max(ns, 0)
	l.counts.Add(ns)
	l.sum += ns
	l.least = min(l.least, ns)
	l.most = max(l.most, ns)
}

// begin empties the counts for a batch.
func (l *latencies) begin() {
	if l == nil {
		return
	}
	l.counts.Reset()
	l.sum, l.least, l.most = 0, math.MaxInt64, 0
	if l.arrivals != nil {
		l.arrivals.begin()
	}
}

// idle is how long the running batch has waited for arrivals, ns.
func (l *latencies) idle() int64 {
	if l == nil || l.arrivals == nil {
		return 0
	}
	return l.arrivals.idle
}

// taken is what the last batch counted, nil if nothing was.
func (l *latencies) taken() *wire.Latency {
	if l == nil || l.counts.Count() == 0 {
		return nil
	}
	out := &wire.Latency{Sum: l.sum, Min: l.least, Max: l.most}
	for _, b := range l.counts.Bins() {
		out.Bins = append(out.Bins, [2]int64{int64(b.Number), int64(b.Count)})
	}
	l.arrivals.report(out)
	return out
}

// Batches that measure what reading the clock after an iteration costs: 201 of a hundred
// iterations take 0.8 ms.
const readingsInARow = 100

// calibrate measures with an empty body what reading and counting cost for an iteration.
func (l *latencies) calibrate() timer.Estimate {
	loop := l.timed(func(int) {})
	each := make([]float64, emptyBatches)
	for i := range each {
		l.begin()
		start := l.clock.Now()
		loop(readingsInARow)
		each[i] = float64(l.clock.Now()-start-l.idle()) / readingsInARow
	}
	cost := timer.NewEstimate(each)
	l.cost = int64(math.Round(cost.NS))
	return cost
}

// withLatencies makes the function read the clock after each iteration.
func (f *function) withLatencies(k *kit, p *wire.Prepared) *wire.Failure {
	if !f.spec.Latency {
		return nil
	}
	switch {
	case f.trial != nil:
		return &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedError,
			Message: "latency: a loop made by Try reads the clock for itself"}
	case f.spec.Parallel > 1:
		return &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedError,
			Message: fmt.Sprintf("latency: single iterations are timed on one goroutine, not on %d", f.spec.Parallel)}
	case f.spec.Arrivals > 0 && k.wall != nil:
		return &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedError,
			Message: fmt.Sprintf("arrivals: they are waited for by the wall clock, and the clock of the case is %s",
				k.timer.Clock.Name())}
	}
	f.latency = &latencies{clock: k.timer.Clock}
	if f.spec.Arrivals > 0 {
		f.latency.arrivals = newArrivals(k.timer.Clock, k.machine.Sleep)
		f.open = f.latency.timed(f.loop)
	}
	f.where(func() {
		cost := f.latency.calibrate()
		p.Iteration = &cost
	})
	if a := f.latency.arrivals; a != nil {
		a.gap, a.half = 1e9/f.spec.Arrivals, f.latency.cost/2
		a.restart()
	}
	f.loop = f.latency.loop(f.loop)
	return nil
}
