package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	pretty "github.com/jedib0t/go-pretty/v6/table"
)

const (
	indent    = "  "
	gap       = "  " // between columns
	leastName = 24   // room for names below which columns are dropped
	stubName  = 8    // the same for the time and the gates, which are dropped last
)

// sheet is one column laid out: cells of equal width under a heading.
type sheet struct {
	head  string
	worth int
	width int
	cells []string
}

// table writes the rows of a suite. If a name is too long for its column, what all names begin
// with moves above the table. A name that is still too long has lines of its own above the numbers.
func (p *printer) table(g *table.Group) {
	if p.spelt {
		g = speltGroup(*g)
	}
	sheets := make([]sheet, len(g.Columns))
	for j := range g.Columns {
		sheets[j] = p.sheet(g, j)
	}
	wanted := max(display.Width(display.Visible(g.First)), widest(g.Rows))
	room, kept, dropped := fit(sheets, wanted, p.width-len(indent))
	if prefix := sharedPrefix(g.Rows); wanted > room && len(prefix) >= stubName {
		g = withoutPrefix(*g, prefix)
		room, kept, dropped = fit(sheets, max(display.Width(display.Visible(g.First)), widest(g.Rows)), p.width-len(indent))
		p.para(table.Faint, indent, indent, "all names begin with "+display.Visible(prefix))
	}
	t := plainTable()
	t.AppendHeader(p.header(g.First, kept))
	for i := range g.Rows {
		row := pretty.Row{indent}
		if nameWidth(&g.Rows[i]) <= room {
			row = pretty.Row{indent + p.name(&g.Rows[i])}
		}
		for _, s := range kept {
			row = append(row, s.cells[i])
		}
		t.AppendRow(row)
	}
	lines := strings.Split(t.Render(), "\n") // no cell contains a line feed
	fmt.Fprintln(p.w, lines[0])
	for i, line := range lines[1:] {
		if nameWidth(&g.Rows[i]) > room { // a shortened name could not be searched for, nor passed to --only
			p.longName(&g.Rows[i])
		}
		fmt.Fprintln(p.w, line)
	}
	if g.Folded != "" {
		p.para(table.Faint, indent, indent, "… and "+g.Folded+" (--all shows them)")
	}
	if len(dropped) > 0 {
		p.para(table.Faint, indent, indent, fmt.Sprintf("no room in %d columns for: %s", p.width, strings.Join(dropped, ", ")))
	}
}

// sharedPrefix is what the names of all rows begin with, up to and with a slash. One row has none.
func sharedPrefix(rows []table.Row) string {
	if len(rows) < 2 {
		return ""
	}
	parent := func(s string) string { return s[:strings.LastIndex(strings.TrimSuffix(s, "/"), "/")+1] }
	prefix := parent(rows[0].Name)
	for i := range rows {
		for prefix != "" && (!strings.HasPrefix(rows[i].Name, prefix) || rows[i].Name == prefix) {
			prefix = parent(prefix)
		}
	}
	return prefix
}

func withoutPrefix(g table.Group, prefix string) *table.Group {
	g.Rows = slices.Clone(g.Rows)
	for i := range g.Rows {
		g.Rows[i].Name = strings.TrimPrefix(g.Rows[i].Name, prefix)
	}
	return &g
}

// plainTable has neither borders nor rules.
func plainTable() pretty.Writer {
	t := pretty.NewWriter()
	style := pretty.Style{Box: pretty.StyleBoxDefault}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", gap
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	return t
}

func (p *printer) header(first string, sheets []sheet) pretty.Row {
	row := pretty.Row{indent + p.paint(table.Faint, display.Visible(cmp.Or(first, "case")))}
	for _, s := range sheets {
		row = append(row, p.paint(table.Faint, s.head))
	}
	return row
}

// fit drops the columns that are worth least until the names have room. It returns
// the room for names, the columns that are kept, and the headings of the others.
func fit(sheets []sheet, wanted, room int) (int, []sheet, []string) {
	order := make([]int, len(sheets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sheets[b].worth, sheets[a].worth) })
	keep := make([]bool, len(sheets))
	for _, i := range order {
		need := sheets[i].width + len(gap)
		names := leastName
		if sheets[i].worth >= 90 {
			names = stubName
		}
		keep[i] = room-need >= min(wanted, names)
		if keep[i] {
			room -= need
		}
	}
	var kept []sheet
	var dropped []string
	for i, s := range sheets {
		if keep[i] {
			kept = append(kept, s)
		} else if s.worth != table.SparkWorth {
			dropped = append(dropped, strings.TrimSpace(s.head))
		}
	}
	return min(wanted, max(room, stubName)), kept, dropped
}

func widest(rows []table.Row) int {
	w := len("case")
	for i := range rows {
		w = max(w, nameWidth(&rows[i]))
	}
	return w
}

// nameWidth includes the numbers of the footnotes.
func nameWidth(r *table.Row) int {
	return display.Width(display.Visible(r.Name)) + display.Width(table.NoteMarks(r.Notes))
}

func (p *printer) name(r *table.Row) string {
	return display.LeftToRight(display.Visible(r.Name)) + p.paint(table.Doubtful, table.NoteMarks(r.Notes))
}

func (p *printer) longName(r *table.Row) {
	lines := display.Wrap(display.Visible(r.Name)+table.NoteMarks(r.Notes), p.width-len(indent))
	for _, l := range lines {
		fmt.Fprintln(p.w, indent+display.LeftToRight(l))
	}
}

// sheet lays out one column: decimal points are aligned, and units and intervals have
// columns of their own.
func (p *printer) sheet(g *table.Group, j int) sheet {
	var w parts
	for i := range g.Rows {
		w.grow(&g.Rows[i].Cells[j])
	}
	s := sheet{head: g.Columns[j].Head, worth: g.Columns[j].Worth, width: max(w.total(), w.text, display.Width(g.Columns[j].Head))}
	for i := range g.Rows {
		s.cells = append(s.cells, p.cell(&g.Rows[i].Cells[j], w, s.width))
	}
	if w.marks {
		return s // marks are aligned on the left, like their heading
	}
	s.head = display.PadLeft(s.head, s.width-w.spread)
	return s
}

// parts are the widths of the parts of a column's cells.
type parts struct {
	fromWhole, fromFraction       int // of lower bounds
	whole, fraction, unit, spread int // with the space or point before each
	word                          int // verdicts after numbers, with the gap before each
	text                          int
	marks                         bool
}

func (w *parts) grow(c *table.Cell) {
	whole, fraction := table.SplitNumber(c.From)
	w.fromWhole, w.fromFraction = max(w.fromWhole, display.Width(whole)), max(w.fromFraction, display.Width(fraction))
	whole, fraction = table.SplitNumber(c.Number)
	w.whole, w.fraction = max(w.whole, display.Width(whole)), max(w.fraction, display.Width(fraction))
	w.unit, w.spread = max(w.unit, display.Width(table.SpacedWord(c.Unit))), max(w.spread, display.Width(table.Spaced(c.Spread)))
	w.text = max(w.text, display.Width(table.Word(c.Text)), display.Width(table.JoinMarks(c.Marks)))
	if c.Word != "" {
		w.word = max(w.word, display.Width(gap+table.Word(c.Word)))
	}
	w.marks = w.marks || c.Marks != nil || c.Word != ""
}

func (w *parts) total() int { return w.from() + w.whole + w.fraction + w.unit + w.spread + w.word }

// from is the width of lower bounds with the word that joins them to the upper ones.
func (w *parts) from() int {
	if w.fromWhole == 0 {
		return 0
	}
	return w.fromWhole + w.fromFraction + len(table.To)
}

func (p *printer) cell(c *table.Cell, w parts, total int) string {
	switch {
	case c.Marks != nil:
		var b strings.Builder
		for _, m := range c.Marks {
			b.WriteString(p.paint(m.Tone, m.Text))
		}
		return b.String()
	case c.Text != "":
		text := table.Word(c.Text)
		return strings.Repeat(" ", max(0, total-w.spread-display.Width(text))) + p.paint(c.Tone, text)
	case c.Number == "":
		return ""
	}
	from := ""
	if c.From != "" {
		whole, fraction := table.SplitNumber(c.From)
		from = display.PadLeft(whole, w.fromWhole) + display.PadRight(fraction, w.fromFraction) + table.To
	}
	whole, fraction := table.SplitNumber(c.Number)
	number := display.PadLeft(from, w.from()) + display.PadLeft(whole, w.whole) + display.PadRight(fraction, w.fraction) + display.PadRight(table.SpacedWord(c.Unit), w.unit)
	number += display.PadLeft(table.Spaced(c.Spread), w.spread)
	if c.Word != "" {
		number += gap + table.Word(c.Word)
	}
	text := strings.TrimRight(number, " ") // padding stays outside the colour
	if w.word > 0 {
		return p.paint(c.Tone, text)
	}
	return display.PadLeft(p.paint(c.Tone, text)+number[len(text):], total)
}
