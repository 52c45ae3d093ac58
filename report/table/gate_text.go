package table

import (
	"slices"
	"strings"

	"example.com/suite/report/page"
	"example.com/suite/result"
)

// GateText describes a gate completely, one fact in a line.
func GateText(r *Row, g *Gate) string {
	lines := append([]string{g.Place, g.Expr, g.Outcome("")}, g.Facts()...)
	if g.Sides != nil {
		lines = append(append(lines, g.Sides.Lines()...), g.Sides.Hint)
	}
	lines = append(lines, g.Arcs.Lines()...)
	return strings.Join(NotEmpty(append(lines, r.Evidence)), "\n")
}

// Outcome is the verdict of the gate with its reason. note comes after the verdict.
func (g *Gate) Outcome(note string) string {
	text := g.Verdict + note + g.Remark()
	if g.Term != "" {
		text += ", " + g.Term
	}
	if g.Reason != "" {
		text += ": " + g.Reason
	}
	return text
}

// Facts are what the gate was decided by, one in a line.
func (g *Gate) Facts() []string {
	return NotEmpty(slices.Concat([]string{g.Why}, g.Values, []string{g.Witness}))
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
