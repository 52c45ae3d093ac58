package about

import (
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// latency explains how iterations were timed one by one, and when they were due.
func latency(c *result.Case) page.Paragraph {
	l := c.Latency
	if l == nil {
		return nil
	}
	lines := page.Paragraph{page.Say("The clock was read after each of %s. A reading costs %s, which is subtracted from each.",
		units.Plural(int(l.Count), "iteration"), units.Short(l.Cost.Value, "s"))}
	return append(lines, arrivals(l)...)
}

// arrivals explains the schedule of an open loop, and how far it was kept.
func arrivals(l *result.Latency) (lines page.Paragraph) {
	a := l.Arrivals
	if a == nil {
		return nil
	}
	spread := "evenly spread"
	if a.Poisson {
		spread = "at times drawn from the seed (a Poisson process)"
	}
	lines = append(lines, page.Say("Iterations were due %s in a second, %s, and latencies count from then; the time is that of the iterations alone. %s were achieved, and iterations took %s of the time between arrivals.",
		units.Format(a.Rate, ""), spread, units.Format(a.Achieved, "1/s"), units.Format(a.Utilization, result.Percent)))
	if a.Waits > 0 {
		lines = append(lines, page.Say("%s were waited for. They began %s late in the mean, and at most %s, which is part of their latency.",
			fmt.Sprintf("%d of %s", a.Waits, units.Plural(int(l.Count), "iteration")), units.ShortTime(a.Lag), units.ShortTime(a.MostLag)))
	}
	if a.Unserved > 0 {
		lines = append(lines, page.Say("%s were due and had not begun when measuring, or a block of pairs, ended. They count as slower than all others.", units.Plural(int(a.Unserved), "iteration")))
	}
	return lines
}

// Latencies are the percentiles of single iterations.
func Latencies(g *table.Group) []page.Block {
	var all page.List
	for i := range g.Latencies {
		all = append(all, item(page.Plain, g.Latencies[i].Line()))
	}
	return titled("latency of single iterations", all)
}

// LatencyTable is Latencies as a table.
func LatencyTable(g *table.Group) *page.Table {
	t := &page.Table{Caption: page.Text("Latency of single iterations"), Columns: page.Heads("case")}
	for i := range g.Latencies {
		l := &g.Latencies[i]
		row := page.Row{{Text: l.Case}}
		for j, p := range l.Percentiles {
			if i == 0 {
				t.Columns = append(t.Columns, page.Column{Head: l.Percentiles[j].Name, Align: page.Right})
			}
			row = append(row, page.Cell{Number: p.Value, Spread: p.Range})
		}
		iterations := l.Iterations
		if l.Arrivals != "" {
			iterations += "; " + l.Arrivals
		}
		t.Rows = append(t.Rows, append(row, page.Cell{Text: iterations}, page.Cell{Text: l.Cost}))
	}
	t.Columns = append(t.Columns, page.Heads("iterations", "cost of a reading, subtracted")...)
	return t
}
