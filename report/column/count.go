package column

import (
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Columns of counts: of the cycle counter, and of the counters that cases ask for. All
// are per unit of work.

func cycleColumns(cases []*result.Case) (columns []number.Column) {
	for _, metric := range []string{"ticks", "cycles"} {
		suffix, mixed := unitOfCounts(cases, metric)
		columns = append(columns, number.Column{
			Column: page.Column{Key: metric, Head: metric + suffix, Worth: 55},
			Cells:  countCells(cases, metric, mixed).All(),
		})
	}
	return columns
}

// counterColumns are the counters that some case asks for, under the kernel's names.
// They are worth least, because whoever asks for them can ask for a wider table too.
func counterColumns(cases []*result.Case) (columns []number.Column) {
	for _, m := range result.Metrics() {
		if m.Name == "cycles" || m.Name == result.Instructions && allCounted(cases) || !asksForCounter(cases, m.Name) {
			continue
		}
		head := strings.ReplaceAll(m.Name, "_", "-")
		if m.Unit == "s" {
			columns = append(columns, number.Column{
				Column: page.Column{Key: m.Name, Head: head, Worth: 5},
				Cells:  timeCells(cases, m.Name),
			})
			continue
		}
		suffix, mixed := unitOfCounts(cases, m.Name)
		columns = append(columns, number.Column{
			Column: page.Column{Key: m.Name, Head: head + strings.TrimSuffix(suffix, "/op"), Worth: 5},
			Cells:  countCells(cases, m.Name, mixed).All(),
		})
	}
	return columns
}

func asksForCounter(cases []*result.Case, metric string) bool {
	return slices.ContainsFunc(cases, func(c *result.Case) bool { return slices.Contains(c.Settings.Counters, metric) })
}

// unitOfCounts is the unit of work for the heading if all cases with the metric share
// one. Otherwise mixed is true and each number has its own unit.
func unitOfCounts(cases []*result.Case, metric string) (suffix string, mixed bool) {
	for _, c := range cases {
		switch of := number.PerOp(c); {
		case number.MeasuredSummary(c, metric) == nil:
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
func countCells(cases []*result.Case, metric string, mixed bool) *number.Cells {
	unit := func(c *result.Case) string {
		if mixed {
			return number.PerOp(c)
		}
		return ""
	}
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		switch s := number.MeasuredSummary(c, metric); {
		case s == nil:
		case s.Bound != nil:
			cells.Set(i, number.Bound(*s.Bound, number.CountUnit+unit(c), units.Count))
		default:
			cells.Put(i, number.Median(s, number.CountUnit+unit(c)), units.Count)
		}
	}
	return cells
}

func timeCells(cases []*result.Case, metric string) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		if s := number.MeasuredSummary(c, metric); s != nil {
			cells.Put(i, number.Median(s, number.PerUnit(c)), units.Time)
		}
	}
	return cells.All()
}
