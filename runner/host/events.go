package host

import (
	"slices"

	"example.com/suite/bench"
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
	return &wire.Failure{Phase: wire.PhaseRun, Cause: wire.FailedError,
		Message: "clock " + m.loop.Timer.Clock.Name() + " could not be read: its counter was not on the hardware"}
}

func (m *meter) measures(kind string, loops []bench.Loop) []timer.Measure {
	measures := make([]timer.Measure, len(loops))
	for i, loop := range loops {
		measures[i] = func(n int) timer.Delta {
			var r reading
			m.sample(loop, n, &r)
			m.trace.batch(kind, n, &r, m.unit())
			return timer.Delta{NS: r.time, TimeOK: r.time != timer.Absent, Count: r.count,
				CountOK: r.count != timer.Absent}
		}
	}
	return measures
}

// empty measures batches of no iterations, column by column.
func (m *meter) empty() map[string]timer.Estimate {
	return m.costs(m.empties(len(m.counts)))
}

// costs estimates by column what batches of no iterations have cost.
func (m *meter) costs(rows []reading) map[string]timer.Estimate {
	columns := map[string]func(r *reading) int64{
		"time":       func(r *reading) int64 { return r.time },
		"wall":       func(r *reading) int64 { return r.wall },
		"cpu":        func(r *reading) int64 { return r.cpu },
		"thread_cpu": func(r *reading) int64 { return r.threadCPU },
	}
	if c := m.loop.Timer.Counter; c != nil {
		columns[string(c.Unit())] = func(r *reading) int64 { return r.count }
	}
	if m.events != nil {
		for i, metric := range m.events.Metrics() {
			columns[metric] = func(r *reading) int64 { return r.events[i] }
		}
	}
	costs := map[string]timer.Estimate{}
	for name, column := range columns {
		costs[name] = estimate(rows, column)
	}
	return costs
}
