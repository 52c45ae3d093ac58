package html

import (
	"fmt"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
)

// mostCards bounds the gates, and the failures, that the page shows in full.
// Nobody reads more, and the table marks all of them.
const mostCards = 50

type htmlFailure struct {
	table.Failure
	At string // anchor of Place
}

// htmlGate is a Gate with escaped texts, its heading and its class on the page.
type htmlGate struct {
	table.Gate
	Class, Head string
	At          string // anchor of Place
}

// attention adds the cases that could not be measured and the gates that did not pass.
// Skipped gates need no attention.
func (p *htmlPage) attention(t *table.Table) {
	for _, f := range t.Failures[:min(mostCards, len(t.Failures))] {
		p.Failures = append(p.Failures, htmlFailure{harmlessFailure(f), p.anchorOf(f.Suite, f.Place)})
	}
	var open []table.Gate
	for _, g := range t.Gates {
		if g.Mark.Class != table.Faint {
			open = append(open, g)
		}
	}
	for _, g := range open[:min(mostCards, len(open))] {
		p.Gates = append(p.Gates, p.linked(g))
	}
	if rest := len(open) + len(t.Failures) - len(p.Gates) - len(p.Failures); rest > 0 {
		p.MoreGates = fmt.Sprintf("and %d more, which the tables mark", rest)
	}
}

func harmlessFailure(f table.Failure) table.Failure {
	f.Label = display.Visible(f.Label)
	f.Title = display.Visible(f.Title)
	f.Message = display.Visible(f.Message)
	f.Ended = display.Visible(f.Ended)
	f.Hint = display.Visible(f.Hint)
	f.Place = display.Visible(f.Place)
	f.Lines = display.AllVisible(f.Lines)
	return f
}

// linked adds to htmlGateOf a link to the gate's line in the suite file.
func (p *htmlPage) linked(g table.Gate) htmlGate {
	out := htmlGateOf(g)
	out.At = p.anchorOf(g.Suite, g.Place)
	return out
}

func htmlGateOf(g table.Gate) htmlGate {
	g.Label = display.Visible(g.Label)
	g.ID = display.Visible(g.ID)
	g.Expr = display.Visible(g.Expr)
	g.Reason = display.Visible(g.Reason)
	g.Why = display.Visible(g.Why)
	g.Place = display.Visible(g.Place)
	g.Values = display.AllVisible(g.Values)
	g.Sides = harmlessSides(g.Sides)
	g.Causes = display.AllVisible(g.Causes)
	return htmlGate{Gate: g, Class: className(g.Mark.Class), Head: gateHead(g)}
}

func gateHead(g table.Gate) string {
	text := g.Verdict
	if g.ID != g.Expr {
		text = g.ID + ": " + text
	}
	if g.Warn {
		text += " (warns only)"
	}
	text += g.Remark()
	if g.Term != "" {
		text += ", " + g.Term
	}
	return text
}

// harmlessSides escapes the names of metrics and trees, which may contain anything.
func harmlessSides(s *table.Sides) *table.Sides {
	if s == nil {
		return nil
	}
	out := &table.Sides{Base: display.Visible(s.Base), Case: display.Visible(s.Case), Hint: display.Visible(s.Hint)}
	for _, r := range s.Rows {
		r.Metric = display.Visible(r.Metric)
		r.Base = display.Visible(r.Base)
		r.Case = display.Visible(r.Case)
		r.Change = display.Visible(r.Change)
		out.Rows = append(out.Rows, r)
	}
	return out
}
