package gotest

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// Metric is a unit that a benchmark prints, as a metric of its case.
type Metric struct {
	Unit     string           // as printed: p99-ns/op
	Name     string           // throughput, heap, allocs, or the name of Declared
	Scale    float64          // SI base units in one of what is printed
	Declared *result.Declared // nil for metrics of the metric table
}

// known are the units of package testing, except ns/op, which is the time that every case
// has.
var known = map[string]Metric{
	"MB/s":      {Name: "throughput", Scale: 1e6},
	"B/op":      {Name: "heap", Scale: 1},
	"allocs/op": {Name: "allocs", Scale: 1},
}

// Metrics makes metrics for the units of a benchmark, in order and without ns/op.
// Numbers that the benchmark itself reports (b.ReportMetric) become declared metrics,
// named after their units: p99_ns_op.
func Metrics(units []string) (all []Metric) {
	for _, unit := range units {
		switch m, table := known[unit]; {
		case unit == "ns/op":
		case table:
			m.Unit = unit
			all = append(all, m)
		default:
			all = append(all, declare(unit, all))
		}
	}
	return all
}

// declare makes a metric of a unit that package testing does not know.
func declare(unit string, others []Metric) Metric {
	base, scale := extract.BaseUnit(unit)
	m := Metric{Unit: unit, Name: name(unit, others), Scale: scale}
	if strings.HasSuffix(unit, "%") {
		m.Scale = 0.01
	}
	better := result.Lower
	if benchname.HigherIsBetter(unit) {
		better = result.Higher
	}
	m.Declared = &result.Declared{Name: m.Name, Unit: dimension(base), Better: better}
	return m
}

// A name is an identifier that gates can use and that no other metric has.
func name(unit string, others []Metric) string {
	id := benchname.Identifier(unit)
	if _, taken := result.FindMetric(id); taken || id == "" || lang.IsReserved(id) {
		id = strings.TrimSuffix("m_"+id, "_")
	}
	for first, i := id, 2; slices.ContainsFunc(others, func(m Metric) bool { return m.Name == id }); i++ {
		id = fmt.Sprintf("%s_%d", first, i)
	}
	return id
}

// dimension is the unit in which numbers of a base unit are shown: s for all times
// (p99-sec/op), B for bytes, % for shares, and otherwise its own name without "/op".
func dimension(base string) string {
	above, per, _ := strings.Cut(base, "/")
	words := strings.FieldsFunc(above, func(r rune) bool { return r == '-' || r == '*' })
	switch {
	case strings.HasSuffix(base, "%"):
		return result.Percent
	case per != "" && per != "op":
		return base
	case slices.Contains(words, "sec"):
		return "s"
	case slices.Contains(words, "B"):
		return "B"
	}
	return above
}
