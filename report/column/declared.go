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
func declaredCells(cases []*result.Case, name string, mixed bool) (cells []page.Cell) {
	kinds := map[string][]number.Value{}
	for i, c := range cases {
		s := number.MeasuredSummary(c, name)
		if s == nil {
			continue
		}
		kind, unit := declaredScale(s.Unit, mixed)
		if kinds[kind] == nil {
			kinds[kind] = make([]number.Value, len(cases))
		}
		kinds[kind][i] = number.Value{X: s.Median, Half: number.HalfInterval(s), Unit: unit, Ok: true}
	}
	for kind, s := range map[string]units.Scale{
		"s": units.Time,
		"B": units.Bytes,
		"%": units.Share,
		"/": units.Rate,
		"":  units.Long,
	} {
		if kinds[kind] != nil {
			cells = number.Merge(cells, number.Aligned(kinds[kind], s))
		}
	}
	return cells
}

// declaredScale chooses the scale for a unit, as a key of the table in declaredCells,
// and what is printed after the prefix.
func declaredScale(unit string, mixed bool) (kind, behind string) {
	base, per, rate := strings.Cut(unit, "/")
	switch {
	case unit == result.Percent:
		return "%", ""
	case (base == "s" || base == "B") && rate:
		return base, "/" + per
	case base == "s" || base == "B":
		return base, ""
	case base == "1" && rate:
		return "", number.CountUnit + "/" + per
	case rate:
		return "/", unit
	case mixed && unit != "":
		return "", number.CountUnit + " " + unit
	}
	return "", number.CountUnit
}
