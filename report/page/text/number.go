package text

import (
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
)

// to is between two bounds.
const to = " to "

// numbers lays out a column of numbers and signs in cells of one width: decimal points are in
// line, and so are units and intervals. Signs, and numbers with verdicts, begin on the left.
func (p *writer) numbers(t *page.Table, j int, head string) (string, map[int]page.Line) {
	var w parts
	shown := map[int]page.Cell{}
	for i, row := range t.Rows {
		if j < len(row) {
			shown[i] = p.shownCell(row[j])
			w.grow(shown[i])
		}
	}
	width := max(w.total(), w.text, display.Width(head))
	cells := map[int]page.Line{}
	for i, c := range shown {
		cell := w.cell(c, width)
		cells[i] = append(cell, page.Span{Text: strings.Repeat(" ", max(0, width-display.Width(cell.String())))})
	}
	if !w.marks {
		head = display.PadLeft(head, width-w.spread)
	}
	return display.PadRight(head, width), cells
}

// shownCell is a cell whose parts are visible.
func (p *writer) shownCell(c page.Cell) page.Cell {
	for _, part := range []*string{&c.Text, &c.Number, &c.From, &c.Unit, &c.Spread, &c.Word} {
		*part = p.visible(*part)
	}
	if c.Bars != nil {
		c.Marks = page.Text(p.histogram(c.Bars))
	}
	c.Marks = p.shown(c.Marks)
	return c
}

// parts are the widths of the parts of a column's cells.
type parts struct {
	fromWhole, fromFraction       int // of lower bounds
	whole, fraction, unit, spread int // with the space or point before each
	word                          int // verdicts after numbers, with the gap before each
	text                          int
	marks                         bool
}

func (w *parts) grow(c page.Cell) {
	whole, fraction := page.SplitNumber(c.From)
	w.fromWhole, w.fromFraction = max(w.fromWhole, display.Width(whole)), max(w.fromFraction, display.Width(fraction))
	whole, fraction = page.SplitNumber(c.Number)
	w.whole, w.fraction = max(w.whole, display.Width(whole)), max(w.fraction, display.Width(fraction))
	w.unit = max(w.unit, display.Width(spaced(" ", c.Unit)))
	w.spread = max(w.spread, display.Width(spaced(" ", c.Spread)))
	w.word = max(w.word, display.Width(spaced(gap, c.Word)))
	w.text = max(w.text, display.Width(c.Text), display.Width(page.Line(c.Marks).String()))
	w.marks = w.marks || c.Marks != nil || c.Word != ""
}

func (w *parts) total() int { return w.from() + w.whole + w.fraction + w.unit + w.spread + w.word }

// from is the width of lower bounds with the word that joins them to the upper ones.
func (w *parts) from() int {
	if w.fromWhole == 0 {
		return 0
	}
	return w.fromWhole + w.fromFraction + len(to)
}

func (w *parts) cell(c page.Cell, total int) page.Line {
	switch {
	case c.Marks != nil:
		return c.Marks
	case c.Text != "":
		before := strings.Repeat(" ", max(0, total-w.spread-display.Width(c.Text)))
		return page.Line{{Text: before}, {Text: c.Text, Tone: c.Tone}}
	case c.Number == "":
		return page.Text("")
	}
	from := ""
	if c.From != "" {
		whole, fraction := page.SplitNumber(c.From)
		from = display.PadLeft(whole, w.fromWhole) + display.PadRight(fraction, w.fromFraction) + to
	}
	whole, fraction := page.SplitNumber(c.Number)
	number := display.PadLeft(from, w.from()) + display.PadLeft(whole, w.whole) + display.PadRight(fraction, w.fraction)
	number += display.PadRight(spaced(" ", c.Unit), w.unit) + display.PadLeft(spaced(" ", c.Spread), w.spread)
	number += spaced(gap, c.Word)
	text := strings.TrimRight(number, " ") // padding stays outside the colour
	before := ""
	if w.word == 0 {
		before = strings.Repeat(" ", max(0, total-display.Width(number)))
	}
	return page.Line{{Text: before}, {Text: text, Tone: c.Tone}, {Text: number[len(text):]}}
}

// spaced is s after a space or a gap, empty if s is.
func spaced(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}
