package table

import (
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Columns of counts: of the cycle counter, and of the counters that cases ask for. All
// are per unit of work.

func cycleColumns(cases []*result.Case) (columns []column) {
	for _, metric := range []string{"ticks", "cycles"} {
		suffix, mixed := unitOfCounts(cases, metric)
		columns = append(columns, column{page.Column{Key: metric, Head: metric + suffix, Worth: 55}, countCells(cases, metric, mixed)})
	}
	return columns
}

// counterColumns are the counters that some case asks for, under the kernel's names.
// They are worth least, because whoever asks for them can ask for a wider table too.
func counterColumns(cases []*result.Case) (columns []column) {
	for _, m := range result.Metrics() {
		if m.Name == "cycles" || !asked(cases, m.Name) {
			continue
		}
		head := strings.ReplaceAll(m.Name, "_", "-")
		if m.Unit == "s" {
			columns = append(columns, column{page.Column{Key: m.Name, Head: head, Worth: 5}, timeCells(cases, m.Name)})
			continue
		}
		suffix, mixed := unitOfCounts(cases, m.Name)
		columns = append(columns, column{page.Column{Key: m.Name, Head: head + strings.TrimSuffix(suffix, "/op"), Worth: 5}, countCells(cases, m.Name, mixed)})
	}
	return columns
}

func asked(cases []*result.Case, metric string) bool {
	return slices.ContainsFunc(cases, func(c *result.Case) bool { return slices.Contains(c.Settings.Counters, metric) })
}

// unitOfCounts is the unit of work for the heading if all cases with the metric share
// one. Otherwise mixed is true and each number has its own unit.
func unitOfCounts(cases []*result.Case, metric string) (suffix string, mixed bool) {
	for _, c := range cases {
		switch of := perOp(c); {
		case MeasuredSummary(c, metric) == nil:
		case suffix == "":
			suffix = of
		case suffix != of:
			return "", true
		}
	}
	return suffix, false
}

// countCells adds the unit of work to each count if units are mixed. A count below
// resolution is shown as its bound.
func countCells(cases []*result.Case, metric string, mixed bool) []page.Cell {
	unit := func(c *result.Case) string {
		if mixed {
			return perOp(c)
		}
		return ""
	}
	values, bounds := make([]value, len(cases)), make([]page.Cell, len(cases))
	for i, c := range cases {
		switch s := MeasuredSummary(c, metric); {
		case s == nil:
		case s.Bound != nil:
			bounds[i] = bound(*s.Bound, countUnit+unit(c), units.Count)
		default:
			values[i] = value{x: s.Median, half: HalfInterval(s), sign: BoundSign(s), unit: countUnit + unit(c), ok: true}
		}
	}
	cells := numbers(values, units.Count)
	if !someNumber(bounds) {
		return cells
	}
	return merge(cells, bounds)
}

func someNumber(cells []page.Cell) bool {
	return slices.ContainsFunc(cells, func(c page.Cell) bool { return c.Number != "" })
}

func timeCells(cases []*result.Case, metric string) []page.Cell {
	values := make([]value, len(cases))
	for i, c := range cases {
		if s := MeasuredSummary(c, metric); s != nil {
			values[i] = value{x: s.Median, half: HalfInterval(s), sign: BoundSign(s), unit: perUnit(c), ok: true}
		}
	}
	return numbers(values, units.Time)
}

// perOp follows a count: /op, /B or the suite's unit.
func perOp(c *result.Case) string {
	if WorkUnit(c) == "op" {
		return "/op"
	}
	return perUnit(c)
}
