package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
)

// Columns of a cell that may be cut, at most and if there is no room; of a last column whose
// cells are broken into lines; and of names, for which columns are left out. Columns worth
// worthMost are left out only if names have less than stubName; those worth less than leastMissed are
// left out without a word.
const (
	mostCut, leastCut, leastBroken = 40, 8, 24
	leastName, stubName            = 24, 8
	worthMost, leastMissed         = 90, 5
)

// grid is a table whose cells are visible.
type grid struct {
	columns []page.Column
	widths  []int
	rows    [][]page.Line // the headings first, if there are any
	names   int           // the room for the first column; a name that is longer has lines of its own
}

// table leaves out columns, then what all names begin with, then cuts cells, then breaks the last
// cells of rows, until the rows fit.
func (p *writer) table(t *page.Table, at string) {
	if len(t.Caption) > 0 {
		p.line(at, at, t.Caption)
	}
	g := p.grid(t)
	left := g.fit(p.room(at))
	if prefix := sharedPrefix(t); g.names < g.widths[0] && len(prefix) >= stubName {
		g = p.grid(withoutPrefix(t, prefix))
		left = g.fit(p.room(at))
		p.line(at, at, page.Toned(page.Faint, "all names begin with "+prefix))
	}
	g.shrink()
	if over := g.width() - p.room(at); p.Width > 0 && over > 0 {
		for j, c := range g.columns {
			if c.Cut {
				p.cut(&g, j, max(leastCut, g.widths[j]-over))
			}
		}
		g.measure()
		g.shrink()
	}
	breaks := g.width() > p.room(at)
	for _, row := range g.rows {
		if len(row) > 1 && display.Width(row[0].String()) > g.widths[0] {
			p.put(at, at, row[0]) // a shortened name could not be searched for
			row = slices.Clone(row)
			row[0] = nil
		}
		p.row(&g, row, at, breaks)
	}
	p.lines(t.Notes, at)
	if len(left) > 0 {
		text := fmt.Sprintf("no room in %d columns for: %s", p.Width, strings.Join(left, ", "))
		p.line(at, at, page.Toned(page.Faint, text))
	}
}

func (p *writer) grid(t *page.Table) grid {
	g := grid{columns: slices.Clone(t.Columns), rows: make([][]page.Line, len(t.Rows))}
	heads := make([]page.Line, len(t.Columns))
	for j := range t.Columns {
		head, cells := p.column(t, j)
		name := strings.TrimSpace(head)
		before, after, _ := strings.Cut(head, name)
		heads[j] = page.Line{{Text: before}, {Text: name, Tone: page.Faint}, {Text: after}}
		for i, c := range cells {
			g.rows[i] = append(g.rows[i], c)
		}
	}
	if t.HasHeads() {
		g.rows = slices.Insert(g.rows, 0, heads)
	}
	for j, c := range g.columns {
		if c.Cut {
			p.cut(&g, j, mostCut)
		}
	}
	g.measure()
	return g
}

// shrink makes the first column as wide as the names that have room in it.
func (g *grid) shrink() {
	g.widths[0] = 0
	for _, row := range g.rows {
		if w := display.Width(row[0].String()); w <= g.names && (len(row) > 1 || len(g.columns) == 1) {
			g.widths[0] = max(g.widths[0], w)
		}
	}
}

// column lays out the cells of rows that have it. If some have parts, those are in line.
func (p *writer) column(t *page.Table, j int) (head string, cells map[int]page.Line) {
	head, cells = p.visible(t.Columns[j].Head), map[int]page.Line{}
	for _, row := range t.Rows {
		if j < len(row) && (row[j].Number != "" || row[j].Marks != nil || row[j].Bars != nil) {
			return p.numbers(t, j, head)
		}
	}
	for i := range t.Rows {
		if row := t.Shown(i); j < len(row) {
			cells[i] = p.cell(row[j])
		}
	}
	return head, cells
}

func (p *writer) cell(c page.Cell) page.Line {
	text := display.LeftToRight(p.visible(c.Text))
	if c.Figure != nil {
		text = p.sketch(c.Figure)
	}
	cell := page.Toned(c.Tone, text)
	if len(c.Notes) > 0 {
		cell = append(cell, page.Span{Text: p.visible(c.NoteMarks()), Tone: page.Doubtful})
	}
	return cell
}

// measure sets the widths of the columns. A cell that extends over others has no part in them.
func (g *grid) measure() {
	g.widths = make([]int, len(g.columns))
	for _, row := range g.rows {
		for j, c := range row {
			if j < len(row)-1 || len(row) == len(g.columns) {
				g.widths[j] = max(g.widths[j], display.Width(c.String()))
			}
		}
	}
}

// width is the width of the widest row.
func (g *grid) width() (widest int) {
	for _, row := range g.rows {
		if last := len(row) - 1; last >= 0 {
			widest = max(widest, g.start(last)+display.Width(row[last].String()))
		}
	}
	return widest
}

// fit leaves out the columns that are worth least and have no room, and returns their headings.
func (g *grid) fit(room int) (left []string) {
	order := make([]int, 0, len(g.columns))
	keep := make([]bool, len(g.columns))
	for j, c := range g.columns {
		keep[j] = c.Worth == 0
		if c.Worth > 0 {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.columns[b].Worth, g.columns[a].Worth) })
	missed := false // one of those worth most has no room
	for _, j := range order {
		if missed && g.columns[j].Worth < worthMost {
			continue // without it, this would look like what matters
		}
		keep[j] = true
		names := leastName
		if g.columns[j].Worth >= worthMost {
			names = stubName
		}
		if keep[j] = g.needs(keep, names) <= room; !keep[j] {
			missed = missed || g.columns[j].Worth >= worthMost
		}
	}
	for j := len(keep) - 1; j >= 0; j-- {
		if !keep[j] {
			if g.columns[j].Worth >= leastMissed {
				left = slices.Insert(left, 0, g.columns[j].Head)
			}
			g.leaveOut(j)
		}
	}
	g.names = g.widths[0]
	if g.columns[0].Code {
		g.names = min(g.names, max(stubName, room-g.needs(nil, 0)))
	}
	return left
}

// needs is the width of a table with these columns, or all, if its last cells are broken and names
// have so much room. A column that may be left out is left out rather than broken.
func (g *grid) needs(keep []bool, names int) (widest int) {
	for _, row := range g.rows {
		used, width := -len(gap), 0
		for j, c := range row {
			if keep != nil && !keep[j] {
				continue
			}
			used += width + len(gap)
			width = g.widths[j]
			if j == len(row)-1 {
				width = display.Width(c.String())
				if c := g.columns[j]; c.Align == page.Left && c.Worth == 0 {
					width = min(width, leastBroken)
				}
			}
			if j == 0 && g.columns[0].Code {
				width = min(width, names)
			}
		}
		widest = max(widest, used+width)
	}
	return widest
}

// start is where a column begins.
func (g *grid) start(j int) (at int) {
	for _, w := range g.widths[:j] {
		at += w + len(gap)
	}
	return at
}

func (g *grid) leaveOut(j int) {
	g.columns = slices.Delete(g.columns, j, j+1)
	for i, row := range g.rows {
		if j < len(row) {
			g.rows[i] = slices.Delete(row, j, j+1)
		}
	}
	g.measure()
}

func (p *writer) cut(g *grid, j, most int) {
	for _, row := range g.rows {
		if j < len(row) {
			row[j][0].Text = p.shorten(row[j][0].Text, most)
		}
	}
}

// row writes a row, and breaks its last cell if rows are to be broken and there is room for a
// text below the cell.
func (p *writer) row(g *grid, row []page.Line, at string, breaks bool) {
	for len(row) > 0 && strings.TrimSpace(row[len(row)-1].String()) == "" {
		row = row[:len(row)-1]
	}
	last := len(row) - 1
	if last < 0 {
		fmt.Fprintln(p.out)
		return
	}
	begin := at
	for j, c := range row[:last] {
		begin += aligned(p.paint(c), g.widths[j], g.columns[j].Align) + gap
	}
	hang := at + strings.Repeat(" ", g.start(last))
	if breaks && g.columns[last].Align == page.Left && p.room(hang) >= leastBroken {
		p.put(begin, hang, row[last])
		return
	}
	text := p.paint(row[last])
	if g.columns[last].Align == page.Right {
		text = aligned(text, g.widths[last], page.Right)
	}
	fmt.Fprintln(p.out, strings.TrimRight(begin+text, " "))
}

func aligned(s string, width int, align page.Align) string {
	if align == page.Right {
		return display.PadLeft(s, width)
	}
	return display.PadRight(s, width)
}

// sharedPrefix is what the names of all rows begin with, up to and with a slash. One row has none.
func sharedPrefix(t *page.Table) string {
	if len(t.Rows) < 2 || !t.Columns[0].Code || t.Columns[0].Once {
		return ""
	}
	parent := func(s string) string { return s[:strings.LastIndex(strings.TrimSuffix(s, "/"), "/")+1] }
	prefix := parent(t.Rows[0][0].Text)
	for _, row := range t.Rows {
		for prefix != "" && (!strings.HasPrefix(row[0].Text, prefix) || row[0].Text == prefix) {
			prefix = parent(prefix)
		}
	}
	return prefix
}

func withoutPrefix(t *page.Table, prefix string) *page.Table {
	short := *t
	short.Rows = make([]page.Row, len(t.Rows))
	for i, row := range t.Rows {
		short.Rows[i] = slices.Clone(row)
		short.Rows[i][0].Text = strings.TrimPrefix(row[0].Text, prefix)
	}
	return &short
}
