package explain

import (
	"fmt"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// fewFunctions of a profile are in a story; the page and the pprof files have more.
const fewFunctions = 8

// profiled names the functions that account for a change, and lists what grew.
func profiled(c *result.Case) (lines []table.Line) {
	p := table.NewProfiled(c.Name, c)
	if p == nil {
		return nil
	}
	if len(p.Kinds) == 0 {
		return append(lines, say("There are no profiles: %s.", p.Reason))
	}
	lines = append(lines, say("After all samples it was run again with profilers, each time in a new process. No sample and no verdict depends on that."))
	if p.Reason != "" {
		lines = append(lines, say("There are fewer profiles than planned: %s.", p.Reason))
	}
	if p.Answer != "" {
		lines = append(lines, say("%s%s.", strings.ToUpper(p.Answer[:1]), p.Answer[1:]))
	}
	for _, cause := range p.Causes {
		lines = append(lines, table.Line{Text: cause, Item: true, Class: table.Bad})
	}
	for _, r := range p.Remarks {
		lines = append(lines, say("%s", r))
	}
	for i := range p.Kinds {
		k := &p.Kinds[i]
		rows := k.Grown(fewFunctions)
		if len(rows) == 0 {
			none := ""
			if k.Profile.Base != nil {
				none = " No function grew."
			}
			lines = append(lines, say("%s%s: %s.%s", strings.ToUpper(k.Title[:1]), k.Title[1:], k.About, none))
			continue
		}
		lines = append(lines, table.Line{}, say("%s%s: %s.", strings.ToUpper(k.Title[:1]), k.Title[1:], k.About))
		texts := aligned(k.Head, rows)
		lines = append(lines, table.Line{Text: texts[0], Drawn: true})
		for j, text := range texts[1:] {
			lines = append(lines, table.Line{Text: text, Drawn: true})
			for _, l := range rows[j].Leaves {
				lines = append(lines, table.Line{Text: fmt.Sprintf("  of it %s in %s", l.Self, display.Visible(l.Name)), Drawn: true})
			}
		}
	}
	return lines
}

// longestFunction is where names are cut in a table, columns.
const longestFunction = 28

// aligned lays out a table in columns, numbers at the right.
func aligned(head []string, rows []table.ProfiledRow) (out []string) {
	all := [][]string{head}
	for _, r := range rows {
		cells := append([]string{display.Shorten(display.Visible(r.Cells[0]), longestFunction)}, r.Cells[1:]...)
		all = append(all, cells)
	}
	widths := make([]int, len(head))
	for _, cells := range all {
		for j, cell := range cells {
			widths[j] = max(widths[j], display.Width(cell))
		}
	}
	for _, cells := range all {
		var line strings.Builder
		for j, cell := range cells {
			space := strings.Repeat(" ", widths[j]-display.Width(cell))
			if j == 0 {
				line.WriteString(cell + space)
				continue
			}
			line.WriteString("  " + space + cell)
		}
		out = append(out, strings.TrimRight(line.String(), " "))
	}
	return out
}
