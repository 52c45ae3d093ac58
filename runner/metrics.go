package runner

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// Declared are the metrics that a case declares, as the document has them: those of the suite
// file, those that an existing benchmark prints, and those that a function was seen to report.
func Declared(c *spec.Case) (all []result.Declared) {
	for _, m := range c.Metrics {
		all = append(all, m.Declared)
	}
	return append(all, c.Reports...)
}

// metrics are those that the host has to look for.
func metrics(ms []spec.Metric) (all []wire.Metric) {
	for _, m := range ms {
		all = append(all, wire.Metric{Name: m.Name, From: m.From, Regex: m.Regex, JSON: m.JSON, Bench: m.Bench, Scale: m.Scale})
	}
	return all
}

// values appends what a run printed to the columns of the metrics that the case
// declares. Other names are ignored: a host that is no part of suite may send any.
func (t *side) values(r *wire.Readings, i int) {
	s := &t.result.Samples
	for _, name := range t.printed() {
		if column := r.Values[name]; i < len(column) && !math.IsInf(column[i], 0) {
			s.Columns[name] = append(filled(s.Columns[name], s.Len()), column[i])
		}
	}
}
