package spec

import (
	"example.com/suite/internal/lang"
	"gopkg.in/yaml.v3"
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
func (r *benchReader) expect(n node) {
	r.b.gates = nil
	if n.Kind == scalar {
		r.gate(n)
		return
	}
	for _, item := range r.list(n, `"expect"`, "an expression or a list of them") {
		r.gate(item)
	}
}

func (r *benchReader) gate(n node) {
	g := gate{severity: DefaultSeverity}
	if n.Kind != yaml.MappingNode {
		if n.Kind == scalar && n.what() != "text" {
			r.fail(n, "write it like time.median < 2ms", "a gate must be an expression, not %s", n.what())
			return
		}
		g.expr = r.template(n, "a gate")
		r.b.gates = append(r.b.gates, g)
		return
	}
	given := false
	for _, p := range r.mapping(n, "a gate", "in a gate", gateKeys) {
		switch p.name {
		case "name":
			g.name = r.template(p.value, `"name"`)
		case "expr":
			given, g.expr = true, r.template(p.value, `"expr"`)
		case "severity":
			g.severity = r.choice(p.value, `"severity"`, "fail", "warn")
		case "on_inconclusive":
			g.onInconclusive = r.choice(p.value, `"on_inconclusive"`, "auto", "list", "fail")
		}
	}
	if !given {
		r.fail(n, "write it like {name: fast, expr: time.median < 2ms}", "a gate without expr")
	}
	r.b.gates = append(r.b.gates, g)
}
