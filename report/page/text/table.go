package text

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
)

// Columns of a cell that may be cut, at most and if there is no room; and of a last column whose
// cells are broken into lines.
const mostCut, leastCut, leastBroken = 40, 8, 24

// grid is a table whose cells are visible.
type grid struct {
	columns []page.Column
	widths  []int
	rows    [][]page.Line // the headings first, if there are any
}

// table leaves out columns, then cuts cells, then breaks the last cells of rows, until the rows fit.
func (p *writer) table(t *page.Table, at string) {
	g := p.grid(t)
	g.measure()
	var left []string
	for g.needs() > p.room(at) && g.least() >= 0 {
		left = append(left, g.columns[g.least()].Head)
		g.leaveOut(g.least())
	}
	if over := g.width() - p.room(at); p.Width > 0 && over > 0 {
		for j, c := range g.columns {
			if c.Cut {
				g.cut(j, max(leastCut, g.widths[j]-over))
			}
		}
		g.measure()
	}
	breaks := g.width() > p.room(at)
	for _, row := range g.rows {
		p.row(&g, row, at, breaks)
	}
	p.lines(t.Notes, at)
	if len(left) > 0 {
		slices.Reverse(left)
		p.lines([]page.Line{page.Toned(page.Faint, fmt.Sprintf("no room in %d columns for: %s", p.Width, strings.Join(left, ", ")))}, at)
	}
}

func (p *writer) grid(t *page.Table) grid {
	g := grid{columns: slices.Clone(t.Columns)}
	if t.HasHeads() {
		var heads []page.Line
		for _, c := range t.Columns {
			heads = append(heads, page.Toned(page.Faint, p.visible(c.Head)))
		}
		g.rows = append(g.rows, heads)
	}
	for _, r := range t.Rows {
		var row []page.Line
		for _, c := range r {
			row = append(row, p.cell(c))
		}
		g.rows = append(g.rows, row)
	}
	for j, c := range g.columns {
		if c.Cut {
			g.cut(j, mostCut)
		}
	}
	return g
}

func (p *writer) cell(c page.Cell) page.Line {
	text := display.LeftToRight(p.visible(c.Text))
	if c.Figure != nil {
		text = p.sketch(c.Figure)
	}
	cell := page.Toned(c.Tone, text)
	if c.Note != "" {
		cell = append(cell, page.Span{Text: p.visible(c.Note), Tone: page.Doubtful})
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

// needs is the width that the table needs if its last cells are broken. A column that may be left out
// is left out rather than broken.
func (g *grid) needs() (widest int) {
	for _, row := range g.rows {
		last := len(row) - 1
		if last < 0 {
			continue
		}
		width := display.Width(row[last].String())
		if c := g.columns[last]; c.Align == page.Left && c.Worth == 0 {
			width = min(width, leastBroken)
		}
		widest = max(widest, g.start(last)+width)
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

// least is the index of the column that is left out next, -1 if there is none.
func (g *grid) least() int {
	least := -1
	for j, c := range g.columns {
		if c.Worth > 0 && (least < 0 || c.Worth < g.columns[least].Worth) {
			least = j
		}
	}
	return least
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

func (g *grid) cut(j, most int) {
	for _, row := range g.rows {
		if j < len(row) {
			row[j][0].Text = display.Shorten(row[j][0].Text, most)
		}
	}
}

// row writes a row, and breaks its last cell if rows are to be broken and there is room for a
// text below the cell.
func (p *writer) row(g *grid, row []page.Line, at string, breaks bool) {
	for len(row) > 0 && row[len(row)-1].String() == "" {
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
	if hang := at + strings.Repeat(" ", g.start(last)); breaks && g.columns[last].Align == page.Left && p.room(hang) >= leastBroken {
		p.put(begin, hang, row[last])
		return
	}
	text := p.paint(row[last])
	if g.columns[last].Align == page.Right {
		text = aligned(text, g.widths[last], page.Right)
	}
	fmt.Fprintln(p.out, begin+text)
}

func aligned(s string, width int, align page.Align) string {
	if align == page.Right {
		return display.PadLeft(s, width)
	}
	return display.PadRight(s, width)
}
