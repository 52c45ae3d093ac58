package spec

import (
	"fmt"
	"strings"
	"unicode"

	"example.com/suite/internal/diag"
	"example.com/suite/peg/pegfile"
	"example.com/suite/spec/internal/yaml"
)

// pegs reads whether the arcs between a program's pegs are measured: at all of its points,
// or at those in a list. false and an empty list remove the pegs of defaults.
func (r *benchReader) pegs(n yaml.Node) {
	r.b.pegs, r.b.points = false, nil
	switch {
	case n.Kind == yaml.Scalar && n.ShortTag() == "!!bool":
		r.b.pegs = strings.EqualFold(n.Value, "true")
	case n.Kind == yaml.Scalar && !n.IsNull():
		r.Fail(n, pegsHint(n.Value), `"pegs" must be true, false or a list of points, not %s`, diag.Quote(n.Value))
	case r.IsA(n, yaml.List, `"pegs"`, "true, false or a list of points"):
		r.points(n)
	}
}

func pegsHint(word string) string {
	switch meant := switches[strings.ToLower(word)]; {
	case meant != "":
		return "write " + meant
	case word == "true" || word == "false":
		return "leave out the quotes"
	}
	return fmt.Sprintf("pegs: [%s]", word)
}

// points reads the names of the points that are wanted.
func (r *benchReader) points(n yaml.Node) {
	for _, item := range n.Items() {
		t := r.template(item, "a point")
		if t == nil {
			continue // reported already, or in defaults alone
		}
		if t.Literal() {
			r.point(item, item.Value)
		}
		r.b.points = append(r.b.points, t)
	}
	r.b.pegs = len(n.Items()) > 0
}

func (r *benchReader) point(n yaml.Node, name string) {
	if why := notPoint(name); why != "" {
		r.Fail(n, "pegs: true measures all points", "point %s %s", diag.Quote(name), why)
	}
}

// notPoint explains why a name cannot be a point, "" if it can. The names are passed to
// programs in one variable, separated by commas, and read back from lines with tabs.
func notPoint(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "is empty"
	case strings.ContainsRune(name, ','):
		return "has a comma, which separates names"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "has a control character"
	}
	return ""
}

// ownVariable refuses the variables that switch pegs on. suite removes them from the
// environment: in a measured run every hit of a peg would cost time.
func (r *reader) ownVariable(p yaml.Pair) {
	switch p.Name {
	case pegfile.Variable:
		r.Fail(p.Key, "pegs: true measures with pegs on, after the samples", "%s is set by suite alone", p.Name)
	case pegfile.PointsVariable:
		r.Fail(p.Key, "pegs: [parse, emit] asks for points", "%s is set by suite alone", p.Name)
	}
}

// pegsOf fills in which points are measured.
func (p *planner) pegsOf(b *benchmark, c *Case) {
	seen := map[string]bool{}
	c.Pegs, c.PegPoints = b.pegs, nil
	for _, t := range b.points {
		name := p.text(t)
		switch why := notPoint(name); {
		case why != "" && !t.Literal():
			p.fail(t.Text.Place, "pegs: true measures all points", "point %s %s in case %s", diag.Quote(name), why, diag.Quote(c.Name))
		case seen[name]:
			p.failAs(diag.Duplicate, t.Text.Place, "", "point %s comes twice in case %s", diag.Quote(name), diag.Quote(c.Name))
		}
		seen[name] = true
		c.PegPoints = append(c.PegPoints, name)
	}
}

func (c *Case) pegsText() string {
	switch {
	case !c.Pegs:
		return ""
	case c.PegPoints == nil:
		return "all points, in a pass after the samples"
	}
	return strings.Join(c.PegPoints, ", ") + ", in a pass after the samples"
}
