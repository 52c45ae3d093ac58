package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	pretty "github.com/jedib0t/go-pretty/v6/table"
)

// Flows writes the arcs of each case for a terminal. No line is wider than
// Options.Width, except for lines of tables with Options.Whole.
func Flows(w io.Writer, flows []table.Flow, o table.Options) error {
	p := newPage(w, o)
	for i := range flows {
		if i > 0 {
			p.blank()
		}
		p.flow(&flows[i], "")
	}
	return p.w.Flush()
}

// Changes writes how the arcs of each case differ from the base's, the greatest rise
// first. It has a line for each arc of either side, and no verdict. base names the
// other side.
func Changes(w io.Writer, cases []table.Pegged, base string, o table.Options) error {
	p := newPage(w, o)
	for i, c := range cases {
		if i > 0 {
			p.blank()
		}
		f := table.NewChanges(c, base)
		p.flow(&f, "")
	}
	return p.w.Flush()
}

// flows writes the pegs of a suite below its table.
func (p *printer) flows(g *table.Group) {
	if len(g.Flows) == 0 {
		return
	}
	p.blank()
	p.para(table.Faint, indent, indent+indent, "where the time goes (pegs: a separate pass, judged only by gates that name arcs)")
	told := map[string]bool{}
	for i := range g.Flows {
		if i > 0 {
			p.blank()
		}
		f := *g.Flows[i]
		f.Notes = slices.DeleteFunc(slices.Clone(f.Notes), func(l table.Line) bool { return l.Class == table.Faint && told[l.Text] })
		p.flow(&f, indent)
		for _, l := range f.Notes {
			told[l.Text] = true // most notes are the same for all cases of one machine
		}
	}
	if g.MoreFlows > 0 {
		p.para(table.Faint, indent, indent, fmt.Sprintf("… and %s more with pegs (--all shows them)", units.Plural(g.MoreFlows, "case")))
	}
}

func (p *printer) flow(f *table.Flow, at string) {
	p.para(table.Plain, at, at+indent+indent, display.Visible(f.Case)+": "+f.About)
	at += indent
	if len(f.Rows) > 0 {
		p.arcs(f, at)
	}
	if f.Folded != "" {
		p.para(table.Faint, at, at, "… and "+f.Folded+" (suite pegs RESULT.json shows them)")
	}
	for _, l := range f.Changes {
		p.para(table.Plain, at, at+indent, display.Visible(l))
	}
	for _, l := range f.Notes {
		p.para(l.Class, at, at+indent, display.Visible(l.Text))
	}
}

// arcs writes the table of a flow.
func (p *printer) arcs(f *table.Flow, at string) {
	g := table.Group{Columns: f.Columns}
	for _, r := range f.Rows {
		g.Rows = append(g.Rows, table.Row{Cells: r.Cells})
	}
	sheets := make([]sheet, len(g.Columns))
	for j := range g.Columns {
		sheets[j] = p.sheet(&g, j)
	}
	names := arcNames(f.Rows)
	var dropped []string
	if !p.whole {
		sheets, dropped = roomFor(sheets, p.width-display.Width(at)-widestOf(names))
	}
	t := plainTable()
	t.AppendHeader(p.arcHeader(at, sheets))
	for i, name := range names {
		row := pretty.Row{at + name}
		for _, s := range sheets {
			row = append(row, s.cells[i])
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(p.w, t.Render())
	if len(dropped) > 0 {
		p.para(table.Faint, at, at, fmt.Sprintf("no room in %d columns for: %s", p.width, strings.Join(dropped, ", ")))
	}
}

func (p *printer) arcHeader(at string, sheets []sheet) pretty.Row {
	row := pretty.Row{at + p.paint(table.Faint, "from → to")}
	for _, s := range sheets {
		row = append(row, p.paint(table.Faint, s.head))
	}
	return row
}

// mostEnd is the number of columns for the name of a point.
const mostEnd = 22

const arrow = " → "

// arcNames are the first columns of the rows. A source is printed once, in the row of
// its first arc.
func arcNames(rows []table.FlowRow) []string {
	room := 0
	for _, r := range rows {
		room = max(room, display.Width(start(r.From)))
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		from := start(r.From)
		if i > 0 && rows[i-1].From == r.From {
			from = ""
		}
		to := end(r.To)
		if i > 0 && rows[i-1].From == r.From && rows[i-1].To == r.To && rows[i-1].Kind == r.Kind {
			to = `"` // another lane of the arc above
		}
		names[i] = display.PadRight(from, room) + arrow + to
	}
	return names
}

// end is the name of a point, shortened to mostEnd.
func end(name string) string {
	return display.LeftToRight(display.Shorten(display.Visible(name), mostEnd))
}

// start is end for a source. The source of outermost spans has a text of its own: an
// empty field would mean the source of the row above.
func start(name string) string { return end(cmp.Or(name, table.Outermost)) }

func widestOf(names []string) (w int) {
	w = display.Width("from → to")
	for _, name := range names {
		w = max(w, display.Width(name))
	}
	return w
}

// roomFor keeps the columns that are worth most, in their order, and names the
// others. The names of arcs stay whole: unlike a case, an arc cannot be found
// elsewhere without its name.
func roomFor(sheets []sheet, room int) (kept []sheet, dropped []string) {
	worths := make([]int, len(sheets))
	for i, s := range sheets {
		worths[i] = s.worth
	}
	slices.SortFunc(worths, func(a, b int) int { return cmp.Compare(b, a) })
	least := 0
	for _, worth := range worths {
		at := slices.IndexFunc(sheets, func(s sheet) bool { return s.worth == worth })
		room -= sheets[at].width + len(gap)
		if room < 0 {
			least = worth + 1
			break
		}
	}
	for _, s := range sheets {
		if s.worth >= least {
			kept = append(kept, s)
			continue
		}
		dropped = append(dropped, strings.TrimSpace(s.head))
	}
	return kept, dropped
}
