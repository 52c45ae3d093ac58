package about

import (
	"cmp"
	"slices"
	"strings"

	"example.com/suite/report/page"
	"example.com/suite/report/table"
)

// Suite is the table of a suite, and what is written below it about its cases.
func Suite(g *table.Group) page.Section {
	title := g.Name
	if g.Description != "" {
		title += ": " + strings.Join(strings.Fields(g.Description), " ")
	}
	lines := page.Lines(g.Against...)
	if g.Fitness.Text != "" {
		lines = append(lines, page.Toned(g.Fitness.Class(), g.Fitness.Text))
	}
	for _, text := range g.Clock {
		lines = append(lines, page.Toned(page.Faint, text))
	}
	if len(g.Rows) == 0 {
		return page.Under(title, append(lines, page.Toned(page.Doubtful, "no cases")))
	}
	blocks := slices.Concat([]page.Block{lines, Cases(g)}, Summary(g), Passes(g), Latencies(g), Growths(g), Flows(g))
	return page.Under(title, page.Blocks(blocks...)...)
}

// Cases has a row for each case of a suite.
func Cases(g *table.Group) *page.Table {
	t := &page.Table{Columns: append([]page.Column{{Head: cmp.Or(g.First, "case"), Code: true}}, numeric(g.Columns)...)}
	for i := range g.Rows {
		r := &g.Rows[i]
		t.Rows = append(t.Rows, append(page.Row{{Text: r.Name, Notes: r.Notes, To: r.To}}, r.Cells...))
		t.Tones = append(t.Tones, r.Tone)
	}
	if g.Folded != "" {
		t.Notes = more(g.Folded).Lines
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
