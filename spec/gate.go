package spec

import (
	"fmt"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
)

// Gate is an expression that passes or fails, with every ${…} in it expanded.
type Gate struct {
	ID             string    `json:"id"` // unique within the case: the name, or else the expression
	Expr           lang.Text `json:"expr"`
	Severity       string    `json:"severity"`        // fail or warn
	OnInconclusive string    `json:"on_inconclusive"` // auto, list or fail
}

// gate is one item of expect, before its parameters are expanded.
type gate struct {
	name           *lang.Template // nil: the expression is the name
	expr           *lang.Template
	severity       string
	onInconclusive string // empty: as the suite sets it
}

// expect reads an expression, or a list of expressions and mappings. Package gate checks
// the expressions when it compiles them.
func (r *benchReader) expect(n yaml.Node) {
	r.b.gates = nil
	if n.Kind == yaml.Scalar {
		r.gate(n)
		return
	}
	for _, item := range r.List(n, `"expect"`, "an expression or a list of them") {
		r.gate(item)
	}
}

func (r *benchReader) gate(n yaml.Node) {
	g := gate{severity: defaultSeverity}
	if n.Kind != yaml.Mapping {
		if n.Kind == yaml.Scalar && n.What() != "text" {
			r.FailAs(diag.WrongType, n, "write it like time.median < 2ms", "a gate must be an expression, not %s", n.What())
			return
		}
		g.expr = r.template(n, "a gate")
		r.b.gates = append(r.b.gates, g)
		return
	}
	given := false
	for _, p := range r.Mapping(n, "a gate", "in a gate", gateKeys) {
		switch p.Name {
		case "name":
			g.name = r.template(p.Value, `"name"`)
		case "expr":
			given, g.expr = true, r.template(p.Value, `"expr"`)
		case "severity":
			g.severity = r.Choice(p.Value, `"severity"`, "fail", "warn")
		case "on_inconclusive":
			g.onInconclusive = r.Choice(p.Value, `"on_inconclusive"`, "auto", "list", "fail")
		}
	}
	if !given {
		r.Fail(n, "write it like {name: fast, expr: time.median < 2ms}", "a gate without expr")
	}
	r.b.gates = append(r.b.gates, g)
}

func (p *planner) gates(b *benchmark, c *Case) {
	seen := map[string]bool{}
	for _, g := range b.gates {
		if g.expr == nil {
			continue // its problem has been reported
		}
		expr, err := g.expr.Expand(p.scope)
		if !p.check(err) {
			continue
		}
		gate := Gate{ID: p.text(g.name), Expr: expr, Severity: g.severity, OnInconclusive: g.onInconclusive}
		if gate.ID == "" {
			gate.ID = oneLine(expr.Value)
		}
		if gate.OnInconclusive == "" {
			gate.OnInconclusive = p.suite.onInconclusive
		}
		if seen[gate.ID] {
			p.failAs(diag.Duplicate, expr.Place, "give one of them another name", "gate %s comes twice in case %s", diag.Quote(gate.ID), diag.Quote(c.Name))
		}
		if c.Settings.Keep == summary {
			p.recomputable(expr)
		}
		seen[gate.ID] = true
		c.Gates = append(c.Gates, gate)
	}
}

// recomputable refuses gates that need pairs in a case that keeps only a summary of them:
// nobody could check their verdicts later.
func (p *planner) recomputable(expr lang.Text) {
	for _, name := range lang.Identifiers(expr) {
		if lang.FindWord(name.Name).OfBase {
			p.Add(expr.Problem(name.At, fmt.Sprintf("%q with samples: {keep: summary}: its verdict could not be recomputed", name.Name),
				"keep the samples of this case"))
		}
	}
}
