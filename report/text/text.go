// Package text writes tables and flows for a terminal.
package text

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/jedib0t/go-pretty/v6/text"
)

// fullWidth is the width of a report without Options.Width; the narrowest table needs
// leastWidth.
const (
	fullWidth  = 100
	leastWidth = 40
)

// Render writes a table for each suite, then footnotes, cases that could not be
// measured, gates that did not pass, and one last line that answers "may I merge?".
// No line is wider than Options.Width, apart from words that are.
func Render(w io.Writer, t *table.Table, o table.Options) error {
	p := newPage(w, o)
	p.head(t)
	for i := range t.Groups {
		p.group(&t.Groups[i])
	}
	p.notes(t)
	p.failures(t.Failures, t.MoreFailures)
	p.gates(t.Gates, t.MoreGates)
	p.end(t)
	return p.w.Flush()
}

// head writes the machine, or the files of a comparison of saved results.
func (p *page) head(t *table.Table) {
	if t.Beside == nil {
		p.lines(table.Faint, "", display.Joined(display.AllVisible(slices.Concat(t.Machine, t.Commits)), " · ", p.width))
		return
	}
	p.para(table.Title, "", indent, t.Beside.Title)
	for _, f := range t.Beside.Files {
		p.para(table.Faint, indent, indent+indent, display.Visible(f))
	}
}

type page struct {
	w     *bufio.Writer
	color bool
	spelt bool // ASCII only
	width int
	whole bool // tables of arcs keep all columns
}

var colors = map[table.Class]text.Colors{
	table.Good: {text.FgGreen}, table.Bad: {text.FgRed, text.Bold}, table.Doubtful: {text.FgYellow},
	table.Faint: {text.Faint}, table.Title: {text.Bold},
}

func newPage(w io.Writer, o table.Options) *page {
	if o.Spelt {
		w = display.Speller(w)
	}
	p := &page{w: bufio.NewWriter(w), color: o.Color, spelt: o.Spelt, whole: o.Whole, width: fullWidth}
	if o.Width > 0 {
		p.width = max(leastWidth, o.Width)
	}
	return p
}

// paint adds colours if Options.Color is set.
func (p *page) paint(c table.Class, s string) string {
	if !p.color || c == table.Plain || s == "" {
		return s
	}
	return colors[c].EscapeSeq() + s + text.Reset.EscapeSeq()
}

// lines writes lines that are narrow enough already.
func (p *page) lines(c table.Class, indent string, lines []string) {
	for _, l := range lines {
		fmt.Fprintln(p.w, strings.TrimRight(indent+p.paint(c, l), " "))
	}
}

// para writes a paragraph; lines after the first are indented by hang.
func (p *page) para(c table.Class, first, hang, s string) {
	if p.spelt { // before wrapping, because it changes widths
		first = display.Spell(first)
		hang = display.Spell(hang)
		s = display.Spell(s)
	}
	for i, l := range display.Wrap(s, p.width-max(display.Width(first), display.Width(hang))) {
		indent := hang
		if i == 0 {
			indent = first
		}
		fmt.Fprintln(p.w, indent+p.paint(c, l))
	}
}

func (p *page) blank() { fmt.Fprintln(p.w) }

func (p *page) group(g *table.Group) {
	p.blank()
	title := display.Visible(g.Name)
	if g.Description != "" {
		title += ": " + display.Visible(strings.Join(strings.Fields(g.Description), " "))
	}
	p.para(table.Title, "", "  ", title)
	for _, l := range g.Against {
		p.para(table.Plain, "  ", "    ", display.Visible(l))
	}
	if f := g.Fitness; f.Text != "" {
		p.para(f.Class(), "  ", "    ", display.Visible(f.Text))
	}
	for _, l := range g.Clock {
		for i, line := range display.Joined(strings.Split(display.Visible(l), " · "), " · ", p.width-4) {
			p.lines(table.Faint, strings.Repeat(" ", 2+2*min(i, 1)), []string{line})
		}
	}
	if len(g.Rows) == 0 {
		p.para(table.Doubtful, "  ", "  ", "no cases")
		return
	}
	p.blank()
	p.table(g)
	p.summary(g)
	p.passes(g)
	p.latencies(g)
	p.growths(g)
	p.flows(g)
}

// summary writes which command is faster, a line for each that was compared.
func (p *page) summary(g *table.Group) {
	if len(g.Summary) == 0 {
		return
	}
	p.blank()
	p.lines(table.Faint, indent, []string{g.SummaryHead})
	for _, l := range g.Summary {
		p.para(table.Plain, indent+indent, indent+indent+indent, display.Visible(l))
	}
}

func (p *page) passes(g *table.Group) {
	first := true
	for i := range g.Rows {
		if r := &g.Rows[i]; r.Pass != "" {
			if first {
				p.blank()
			}
			first = false
			p.para(table.Plain, indent, indent+indent, display.Visible(r.Name)+": "+display.Visible(r.Pass))
		}
	}
}

func (p *page) latencies(g *table.Group) {
	if len(g.Latencies) == 0 {
		return
	}
	p.blank()
	p.lines(table.Faint, indent, []string{"latency of single iterations"})
	for i := range g.Latencies {
		p.para(table.Plain, indent+indent, indent+indent+indent, display.Visible(g.Latencies[i].Line()))
	}
}

func (p *page) growths(g *table.Group) {
	if len(g.Growths) == 0 {
		return
	}
	p.blank()
	p.lines(table.Faint, indent, []string{"growth of the time"})
	for _, o := range g.Growths {
		class := table.Plain
		if !o.Clear {
			class = table.Faint
		}
		p.para(class, indent+indent, indent+indent+indent, display.Visible(o.Line()))
	}
	if g.MoreGrowths > 0 {
		p.para(table.Faint, indent+indent, indent, fmt.Sprintf("… and %d more (--all shows them)", g.MoreGrowths))
	}
}

func (p *page) notes(t *table.Table) {
	if len(t.Notes) > 0 || t.Points || t.Unpaired {
		p.blank()
	}
	for _, n := range t.Notes {
		sign := table.Superscript(n.Number)
		if n.Number == 0 {
			sign = "*"
		}
		p.para(table.Plain, "  "+sign+" ", "    ", display.Visible(n.Text))
		for _, item := range n.Items {
			p.para(table.Plain, "      ", "        ", display.Visible(item))
		}
		if n.Hint != "" {
			p.para(table.Faint, "      ", "        ", "hint: "+display.Visible(n.Hint))
		}
	}
	if t.Points {
		p.para(table.Faint, "  ° ", "    ", "point: decided on point values alone, not through an interval")
	}
	if t.Unpaired {
		p.para(table.Faint, "  "+table.TripwireSign+" ", "    ", table.TripwireNote)
	}
}

func (p *page) failures(fs []table.Failure, more int) {
	if len(fs) == 0 {
		return
	}
	p.blank()
	p.lines(table.Title, "", []string{"could not be measured"})
	for _, f := range fs {
		p.failure(f)
	}
	if more > 0 {
		p.para(table.Faint, indent, indent, fmt.Sprintf("… and %d more (--all shows them)", more))
	}
}

func (p *page) failure(f table.Failure) {
	p.place(table.Mark{Text: "✗", Class: table.Bad}, f.Place, f.Label)
	text := f.Title + ": " + f.Message
	if f.Ended != "" {
		text += " (" + f.Ended + ")"
	}
	p.para(table.Plain, "      ", "        ", display.Visible(text))
	for _, l := range f.Lines {
		p.lines(table.Faint, "      │ ", []string{display.Shorten(display.Visible(l), p.width-8)})
	}
	if f.Hint != "" {
		p.para(table.Plain, "      ", "        ", "hint: "+display.Visible(f.Hint))
	}
}

// place writes the first line of an entry: mark, file:line:col and its name.
func (p *page) place(m table.Mark, place, what string) {
	sign := "  " + p.paint(m.Class, strings.TrimRight(m.Text, "°"+table.TripwireSign)) + " "
	if place != "" {
		what = place + ": " + what
	}
	p.para(table.Plain, sign, "    ", display.Visible(what))
}

func (p *page) gates(gs []table.Gate, more string) {
	if len(gs) == 0 {
		return
	}
	p.blank()
	p.lines(table.Title, "", []string{"gates that did not pass"})
	for _, g := range gs {
		p.gate(g)
	}
	if more != "" {
		p.para(table.Faint, indent, indent, "… and "+more+" (--all shows them)")
	}
}

func (p *page) gate(g table.Gate) {
	what := g.Label + ": " + g.Expr
	if g.ID != g.Expr {
		what = g.Label + ": " + g.ID + ": " + g.Expr
	}
	p.place(g.Mark, g.Place, what)
	text := g.Verdict
	if g.Warn {
		text += " (warns only)"
	}
	text += g.Remark()
	if g.Term != "" {
		text += ", " + g.Term
	}
	if g.Reason != "" {
		text += ": " + g.Reason
	}
	p.para(g.Mark.Class, "      ", "        ", display.Visible(text))
	if g.Why != "" {
		p.para(table.Plain, "      ", "        ", display.Visible(g.Why))
	}
	for _, v := range g.Values {
		p.para(table.Plain, "      ", "        ", display.Visible(v))
	}
	if g.Witness != "" {
		p.para(table.Plain, "      ", "        ", g.Witness)
	}
	if g.Sides != nil {
		indented := "      "
		if p.width < narrow { // its columns cannot be broken
			indented = indent
		}
		p.lines(table.Faint, indented, g.Sides.Lines())
		if g.Sides.Hint != "" {
			p.para(table.Plain, "      ", "        ", display.Visible(g.Sides.Hint))
		}
	}
	for _, l := range g.Arcs {
		p.para(table.Plain, "      ", "        ", display.Visible(l))
	}
	for _, l := range g.Causes {
		p.para(table.Plain, "      ", "        ", "costs more: "+display.Visible(l))
	}
	if g.NoCause != "" {
		p.para(table.Faint, "      ", "        ", display.Visible(g.NoCause))
	}
}

// end writes how to repeat the run, and the answer.
func (p *page) end(t *table.Table) {
	p.blank()
	if t.Beside != nil {
		p.answer(t.Outcome)
		return
	}
	p.lines(table.Faint, "", display.Joined([]string{
		display.Visible(t.Tool), t.Started.Format("2006-01-02 15:04 UTC"), "took " + t.Took, "seed " + display.Visible(t.Seed),
	}, " · ", p.width))
	p.answer(t.Outcome)
}

// answer writes one line, if the terminal is wide enough, and below narrow the first word on a
// line of its own. Names of culprits are
// dropped before the answer is wrapped.
func (p *page) answer(o result.Outcome) {
	head := p.paint(table.OutcomeClass(o), o.Head()) + ":"
	start, hang := head+" ", strings.Repeat(" ", display.Width(o.Head())+2)
	if p.width < narrow {
		fmt.Fprintln(p.w, head)
		start, hang = indent, indent
	}
	room := p.width - len(hang)
	for _, l := range display.Wrap(fitted(o, room), room) {
		fmt.Fprintln(p.w, start+l)
		start = hang
	}
}

// narrow is the width below which the answer has no room after its first word, nor a table after a wide indent.
const narrow = 60

// leastCulprit is the room below which a shortened name is dropped, and a finding gets lines of its own.
const leastCulprit = 30

// fitted names as many culprits as fit in w columns. Each takes at least two columns
// with its separator, so at most w/2 of them are tried: trying all 13,000 of one run
// took 86 s.
func fitted(o result.Outcome, w int) string {
	names := display.AllVisible(o.Culprits[:min(len(o.Culprits), max(w, 0)/2+1)])
	for n := len(names); n > 0; n-- {
		if text := o.With(names[:n]); display.Width(text) < w {
			return text
		}
	}
	if len(names) == 0 || !o.CauseFirst && len(o.Culprits) > 1 {
		return o.Text
	}
	room := w - (display.Width(o.With(names[:1])) - display.Width(names[0]))
	switch {
	case room >= leastCulprit:
	case o.CauseFirst: // the finding takes lines of its own
		room = 2 * w
	default:
		return o.Text
	}
	return o.With([]string{display.Shorten(names[0], room)})
}
