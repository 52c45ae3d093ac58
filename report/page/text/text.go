// Package text writes pages for a terminal: it breaks lines, fits tables into the width, and adds
// colours. Texts may contain anything, such as sequences that move the cursor. They are made
// harmless here, when they are laid out, so that whoever makes a page need not think of it.
package text

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
)

// Options describe what the page is written to.
type Options struct {
	Width        int  // columns; 0 has room for every line, as a pipe has
	Color        bool // by escape sequences
	ASCII        bool // the locale has no other characters
	ASCIIFigures bool // the font of the terminal has no other characters to draw with
	All          bool // what is folded too
}

const (
	indent = "  " // of what belongs to a heading, and of lines after the first
	gap    = "  " // between columns
)

// Write writes blocks, with a blank line between two of them. No line is wider than Options.Width,
// apart from words, commands and figures that are, and rows of tables that nothing may be left
// out of.
func Write(w io.Writer, blocks []page.Block, o Options) error {
	p := writer{bufio.NewWriter(w), o}
	p.blocks(blocks, "")
	return p.out.Flush()
}

type writer struct {
	out *bufio.Writer
	Options
}

// blocks writes blocks after so many spaces.
func (p *writer) blocks(blocks []page.Block, at string) {
	for i, b := range blocks {
		if i > 0 {
			fmt.Fprintln(p.out)
		}
		p.block(b, at)
	}
}

func (p *writer) block(b page.Block, at string) {
	switch b := b.(type) {
	case page.Section:
		if len(b.Head) > 0 {
			p.heading(b.Head, at)
		}
		p.blocks(b.Blocks, at+indent)
	case page.Paragraph:
		p.lines(b, at)
	case page.List:
		for _, item := range b {
			p.item(item, at)
		}
	case page.Brief:
		p.brief(b, at)
	case page.Facts:
		p.facts(b, at)
	case *page.Table:
		p.table(b, at)
	case page.Figure:
		p.lines([]page.Line{b.Caption}, at)
		fmt.Fprintln(p.out, at+p.sketch(b.Values))
	case page.Bars:
		p.bars(b, at)
	case page.Fold:
		p.lines([]page.Line{b.Summary}, at)
		if p.All || b.Open {
			p.blocks(b.Blocks, at+indent)
		}
	case page.Source:
		p.source(string(b), at)
	case page.Listing:
		p.source(string(b.Source()), at)
	case page.Drawing:
		p.lines([]page.Line{b.Line()}, at)
	}
}

// lines writes lines, each of which is broken if it has to be.
func (p *writer) lines(lines []page.Line, at string) {
	for _, l := range lines {
		p.line(at, at+indent, l)
	}
}

// item writes the lines of an item after its mark, and its blocks close to them.
func (p *writer) item(item page.Item, at string) {
	first, inner, hang := at, at, at+indent
	if item.Mark.Text != "" {
		mark := p.shown(page.Line{item.Mark})
		inner = at + strings.Repeat(" ", display.Width(mark.String())+1)
		hang = inner
		first = at + p.paint(mark) + " "
	}
	for i, l := range item.Lines {
		if i == 1 {
			first = inner + indent
			hang = first + indent
		}
		if i == 0 {
			l = p.fitting(l, item.Shorter, p.room(first))
		}
		p.line(first, hang, l)
	}
	below := inner
	if len(item.Lines) > 0 {
		below += indent
	}
	for _, b := range item.Blocks {
		p.block(b, below)
	}
}

// fitting is the first of some lines that fits, or the last.
func (p *writer) fitting(l page.Line, shorter []page.Line, room int) page.Line {
	for _, s := range shorter {
		if display.Width(p.shown(l).String()) <= room {
			break
		}
		l = s
	}
	return l
}

// brief writes facts in a row, which breaks between two of them.
func (p *writer) brief(facts page.Brief, at string) {
	var shown []string
	for _, f := range facts {
		shown = append(shown, p.visible(f))
	}
	for _, l := range display.Joined(shown, p.visible(" · "), p.room(at)) {
		p.line(at, at, page.Toned(page.Faint, l))
	}
}

// facts writes the names below each other, and the values too.
func (p *writer) facts(facts page.Facts, at string) {
	widest := 0
	for _, f := range facts {
		widest = max(widest, display.Width(p.visible(f[0])))
	}
	hang := at + strings.Repeat(" ", widest+len(gap))
	for _, f := range facts {
		first := at + display.PadRight(p.visible(f[0]), widest) + gap
		p.line(first, hang, page.Text(f[1]))
	}
}

// source writes lines that are cut where the terminal ends: broken ones would not be in line.
func (p *writer) source(text, at string) {
	border := at + p.visible("│ ")
	for _, l := range display.VisibleLines(text) {
		line := p.visible(l)
		if p.Width > 0 {
			line = p.shorten(line, p.Width-display.Width(border))
		}
		fmt.Fprintln(p.out, strings.TrimRight(border+p.paint(page.Toned(page.Faint, line)), " "))
	}
}

// room is the number of columns after the beginning of a line.
func (p *writer) room(begin string) int {
	if p.Width == 0 {
		return math.MaxInt
	}
	return p.Width - display.Width(begin)
}
