package html

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/about"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/page/drawing"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// kinds are what rows of cases are as a whole.
var kinds = map[page.Tone]string{
	page.Bad:      "failed",
	page.Doubtful: "undecided",
	page.Good:     "passed",
	page.Plain:    "without gates",
}

// suite is the part of the page about a suite: what it was compared with, its table, and what its
// cases show together.
func (r *report) suite(i int) page.Section {
	g := &r.table.Groups[i]
	cases, _ := table.CasesOf(r.doc, g.Package)
	lines := page.Lines(append([]string{strings.Join(strings.Fields(g.Description), " ")}, g.Against...)...)
	if g.Fitness.Text != "" {
		lines = append(lines, page.Toned(g.Fitness.Class(), g.Fitness.Text))
	}
	if len(g.Rows) == 0 {
		lines = append(lines, page.Text("no cases"))
	}
	rows := about.Cases(g)
	rows.Kinds = kinds
	blocks := []page.Block{lines, about.GrowthTable(g), about.LatencyTable(g)}
	blocks = append(blocks, forest(cases, "time", "Against the base")...)
	blocks = append(blocks, rows)
	for _, metric := range otherMetrics(cases) {
		blocks = append(blocks, forest(cases, metric, metric+" against the base")...)
	}
	curves, left := figure.Curves(cases, func(c *result.Case) string { return c.Name })
	for _, d := range curves {
		blocks = append(blocks, page.Drawing{Drawing: d})
	}
	if left > 0 {
		blocks = append(blocks, hint(fmt.Sprintf("%d more drawings of parameters are left out.", left)))
	}
	return page.Section{Head: page.Text(g.Name), ID: fmt.Sprintf("suite-%d", i+1), Blocks: page.Blocks(blocks...)}
}

func hint(text string) page.Paragraph { return page.Paragraph{page.Toned(page.Faint, text)} }

// otherMetrics are metrics besides the time that are compared.
func otherMetrics(cases []*result.Case) (names []string) {
	for _, c := range cases {
		for i := range c.Comparisons {
			if name := c.Comparisons[i].Metric; name != "time" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names[:min(len(names), mostMetrics)]
}

// forest draws the ratios of one metric; it is empty if there are none.
func forest(cases []*result.Case, metric, title string) []page.Block {
	var rows []figure.Row
	for _, c := range cases {
		o := c.Comparison(metric)
		if o == nil {
			continue
		}
		row := figure.Row{
			Name:       named(c.Name),
			Text:       number.Change(o) + " " + string(o.Change),
			Aside:      number.SpreadText(o),
			Comparison: o,
		}
		if o.Cause == result.CauseResolution {
			row.Text, row.Aside = "below resolution", ""
		} else if o.Change == result.Unclear {
			row.Text = string(o.Change)
		}
		rows = append(rows, row)
	}
	d, left := figure.Forest(rows)
	return drawnForest(d, left, title)
}

func named(name string) string { return display.Shorten(name, figure.LongestName) }

func drawnForest(d *drawing.Drawing, left int, title string) []page.Block {
	if d == nil {
		return nil
	}
	d.Heading = title
	if left > 0 {
		d.Caption += fmt.Sprintf(" %d more, which changed least, stand in the table alone.", left)
	}
	return []page.Block{page.Drawing{Drawing: d}}
}
