package about

import (
	"fmt"

	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// fewFunctions of a profile are explained; the page and the pprof files have more.
const fewFunctions = 8

// Profiles names the functions that account for a change, and lists what grew.
func Profiles(c *result.Case) []page.Block { return Profiled(table.NewProfiled(c.Name, c)) }

// Profiled is Profiles of what is text already.
func Profiled(p *table.Profiled) []page.Block {
	blocks := Culprits(p)
	if p != nil {
		for i := range p.Kinds {
			blocks = append(blocks, kind(&p.Kinds[i])...)
		}
	}
	return blocks
}

// Culprits are the functions that account for a change.
func Culprits(p *table.Profiled) []page.Block {
	if p == nil {
		return nil
	}
	if len(p.Kinds) == 0 {
		return sentence("There are no profiles: %s.", p.Reason)
	}
	lines := page.Paragraph{page.Say("After all samples it was run again with profilers, each time in a new process. No sample and no verdict depends on that.")}
	if p.Reason != "" {
		lines = append(lines, page.Say("There are fewer profiles than planned: %s.", p.Reason))
	}
	if p.Answer != "" {
		lines = append(lines, page.Text(sentenceOf(p.Answer)))
	}
	var causes page.List
	for _, cause := range p.Causes {
		causes = append(causes, page.Item{Lines: []page.Line{page.Toned(page.Bad, cause)}})
	}
	var remarks page.Paragraph
	for _, r := range p.Remarks {
		remarks = append(remarks, page.Text(r))
	}
	return []page.Block{lines, causes, remarks}
}

// kind is what one kind of profile shows to have grown.
func kind(k *table.ProfiledKind) []page.Block {
	text := sentenceOf(k.Title + ": " + k.About)
	rows := k.Grown(fewFunctions)
	if len(rows) == 0 {
		if k.Profile.Base != nil {
			text += " No function grew."
		}
		return sentence("%s", text)
	}
	return append(sentence("%s", text), Functions(k, rows))
}

// Functions has a row for each of some functions of a profile, and for each library function below
// it that has a large part of it.
func Functions(k *table.ProfiledKind, rows []table.ProfiledRow) *page.Table {
	t := &page.Table{Columns: page.Numbers(k.Head...)}
	for j := range t.Columns {
		t.Columns[j].Cut, t.Columns[j].Code = j == 0, j == 0
		if j > 0 {
			t.Columns[j].Worth = 10 * (len(t.Columns) - j)
		}
	}
	for _, r := range rows {
		t.Add(r.Cells...)
		if r.Grew {
			t.Rows[len(t.Rows)-1][3].Tone = page.Bad
		} else if r.Fell {
			t.Rows[len(t.Rows)-1][3].Tone = page.Good
		}
		for _, l := range r.Leaves {
			t.Add("", fmt.Sprintf("of it %s in %s", l.Self, l.Name))
		}
	}
	return t
}
