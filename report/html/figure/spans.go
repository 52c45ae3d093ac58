package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page/drawing"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

const (
	nestRow    = 24 // height of a depth
	nestTop    = 4
	nestMargin = 6   // before the text in a cell, and after it
	deepest    = 12  // depths that are drawn
	leastCell  = 0.8 // drawing units; what is narrower cannot be seen
	cellLetter = 7.2 // width of a letter in a cell, on the wide side
)

// Spans draws nested spans: each is as wide as its time and below the span that contains
// it, so the empty part of the row below a span is the time that it spends itself. base
// and label are as in Flow. It returns nil if there are no spans.
func Spans(p, base *result.Pegs, label func(string) string) *drawing.Drawing {
	if p == nil {
		return nil
	}
	n := &nest{of: p, name: label, base: compared(base, p), inside: map[string][]result.Arc{},
		own: map[string]float64{}}
	for _, a := range arcs.Whole(p) {
		if a.Kind == result.ArcSpan {
			n.inside[a.From] = append(n.inside[a.From], a)
			n.own[a.To] += a.Sum
		}
	}
	for _, spans := range n.inside {
		slices.SortStableFunc(spans, func(a, b result.Arc) int { return cmp.Compare(b.Sum, a.Sum) })
	}
	roots, total := n.roots()
	if total <= 0 {
		return nil
	}
	return n.draw(roots, total)
}

// nest is the spans of a case by the span that contains them.
type nest struct {
	of     *result.Pegs
	name   func(string) string
	base   against
	inside map[string][]result.Arc
	own    map[string]float64 // time of all spans of a name, in whatever span
	cells  []cell
	scale  float64 // drawing units a second
	depth  int     // of the lowest row
	shared bool    // a span that contains others is in several itself
	small  int     // spans that are too narrow, or too deep, to be drawn
}

type cell struct {
	nested
	arc   result.Arc
	share float64 // the part of its arc's time that is drawn in this place
}

// nested is a cell below the one that contains it.
type nested struct {
	x, width float64
	depth    int
}

// draw adds the cell, in rows of a height.
func (c *nested) draw(d *drawing.Drawing, row float64, role drawing.Role, tip string) {
	var p path
	top := nestTop + row*float64(c.depth)
	p.box(c.x, top, max(c.x+0.5, c.x+c.width-1), top+row-2)
	d.Marks = append(d.Marks, drawing.Mark{Role: role, Path: string(p), Tip: tip})
}

// label writes a text into the cell, unless it is empty.
func (c *nested) label(d *drawing.Drawing, row, margin float64, role drawing.Role, text string) {
	if text != "" {
		write(d, c.x+margin, nestTop+row*float64(c.depth)+row/2+3, drawing.Start, role, text)
	}
}

// room is how many letters the cell has room for.
func (c *nested) room(margin float64) int { return int((c.width - 2*margin) / cellLetter) }

// roots are the spans that are in no other, and the spans in an outer one without a
// time of its own, because it did not end.
func (n *nest) roots() (roots []result.Arc, total float64) {
	roots = slices.Clone(n.inside[""])
	for from, spans := range n.inside {
		if _, measured := n.own[from]; from != "" && !measured {
			roots = append(roots, spans...)
		}
	}
	slices.SortStableFunc(roots, func(a, b result.Arc) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	for _, a := range roots {
		total += a.Sum
	}
	return roots, total
}

func (n *nest) draw(roots []result.Arc, total float64) *drawing.Drawing {
	const left, right = 4.0, caseWidth - 4
	n.scale = (right - left) / total
	n.row(roots, window{left, right}, 1, 0, nil)
	d := &drawing.Drawing{
		Width:  caseWidth,
		Height: 2*nestTop + nestRow*float64(n.depth+1),
		Title:  "Spans inside of each other",
	}
	for i := range n.cells {
		n.cell(d, &n.cells[i])
	}
	d.Desc, d.Caption = n.desc(roots), n.caption()
	return d
}

// row puts spans next to each other within a stretch, and the spans that each contains
// below it. share is the part of their time that is drawn here: less than 1 if the span
// around them is drawn elsewhere too. path names the spans around, none of which is
// entered again, so recursion ends.
func (n *nest) row(spans []result.Arc, in window, share float64, depth int, path []string) {
	x := in.low
	for _, a := range spans {
		width := min(a.Sum*share*n.scale, in.high-x)
		if width < leastCell || depth == deepest {
			n.small++
			continue
		}
		n.cells, n.depth = append(n.cells, cell{nested{x, width, depth}, a, share}), max(n.depth, depth)
		if !slices.Contains(path, a.To) {
			here := share
			if all := n.own[a.To]; a.Sum < all {
				here, n.shared = share*a.Sum/all, n.shared || len(n.inside[a.To]) > 0
			}
			n.row(n.inside[a.To], window{x, x + width}, here, depth+1, append(path[:len(path):len(path)], a.To))
		}
		x += width
	}
}

func (n *nest) cell(d *drawing.Drawing, c *cell) {
	role := drawing.Nest
	switch r := n.base.rise(&c.arc); {
	case r > 0:
		role = drawing.NestMore
	case r < 0:
		role = drawing.NestLess
	}
	c.draw(d, nestRow, role, n.tip(&c.arc))
	c.label(d, nestRow, nestMargin, drawing.Strong, n.text(c))
}

// text has the name and the time, or as much of the name as a cell has room for.
func (n *nest) text(c *cell) string {
	name, room := n.name(c.arc.To), c.room(nestMargin)
	if whole := name + "  " + n.time(c); len([]rune(whole)) <= room {
		return whole
	}
	return cut(name, room, 3)
}

// time is a cell's time per iteration. It is marked ≈ if it is only a share of its
// arc's time, because the division is an estimate.
func (n *nest) time(c *cell) string {
	sign := ""
	if c.share < 1 {
		sign = "≈ "
	}
	return sign + units.Format(c.arc.Sum*c.share/float64(max(1, n.of.Iterations)), "s")
}

func (n *nest) tip(a *result.Arc) string {
	f := flow{of: n.of, base: n.base}
	one := flowArc{Arc: *a}
	if a.From == "" {
		one.From = "outermost"
	}
	return f.tip(&one)
}

func (n *nest) desc(roots []result.Arc) string {
	var longest []string
	for _, a := range roots[:min(3, len(roots))] {
		text := fmt.Sprintf("%s %s", n.name(a.To), units.Format(a.Sum, "s"))
		if in := n.inside[a.To]; len(in) > 0 {
			text += fmt.Sprintf(", most of it in %s %s", n.name(in[0].To), units.Format(in[0].Sum, "s"))
		}
		longest = append(longest, text)
	}
	return fmt.Sprintf("%s; outermost, of the whole pass: %s",
		units.Plural(len(n.cells), "span"), strings.Join(longest, "; "))
}

func (n *nest) caption() string {
	text := "A span is as wide as its time, of an iteration, and stands below the one that it lies in; what nothing " +
		"stands under, a span spends itself."
	if n.shared {
		text += " The time inside of a span that lies in several is divided among them in proportion."
	}
	text += n.base.hint()
	if n.small > 0 {
		text += fmt.Sprintf(" Left out: %s.", units.Plural(n.small, "span")+" too short, or too deep, to be seen")
	}
	return text
}
