package gate

import (
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// mention is one number in an expression that gates read.
type mention struct {
	text   string     // as written: time.median
	at     int        // in characters of the expression
	other  *reference // base, or the name in case("…"); nil: the gate's own case
	metric result.Metric
	stat   string  // statistic; empty for exit_code, which is a plain number, and for ratios
	by     operand // the function whose value it is; nil: a statistic of the metric
}

// operand is a number that a function has: a ratio to the base, a mean of ratios, or an arc.
type operand interface {
	unit(m mention) string
	reading(m mention) result.Reading
	compares() bool // it is a ratio to a base
}

// noting is an operand that is recorded in another way than the numbers of a case.
type noting interface{ noted(b *builder, m mention) }

// unitOf returns the unit of a number: the unit of its metric, "" for a ratio or a count.
func unitOf(m mention) string {
	switch {
	case m.by != nil:
		return m.by.unit(m)
	case m.stat == "cv" || m.stat == "n":
		return ""
	}
	return m.metric.Unit
}

// headline reports whether a number is the median of the samples.
func (m mention) headline() bool {
	return m.by == nil && m.metric.Quantile < 1 && (m.stat == "median" || m.stat == "p50")
}

func (m mention) reading() result.Reading {
	r := result.Reading{Of: result.OfCase, Metric: m.metric.Name, Statistic: m.stat}
	switch {
	case m.by != nil:
		return m.by.reading(m)
	case m.other != nil && m.other.base:
		r.Of = result.OfBase
	case m.other != nil:
		r.Of, r.Case = result.OfOther, m.other.name
	}
	return r
}

// compares reports whether a number depends on a base.
func (m mention) compares() bool {
	if m.by != nil {
		return m.by.compares()
	}
	return m.other != nil && m.other.base
}

// mention recognises metric.stat and exit_code, of the case itself, of base and of case("…"),
// and also arcs and the ratio to the base.
func (b *builder) mention(n ast.Node) (mention, bool) {
	for _, f := range b.functions {
		if f.Number != nil {
			if m, ok := f.Number(b, n); ok {
				return m, true
			}
		}
	}
	if m, ok := b.percentile(n); ok {
		return m, true
	}
	stat, owner := "", n
	if name, ok := property(n); ok && name != "exit_code" {
		stat, owner = name, n.(*ast.MemberNode).Node
	}
	name, other, ok := b.metricName(owner)
	metric, known := b.metric(name, other)
	_, isStat := statOf[stat]
	if !ok || !known || (stat == "") != (name == "exit_code") || stat != "" && !isStat {
		return mention{}, false
	}
	from, _ := b.program.Span(n)
	return mention{text: b.written(n), at: from, other: other, metric: metric, stat: stat}, true
}

func (b *builder) metricName(n ast.Node) (name string, other *reference, ok bool) {
	if id, ok := n.(*ast.IdentifierNode); ok {
		return id.Value, nil, true
	}
	name, ok = property(n)
	if !ok {
		return "", nil, false
	}
	owner := n.(*ast.MemberNode).Node
	if id, is := owner.(*ast.IdentifierNode); is && id.Value == "base" {
		return name, &reference{base: true}, true
	}
	other, ok = b.caseName(owner)
	return name, other, ok
}

func property(n ast.Node) (string, bool) {
	member, ok := n.(*ast.MemberNode)
	if !ok {
		return "", false
	}
	name, ok := member.Property.(*ast.StringNode)
	if !ok {
		return "", false
	}
	return name.Value, true
}

// caseName recognises case("…"). The name must be a literal, so that a misspelt one
// is found before anything runs.
func (b *builder) caseName(n ast.Node) (*reference, bool) {
	arguments, ok := callOf("case", n)
	if !ok || len(arguments) != 1 {
		return nil, false
	}
	name, ok := arguments[0].(*ast.StringNode)
	if !ok {
		return nil, false
	}
	at, _ := b.program.Span(name)
	return &reference{name: name.Value, at: at}, true
}

// nodes lists a node and all its parts, in the order of the source.
func nodes(n ast.Node) []ast.Node {
	all := []ast.Node{n}
	for _, part := range parts(n) {
		all = append(all, nodes(part)...)
	}
	return all
}

func parts(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.BinaryNode:
		return []ast.Node{n.Left, n.Right}
	case *ast.MemberNode:
		return []ast.Node{n.Node, n.Property}
	case *ast.CallNode:
		return append([]ast.Node{n.Callee}, n.Arguments...)
	case *ast.BuiltinNode:
		return n.Arguments
	case *ast.ConditionalNode:
		return []ast.Node{n.Cond, n.Exp1, n.Exp2}
	case *ast.ArrayNode:
		return n.Nodes
	}
	return nil
}

// reference is a name in case("…") with its position, or base.
type reference struct {
	name string
	at   int
	base bool
}
