package note

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/harness"
	"example.com/suite/report/column"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

func sharedBases(doc *result.Document) map[string]string {
	cases, bases := map[string][]*result.Case{}, map[string]string{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		cases[c.Suite] = append(cases[c.Suite], c)
	}
	for suite := range cases {
		bases[suite] = column.SharedBase(cases[suite])
	}
	return bases
}

// comparedWith collects the footnotes of a case with a base: the base's name if no
// heading shows it, the pairs that were set aside, and why a metric is unclear,
// unless a gate explains that.
func (ns *Notes) comparedWith(c *result.Case) (ws []result.Warning) {
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
		if s := layouts(o); s.Text != "" {
			add(result.WarnLayouts, s)
		}
		if o.Change == result.Unclear && o.Reason != "" && !said(c) {
			add(result.WarnUnclear, result.Sentence{Text: o.Reason, Pattern: o.Pattern, Values: o.Values})
		}
	}
	return slices.Concat(ws, withoutInstructions(c), processEach(c))
}

// processEach is a footnote of a case that is undecided because each of its samples is a process, if that need not be.
func processEach(c *result.Case) []result.Warning {
	o, row := c.Comparison("time"), harness.Row{}
	if o != nil && o.Change == result.Unclear && c.Settings.Isolate == result.IsolateSample {
		row, _ = harness.Find(c.Identity.Harness)
	}
	if row.Stays == "" {
		return nil
	}
	return []result.Warning{{Code: result.WarnProcessEach,
		Message: "each sample is a process of " + row.Name + ", so a verdict takes long",
		Hint: fmt.Sprintf("with %s processes stay, and the benchmarks remain as they are: docs/harnesses.md#%s",
			row.Stays, strings.TrimSuffix(row.Name, "-0.3"))}}
}

// leastSpread is the smallest effect of layouts that gets a footnote: 1% hides no
// change that matters.
const leastSpread = 0.01

// layouts is how much layouts make a metric differ, and how many there were if
// several launches shared one. It is empty if neither matters.
func layouts(o *result.Comparison) result.Sentence {
	var formats []string
	var args []any
	if o.LayoutSpread >= leastSpread {
		formats = append(formats,
			"layouts and addresses make the %s of this case differ by up to %s from launch to launch")
		args = append(args, o.Metric, result.Printed(number.RoundedUp(o.LayoutSpread), o.LayoutSpread, "ratio"))
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

// withoutInstructions is a footnote of a case whose time changed and whose instructions could
// not be counted.
func withoutInstructions(c *result.Case) (ws []result.Warning) {
	o := c.Comparison("time")
	if o == nil || c.Pairs.NoInstructions == "" || o.Change != result.Worse && o.Change != result.Better {
		return nil
	}
	return []result.Warning{{Code: result.WarnNoInstructions,
		Hint: "counters: {instructions: callgrind} counts them by valgrind",
		Message: "instructions were not counted, so it is not known whether the code does more: " +
			c.Pairs.NoInstructions}}
}
