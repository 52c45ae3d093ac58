package about

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// fewArcs is the number of arcs in a story; suite pegs shows all.
const fewArcs = 5

// Arcs lists the arcs with the most time and, if the case got worse, the arcs that took
// longer than in the base.
func Arcs(c *result.Case) []page.Block {
	if c.Pegs == nil {
		return nil
	}
	blocks := sentence("Its pegs were switched on for a separate pass after the samples, so their cost is in no sample. An arc is the time from one peg to the next.")
	whole := arcs.Whole(c.Pegs)
	slices.SortStableFunc(whole, func(a, b result.Arc) int { return cmp.Compare(b.Sum, a.Sum) })
	var longest []string
	for i := range whole[:min(len(whole), fewArcs)] {
		longest = append(longest, table.ArcText(c.Pegs, &whole[i]))
	}
	if rest := len(whole) - fewArcs; rest > 0 {
		longest = append(longest, fmt.Sprintf("and %s more: suite pegs shows them", units.Plural(rest, "arc")))
	}
	blocks = append(blocks, page.Items(longest...))
	if o := c.Comparison("time"); o == nil || o.Change != result.Worse {
		return blocks
	}
	slower := table.SlowerArcs(c)
	if len(slower) == 0 {
		return blocks
	}
	rests := "by one pass of each, not judged"
	if c.PegPairs != nil {
		rests = table.PegPairsText(c)
	}
	blocks = append(blocks, sentence("What took longer than in %s, %s:", c.Pairs.BaseName(), rests)...)
	return append(blocks, page.Items(slower...))
}

// Flow shows what the time of a case is spent on, with a row for each arc. Rows that follow each
// other and begin at one point name it once.
func Flow(f *table.Flow) []page.Block {
	notes := []page.Line{}
	for _, text := range f.Changes {
		notes = append(notes, page.Text(text))
	}
	for _, l := range f.Notes {
		notes = append(notes, page.Toned(l.Class, l.Text))
	}
	if f.Folded != "" {
		notes = slices.Insert(notes, 0, page.Toned(page.Faint, "… and "+f.Folded+" (suite pegs RESULT.json shows them)"))
	}
	if len(f.Rows) == 0 {
		return page.Blocks(page.Paragraph(notes))
	}
	t := &page.Table{Columns: append([]page.Column{{Head: "from", Code: true}, {Head: "to", Code: true}}, numeric(f.Columns)...), Notes: notes}
	for i, r := range f.Rows {
		from := cmp.Or(r.From, table.Outermost)
		if i > 0 && f.Rows[i-1].From == r.From {
			from = ""
		}
		t.Rows = append(t.Rows, append(page.Row{{Text: from}, {Text: r.To}}, r.Cells...))
	}
	return []page.Block{t}
}
