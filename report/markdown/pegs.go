package markdown

import (
	"fmt"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result/arcs"
)

// Limits of the pegs in a comment, which is read with a change; suite pegs shows all.
const (
	mostFlowsComment = 12
	mostArcsComment  = 40
)

func (m *markdown) flows(g *table.Group) {
	for i := range g.Flows[:min(len(g.Flows), mostFlowsComment)] {
		f := *g.Flows[i]
		f.Fold(mostArcsComment)
		m.list(flowSection(&f))
	}
	if rest := len(g.Flows) - mostFlowsComment; rest > 0 {
		m.add(fmt.Sprintf("\n_%s more with pegs._\n", units.Plural(rest, "case")))
	}
}

func flowSection(f *table.Flow) section {
	var head, foot strings.Builder
	fmt.Fprintf(&head, "\n<details><summary>Where the time goes: %s</summary>\n\n%s\n", mdHTML(display.Shorten(display.Visible(f.Case), mostName)), mdText(f.About))
	if len(f.Rows) > 0 {
		head.WriteString("\n| from | to |")
		for _, c := range f.Columns {
			head.WriteString(" " + mdText(c.Head) + " |")
		}
		head.WriteString("\n|:---|:---|" + strings.Repeat("---:|", len(f.Columns)) + "\n")
	}
	if f.Folded != "" {
		foot.WriteString("\n… and " + f.Folded + "\n")
	}
	foot.WriteString("\n")
	for _, l := range f.Changes {
		foot.WriteString("- " + mdText(display.Shorten(display.Visible(l), mostText4)) + "\n")
	}
	for _, l := range f.Notes {
		foot.WriteString("- " + mdText(display.Shorten(display.Visible(l.Text), mostText4)) + "\n")
	}
	foot.WriteString("\n</details>\n")
	rows := max(1, len(f.Rows)) // at least one, so that the notes that explain an empty flow are printed
	return section{what: "arc", head: head.String(), foot: foot.String(), n: rows, row: func(i int) string { return flowRow(f, i) }}
}

// flowRow is empty if there is no arc.
func flowRow(f *table.Flow, i int) string {
	if i >= len(f.Rows) {
		return ""
	}
	r := &f.Rows[i]
	from := "" // the same as in the row above
	if i == 0 || f.Rows[i-1].From != r.From {
		from = mdSource(r.From)
	}
	row := fmt.Sprintf("| %s | %s |", from, mdName(r.To))
	for j := range r.Cells {
		row += " " + mdText(cellText(&r.Cells[j])) + " |"
	}
	return row + "\n"
}

// mdSource is a name as code. The source of outermost spans is plain text, because it
// is not a name.
func mdSource(name string) string {
	if name == arcs.Outermost {
		return table.Outermost
	}
	return mdName(name)
}
