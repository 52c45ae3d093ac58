package markdown

import (
	"fmt"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
)

// Limits of the profiles in a comment; the page has all of them.
const (
	mostProfiledComment  = 6 // cases
	mostFunctionsComment = 8 // of each kind
)

func (m *markdown) profiles(g *table.Group) {
	for _, p := range g.Profiled[:min(len(g.Profiled), mostProfiledComment)] {
		m.profile(p)
	}
	if rest := len(g.Profiled) - mostProfiledComment; rest > 0 {
		m.add(fmt.Sprintf("\n_%s more with profiles._\n", units.Plural(rest, "case")))
	}
}

// profile writes the causes of a case, and folded what grew.
func (m *markdown) profile(p *table.Profiled) {
	name := mdHTML(display.Shorten(display.Visible(p.Case), mostName))
	if len(p.Kinds) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary>Which functions cost more: %s</summary>\n\n", name)
	for _, text := range []string{p.Answer, p.Reason} {
		if text != "" {
			b.WriteString(mdText(display.Visible(text)) + "\n\n")
		}
	}
	for _, cause := range p.Causes {
		b.WriteString("- " + mdText(display.Shorten(display.Visible(cause), mostText4)) + "\n")
	}
	for i := range p.Kinds {
		k := &p.Kinds[i]
		rows := k.Grown(mostFunctionsComment)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s: %s\n\n| %s |\n|:---|%s\n", k.Title, mdText(k.About), strings.Join(k.Head, " | "), strings.Repeat("---:|", len(k.Head)-1))
		for _, r := range rows {
			row := "| " + mdName(display.Visible(r.Cells[0]))
			if len(r.Leaves) > 0 {
				row += " (" + mdName(display.Visible(r.LeafNames())) + ")"
			}
			row += " |"
			for _, cell := range r.Cells[1:] {
				row += " " + mdText(cell) + " |"
			}
			b.WriteString(row + "\n")
		}
	}
	b.WriteString("\n</details>\n")
	if !m.add(b.String()) {
		m.add("\n_No room for the profiles of " + name + "._\n")
	}
}
