package about

import (
	"fmt"

	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// mostGrowths limits the growths of a suite unless the reader asks for all.
const mostGrowths = 12

// Growths are how times grow with a parameter. Those that are not clear can be skipped.
func Growths(g *table.Group) []page.Block {
	var all page.List
	orders := g.Orders
	if g.Short {
		orders = orders[:min(len(orders), mostGrowths)]
	}
	for _, o := range orders {
		tone := page.Faint
		if _, clear := o.Clear(); clear {
			tone = page.Plain
		}
		all = append(all, item(tone, GrowthLine(o)))
	}
	if n := len(g.Orders) - len(orders); n > 0 {
		all = append(all, more(fmt.Sprintf("%d more", n)))
	}
	return titled("growth of the time", all)
}

// GrowthLine is a growth with its family and parameter: sort, n: O(n log n).
func GrowthLine(o *result.Order) string {
	line := o.Param + ": " + growth(o)
	if o.Family != "" {
		line = o.Family + ", " + line
	}
	return line
}

// growth names the unit that the order was fitted to: a constant time per byte is linear in bytes.
func growth(o *result.Order) string {
	if o.Unit == "" || o.Unit == "op" {
		return o.Text()
	}
	return o.Text() + ", of the time of one " + o.Unit
}

// GrowthTable is Growths as a table.
func GrowthTable(g *table.Group) *page.Table {
	t := &page.Table{Caption: page.Text("How the time grows"), Columns: page.Heads("cases", "size", "order")}
	for _, o := range g.Orders {
		t.Add(o.Family, o.Param, growth(o))
	}
	return t
}
