package table

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// versusColumn shows the change of each case's time against its base, with the
// verdict. If the other tree lacks the case, or has it in another form, the cell
// contains that reason. It is nil if nothing is compared.
func versusColumn(cases []*result.Case) []page.Cell {
	cells := make([]page.Cell, len(cases))
	for i, c := range cases {
		switch {
		case c.Pairs != nil:
			cells[i] = versus(c)
		case c.Counterpart.IsUnaffected():
			cells[i] = page.Cell{Marks: []page.Span{{Text: strings.ReplaceAll(string(c.Counterpart.Rule), "-", " "), Tone: page.Faint}}}
		case c.Counterpart.Unmatched() != "":
			cells[i] = page.Cell{Marks: []page.Span{{Text: uncompared(c), Tone: page.Faint}}}
		}
	}
	if !slices.ContainsFunc(cases, hasBase) {
		return nil
	}
	return cells
}

// hasBase reports whether a case is compared with something, or should have been.
func hasBase(c *result.Case) bool {
	return c.Pairs != nil || c.Counterpart.Unmatched() != "" || c.Counterpart.IsUnaffected()
}

func uncompared(c *result.Case) string {
	if c.Counterpart.State == result.CounterpartUnable {
		return "not comparable"
	}
	return string(c.Counterpart.State)
}

// versus shows the change of the time. If it is unclear the cell has no number,
// because readers would take it for a finding.
func versus(c *result.Case) page.Cell {
	o := c.Comparison("time")
	if o == nil {
		return page.Cell{Marks: []page.Span{{Text: "not compared", Tone: page.Doubtful}}}
	}
	cell := page.Cell{Number: number.Change(o), Spread: number.SpreadText(o), Word: string(o.Change), Tone: number.ChangeClass(o.Change), Key: float64(o.Ratio)}
	if o.Change == result.Unclear { // no Number, see above
		return page.Cell{Marks: []page.Span{{Text: UnclearText(o), Tone: cell.Tone}}, Key: float64(o.Ratio)}
	}
	if o.Base == 0 && o.Candidate != 0 {
		return page.Cell{Marks: []page.Span{{Text: cell.Number + "  " + cell.Word, Tone: cell.Tone}}}
	}
	return cell
}

// UnclearText is "unclear" with the interval of the ratio, if it is known. If a side is below
// resolution, more pairs would not help, and it is that reason.
func UnclearText(o *result.Comparison) string {
	if o.Cause == result.CauseResolution {
		return "not comparable: below resolution"
	}
	text := string(result.Unclear)
	if within := number.Range(o); within != "" {
		text += " (" + within + ")"
	}
	return text
}

// longBase is the longest name of a base that a heading takes.
const longBase = 20

// versusHead names the base if all cases share one.
func versusHead(s *result.Suite, cases []*result.Case) string {
	base := sharedBase(cases)
	if base == "" && s.Against != nil && !slices.ContainsFunc(cases, func(c *result.Case) bool { return c.Pairs != nil }) {
		base = s.Against.Asked // nothing was compared with it
	}
	if base != "" && display.Width(display.Visible(base)) <= longBase {
		return "vs " + display.Visible(base)
	}
	return "vs base"
}

// sharedBase is the base of all cases that have one. It is empty if they differ, or
// if the name is too long for a heading.
func sharedBase(cases []*result.Case) (base string) {
	for _, c := range cases {
		switch {
		case c.Pairs == nil:
		case base == "":
			base = c.Pairs.BaseName()
		case base != c.Pairs.BaseName():
			return ""
		}
	}
	if display.Width(display.Visible(base)) > longBase {
		return ""
	}
	return base
}

func sharedBases(doc *result.Document) map[string]string {
	bases := map[string]string{}
	for i := range doc.Suites {
		cases, _ := CasesOf(doc, doc.Suites[i].Name)
		bases[doc.Suites[i].Name] = sharedBase(cases)
	}
	return bases
}

// comparedWith collects the footnotes of a case with a base: the base's name if no
// heading shows it, the pairs that were set aside, and why a metric is unclear,
// unless a gate explains that.
func (ns *notes) comparedWith(c *result.Case) (ws []result.Warning) {
	ws = ns.counterpart(c)
	if c.Pairs == nil {
		return ws
	}
	add := func(code result.WarningCode, s result.Sentence) { ws = append(ws, s.Warning(code, "")) }
	if ns.bases[c.Suite] == "" {
		add(result.WarnBase, result.Say("compared with %s", c.Pairs.BaseName()))
	}
	if len(c.Comparisons) == 0 && c.Status == result.Measured {
		add(result.WarnNotCompared, result.Say("no pairs to compare with %s", c.Pairs.BaseName()))
	}
	for i := range c.Comparisons {
		o := &c.Comparisons[i]
		if s := setAside(o); s.Text != "" && i == 0 {
			add(result.WarnSetAside, s)
		}
		if s := layouts(c, o); s.Text != "" {
			add(result.WarnLayouts, s)
		}
		if o.Change == result.Unclear && o.Reason != "" && !said(c) {
			add(result.WarnUnclear, result.Sentence{Text: o.Reason, Pattern: o.Pattern, Values: o.Values})
		}
	}
	return append(ws, withoutInstructions(c)...)
}

// leastSpread is the smallest effect of layouts that gets a footnote: 1% hides no
// change that matters.
const leastSpread = 0.01

// layouts is how much layouts make a metric differ, and how many there were if
// several launches shared one. It is empty if neither matters.
func layouts(c *result.Case, o *result.Comparison) result.Sentence {
	var formats []string
	var args []any
	if o.LayoutSpread >= leastSpread {
		formats = append(formats, "layouts and addresses make the %s of this case differ by up to %s from launch to launch")
		args = append(args, o.Metric, result.Printed(Bound(o.LayoutSpread), o.LayoutSpread, "ratio"))
	}
	if o.Layouts > 0 && o.Layouts < o.Launches {
		formats = append(formats, "links take long: %s launches share %s layouts, and each layout counts once")
		args = append(args, result.Number(o.Launches), result.Number(o.Layouts))
	}
	return result.Say(strings.Join(formats, "; "), args...)
}

// setAside is how many pairs were set aside, or why none was although some were
// disturbed. It is empty if all pairs are used as usual.
func setAside(o *result.Comparison) result.Sentence {
	out := o.Pairs - o.Used
	rule := result.Sentence{Text: o.Rule, Pattern: o.RulePattern, Values: o.RuleValues}
	switch {
	case out > 0 && o.Rule != "":
		return result.Say("%s pairs set aside: %s", result.Some(out, o.Pairs), rule)
	case out > 0:
		return result.Say("%s pairs set aside, because a side was disturbed", result.Some(out, o.Pairs))
	case o.Rule != "":
		return result.Say("all %s pairs are used: %s", result.Number(o.Pairs), rule)
	}
	return result.Sentence{}
}

// said reports whether the footnote of a gate already contains the reason.
func said(c *result.Case) bool {
	return slices.ContainsFunc(c.Gates, func(g result.Gate) bool { return g.Verdict == result.Inconclusive })
}

// versusFacts are the numbers of all comparisons of a case, for formats that keep
// facts with a verdict.
func versusFacts(c *result.Case) []Fact {
	fs := counterpartFacts(c)
	if c.Pairs == nil {
		return fs
	}
	fs = append(fs, Fact{"base", c.Pairs.BaseName()})
	for i := range c.Comparisons {
		o := &c.Comparisons[i]
		fs = append(fs, Fact{o.Metric + ".verdict", string(o.Change)})
		if !o.IsBound() {
			fs = append(fs, Fact{o.Metric + ".ratio", plainRatio(float64(o.Ratio))})
		}
		if o.Low != nil {
			fs = append(fs, Fact{o.Metric + ".ratio.low", plainRatio(*o.Low)})
		}
		if o.High != nil {
			fs = append(fs, Fact{o.Metric + ".ratio.high", plainRatio(*o.High)})
		}
		fs = append(fs, Fact{o.Metric + ".pairs", fmt.Sprint(o.Pairs)}, Fact{o.Metric + ".pairs.used", fmt.Sprint(o.Used)})
		if o.Blocks > 0 {
			fs = append(fs, Fact{o.Metric + ".blocks", fmt.Sprint(o.Blocks)})
		}
		if o.Launches > 0 {
			fs = append(fs, Fact{o.Metric + ".launches", fmt.Sprint(o.Launches)})
		}
		if o.Layouts > 0 {
			fs = append(fs, Fact{o.Metric + ".layouts", fmt.Sprint(o.Layouts)})
		}
		fs = append(fs, witnessFacts(o)...)
	}
	return fs
}

func plainRatio(x float64) string {
	if x > 1e9 { // the base is almost 0
		return fmt.Sprintf("%.4g", x)
	}
	return fmt.Sprintf("%.4f", x)
}

// versusEvidence is the comparison of the time in one line.
func versusEvidence(c *result.Case) string {
	o := c.Comparison("time")
	if c.Pairs == nil || o == nil {
		return ""
	}
	line := fmt.Sprintf("time %s %s", number.Change(o), o.Change)
	if o.Change == result.Unclear {
		line = "time " + UnclearText(o)
	} else if within := number.Range(o); within != "" {
		line += " (" + within + ")"
	}
	line = fmt.Sprintf("%s against %s, %d of %d pairs used", line, c.Pairs.BaseName(), o.Used, o.Pairs)
	if o.Blocks > 0 {
		line += fmt.Sprintf(", of %d blocks", o.Blocks)
	}
	if o.Launches > 0 {
		line += fmt.Sprintf(", of %s", result.PerLaunch.Count(o.Launches))
	}
	return line
}

func JoinEvidence(lines ...string) string { return strings.Join(NotEmpty(lines), "; ") }
