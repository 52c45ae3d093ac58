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
