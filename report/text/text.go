// Package text writes tables and flows for a terminal.
package text

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/about"
	"example.com/suite/report/page"
	pagetext "example.com/suite/report/page/text"
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
	var blocks []page.Block
	for i := range t.Groups {
		blocks = append(blocks, about.Suite(&t.Groups[i]))
	}
	if notes := about.Notes(t); len(notes) > 0 {
		blocks = append(blocks, page.Section{Blocks: notes})
	}
	p.blocks(slices.Concat(blocks, about.Failures(t), about.OpenGates(t)))
	p.end(t)
	return p.w.Flush()
}

// head writes the machine, or the files of a comparison of saved results.
func (p *printer) head(t *table.Table) {
	if t.Beside == nil {
		p.lines(table.Faint, "", display.Joined(display.AllVisible(slices.Concat(t.Machine, t.Commits)), " · ", p.width))
		return
	}
	p.para(table.Title, "", indent, t.Beside.Title)
	for _, f := range t.Beside.Files {
		p.para(table.Faint, indent, indent+indent, display.Visible(f))
	}
}

type printer struct {
	w     *bufio.Writer
	color bool
	spelt bool // ASCII only
	width int
}

var colors = map[table.Class]text.Colors{
	table.Good: {text.FgGreen}, table.Bad: {text.FgRed, text.Bold}, table.Doubtful: {text.FgYellow},
	table.Faint: {text.Faint}, table.Title: {text.Bold},
}

func newPage(w io.Writer, o table.Options) *printer {
	if o.Spelt {
		w = display.Speller(w)
	}
	p := &printer{w: bufio.NewWriter(w), color: o.Color, spelt: o.Spelt, width: fullWidth}
	if o.Width > 0 {
		p.width = max(leastWidth, o.Width)
	}
	return p
}

// paint adds colours if Options.Color is set.
func (p *printer) paint(c table.Class, s string) string {
	if !p.color || c == table.Plain || s == "" {
		return s
	}
	return colors[c].EscapeSeq() + s + text.Reset.EscapeSeq()
}

// lines writes lines that are narrow enough already.
func (p *printer) lines(c table.Class, indent string, lines []string) {
	for _, l := range lines {
		fmt.Fprintln(p.w, strings.TrimRight(indent+p.paint(c, l), " "))
	}
}

// para writes a paragraph; lines after the first are indented by hang.
func (p *printer) para(c table.Class, first, hang, s string) {
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

func (p *printer) blank() { fmt.Fprintln(p.w) }

// blocks writes blocks after a blank line.
func (p *printer) blocks(blocks []page.Block) {
	if len(blocks) > 0 {
		p.blank()
		_ = pagetext.Write(p.w, blocks, pagetext.Options{Width: p.width, Color: p.color, ASCII: p.spelt}) // Flush returns the error
	}
}

// end writes how to repeat the run, and the answer.
func (p *printer) end(t *table.Table) {
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
func (p *printer) answer(o result.Outcome) {
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

const indent = "  "

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
