package html

import (
	"fmt"
	"html/template"
	"io"

	"example.com/suite/internal/display"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// RenderUnpaired writes a page with a table and a forest for each suite. It has no part
// about single cases, whose distributions are in each result's own report.
func RenderUnpaired(w io.Writer, u *table.Unpaired, _ table.Options) error {
	t := u.Table()
	p := &htmlPage{
		Policy: policy(), Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Name: u.Metric + " of saved results", Tool: table.UnpairedTitle, Machine: t.Beside.Files,
	}
	p.Title = p.Name + ": " + t.Outcome.Word
	p.outcome(t)
	for i, s := range u.Saved {
		p.Facts = append(p.Facts, table.Fact{Name: u.Letter(i), Value: s.Name})
	}
	rows := u.Rows
	for i := range t.Groups {
		n := len(t.Groups[i].Rows)
		p.besides(u, &t.Groups[i], rows[:n])
		rows = rows[n:]
	}
	p.notes(t)
	return writePage(w, p)
}

func (p *htmlPage) besides(u *table.Unpaired, g *table.Group, rows []table.UnpairedRow) {
	s := &htmlSuite{ID: fmt.Sprintf("suite-%d", len(p.Suites)+1), Name: g.Name, Description: g.Description}
	s.columns(g)
	for j := range s.Columns {
		s.Columns[j].Right = true // ratios are numbers, not verdicts
	}
	for i := range g.Rows {
		s.Rows[i].Name, s.Rows[i].Notes = g.Rows[i].Name, g.Rows[i].Notes
		if rows[i].Moved() {
			s.Rows[i].Class = className(table.Doubtful) // which the page can filter by
		}
	}
	if u.Metric == "time" { // the axis of a forest says faster and slower
		s.besides(u, rows)
	}
	p.Suites = append(p.Suites, s)
}

// besides draws the ratios. The band is the floor: the difference that two runs of the
// same code may have.
func (s *htmlSuite) besides(u *table.Unpaired, rows []table.UnpairedRow) {
	var drawn []figure.Row
	for i := range rows {
		for k, r := range rows[i].Ratios {
			if r == nil || r.Exact {
				continue
			}
			o := &result.Comparison{Ratio: result.Ratio(r.Ratio), Low: r.Low, High: r.High, Tolerance: u.Floor, Change: result.Same}
			text := table.RatioText(r.Ratio, 1)
			if r.Moved {
				o.Change, text = result.Unclear, text+"  moved"
			}
			name := rows[i].Name
			if len(u.Saved) > 2 {
				name = u.Letter(k+1) + " " + name
			}
			drawn = append(drawn, figure.Row{Name: display.Shorten(display.Visible(name), figure.LongestName), Text: text, Comparison: o})
		}
	}
	d, left := figure.Forest(drawn)
	if d == nil {
		return
	}
	d.Title, d.Desc = "Ratios of time to "+u.Letter(0), fmt.Sprintf("%s; the table above holds the numbers", u.Outcome().Text)
	s.Forest = &htmlForest{Title: "Against " + u.Letter(0), Caption: figure.ForestCaption(d, "a ratio of medians", "what two runs of the same code may differ by"), Drawing: drawingOf(d, s.ID+"-forest")}
	if left > 0 {
		s.Forest.More = fmt.Sprintf("%d more, which changed least, stand in the table alone.", left)
	}
}
