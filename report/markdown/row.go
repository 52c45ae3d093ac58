package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
)

// How many columns of foreign texts are shown: enough to recognise a case, and to
// read a reason.
const (
	mostName  = 160
	mostText4 = 600
)

func gateRow(g *table.Gate) string {
	why := g.Verdict
	if g.Unpaired {
		why += g.Remark()
	}
	if g.Reason != "" {
		why += ": " + g.Reason
	}
	if g.Warn {
		why = "warning only: " + why
	}
	if g.Term != "" {
		why = g.Term + "; " + why
	}
	if g.Witness != "" {
		why += "; " + g.Witness
	}
	if g.Sides != nil && g.Sides.Hint != "" {
		why += "; " + g.Sides.Hint
	}
	if len(g.Arcs) > 0 {
		why += "; " + table.ArcsInOneLine(g.Arcs)
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", g.Mark.Text, mdName(g.Label), mdName(table.GateName(g)), mdText(display.Shorten(display.Visible(why), mostText4)))
}

func failureItem(f *table.Failure) string {
	text := f.Title
	if f.Message != "" {
		text += ": " + display.FirstLine(f.Message)
	}
	if f.Ended != "" {
		text += " (" + f.Ended + ")"
	}
	if f.Hint != "" {
		text += "; hint: " + f.Hint
	}
	return fmt.Sprintf("- %s: %s\n", mdName(f.Label), mdText(display.Shorten(display.Visible(text), mostText4)))
}

// unfolded is the number of cases up to which a table is shown open.
const unfolded = 12

func caseSection(t *table.Table, g *table.Group) section {
	title := display.Visible(g.Name)
	if g.Description != "" {
		title += ": " + display.Visible(strings.Join(strings.Fields(g.Description), " "))
	}
	open := ""
	if len(t.Groups) == 1 && len(g.Rows) <= unfolded {
		open = " open"
	}
	var head strings.Builder
	columns := columnsThatMatter(g)
	fmt.Fprintf(&head, "\n<details%s><summary>%s (%s)</summary>\n\n| case |", open, mdHTML(display.Shorten(title, mostName)), units.Plural(len(g.Rows), "case"))
	for _, j := range columns {
		fmt.Fprintf(&head, " %s |", mdText(display.Shorten(display.Visible(g.Columns[j].Head), mostName)))
	}
	head.WriteString("\n|:---|" + strings.Repeat("---:|", len(columns)) + "\n")
	return section{what: "case", head: head.String(), foot: "\n</details>\n", n: len(g.Rows), row: func(i int) string { return caseRow(&g.Rows[i], columns) }}
}

// A comment has no room for more columns than mostColumns, and none for columns worth less
// than leastWorth: those are about how the case was measured.
const (
	mostColumns = 7
	leastWorth  = 40
)

// columnsThatMatter returns the indices of the columns worth most, in the order of the
// table.
func columnsThatMatter(g *table.Group) (columns []int) {
	for j, c := range g.Columns {
		if c.Worth >= leastWorth {
			columns = append(columns, j)
		}
	}
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(g.Columns[b].Worth, g.Columns[a].Worth) })
	columns = columns[:min(len(columns), mostColumns)]
	slices.Sort(columns)
	return columns
}

func caseRow(r *table.Row, columns []int) string {
	var b strings.Builder
	b.WriteString("| " + mdName(r.Name) + table.NoteMarks(r.Notes) + " |")
	for _, j := range columns {
		b.WriteString(" " + mdText(cellText(&r.Cells[j])) + " |")
	}
	return b.String() + "\n"
}

// cellText is a cell in one piece: 2.31 µs ± 1.0%.
func cellText(c *table.Cell) string {
	switch {
	case c.Marks != nil:
		return table.JoinMarks(c.Marks)
	case c.Text != "":
		return table.Word(c.Text)
	case c.Number == "":
		return ""
	}
	text := c.Number + table.SpacedWord(c.Unit) + table.Spaced(c.Spread)
	if c.From != "" {
		text = c.From + table.To + text
	}
	if c.Word != "" {
		text += ", " + table.Word(c.Word)
	}
	return text
}

func noteItem(n *table.Note) string {
	sign := "-"
	if n.Number > 0 {
		sign = "- " + table.Superscript(n.Number)
	}
	text := n.Text
	if len(n.Items) > 0 {
		text += " " + strings.Join(n.Items, "; ")
	}
	if n.Hint != "" {
		text += " (hint: " + n.Hint + ")"
	}
	return sign + " " + mdText(display.Shorten(display.Visible(text), mostText4)) + "\n"
}

func growthItem(o *table.Growth) string {
	return "- " + mdText(display.Shorten(display.Visible(o.Line()), mostText4)) + "\n"
}

func latencyItem(l *table.Latency) string {
	return "- " + mdText(display.Shorten(display.Visible(l.Line()), mostText4)) + "\n"
}
