package about

import (
	"fmt"
	"strings"

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
	lines := page.Paragraph{page.Say("The clock was read after each of %s. A reading costs %s, which is "+
		"subtracted from each.", units.Plural(int(l.Count), "iteration"), units.Short(l.Cost.Value, "s"))}
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
	lines.Say("Iterations were due %s in a second, %s, and latencies count from then; the time is that of the "+
		"iterations alone. %s were achieved, and iterations took %s of the time between arrivals.",
		units.Format(a.Rate, ""), spread, units.Format(a.Achieved, "1/s"),
		units.Format(a.Utilization, result.Percent))
	if a.Waits > 0 {
		lines.Say("%s were waited for. They began %s late in the mean, and at most %s, which is part of "+
			"their latency.",
			fmt.Sprintf("%d of %s", a.Waits, units.Plural(int(l.Count), "iteration")), units.ShortTime(a.Lag),
			units.ShortTime(a.MostLag))
	}
	if a.Unserved > 0 {
		lines.Say("%s were due and had not begun when measuring, or a block of pairs, ended. They count as "+
			"slower than all others.", units.Plural(int(a.Unserved), "iteration"))
	}
	return lines
}

// percentile is the name of one, with its value: "too few" if there are not enough iterations for an
// interval, as nobody knows how far it is off.
type percentile struct{ name, value, interval string }

var percentileNames = map[string]string{
	"latency_p50":  "p50",
	"latency_p90":  "p90",
	"latency_p99":  "p99",
	"latency_p999": "p99.9",
	"latency_max":  "max",
}

// saturated replaces the percentiles of a case whose iterations are due faster than they end:
// they grow as long as one measures.
const saturated = "saturated"

func percentilesOf(c *result.Case) (all []percentile) {
	if c.Latency == nil {
		return nil
	}
	for _, m := range result.Metrics() {
		s := c.Summary(m.Name)
		if m.Quantile == 0 || s == nil {
			continue
		}
		p := percentile{name: percentileNames[m.Name], value: units.Short(s.Median, m.Unit)}
		switch {
		case c.Latency.Arrivals.Saturated():
			p.value = saturated
		case s.Low != nil && s.High != nil:
			p.interval = units.Short(*s.Low, m.Unit) + " … " + units.Short(*s.High, m.Unit)
		case m.Quantile < 1:
			p.value = "too few"
		}
		all = append(all, p)
	}
	return all
}

// Latencies are the percentiles of single iterations.
func Latencies(g *table.Group) []page.Block {
	var all page.List
	for _, c := range g.Cases {
		var parts []string
		for _, p := range percentilesOf(c) {
			if p.interval != "" {
				p.value += " (" + p.interval + ")"
			}
			parts = append(parts, p.name+" "+p.value)
		}
		if len(parts) == 0 {
			continue
		}
		if c.Latency.Arrivals.Saturated() {
			parts = []string{saturated}
		}
		line := fmt.Sprintf("%s: %s; %s, a reading costs %s",
			c.Name, strings.Join(parts, ", "), units.Plural(int(c.Latency.Count), "iteration"),
			units.Short(c.Latency.Cost.Value, "s"))
		if text := arrivalsText(c.Latency.Arrivals); text != "" {
			line += "; " + text
		}
		all = append(all, item(page.Plain, line))
	}
	return titled("latency of single iterations", all)
}

// LatencyTable is Latencies as a table.
func LatencyTable(g *table.Group) *page.Table {
	t := &page.Table{Caption: page.Text("Latency of single iterations")}
	for _, c := range g.Cases {
		all := percentilesOf(c)
		if len(all) == 0 {
			continue
		}
		heads, row := []string{"case"}, page.Row{{Text: c.Name}}
		for _, p := range all {
			heads = append(heads, p.name)
			row = append(row, page.Cell{Number: p.value, Spread: p.interval})
		}
		iterations := units.Plural(int(c.Latency.Count), "iteration")
		if text := arrivalsText(c.Latency.Arrivals); text != "" {
			iterations += "; " + text
		}
		if t.Columns == nil {
			t.Columns = append(page.Numbers(heads...), page.Heads("iterations", "cost of a reading, subtracted")...)
		}
		t.Rows = append(t.Rows,
			append(row, page.Cell{Text: iterations}, page.Cell{Text: units.Short(c.Latency.Cost.Value, "s")}))
	}
	return t
}

// arrivalsText names the rate of an open loop, and how far it was kept.
func arrivalsText(a *result.Arrivals) string {
	if a == nil {
		return ""
	}
	spread := ""
	if a.Poisson {
		spread = " (Poisson)"
	}
	text := fmt.Sprintf("open loop: %s due%s, %s achieved, utilization %s, waits end %s late",
		units.Short(a.Rate, "1/s"), spread, units.Short(a.Achieved, "1/s"),
		units.Short(a.Utilization, result.Percent), units.ShortTime(a.Lag))
	if a.Unserved > 0 {
		text += fmt.Sprintf(", %d had not begun", a.Unserved)
	}
	return text
}
