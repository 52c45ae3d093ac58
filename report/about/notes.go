package about

import (
	"example.com/suite/report/column"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Notes are the footnotes, and what signs of verdicts mean.
func Notes(t *table.Table) []page.Block {
	var all page.List
	add := func(mark string, lines ...page.Line) {
		all = append(all, page.Item{Mark: page.Span{Text: mark}, Lines: lines})
	}
	for i := range t.Notes {
		n := &t.Notes[i]
		mark := "*"
		if n.Number > 0 {
			mark = page.Superscript(n.Number)
		}
		lines := page.Paragraph{page.Text(n.Text)}
		lines.Add(n.Items...)
		if n.Hint != "" {
			lines = append(lines, page.Toned(page.Faint, "hint: "+n.Hint))
		}
		add(mark, lines...)
		if n.Number > 0 {
			all[i].ID = page.NoteID(n.Number)
		}
	}
	if t.Points {
		add("°", page.Toned(page.Faint, "point: decided on point values alone, not through an interval"))
	}
	if t.ByInstructions {
		add(column.InstructionsSign,
			page.Toned(page.Faint, "decided by instructions, because the time did not decide (when_undecided)"))
	}
	if t.Unpaired {
		add(column.TripwireSign, page.Toned(page.Faint, table.TripwireNote))
	}
	return page.Blocks(all)
}

// Warnings are what is doubtful about a case, with what to try.
func Warnings(c *result.Case) []page.Block {
	var all page.List
	for _, w := range c.Warnings {
		lines := []page.Line{page.Toned(page.Doubtful, w.Message)}
		if w.Hint != "" {
			lines = append(lines, page.Toned(page.Faint, "hint: "+w.Hint))
		}
		all = append(all, page.Item{Lines: lines})
	}
	return []page.Block{all}
}
