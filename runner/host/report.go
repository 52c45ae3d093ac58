package host

import (
	"math"

	"example.com/suite/runner/host/wire"
)

// forget begins a batch: what the loop has reported before does not belong to it.
func (m *meter) forget() {
	if m.reports != nil {
		m.reports.ForgetReports()
	}
}

// ignore makes reports have no effect until again is called.
func (m *meter) ignore() (again func()) {
	if m.reports == nil {
		return func() {}
	}
	m.reports.IgnoreReports()
	return m.reports.OpenReports
}

// report copies what the batch has reported into its row. A row has room for the metrics of
// the warm-up, so that copying allocates only for a metric that appears later.
func (m *meter) report(r *reading) {
	r.reported = r.reported[:0]
	if m.reports == nil {
		return
	}
	for _, one := range m.reports.Reported() {
		r.reported = append(r.reported, one.Value())
	}
}

// addReported appends what a row's batch has reported, and describes its metrics.
func addReported(out *wire.Readings, id int, m *meter, r *reading) {
	if m.reports == nil {
		return
	}
	for i, one := range m.reports.Reported() {
		out.Describe(wire.Reported{ID: id, Name: one.Name, Higher: one.Higher})
		if i < len(r.reported) && !math.IsNaN(r.reported[i]) {
			out.PutValue(one.Name, r.reported[i])
		}
	}
}

// addRows appends the rows of a function to the columns.
func addRows(out *wire.Readings, id int, sizes []int, rows []reading, m *meter) {
	for i, r := range rows {
		out.ID, out.N = append(out.ID, id), append(out.N, sizes[i])
		out.Put("time", r.time)
		out.Put("wall", r.wall)
		out.Put("cpu", r.cpu)
		out.Put("thread_cpu", r.threadCPU)
		out.Put("voluntary", r.voluntary)
		out.Put("switches", r.involuntary)
		out.Put("wait", r.wait)
		out.Put("gcs", r.gcs)
		out.Put("void", r.void)
		out.PutLatency(r.latency)
		if c := m.loop.Timer.Counter; c != nil {
			out.Put(string(c.Unit()), r.count)
		}
		addEvents(out, m, &r)
		addReported(out, id, m, &r)
	}
}

// addEvents appends the counts of a row's events.
func addEvents(out *wire.Readings, m *meter, r *reading) {
	if m.events != nil {
		for j, metric := range m.events.Metrics() {
			out.Put(metric, r.events[j])
		}
	}
	out.KeepShare(r.share)
}
