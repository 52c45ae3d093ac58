package text

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
	"github.com/jedib0t/go-pretty/v6/text"
)

var colors = map[page.Tone]text.Colors{
	page.Good: {text.FgGreen}, page.Bad: {text.FgRed, text.Bold}, page.Doubtful: {text.FgYellow},
	page.Faint: {text.Faint},
}

// visible makes a text harmless, and spells it in ASCII if the locale has nothing else. It comes
// before anything is measured, because it changes widths.
func (p *writer) visible(s string) string { return display.Shown(s, p.ASCII) }

// shorten leaves out the middle of a visible text.
func (p *writer) shorten(s string, width int) string {
	if !p.ASCII || display.Width(s) <= width {
		return display.Cut(s, width)
	}
	return display.Spell(display.Cut(s, width-len("...")+1))
}

func (p *writer) shown(l page.Line) page.Line {
	shown := slices.Clone(l)
	for i := range shown {
		shown[i].Text = p.visible(shown[i].Text)
	}
	return shown
}

// line writes a line, which begins with first and continues with hang.
func (p *writer) line(first, hang string, l page.Line) { p.put(first, hang, p.shown(l)) }

// put is line for texts that are visible.
func (p *writer) put(first, hang string, l page.Line) {
	begin := first
	for _, part := range wrap(l, p.room(first), p.room(hang)) {
		fmt.Fprintln(p.out, strings.TrimRight(begin+p.paint(part), " "))
		begin = hang
	}
}

// heading writes a line in bold, apart from spans that have a tone.
func (p *writer) heading(head page.Line, at string) {
	begin := at
	for _, part := range wrap(p.shown(head), p.room(at), p.room(at+indent)) {
		text := ""
		for _, s := range part {
			if s.Tone == page.Plain {
				text += p.colored(bold, s.Text)
			} else {
				text += p.colored(colors[s.Tone], s.Text)
			}
		}
		fmt.Fprintln(p.out, begin+text)
		begin = at + indent
	}
}

var bold = text.Colors{text.Bold}

// paint is the text of a line in the colours of its tones.
func (p *writer) paint(l page.Line) string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(p.colored(colors[s.Tone], s.Text))
	}
	return b.String()
}

func (p *writer) colored(c text.Colors, s string) string {
	if !p.Color || c == nil || s == "" {
		return s
	}
	return c.EscapeSeq() + s + text.Reset.EscapeSeq()
}

// wrap breaks a line between words. first is the room of the first line, and rest the room of the others.
// A longer word has a line of its own, which a terminal breaks: a path that is copied is still whole.
func wrap(l page.Line, first, rest int) []page.Line {
	if display.Width(l.String()) <= first {
		return []page.Line{l}
	}
	var lines []page.Line
	used, room := 0, first
	for _, word := range words(l) {
		width := display.Width(word.String())
		if len(lines) == 0 || used+1+width > room {
			if len(lines) > 0 {
				room = rest
			}
			lines = append(lines, word)
			used = width
			continue
		}
		last := &lines[len(lines)-1]
		(*last)[len(*last)-1].Text += " "
		for _, s := range word {
			*last = joined(*last, s)
		}
		used += 1 + width
	}
	return lines
}

// words cuts a line at its spaces. A word may consist of several spans.
func words(l page.Line) (all []page.Line) {
	var word page.Line
	end := func() {
		if len(word) > 0 {
			all = append(all, word)
		}
		word = nil
	}
	for _, s := range l {
		if s.Code {
			word = append(word, s)
			continue
		}
		for i, part := range strings.Split(s.Text, " ") {
			if i > 0 {
				end()
			}
			if part != "" {
				word = append(word, page.Span{Text: part, Tone: s.Tone})
			}
		}
	}
	end()
	return all
}

// joined appends a span to a line, and extends the last span if both have one tone.
func joined(l page.Line, s page.Span) page.Line {
	if last := len(l) - 1; l[last].Tone == s.Tone {
		l[last].Text += s.Text
		return l
	}
	return append(l, s)
}
