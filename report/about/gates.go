package about

import (
	"fmt"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/column"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Gates lists each gate with its condition, its verdict and the reasons for it.
func Gates(doc *result.Document, c *result.Case) []page.Block {
	var all page.List
	for i := range c.Gates {
		g := &c.Gates[i]
		mark := markOf(column.MarkOf(g))
		lines := page.Paragraph{page.Toned(mark.Tone, named(g)+": "+verdict(g))}
		lines.Add(g.Reason)
		for _, v := range g.Values {
			lines.Add(table.ValueText(v))
		}
		judged := g.Verdict == result.Pass || g.Verdict == result.Fail || g.Verdict == result.Inconclusive
		nothing := g.Cause == result.CauseShortHistory || g.Cause == result.CauseUncounted // that the form could decide
		if judged && !nothing {
			lines.Add(forms[g.Form])
		}
		lines.Add(table.AcceptedLines(g.Accepted)...)
		lines.Add(meaning(c, g))
		all = append(all, page.Item{Mark: mark, Lines: lines})
	}
	return []page.Block{all}
}

var forms = map[result.Form]string{
	result.FormExact: "The numbers never vary, so they are compared without statistics.",
	result.FormPairs: "It is decided by counting pairs: so many are on one side of the limit that chance alone would " +
		"seldom get there.",
	result.FormInterval: "It is decided by the interval of the true value and not by one number: it passes " +
		"if the whole interval is on the right side, fails if it is on the wrong side, and is undecided otherwise.",
	result.FormUnpaired: "It is unpaired: every change of the machine since the other run is in the " +
		"difference. So it fails only if the whole interval is beyond the limit by more than two runs of the same " +
		"code may differ. That is a convention, without a promise of how seldom it is wrong.",
	result.FormHistory: "It is decided by the interval of the drift: from the level of the first third of " +
		"the commits to the level of the last third, or by ratios if those commits were measured on several " +
		"machines. Every run looks at much the same commits, so the interval is wide enough for 1,000 runs in a row. " +
		"A machine that itself becomes slower for weeks looks like a drift, unless ratios tell the two apart.",
	result.FormRuns: "It is decided by runs in which valgrind has counted instructions: every order of the " +
		"numbers of two equal sides is equally likely, so one in which one side is above the other is seldom chance.",
	result.FormPoint: "It is decided on plain numbers, without regard to how much they vary: another run may decide " +
		"it otherwise.",
}

// markOf is a verdict's sign without the one of how it came about, which is written in words.
func markOf(m page.Span) page.Span {
	m.Text = strings.TrimRight(m.Text, "°"+column.TripwireSign+column.InstructionsSign)
	return m
}

func named(g *result.Gate) string {
	if g.ID == g.Expr {
		return g.Expr
	}
	return fmt.Sprintf("%s (%s)", g.ID, g.Expr)
}

func verdict(g *result.Gate) string {
	text := string(g.Verdict)
	if g.Severity == "warn" && g.Verdict != result.Pass {
		text += ", which only warns"
	}
	return text + ", asked at " + g.Place.String()
}

// meaning explains what a verdict does to the run and what can be done about it.
func meaning(c *result.Case, g *result.Gate) string {
	switch {
	case g.Severity == "warn" || g.Verdict == result.Pass:
		return ""
	case g.IsAccepted():
		return "The verdict stays a failure, and it does not make the run fail."
	case g.Verdict == result.Fail:
		return "This makes the run fail (exit 1)."
	case g.Verdict == result.Error:
		return "A gate that cannot be evaluated makes the run fail (exit 3)."
	case g.Verdict == result.NotJudged:
		return "It is neither a pass nor a failure."
	case g.Cause == result.CauseUncounted:
		return "There are no instructions that it could judge."
	case g.Cause == result.CauseUnfit:
		return "The run found code different from itself, so a comparison that fails is not believed, and " +
			"the run ends with exit 4. Try a quieter machine."
	case g.OnInconclusive == "fail":
		return "Declared to fail when undecided, it makes the run end with exit 4. " + decides(c, g)
	}
	if g.Compares && g.OnInconclusive == "auto" {
		return "It fails nothing by itself; if no gate that compares is decided the run ends with exit 4. " + decides(c,
			g)
	}
	return "Undecided gates are listed and fail nothing. " + decides(c, g)
}

// remedy explains what would decide an open gate.
func remedy(c *result.Case) string {
	switch c.Stop {
	case "max_time":
		return fmt.Sprintf("More time may decide it: max_time is %s.", units.Format(c.Settings.MaxTime, "s"))
	case "samples.max":
		return fmt.Sprintf("More samples may decide it: samples.max is %d.", c.Settings.SamplesMax)
	case "budget":
		return "More time may decide it: raise budget."
	case "interrupted":
		return "The run was interrupted before it was decided."
	}
	return "More samples are unlikely to decide it: the value is too close to the limit."
}

// OpenGates are the gates that did not pass, with what may explain each.
func OpenGates(t *table.Table) []page.Block {
	var all page.List
	for i := range t.Gates {
		all = append(all, openGate(&t.Gates[i]))
	}
	if len(all) == 0 {
		return nil
	}
	if t.MoreGates != "" {
		all = append(all, more(t.MoreGates))
	}
	return []page.Block{page.Under("gates that did not pass", all)}
}

func openGate(g *table.Gate) page.Item {
	lines := page.Paragraph{placed(g.Place, g.To, g.Label+": "+table.GateName(g)), page.Toned(g.Mark.Tone, outcome(g))}
	lines.Add(g.Facts()...)
	var sides *page.Table
	var causes page.Paragraph
	if g.Sides != nil {
		sides = g.Sides.Table()
		causes.Add(g.Sides.Hint)
	}
	causes.Add(g.Arcs.Lines()...)
	if g.Case != nil {
		causes = append(causes, costly(g.Case)...)
	}
	return page.Item{Mark: markOf(g.Mark), Lines: lines, Blocks: page.Blocks(sides, causes)}
}

// outcome is the verdict of a gate with its reason.
func outcome(g *table.Gate) string {
	if g.Warn {
		return g.Outcome(" (warns only)")
	}
	return g.Outcome("")
}

// GateTable has a row for each gate.
func GateTable(gates []table.Gate) *page.Table {
	t := &page.Table{Columns: []page.Column{{}, {Head: "case", Code: true}, {Head: "gate", Code: true}, {Head: "why"}}}
	for i := range gates {
		g := &gates[i]
		why := outcome(g)
		if g.Witness != "" {
			why += "; " + g.Witness
		}
		if g.Sides != nil && g.Sides.Hint != "" {
			why += "; " + g.Sides.Hint
		}
		if arcs := g.Arcs.String(); arcs != "" {
			why += "; " + arcs
		}
		t.Add(g.Mark.Text, g.Label, table.GateName(g), why)
	}
	return t
}

// GatesOf has the gates of one case, with what each came to; nil if there are none.
func GatesOf(r *table.Row) *page.Table {
	t := &page.Table{Caption: page.Text("Gates"), Columns: page.Heads("verdict", "gate", "what it came to")}
	t.Columns[1].Code = true
	for i := range r.Gates {
		g := &r.Gates[i]
		values := strings.Join(table.NotEmpty(append([]string{g.Reason}, g.Values...)), "; ")
		t.Rows = append(t.Rows,
			page.Row{{Text: g.Mark.Text + " " + g.Verdict, Tone: g.Mark.Tone},
				{Text: g.Expr, To: g.To}, {Text: values}})
	}
	return t.Filled()
}
