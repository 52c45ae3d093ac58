package html

import (
	"fmt"

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
		p.Failures = append(p.Failures, htmlFailure{f, p.anchorOf(f.Suite, f.Place)})
	}
	var open []table.Gate
	for _, g := range t.Gates {
		if g.Mark.Tone != table.Faint {
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

// linked adds to htmlGateOf a link to the gate's line in the suite file.
func (p *htmlPage) linked(g table.Gate) htmlGate {
	out := htmlGateOf(g)
	out.At = p.anchorOf(g.Suite, g.Place)
	return out
}

func htmlGateOf(g table.Gate) htmlGate {
	return htmlGate{Gate: g, Class: className(g.Mark.Tone), Head: gateHead(g)}
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
