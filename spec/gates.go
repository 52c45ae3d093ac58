package spec

import (
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
)

// gate is one item of expect, before expansion.
type gate struct {
	name           *lang.Template // nil: named after its expression
	expr           *lang.Template
	severity       string
	onInconclusive string // empty: what the suite says
}

// expect reads an expression, or a list of expressions and mappings. What the
// expressions say is checked where they are compiled.
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
	g := gate{severity: DefaultSeverity}
	if n.Kind != yaml.Mapping {
		if n.Kind == yaml.Scalar && n.What() != "text" {
			r.Fail(n, "write it like time.median < 2ms", "a gate must be an expression, not %s", n.What())
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
