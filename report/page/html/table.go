package html

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/report/page/drawing"
)

// mostRows bounds the rows that are unfolded at first, of a table in which people look for rows. A
// browser lays out only what is unfolded, and needs 20 s for a table of 10,000 rows.
const mostRows = 500

// sheet is a table with what all cells of a column have in common.
type sheet struct {
	*page.Table
	classes   []string // of the cells
	fractions []int    // the widths of fractions
	keyed     []bool   // at least one cell has something to sort by
}

func sheetOf(t *page.Table) *sheet {
	n := len(t.Columns)
	s := &sheet{t, make([]string, n), make([]int, n), make([]bool, n)}
	for j, c := range t.Columns {
		signs, long, drawn := false, false, false
		for _, row := range t.Rows {
			if j >= len(row) {
				continue
			}
			cell := &row[j]
			signs = signs || len(cell.Marks) > 0 && cell.Marks[0].Means != ""
			drawn = drawn || cell.Bars != nil || cell.Figure != nil
			long = long || display.Width(cell.Text) > longWords
			s.keyed[j] = s.keyed[j] || keyOf(cell) != ""
			s.fractions[j] = max(s.fractions[j], fractionWidth(cell))
		}
		switch {
		case signs:
			s.classes[j] = "marks"
		case drawn:
			s.classes[j] = "shape"
		case c.Align == page.Right && long:
			s.classes[j] = "n words"
		case c.Align == page.Right:
			s.classes[j] = "n"
		case long:
			s.classes[j] = "words"
		}
	}
	return s
}

// longWords is the width from which a text may be broken, in columns of a terminal.
const longWords = 30

// table writes a table. If people look for rows in it, they can be found by words and by kind.
func (w *writer) table(t *page.Table, at place) {
	w.tables++
	id := fmt.Sprintf("table-%d", w.tables)
	s := sheetOf(t)
	first := len(t.Rows)
	if at.inside {
		w.raw("<div>")
		defer w.raw("</div>")
	}
	if t.Kinds != nil {
		first = min(first, mostRows)
		w.tools(t, id)
	}
	w.rows(s, id, 0, first, at)
	if rest := len(t.Rows) - first; rest > 0 {
		w.raw(`<details class="rest"><summary>`, Escape(units.Plural(rest, "more "+t.Columns[0].Head)), "</summary>\n")
		w.rows(s, id+"-rest", first, len(t.Rows), at)
		w.raw("</details>\n")
	}
	w.paragraphs(t.Notes)
}

func (w *writer) tools(t *page.Table, id string) {
	w.raw(`<div class="tools" data-for="`, id, `" data-row="`, Escape(t.Columns[0].Head), "\" hidden>\n",
		`<label>find <input type="search" autocomplete="off" spellcheck="false"></label>`,
		`<label>show <select><option value="">all `, Escape(t.Columns[0].Head), "s</option>")
	for _, tone := range []page.Tone{page.Bad, page.Doubtful, page.Good, page.Faint, page.Plain} {
		if name := t.Kinds[tone]; name != "" {
			w.raw(`<option value="`, rowClass(tone), `">`, Escape(name), "</option>")
		}
	}
	w.raw("</select></label>\n<output aria-live=\"polite\"></output>\n</div>\n")
}

func rowClass(tone page.Tone) string {
	if tone == page.Plain {
		return "plain"
	}
	return classes[tone]
}

// rows writes a table of some rows. Tables in a fold scroll together.
func (w *writer) rows(s *sheet, id string, from, to int, at place) {
	class := ""
	if s.Tones != nil {
		class = "rows"
	}
	if !at.inside {
		w.raw(`<div class="scroll" role="group"`, attribute("aria-labelledby", w.heading), ` tabindex="0">`)
	}
	w.raw(`<table id="`, id, `"`, attribute("class", class), ">")
	if len(s.Caption) > 0 {
		w.raw("<caption>", w.line(s.Caption), "</caption>")
	}
	if s.HasHeads() {
		w.raw("<thead><tr>")
		for j, c := range s.Columns {
			fixed := ""
			if s.Kinds != nil && j > 0 && !s.keyed[j] {
				fixed = " data-fixed"
			}
			if c.Head == "" {
				w.raw("<td></td>")
				continue
			}
			w.raw(`<th scope="col"`, attribute("class", s.classes[j]), fixed, ">", Escape(c.Head), "</th>")
		}
		w.raw("</tr></thead>")
	}
	w.raw("<tbody>\n")
	for i := from; i < to; i++ {
		w.row(s, i)
	}
	w.raw("</tbody></table>")
	if !at.inside {
		w.raw("</div>\n")
	}
}

// row writes a row. A cell that belongs to the ones above is part of the first of them, which begins
// a group of rows.
func (w *writer) row(s *sheet, i int) {
	row := s.Rows[i]
	once := s.Columns[0].Once
	begins := !once || i == 0 || s.Rows[i-1][0].Text != row[0].Text
	if once && begins && i > 0 {
		w.raw("</tbody><tbody>\n")
	}
	w.raw("<tr")
	if s.Tones != nil {
		w.raw(attribute("class", rowClass(s.Tones[i])))
	}
	w.raw(">")
	for j := range row {
		span := ""
		if j == len(row)-1 && len(row) < len(s.Columns) {
			span = fmt.Sprintf(` colspan="%d"`, len(s.Columns)-j)
		}
		switch {
		case j == 0 && !begins:
		case j == 0 && once:
			n := 1
			for i+n < len(s.Rows) && s.Rows[i+n][0].Text == row[0].Text {
				n++
			}
			w.raw(fmt.Sprintf(`<th scope="rowgroup" rowspan="%d">`, n), w.name(&row[0]), "</th>")
		case j == 0 || j == 1 && once:
			w.raw(`<th scope="row"`, span, ">", w.name(&row[j]), "</th>")
		default:
			w.cell(s, j, &row[j], span)
		}
	}
	w.raw("</tr>\n")
}

// name is the text of a cell that tells rows apart, with the footnotes that concern the row.
func (w *writer) name(c *page.Cell) string {
	text := linked(c.To, "<bdi>"+Escape(c.String())+"</bdi>")
	if class := classes[c.Tone]; class != "" {
		text = `<span class="` + class + `">` + text + "</span>"
	}
	for _, n := range c.Notes {
		text += fmt.Sprintf(` <sup><a href="#%s" aria-label="footnote %d">%[2]d</a></sup>`, page.NoteID(n), n)
	}
	return text
}

func (w *writer) cell(s *sheet, j int, c *page.Cell, span string) {
	key := ""
	if s.Kinds != nil {
		key = attribute("data-k", keyOf(c))
	}
	class := s.classes[j]
	if class == "marks" && (len(c.Marks) == 0 || c.Marks[0].Means == "") {
		class = ""
	}
	if class == "n" && span != "" {
		class = "" // it belongs to no column
	}
	tone := c.Tone
	text := w.content(s, j, c)
	if len(c.Marks) > 0 && class != "marks" && tone == page.Plain {
		tone = c.Marks[0].Tone
	}
	class = strings.TrimSpace(class + " " + classes[tone])
	w.raw("<td", span, attribute("class", class), key, ">", text, "</td>")
}

func (w *writer) content(s *sheet, j int, c *page.Cell) string {
	switch {
	case c.Bars != nil:
		return histogram(c.Bars)
	case c.Figure != nil:
		return curve(c.Figure)
	case len(c.Marks) > 0 && c.Number == "" && c.Marks[0].Means != "":
		text := ""
		for _, m := range c.Marks {
			text += span(m, "")
		}
		return text
	case len(c.Marks) > 0 && c.Number == "":
		return w.line(c.Marks)
	case c.Number != "":
		return number(c, s.fractions[j])
	case s.Columns[j].Code && c.Text != "":
		return linked(c.To, "<code>"+Escape(c.Text)+"</code>")
	}
	return linked(c.To, Escape(c.Text))
}

// Spaces as wide as a digit and as a decimal point.
const (
	digitSpace = "\u2007"
	pointSpace = "\u2008"
)

// fractionWidth is the width of the decimal point and the digits after it.
func fractionWidth(c *page.Cell) int {
	_, fraction := page.SplitNumber(c.Number)
	return display.Width(fraction)
}

// number lays out a number in a column whose fractions have this width: decimal points are in line.
func number(c *page.Cell, width int) string {
	whole, fraction := page.SplitNumber(c.Number)
	pad := width - display.Width(fraction)
	if fraction == "" && pad > 0 {
		fraction, pad = pointSpace, pad-1
	}
	text := Escape(whole+fraction) + strings.Repeat(digitSpace, max(0, pad))
	if c.From != "" {
		text = Escape(c.From) + " to " + text
	}
	for _, part := range []struct{ class, text string }{{"u", c.Unit}, {"s", c.Spread}, {"w", c.Word}} {
		if part.text != "" {
			text += ` <span class="` + part.class + `">` + Escape(part.text) + "</span>"
		}
	}
	return text
}

// keyOf is what rows are sorted by; empty if there is no number: such rows stay last.
func keyOf(c *page.Cell) string {
	if c.Number == "" && c.Key == 0 && strings.IndexFunc(c.Text, unicode.IsDigit) != 0 {
		return ""
	}
	return fmt.Sprintf("%g", c.Key)
}

// histogram draws counts, small enough for a cell.
func histogram(counts []int) string {
	most := max(1, slices.Max(counts))
	var path strings.Builder
	for i, n := range counts {
		if n > 0 {
			height := max(1, int(math.Round(18*float64(n)/float64(most))))
			fmt.Fprintf(&path, "M%d 18v-%d", 4*i+2, height)
		}
	}
	return fmt.Sprintf(`<svg width="%d" height="18" aria-hidden="true">`+
		`<path class="spark" stroke="%s" stroke-width="3" d="%s"/></svg>`,
		4*len(counts), inkBlue, path.String())
}

// curve draws values as a line, small enough for a cell.
func curve(values []float64) string {
	if len(values) < 2 {
		return ""
	}
	values = drawing.Heights(values, 60)
	low, high := slices.Min(values), slices.Max(values)
	room := math.Max((high-low)*0.1, math.Abs(high)*0.02)
	var path strings.Builder
	for i, v := range values {
		x := 1 + 118*float64(i)/float64(len(values)-1)
		y := 18 - 18*(v-low+room)/math.Max(high-low+2*room, math.SmallestNonzeroFloat64)
		fmt.Fprintf(&path, "%c%.4g %.4g", "ML"[min(i, 1)], x, y)
	}
	return fmt.Sprintf(`<svg width="120" height="18" viewBox="0 0 120 18" aria-hidden="true">`+
		`<path class="series-1" fill="none" stroke="%s" stroke-width="1.5" d="%s"/></svg>`, inkBlue, path.String())
}
