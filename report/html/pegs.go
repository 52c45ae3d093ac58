package html

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/page/drawing"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// mostArcRows bounds the arcs in the table of a case; suite pegs shows all.
const mostArcRows = 60

// longestEnd is the width of a point's name in the table, in columns of a terminal: a
// name of 200 letters would leave no room for numbers.
const longestEnd = 36

// htmlPegs is the flow of time through a case: a Flow with escaped texts and drawings.
type htmlPegs struct {
	Drawings       []*htmlDrawing
	About, Against string // what the pass was, and what it is compared with
	Columns        []string
	Sources        []htmlSourceArcs
	Folded         string
	Changes        []string
	Notes          []htmlNote
}

// htmlSourceArcs is a point with the arcs that begin there.
type htmlSourceArcs struct {
	Name string
	Arcs []htmlArc
}

type htmlArc struct {
	To    string
	Cells []htmlCell
}

type htmlNote struct{ Text, Class string }

// pegsOf lays out the flow of a case; nil for nil.
func pegsOf(c *result.Case, f *table.Flow, id string) *htmlPegs {
	if f == nil {
		return nil
	}
	f.Fold(mostArcRows)
	orderByWorth(f)
	out := &htmlPegs{About: f.About, Folded: f.Folded, Changes: f.Changes}
	if c.BasePegs != nil && c.Pairs != nil {
		out.Against = c.Pairs.BaseName()
	}
	name := func(s string) string { return display.Shorten(harmlessEnd(s), figure.LongestPoint) }
	for _, d := range []*drawing.Drawing{figure.Flow(c.Pegs, c.BasePegs, name), figure.Spans(c.Pegs, c.BasePegs, name)} {
		if d != nil {
			out.Drawings = append(out.Drawings, drawingOf(d, fmt.Sprintf("%s-pegs-%d", id, len(out.Drawings)+1)))
		}
	}
	out.rows(f, grown(c))
	for _, n := range f.Notes {
		out.Notes = append(out.Notes, htmlNote{n.Text, className(n.Class)})
	}
	return out
}

// harmlessEnd is the escaped name of a point, or "(outermost)" if no span is around.
func harmlessEnd(s string) string {
	if s == arcs.Outermost {
		return "(outermost)"
	}
	return display.Visible(s)
}

// orderByWorth puts the most useful columns first, which a table that is too wide shows
// without scrolling.
func orderByWorth(f *table.Flow) {
	order := make([]int, len(f.Columns))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.Columns[b].Worth, f.Columns[a].Worth) })
	f.Columns = picked(f.Columns, order)
	for i := range f.Rows {
		f.Rows[i].Cells = picked(f.Rows[i].Cells, order)
	}
}

func picked[T any](xs []T, order []int) (out []T) {
	for _, i := range order {
		out = append(out, xs[i])
	}
	return out
}

func (p *htmlPegs) rows(f *table.Flow, grown map[[3]string]int) {
	for _, c := range f.Columns {
		p.Columns = append(p.Columns, c.Head)
	}
	widths := make([]int, len(f.Columns)) // of fractions
	for i := range f.Rows {
		for j := range widths {
			widths[j] = max(widths[j], fractionWidth(&f.Rows[i].Cells[j]))
		}
	}
	for i := range f.Rows {
		r := &f.Rows[i]
		if i == 0 || r.From != f.Rows[i-1].From {
			p.Sources = append(p.Sources, htmlSourceArcs{Name: display.Shorten(harmlessEnd(r.From), longestEnd)})
		}
		arc := htmlArc{To: display.Shorten(harmlessEnd(r.To), longestEnd)}
		for j := range widths {
			cell := htmlCellOf(&r.Cells[j], widths[j])
			if f.Columns[j].Head == "vs base" {
				cell.Class = [...]string{"good", "", "bad"}[1+grown[[3]string{r.From, r.To, r.Kind}]]
			}
			arc.Cells = append(arc.Cells, cell)
		}
		last := &p.Sources[len(p.Sources)-1]
		last.Arcs = append(last.Arcs, arc)
	}
}

// grown uses figure.Grew for each arc, so that the table has the colours of the
// drawings.
func grown(c *result.Case) map[[3]string]int {
	out := map[[3]string]int{}
	if c.BasePegs == nil {
		return out
	}
	for _, o := range arcs.ChangesOf(c) {
		out[[3]string{o.From, o.To, string(o.Kind)}] = figure.Grew(c.BasePegs, c.Pegs, o)
	}
	return out
}
