package text

import (
	"io"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
)

// Stories writes texts for a terminal. Lines are no wider than Options.Width;
// drawings are cut at that width and never wider than 80 columns.
func Stories(w io.Writer, stories []table.Story, o table.Options) error {
	p := newPage(w, o)
	for i, s := range stories {
		if i > 0 {
			p.blank()
		}
		p.para(table.Title, "", indent, display.Visible(s.Title))
		for _, part := range s.Parts {
			p.part(part)
		}
	}
	return p.w.Flush()
}

func (p *page) part(part table.Part) {
	p.blank()
	p.para(table.Title, "", indent, display.Visible(part.Head))
	for _, l := range part.Lines {
		switch {
		case l.Text == "":
			p.blank()
		case l.Typed:
			p.lines(l.Class, indent+indent, []string{l.Text})
		case l.Drawn:
			p.lines(l.Class, indent+indent, []string{cut(l.Text, p.width-2*len(indent))})
		case l.Item:
			p.para(l.Class, indent+indent, indent+indent+indent, display.Visible(l.Text))
		default:
			p.para(l.Class, indent, indent, display.Visible(l.Text))
		}
	}
}

// cut keeps the start of a line of a drawing. Wrapping it would break the columns.
func cut(s string, w int) string {
	if display.Width(s) <= w {
		return s
	}
	return display.Head(s, w-1) + "…"
}
