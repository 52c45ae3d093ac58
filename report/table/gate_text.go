package table

import (
	"strings"

	"example.com/suite/report/page"
	"example.com/suite/result"
)

// GateText describes a gate completely, one fact in a line.
func GateText(r *Row, g *Gate) string {
	verdict := g.Verdict + g.Remark()
	if g.Term != "" {
		verdict += ", " + g.Term
	}
	if g.Reason != "" {
		verdict += ": " + g.Reason
	}
	lines := append([]string{g.Place, g.Expr, verdict, g.Why}, g.Values...)
	if g.Witness != "" {
		lines = append(lines, g.Witness)
	}
	if g.Sides != nil {
		lines = append(append(lines, g.Sides.Lines()...), g.Sides.Hint)
	}
	lines = append(lines, g.Arcs...)
	return strings.Join(NotEmpty(append(lines, r.Evidence)), "\n")
}

// GateName is the expression, after the name of the gate if that differs.
func GateName(g *Gate) string {
	if g.ID == g.Expr {
		return g.Expr
	}
	return g.ID + ": " + g.Expr
}

// OutcomeClass colours the outcome of a run.
func OutcomeClass(o result.Outcome) page.Tone {
	switch {
	case o.Word == "PASS" && o.Undecided == "":
		return page.Good
	case o.Exit == 1, o.Exit == 3:
		return page.Bad
	}
	return page.Doubtful
}
