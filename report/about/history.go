package about

import (
	"fmt"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// History lists what gates on drifts have of the history: how many commits, and their levels.
func History(c *result.Case) []page.Block {
	var lines page.Paragraph
	for i := range c.Histories {
		p := &c.Histories[i]
		m, _ := c.Metric(p.Metric)
		n := len(p.Points)
		if n == 0 {
			lines.Say("The history has no commit at which the %s of this case was measured on this machine.", m.Name)
		} else {
			lines.Say("The history has the %s of %s that %s measured on this machine before this run, "+
				"from %s to %s.", m.Name, units.Plural(n, "commit"), was(n), point(p.Points[0]), point(p.Points[n-1]))
		}
		if now := c.Summary(p.Metric); now != nil && n >= 6 {
			lines.Say("Its level was %s in the first third and %s in the last third of them; in this run it is %s.",
				level(p.Points[:n/3], m.Unit), level(p.Points[n-n/3:], m.Unit), units.Format(now.Median, m.Unit))
		}
		if k := len(p.Ratios); k > 0 {
			lines.Say("%s from commit to commit, which do not depend on the machine, connect this run with %s.",
				units.Plural(k, "ratio"), display.Commit(p.Ratios[k-1].Base))
		}
		lines.Say("Two runs of the same code are taken to differ by up to %s.", units.Format(p.Floor, result.Percent))
	}
	return []page.Block{lines}
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func level(points []result.HistoryPoint, unit string) string {
	var xs []float64
	for _, p := range points {
		xs = append(xs, p.Value)
	}
	return units.Format(stats.Median(xs), unit)
}

func point(p result.HistoryPoint) string {
	day := p.When.UTC().Format("2 Jan 2006")
	if p.Commit == "" {
		return "the run of " + day
	}
	return fmt.Sprintf("%s (%s)", display.Commit(p.Commit), day)
}
