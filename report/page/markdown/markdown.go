// Package markdown writes pages as comments for pull requests. Whatever a text contains, it is no
// format, no link and no mention.
package markdown

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
)

// Text returns blocks as Markdown in at most so many bytes. What there is no room for is counted,
// or named. A block that is not folded takes at most half of the room if others follow.
func Text(blocks []page.Block, most int) string {
	m := writer{room: most}
	m.blocks(blocks, 0)
	return m.b.String()
}

type writer struct {
	b    strings.Builder
	room int // bytes left
}

// noteRoom is kept free for the note on rows that did not fit.
const noteRoom = 200

// writeIfFits writes a text if it fits.
func (m *writer) writeIfFits(s string) {
	if len(s) <= m.room {
		m.b.WriteString(s)
		m.room -= len(s)
	}
}

func (m *writer) blocks(blocks []page.Block, depth int) {
	for i, b := range blocks {
		left := m.room
		if _, folded := b.(page.Fold); !folded && i+1 < len(blocks) {
			m.room /= 2
		}
		given := m.room
		m.block(b, depth)
		m.room = left - (given - m.room)
	}
}

func (m *writer) block(b page.Block, depth int) {
	switch b := b.(type) {
	case page.Section:
		m.section(b, depth)
	case page.Paragraph:
		for _, l := range b {
			m.writeIfFits("\n" + small(l) + "\n")
		}
	case page.List:
		m.rows("\n", len(b), func(i int) string { return itemText(b[i]) })
	case page.Brief:
		m.writeIfFits("\n" + small(page.Toned(page.Faint, strings.Join(b, " · "))) + "\n")
	case page.Facts:
		m.rows("\n", len(b), func(i int) string {
			return "- " + escaped(b[i][0]) + ": " + lineText(page.Text(b[i][1])) + "\n"
		})
	case *page.Table:
		m.rows("\n"+tableHead(b), len(b.Rows), func(i int) string { return tableRow(b, i) })
		m.rows("\n", len(b.Notes), func(i int) string { return "- " + lineText(b.Notes[i]) + "\n" })
	case page.Bars:
		m.rows("\n"+lineText(b.Caption)+"\n\n", len(b.Rows), func(i int) string {
			r := &b.Rows[i]
			return fmt.Sprintf("- %s: %d %s\n", escaped(r.Label), r.Count, escaped(strings.Join(r.Notes, "  ")))
		})
	case page.Figure:
		m.writeIfFits("\n" + lineText(b.Caption) + "\n")
	case page.Fold:
		m.fold(b, depth)
	case page.Source:
		m.writeIfFits("\n" + sourceText(b, ""))
	case page.Listing:
		m.writeIfFits("\n" + sourceText(b.Source(), ""))
	case page.Drawing:
		m.writeIfFits("\n" + lineText(b.Line()) + "\n")
	}
}

func (m *writer) section(s page.Section, depth int) {
	head := "\n**" + lineText(s.Head) + "**\n"
	if depth == 0 {
		head = "### " + lineText(s.Head) + "\n"
	} else if !m.hasRoom(len(head), s.Head) {
		return
	}
	m.writeIfFits(head)
	m.blocks(s.Blocks, depth+1)
}

func (m *writer) fold(f page.Fold, depth int) {
	summary := display.Shorten(f.Summary.String(), mostName)
	head := "\n<details" + map[bool]string{true: " open"}[f.Open] + "><summary>" + referenced(summary) + "</summary>\n"
	foot := "\n</details>\n"
	if !m.hasRoom(len(head)+len(foot), f.Summary) {
		return
	}
	m.writeIfFits(head)
	m.room -= len(foot)
	m.blocks(f.Blocks, depth+1)
	m.room += len(foot)
	m.writeIfFits(foot)
}

// hasRoom reports whether there is room for something, and names it if there is not.
func (m *writer) hasRoom(size int, what page.Line) bool {
	if size+2*noteRoom <= m.room {
		return true
	}
	m.writeIfFits("\n_No room for " + escaped(display.Shorten(what.String(), mostName/2)) + "._\n")
	return false
}

// rows writes the rows that fit, and the number of the others.
func (m *writer) rows(head string, n int, row func(int) string) {
	for i := range n {
		text := row(i)
		if i == 0 {
			text = head + text
		}
		if len(text)+2*noteRoom > m.room {
			m.writeIfFits(fmt.Sprintf("\n_No room for %d more, of %d._\n", n-i, n))
			return
		}
		m.writeIfFits(text)
	}
}

// mostText is the number of columns of a line: enough to read a reason.
const mostText = 600

// small is a line of its own, in small letters if it can be skipped.
func small(l page.Line) string {
	if len(l) > 0 && l[0].Tone == page.Faint {
		return "<sub>" + lineText(l) + "</sub>"
	}
	return lineText(l)
}

// lineText shows what is bad in bold.
func lineText(l page.Line) string {
	if whole := l.String(); display.Width(whole) > mostText {
		l = page.Line{{Text: display.Shorten(whole, mostText), Tone: l[0].Tone}}
	}
	var b strings.Builder
	for _, s := range l {
		text := escaped(s.Text)
		switch {
		case s.Code:
			text = codeOf(display.Shorten(s.Text, mostText))
		case s.Text == "":
		case s.Tone == page.Bad:
			text = "**" + text + "**"
		}
		b.WriteString(linked(text, s.To))
	}
	return b.String()
}

func itemText(item page.Item) string {
	var b strings.Builder
	start := "- "
	if item.Mark.Text != "" {
		start += escaped(item.Mark.Text) + " "
	}
	for _, l := range item.Lines {
		b.WriteString(start + lineText(l) + "\n")
		start = "  "
	}
	for _, block := range item.Blocks {
		switch block := block.(type) {
		case page.Source:
			b.WriteString(sourceText(block, "  "))
		case page.Paragraph:
			for _, l := range block {
				b.WriteString("  " + lineText(l) + "\n")
			}
		}
	}
	return b.String()
}

// sourceText is a text between fences that are longer than any in it.
func sourceText(s page.Source, at string) string {
	fence := "```"
	for strings.Contains(string(s), fence) {
		fence += "`"
	}
	lines := display.VisibleLines(string(s))
	return at + fence + "\n" + at + strings.Join(lines, "\n"+at) + "\n" + at + fence + "\n"
}

func tableHead(t *page.Table) string {
	heads, rules := "|", "|"
	caption := ""
	if len(t.Caption) > 0 {
		caption = lineText(t.Caption) + "\n\n"
	}
	for _, c := range t.Columns {
		heads += " " + escaped(display.Shorten(c.Head, mostName)) + " |"
		if c.Align == page.Right {
			rules += "---:|"
		} else {
			rules += ":---|"
		}
	}
	return caption + heads + "\n" + rules + "\n"
}

// tableRow has an empty cell for each that the row lacks.
func tableRow(t *page.Table, i int) string {
	row := slices.Grow(slices.Clone(t.Shown(i)), len(t.Columns))[:len(t.Columns)]
	text := "|"
	for j, c := range row {
		shown := c.String()
		if t.Columns[j].Code && shown != "" {
			shown = codeOf(display.Shorten(shown, mostName))
		} else {
			shown = escaped(display.Shorten(shown, mostText))
		}
		text += " " + linked(shown, c.To) + c.NoteMarks() + " |"
	}
	return text + "\n"
}

// linked makes a text that is Markdown lead to an address of the web. Other places are parts of a page, and this is
// none.
func linked(text, to string) string {
	if text == "" || !page.IsAddress(to) {
		return text
	}
	return "[" + text + "](" + inLink.Replace(to) + ")"
}

// inLink replaces what would end a link, or the cell of a table.
var inLink = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "|", "%7C", " ", "%20", "\n", "%0A")
