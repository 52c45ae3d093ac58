package about

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
)

// Pairs explains, of a case that has some, what pairs are, what they show about each metric, and which other metrics
// moved.
func Pairs(doc *result.Document, c *result.Case) []page.Block {
	return append(compared(c), sides(doc, c)...)
}

func compared(c *result.Case) []page.Block {
	p := c.Pairs
	n, first := len(p.First), 0
	for _, who := range p.First {
		first += 1 - who
	}
	if n == 0 {
		return unpaired(c)
	}
	lines := page.Paragraph{page.Say("%s were taken: %s of %s and one of this case right after each other, in random "+
		"order (%s first in %d of %d, this case in the others). Whatever slows the machine down affects both, "+
		"and neither side has an advantage.",
		units.Plural(n, "pair"), batchOf(c), p.BaseName(), p.BaseName(), first, n)}
	switch c.Observation() {
	case result.PerBlock:
		if p.Placed > 0 {
			lines.Say("For every block of pairs, %s, the files that both sides read (%d) were dropped from "+
				"memory and read again in random order: where they are makes whatever reads them a little faster "+
				"or slower, in all pairs of the block alike. So a block counts once, with the median of its pairs.",
				units.Plural(blocks(c), "time"), p.Placed)
			break
		}
		lines.Say("Both sides were set up again for every block of pairs, %s. The memory addresses of a "+
			"setup make the code a little faster or slower, in all pairs of the block alike. So a block counts "+
			"once, with the median of its pairs.", units.Plural(blocks(c), "time"))
	case result.PerLaunch:
		lines = append(lines, launched(c))
	}
	if len(c.Comparisons) == 0 {
		lines.Say("No metric was compared.")
	}
	blocks := []page.Block{lines}
	for i := range c.Comparisons {
		o := &c.Comparisons[i]
		head := page.Toned(toneOf(o.Change), o.Metric+": "+said(o))
		blocks = append(blocks, page.Section{Head: head, Blocks: page.Blocks(metric(c, o, i == 0)...)})
	}
	return blocks
}

// blocks is the number of blocks of pairs. Each has a setup, or a launch, of both
// sides.
func blocks(c *result.Case) int { return len(slices.Compact(slices.Clone(c.Samples.Block))) }

func batchOf(c *result.Case) string {
	if c.Kind != result.KindGo && c.Settings.Isolate != result.IsolateLaunch {
		return "one run"
	}
	return fmt.Sprintf("one batch of %s", units.Plural(int(c.Pairs.Iterations), "iteration"))
}

// metric explains what the pairs show about one metric.
func metric(c *result.Case, o *result.Comparison, first bool) []page.Block {
	if o.Runs > 0 || o.Exact && o.Metric == result.Instructions && c.IsCounted() {
		return countedRuns(c, o)
	}
	if o.Exact {
		return sentence("Base %s, this case %s: the numbers never vary, so they are compared without statistics.",
			units.Format(o.Base, o.Unit), units.Format(o.Candidate, o.Unit))
	}
	var lines page.Paragraph
	if first {
		lines = aside(o)
	}
	lines = append(lines, found(c, o)...)
	lines = append(lines, why(c, o)...)
	lines = append(lines, witnessed(c, o)...)
	if o.Low == nil && o.Reason != "" {
		return []page.Block{lines} // the pairs were not what decided
	}
	e := pairs.EvidenceOf(c, o.Metric)
	if e.Lost > 0 {
		lines.Say("%s count for nothing, because a side has no number.", units.Plural(e.Lost, "pair"))
	}
	blocks := []page.Block{lines, plot(o, e)}
	if steps := path(o, e); steps != nil {
		blocks = append(blocks, needed(o, e), steps)
	}
	return blocks
}

// needed explains the numbers in the table of how the evidence grew.
func needed(o *result.Comparison, e *pairs.Evidence) page.Paragraph {
	if o.Within > o.Alpha {
		return page.Paragraph{page.Say("How the evidence grew. One may look after every %s: “needed” is the number "+
			"that must be on one side, first to show that the change is not beyond the tolerance, and then that it "+
			"is. Chance alone reaches them, at any time, with a probability of at most %s and %s.",
			e.Per, chance(o.Within), chance(o.Alpha))}
	}
	return page.Paragraph{page.Say("How the evidence grew. One may look after every %s: “needed” is the number "+
		"that must be on one side. Chance alone reaches it, at any time, with a probability of at most %s.",
		e.Per, chance(o.Alpha))}
}

func toneOf(c result.Change) page.Tone {
	return map[result.Change]page.Tone{result.Worse: page.Bad, result.Better: page.Good,
		result.Unclear: page.Doubtful}[c]
}

// said is the verdict with the change and the tolerance.
func said(o *result.Comparison) string {
	by := fmt.Sprintf("%s, with a tolerance of %s", number.Change(o), shareText(o.Tolerance))
	switch o.Change {
	case result.Same:
		return "the same (" + by + ")"
	case result.Unclear:
		return "unclear (" + by + ")"
	}
	return fmt.Sprintf("%s (%s)", o.Change, by)
}

// aside explains which pairs are used.
func aside(o *result.Comparison) page.Paragraph {
	out := o.Pairs - o.Used
	switch {
	case out > 0:
		return page.Paragraph{page.Say("%d of %s are set aside: %s. Whether a pair counts never depends on "+
			"what it shows.", out, units.Plural(o.Pairs, "pair"), cmp.Or(o.Rule, "a side was disturbed"))}
	case o.Rule != "":
		return page.Paragraph{page.Say("All %s count: %s.", units.Plural(o.Pairs, "pair"), o.Rule)}
	}
	return nil
}

// found states the medians of both sides and the change with its interval.
func found(c *result.Case, o *result.Comparison) (lines page.Paragraph) {
	if o.IsBound() {
		base, own := number.SideTexts(o)
		lines.Say("The %s is %s here and %s in %s. What is below resolution has no number, and the ratio is "+
			"only a bound.", o.Metric, own, base, c.Pairs.BaseName())
		if o.Change != result.Unclear {
			lines.Say("The true change is %s, with %s confidence.", number.Change(o), shareText(o.Confidence))
		}
		return lines
	}
	lines.Say("The median of %s is %s here and %s in %s; half of the %s differ by more than %s, half by less.",
		o.Metric, units.Format(o.Candidate, o.Unit), units.Format(o.Base, o.Unit), c.Pairs.BaseName(),
		c.Observation().Plural(), number.Change(o))
	if within := number.Range(o); within != "" {
		lines.Say("The true change is within %s, with %s confidence, however often one looks.",
			within, shareText(o.Confidence))
	} else {
		lines.Say("There are too few %s for an interval of the true change.", c.Observation().Plural())
	}
	return lines
}

// why explains the verdict of one metric.
func why(c *result.Case, o *result.Comparison) page.Paragraph {
	_, high := limits(o)
	upper := edge(high)
	switch {
	case o.Reason != "":
		return page.Paragraph{page.Say("It is %s: %s.", o.Change, o.Reason)}
	case o.Change == result.Same:
		return page.Paragraph{page.Say("Enough %s are below %s, and enough above %s, to show that the true change is "+
			"between the two: too small to care about.", c.Observation().Plural(), upper, edge(-high))}
	case o.Change == result.Unclear:
		return page.Paragraph{page.Say("The pairs do not show on which side of the tolerance the true change is. %s",
			remedy(c))}
	}
	m, _ := c.Metric(o.Metric)
	beyond := high
	if (o.Change == result.Better) == (m.Direction == result.Lower) {
		beyond = -high
	}
	e := pairs.EvidenceOf(c, o.Metric)
	n, of := count(e, beyond)
	return page.Paragraph{page.Say("It is %s: %d of %s are beyond %s. If the true change were not, no more than half "+
		"would be there. Chance alone gets so far with a probability of at most %s.",
		o.Change, n, e.Per.Count(of), edge(beyond), chance(o.Alpha))}
}

// count counts the observations beyond a limit, and all of them.
func count(e *pairs.Evidence, limit float64) (n, of int) {
	observations := e.Ratios()
	for _, x := range observations {
		if (limit > 0) == (x > limit) {
			n++
		}
	}
	return n, len(observations)
}

// chance prints a probability in percent.
func chance(p float64) string {
	if p <= 0 {
		return "0"
	}
	return fmt.Sprintf("%.3g%%", 100*p)
}

// sides lists the metrics that may explain a change.
func sides(doc *result.Document, c *result.Case) []page.Block {
	s := table.SidesOf(doc, c)
	if s == nil {
		return nil
	}
	blocks := append(sentence("The other metrics on both sides, medians of all samples:"), s.Table())
	if s.Hint != "" {
		blocks = append(blocks, sentence("What %s. Look there first.", s.Hint)...)
	}
	return blocks
}

// Compared has the change of each metric, nil if nothing is compared.
func Compared(c *result.Case) *page.Table {
	if c.Pairs == nil || len(c.Comparisons) == 0 {
		return nil
	}
	t := &page.Table{
		Caption: page.Text("Against " + c.Pairs.BaseName()),
		Columns: page.Numbers("metric", "base", "case", "change", "interval", "verdict", "pairs"),
	}
	t.Columns[4].Align, t.Columns[5].Align = page.Left, page.Left
	for i := range c.Comparisons {
		o := &c.Comparisons[i]
		base, own := number.SideTexts(o)
		t.Add(o.Metric, base, own, number.Change(o), number.Range(o), string(o.Change),
			fmt.Sprintf("%d of %d", o.Used, o.Pairs))
		t.Rows[i][5].Tone = number.ChangeClass(o.Change)
	}
	return t.Filled()
}
