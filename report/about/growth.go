package about

import (
	"fmt"

	"example.com/suite/report/page"
	"example.com/suite/report/table"
)

// Growths are how times grow with a parameter. Those that are not clear can be skipped.
func Growths(g *table.Group) []page.Block {
	var all page.List
	for i := range g.Growths {
		tone := page.Plain
		if !g.Growths[i].Clear {
			tone = page.Faint
		}
		all = append(all, item(tone, g.Growths[i].Line()))
	}
	if g.MoreGrowths > 0 {
		all = append(all, more(fmt.Sprintf("%d more", g.MoreGrowths)))
	}
	return titled("growth of the time", all)
}

// GrowthTable is Growths as a table.
func GrowthTable(g *table.Group) *page.Table {
	t := &page.Table{Caption: page.Text("How the time grows"), Columns: page.Heads("cases", "size", "order")}
	for i := range g.Growths {
		t.Add(g.Growths[i].Family, g.Growths[i].Param, g.Growths[i].Text)
	}
	return t
}
