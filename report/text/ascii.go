package text

import (
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
)

// speltGroup spells a table in ASCII before it is laid out, because a replacement can
// be wider than its sign.
func speltGroup(g table.Group) *table.Group {
	g.First = display.Spell(display.Visible(g.First))
	g.Columns = slices.Clone(g.Columns)
	for j := range g.Columns {
		g.Columns[j].Head = display.Spell(g.Columns[j].Head)
	}
	g.Rows = slices.Clone(g.Rows)
	for i := range g.Rows {
		r := &g.Rows[i]
		r.Name, r.Notes = display.Spell(display.Visible(r.Name)+table.NoteMarks(r.Notes)), nil
		r.Cells = slices.Clone(r.Cells)
		for j := range r.Cells {
			r.Cells[j] = speltCell(r.Cells[j])
		}
	}
	return &g
}

func speltCell(c table.Cell) table.Cell {
	c.Number = display.Spell(c.Number)
	c.Unit = display.Spell(c.Unit)
	c.Spread = display.Spell(c.Spread)
	c.Word = display.Spell(c.Word)
	c.From = display.Spell(c.From)
	c.Text = display.Spell(c.Text)
	c.Marks = slices.Clone(c.Marks)
	for i := range c.Marks {
		c.Marks[i].Text = display.Spell(c.Marks[i].Text)
	}
	return c
}
