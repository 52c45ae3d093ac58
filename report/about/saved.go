package about

import (
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Saved lists what unpaired gates use of an earlier run: its time, and why the two runs
// may not be comparable.
func Saved(doc *result.Document, c *result.Case) []page.Block {
	s := doc.Suite(c.Suite)
	if s == nil || s.Against == nil || c.Earlier == nil {
		return nil
	}
	as := "the case"
	if c.Counterpart != nil && c.Counterpart.Name != "" {
		as = "the case, under the name " + c.Counterpart.Name + ","
	}
	lines := page.Paragraph{page.Say("%s contains %s as it was measured on %s. That was not measured again "+
		"in this run: the two were not measured in random order, so a difference may come from the machine.",
		s.Against.Asked, as, s.Against.Started.UTC().Format("2006-01-02 15:04 UTC"))}
	for i := range c.Earlier.Medians {
		if m := &c.Earlier.Medians[i]; m.Metric == "time" {
			lines = append(lines, savedTime(c, m))
		}
	}
	lines.Say("Two runs of the same code are taken to differ by up to %s.",
		units.Format(c.Earlier.Floor, result.Percent))
	for _, doubt := range c.Earlier.Doubts {
		lines.Say("The two cannot be compared, so none of its gates is decided: %s.", doubt)
	}
	return []page.Block{lines}
}

func savedTime(c *result.Case, m *result.EarlierMedian) page.Line {
	text := "Its time is unknown"
	for i := range c.Earlier.Metrics {
		if s := &c.Earlier.Metrics[i]; s.Metric == m.Metric {
			text = "Its time was " + units.Format(s.Median, s.Unit)
		}
	}
	if m.Low == nil || m.High == nil {
		return page.Say("%s, and its true median is unknown: %s.", text, m.Reason)
	}
	return page.Say("%s; the true median was between %s and %s, with %s confidence.",
		text, units.Format(*m.Low, "s"), units.Format(*m.High, "s"), shareText(m.Confidence))
}

// decides explains what would decide a gate: for an unpaired gate, measuring both sides
// in one run; for a gate on a drift, more commits.
func decides(c *result.Case, g *result.Gate) string {
	switch {
	case g.Cause == result.CauseShortHistory || g.Form == result.FormHistory:
		return "More commits in the history may decide it: suite run --save adds one, after each merge for example."
	case g.Cause == result.CauseFloor:
		return tight
	case g.Form != result.FormUnpaired:
		return remedy(c)
	}
	return "To decide it measure both sides in one run: --against with a revision or a folder, or base: in the " +
		"suite file."
}
