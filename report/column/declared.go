package column

import (
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// declaredColumns are the metrics that suite files declare, in order of first use.
// They are worth more than the columns that every case has, because somebody asked
// for them.
func declaredColumns(cases []*result.Case) (columns []number.Column) {
	for _, name := range declaredNames(cases) {
		unit, mixed := declaredUnit(cases, name)
		head := name
		if !mixed && isCount(unit) && unit != "" && !strings.Contains(name, unit) && !strings.Contains(unit, name) {
			head += " (" + unit + ")"
		}
		columns = append(columns, number.Column{
			Column: page.Column{Key: name, Head: head, Worth: 65},
			Cells:  declaredCells(cases, name, mixed),
		})
	}
	return columns
}

func declaredNames(cases []*result.Case) (names []string) {
	for _, c := range cases {
		for _, d := range c.Declared {
			if !slices.Contains(names, d.Name) {
				names = append(names, d.Name)
			}
		}
	}
	return names
}

func declaredUnit(cases []*result.Case, name string) (unit string, mixed bool) {
	first := true
	for _, c := range cases {
		m, ok := c.Metric(name)
		switch {
		case !ok:
		case first:
			unit, first = m.Unit, false
		case m.Unit != unit:
			return "", true
		}
	}
	return unit, false
}

// isCount reports whether numbers of a unit are printed as plain counts, with the
// unit in the heading.
func isCount(unit string) bool {
	base, _, rate := strings.Cut(unit, "/")
	return !rate && base != "s" && base != "B" && unit != result.Percent
}

// declaredCells prints the medians. Times, bytes, shares, rates and counts each have
// a scale of their own.
func declaredCells(cases []*result.Case, name string, mixed bool) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		if s := number.MeasuredSummary(c, name); s != nil {
			scale, unit := declaredScale(s.Unit, mixed)
			cells.Put(i, number.Value{X: s.Median, Half: number.HalfInterval(s), Unit: unit}, scale)
		}
	}
	return cells.All()
}

// declaredScale chooses the scale for a unit, and what is printed after the prefix.
func declaredScale(unit string, mixed bool) (scale units.Scale, behind string) {
	base, per, rate := strings.Cut(unit, "/")
	if rate {
		per = "/" + per
	}
	switch {
	case unit == result.Percent:
		return units.Share, ""
	case base == "s":
		return units.Time, per
	case base == "B":
		return units.Bytes, per
	case base == "1" && rate:
		return units.Long, number.CountUnit + per
	case rate:
		return units.Rate, unit
	case mixed && unit != "":
		return units.Long, number.CountUnit + " " + unit
	}
	return units.Long, number.CountUnit
}
