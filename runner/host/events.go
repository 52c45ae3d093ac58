package host

import (
	"slices"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// count opens the events that a case asked for, and returns what closes them again.
// They are open only while batches of this case run: a counter costs time at every
// switch of the thread, and in every program that is started.
func (m *meter) count(k *kit, names []string) (end func()) {
	if len(names) == 0 {
		return func() {}
	}
	if c := k.timer.Counter; c != nil && c.Unit() == timer.Cycles { // read closer to the body
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == string(timer.Cycles) })
	}
	m.events, _ = k.machine.Events(names, timer.ThisThread)
	if m.events == nil {
		return func() {}
	}
	events := m.events
	m.counts, m.ended = make([]timer.Count, len(events.Metrics())), make([]timer.Count, len(events.Metrics()))
	return func() { events.Close() }
}

// ownCosts measures the cost of a batch of no iterations by column, for the columns in
// which this case differs from calibration. Events count a part of their own readings,
// which take CPU time; a counter of one thread is not read for a loop off it.
func (f *function) ownCosts(k *kit) (costs map[string]timer.Estimate) {
	f.on(k, func(m *meter) {
		switch {
		case m.loop.Timer != k.timer:
			costs = m.empty()
		case m.events != nil:
			rows := m.empties(len(m.counts))
			costs = map[string]timer.Estimate{
				"cpu":        estimate(rows, func(r *reading) int64 { return r.cpu }),
				"thread_cpu": estimate(rows, func(r *reading) int64 { return r.threadCPU }),
			}
			for i, metric := range m.events.Metrics() {
				costs[metric] = estimate(rows, func(r *reading) int64 { return r.events[i] })
			}
		}
	})
	return costs
}

// emptyBatches are enough for a 99% interval of a few nanoseconds, in 0.5 ms.
const emptyBatches = 201

// empties times batches of no iterations.
func (m *meter) empties(events int) []reading {
	rows, none := make([]reading, emptyBatches), func(int) {}
	for i := range rows {
		rows[i].events = make([]int64, events)
		m.sample(none, 0, &rows[i])
	}
	return rows
}

func estimate(rows []reading, column func(*reading) int64) timer.Estimate {
	var xs []float64
	for i := range rows {
		if x := column(&rows[i]); x != timer.Absent {
			xs = append(xs, float64(max(x, 0)))
		}
	}
	if xs == nil {
		return timer.Estimate{} // an absent column costs nothing
	}
	return timer.NewEstimate(xs)
}

// check fails a batch without a time: the clock lives on a counter that was
// taken away.
func (m *meter) check(r *reading) *wire.Failure {
	if r.time != timer.Absent {
		return nil
	}
	return &wire.Failure{Phase: "run", Cause: "error", Message: "clock " + m.loop.Timer.Clock.Name() + " could not be read: its counter was not on the hardware"}
}
