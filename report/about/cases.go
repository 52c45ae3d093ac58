package about

import (
	"cmp"
	"slices"

	"example.com/suite/report/page"
	"example.com/suite/report/table"
)

// Cases has a row for each case of a suite.
func Cases(g *table.Group) *page.Table {
	t := &page.Table{Columns: append([]page.Column{{Head: cmp.Or(g.First, "case"), Code: true}}, numeric(g.Columns)...)}
	for i := range g.Rows {
		r := &g.Rows[i]
		t.Rows = append(t.Rows, append(page.Row{{Text: r.Name, Note: table.NoteMarks(r.Notes)}}, r.Cells...))
	}
	return t
}

// numeric aligns columns on the right.
func numeric(columns []page.Column) []page.Column {
	all := slices.Clone(columns)
	for i := range all {
		all[i].Align = page.Right
	}
	return all
}
