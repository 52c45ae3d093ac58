package report

import (
	"io"

	"example.com/suite/internal/display"
	"example.com/suite/result"
)

// Story is a text about one case: what suite explain prints.
type Story struct {
	Title string
	Parts []Part
}

// Part is a section of a story.
type Part struct {
	Head  string
	Lines []Line
}

// Line is a paragraph, which is wrapped, or one line of a drawing, which is not.
type Line struct {
	Text  string
	Class Class
	Drawn bool
	Item  bool // set off from the paragraph before it
}

// Stories writes texts, each line no wider than Options.Width but for drawings,
// which take at most 80 columns.
func Stories(w io.Writer, stories []Story, o Options) error {
	p := newPage(w, o)
	for i, s := range stories {
		if i > 0 {
			p.blank()
		}
		p.para(Title, "", indent, display.Visible(s.Title))
		for _, part := range s.Parts {
			p.part(part)
		}
	}
	return p.w.Flush()
}

func (p *page) part(part Part) {
	p.blank()
	p.para(Title, "", indent, display.Visible(part.Head))
	for _, l := range part.Lines {
		switch {
		case l.Text == "":
			p.blank()
		case l.Drawn:
			p.lines(l.Class, indent+indent, []string{cut(l.Text, p.width-2*len(indent))})
		case l.Item:
			p.para(l.Class, indent+indent, indent+indent+indent, display.Visible(l.Text))
		default:
			p.para(l.Class, indent, indent, display.Visible(l.Text))
		}
	}
}

// ValueText says what a part of an expression came to, as tables do.
func ValueText(v result.Value) string { return valueText(v) }

// cut keeps the start of a drawing: its columns stand under each other.
func cut(s string, w int) string {
	if display.Width(s) <= w {
		return s
	}
	return display.Head(s, w-1) + "…"
}

// SidesOf gives the other metrics of a case and of its base beside each other, nil
// where there are none.
func SidesOf(doc *result.Document, c *result.Case) *Sides { return sidesOf(doc, c) }

// LastWords are the lines of a failed program that tell what happened: its last
// ones, or a panic with the frames of the measured code.
func LastWords(f *result.Failure) []string { return detail(f.Detail) }
