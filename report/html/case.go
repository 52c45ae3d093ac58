package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/page/drawing"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

const (
	// mostCases bounds the cases with drawings: each is 20 to 40 KB, and a page of 10 MB
	// is slow to open.
	mostCases = 150
	// mostOpen is the number of them that are unfolded at first.
	mostOpen = 4
)

// htmlCase is the part of the page about one case.
type htmlCase struct {
	ID, Name, Class, Headline, Evidence string
	Open                                bool
	Marks                               []htmlVerdict
	Drawings                            []*htmlDrawing
	Stats                               *drawing.Sheet
	Compared                            *htmlCompared
	Metrics                             *htmlMetrics
	Pegs                                *htmlPegs
	Profiles                            *htmlProfiles
	Gates                               []htmlGate
	Reasons                             bool // at least one gate has a reason or values
	Facts                               []table.Fact
	Place, At                           string // the line that declares it, and its anchor
	Warnings                            []string
}

type htmlCompared struct {
	Base   string
	Rows   []htmlComparison
	Ranges bool // at least one has an interval
}

type htmlComparison struct{ Metric, Base, Case, Change, Range, Verdict, Class, Pairs string }

func anchor(n int) string { return "case-" + strconv.Itoa(n) }

// chooseCases selects the cases that get a part of their own, each with its number in
// the document: all, or the mostCases most urgent ones.
func chooseCases(doc *result.Document) map[*result.Case]int {
	order := make([]int, len(doc.Cases))
	for i := range order {
		order[i] = i
	}
	if len(order) > mostCases {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(urgency(&doc.Cases[b]), urgency(&doc.Cases[a])) })
		order = order[:mostCases]
	}
	chosen := map[*result.Case]int{}
	for _, i := range order {
		chosen[&doc.Cases[i]] = i + 1
	}
	return chosen
}

// urgency is greater for a case that needs more attention: one that could not be
// measured, then gates that did not pass, then changes, then warnings.
func urgency(c *result.Case) float64 {
	rank := 0.0
	if c.Status != result.Measured {
		rank = 4
	}
	for i := range c.Gates {
		if r := ranks[table.MarkOf(&c.Gates[i]).Tone]; r > 1 {
			rank = max(rank, r)
		}
	}
	for i := range c.Comparisons {
		if c.Comparisons[i].Change != result.Same {
			rank = max(rank, 1)
		}
	}
	if len(c.Warnings) > 0 {
		rank += 0.1
	}
	return rank
}

func (p *htmlPage) cases(doc *result.Document, t *table.Table, chosen map[*result.Case]int) {
	next := map[string]int{} // row of the group of a suite
	groups := map[string]*table.Group{}
	for i := range t.Groups {
		groups[t.Groups[i].Package] = &t.Groups[i]
	}
	open := 0
	for i := range doc.Cases {
		c := &doc.Cases[i]
		g, k := groups[c.Suite], next[c.Suite]
		if next[c.Suite]++; g == nil || chosen[c] == 0 {
			continue
		}
		one := htmlCaseOf(doc, c, &g.Rows[k], chosen[c])
		one.Metrics = p.metrics(c, one.ID)
		one.At = p.anchorOf(c.Suite, g.Rows[k].Place)
		for j := range one.Gates {
			one.Gates[j].At = p.anchorOf(c.Suite, g.Rows[k].Gates[j].Place)
		}
		one.Open = open < mostOpen && (len(chosen) <= mostOpen || urgency(c) >= 2)
		if one.Open {
			open++
		}
		p.Cases = append(p.Cases, one)
	}
	if left := len(doc.Cases) - len(p.Cases); left > 0 {
		p.Left = fmt.Sprintf("%d of %d cases are drawn: those that could not be measured, that did not pass or that changed come first. suite explain tells about each of the others.", len(p.Cases), len(doc.Cases))
	}
}

func htmlCaseOf(doc *result.Document, c *result.Case, r *table.Row, n int) htmlCase {
	out := htmlCase{ID: anchor(n), Name: r.Label, Headline: headlineOf(c), Evidence: c.Description, Facts: caseFacts(c, r), Stats: statsOf(c), Compared: comparedOf(c), Place: r.Place}
	if where := table.MachineOf(doc, c); where != "" {
		out.Facts = append(out.Facts, table.Fact{Name: "machine", Value: where})
	}
	for _, g := range r.Gates {
		one := htmlGateOf(g)
		out.Gates = append(out.Gates, one)
		out.Reasons = out.Reasons || one.Reason != "" || len(one.Values) > 0
		out.Marks = append(out.Marks, htmlVerdict{g.Mark.Text, one.Class, g.Verdict})
		if ranks[g.Mark.Tone] >= 2 && out.Class != "bad" {
			out.Class = one.Class
		}
	}
	if r.Failure != nil || r.NotRun {
		out.Class = "bad"
	}
	for _, d := range []*drawing.Drawing{figure.Distribution(c), figure.Strip(c), figure.Ratios(c, c.Comparison("time")), figure.Evidence(c, c.Comparison("time"))} {
		if d != nil {
			out.Drawings = append(out.Drawings, drawingOf(d, fmt.Sprintf("%s-%d", out.ID, len(out.Drawings)+1)))
		}
	}
	out.Pegs = pegsOf(c, r.Flow, out.ID)
	out.Profiles = profilesOf(c, out.ID)
	for _, w := range c.Warnings {
		out.Warnings = append(out.Warnings, joinHint(w))
	}
	return out
}

func joinHint(w result.Warning) string {
	if w.Hint == "" {
		return w.Message
	}
	return w.Message + " (" + w.Hint + ")"
}

// The headline is the one line of a folded case.
func headlineOf(c *result.Case) string {
	switch {
	case c.Status == result.Failed:
		return "could not be measured: " + table.CauseText(c.Failure)
	case c.Status == result.NotRun:
		return "not run"
	case c.Status == result.LeftOut:
		return "skipped: " + c.MissingText()
	case c.Status == result.Unaffected:
		return "not measured: " + c.Counterpart.Reason
	}
	return table.JoinEvidence(table.Evidence(c), shortVersus(c))
}

func shortVersus(c *result.Case) string {
	o := c.Comparison("time")
	if c.Pairs == nil || o == nil {
		return ""
	}
	return forestText(o)
}

// The facts are what the case runs and how it was measured.
func caseFacts(c *result.Case, r *table.Row) []table.Fact {
	var fs []table.Fact
	add := func(name, value string) {
		if value != "" {
			fs = append(fs, table.Fact{Name: name, Value: value})
		}
	}
	add("function", c.Identity.Function)
	add("command", units.List(c.Identity.Argv, table.MostNamed))
	add("shell", c.Identity.Shell)
	add("benchmark", c.Identity.Benchmark)
	for _, f := range table.Facts(c) {
		add(strings.TrimPrefix(f.Name, "param."), f.Value)
	}
	add("launches", strconv.Itoa(c.Launches))
	add("sampling ended", string(c.Stop))
	return fs
}
