package html

import (
	"cmp"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/report/about"
	"example.com/suite/report/flow"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// mostArcRows bounds the arcs in the table of a case; suite pegs shows all.
const mostArcRows = 60

// pegs shows the flow of time through a case: pictures, and a table in the same colours.
func pegs(c *result.Case, f *flow.Flow) page.Section {
	if f == nil {
		return page.Section{}
	}
	f.Fold(mostArcRows)
	name := func(s string) string {
		if s == arcs.Outermost {
			s = flow.Outermost
		}
		return display.Shorten(s, figure.LongestPoint)
	}
	blocks := pictures(figure.Flow(c.Pegs, c.BasePegs, name), figure.Spans(c.Pegs, c.BasePegs, name))
	blocks = append(blocks, page.Paragraph{page.Text(f.About + ". Only gates that name arcs are judged by this pass.")})
	for _, b := range about.Flow(f).Blocks {
		if t, ok := b.(*page.Table); ok {
			t.Caption = page.Text("Arcs in the order of time")
			if c.BasePegs != nil && c.Pairs != nil {
				t.Caption = page.Text("Arcs in the order of time, against " + c.Pairs.BaseName())
			}
			colour(t, c, f)
			byWorth(t)
		}
		blocks = append(blocks, b)
	}
	return page.Under("Pegs", blocks...)
}

// colour gives changes the colours that they have in the pictures.
func colour(t *page.Table, c *result.Case, f *flow.Flow) {
	j := slices.IndexFunc(t.Columns, func(c page.Column) bool { return c.Head == "vs base" })
	if c.BasePegs == nil || j < 0 {
		return
	}
	grew := map[[3]string]int{}
	for _, o := range arcs.ChangesOf(c) {
		grew[[3]string{o.From, o.To, string(o.Kind)}] = figure.Grew(c.BasePegs, c.Pegs, o)
	}
	for i, r := range f.Rows {
		t.Rows[i][j].Tone = [...]page.Tone{page.Good, page.Plain, page.Bad}[1+grew[[3]string{r.From, r.To, r.Kind}]]
	}
}

// byWorth puts the most useful columns first, which a table that is too wide shows without
// scrolling. Columns worth 0 are the names.
func byWorth(t *page.Table) {
	order := make([]int, len(t.Columns))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := t.Columns[a].Worth, t.Columns[b].Worth
		if x == 0 || y == 0 {
			return cmp.Compare(min(x, 1), min(y, 1))
		}
		return cmp.Compare(y, x)
	})
	t.Keep(order)
}
