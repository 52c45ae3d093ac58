package html

import (
	"fmt"
	"io"

	"example.com/suite/report/about"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/page/html"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// RenderUnpaired writes a page with a table and a forest for each suite. It has no part
// about single cases, whose distributions are in each result's own report.
func RenderUnpaired(w io.Writer, u *table.Unpaired, _ table.Options) error {
	t := u.Table()
	name := u.Metric + " of saved results"
	p := &html.Page{
		Title: name + ": " + t.Outcome.Word,
		Kind:  page.Text("Comparison of saved results"),
		Foot:  page.Text(table.UnpairedTitle),
	}
	var files page.Facts
	for i, s := range u.Saved {
		files = append(files, [2]string{u.Letter(i), s.Name})
	}
	p.Top = page.Under(name, answer(t.Outcome), files)
	rows := u.Rows
	for i := range t.Groups {
		g := &t.Groups[i]
		blocks := []page.Block{page.Lines(g.Description)}
		if u.Metric == "time" { // the axis of a forest is labelled faster and slower
			blocks = append(blocks, besides(u, rows[:len(g.Rows)])...)
		}
		all := about.Cases(g)
		all.Kinds = map[page.Tone]string{page.Doubtful: "moved", page.Plain: "not moved"}
		p.Blocks = append(p.Blocks, page.Section{
			Head:   page.Text(g.Name),
			ID:     fmt.Sprintf("suite-%d", i+1),
			Blocks: append(blocks, all),
		})
		rows = rows[len(g.Rows):]
	}
	p.Blocks = append(p.Blocks, page.Section{Head: page.Text("Footnotes"), ID: "notes", Blocks: about.Notes(t)},
		page.Section{
			Head:   page.Text("Results and machines"),
			ID:     "machine",
			Blocks: []page.Block{page.Items(t.Sources.Files...)},
		})
	return p.Write(w)
}

// besides draws the ratios. The band is the floor: the difference that two runs of the
// same code may have.
func besides(u *table.Unpaired, rows []table.UnpairedRow) []page.Block {
	var drawn []figure.Row
	for i := range rows {
		for k, r := range rows[i].Ratios {
			if r == nil || r.Exact {
				continue
			}
			o := &result.Comparison{
				Ratio:     result.Ratio(r.Ratio),
				Low:       r.Low,
				High:      r.High,
				Tolerance: u.Floor,
				Change:    result.Same,
			}
			text := number.RatioText(r.Ratio, 1)
			if r.Moved {
				o.Change, text = result.Unclear, text+"  moved"
			}
			name := rows[i].Name
			if len(u.Saved) > 2 {
				name = u.Letter(k+1) + " " + name
			}
			drawn = append(drawn, figure.Row{Name: named(name), Text: text, Comparison: o})
		}
	}
	d, left := figure.Forest(drawn)
	if d == nil {
		return nil
	}
	d.Title, d.Desc = "Ratios of time to "+u.Letter(0), fmt.Sprintf("%s; the table holds the numbers", u.Outcome().Text)
	d.Caption = figure.ForestCaption(d, "a ratio of medians", "what two runs of the same code may differ by")
	return drawnForest(d, left, "Against "+u.Letter(0))
}
