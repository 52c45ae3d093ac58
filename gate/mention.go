package gate

import (
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// mention is one statistic of one metric in an expression.
type mention struct {
	text   string     // as written: time.median
	other  *reference // base, or the name in case("…"); nil: the gate's own case
	metric result.Metric
	stat   string   // statistic; empty for exit_code, which is a plain number
	arc    *between // nil if it is not an arc
	versus string   // ratio, or low or high of its interval, if it compares with the base; empty for a statistic
	at     int
}

func (m mention) headline() bool {
	return m.versus == "" && m.arc == nil && m.metric.Quantile < 1 && (m.stat == "median" || m.stat == "p50")
}

// mention recognises metric.stat and exit_code, of the case itself, of base and of case("…"),
// and also arcs and the ratio to the base.
func (b *builder) mention(n ast.Node) (mention, bool) {
	if m, ok := b.versus(n); ok {
		return m, true
	}
	if m, ok := b.arc(n); ok {
		return m, true
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
	return mention{text: b.written(n), other: other, metric: metric, stat: stat, at: from}, true
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

func (m mention) reading() result.Reading {
	r := result.Reading{Of: result.OfCase, Metric: m.metric.Name, Statistic: m.stat}
	switch {
	case m.arc != nil && m.arc.span:
		return result.Reading{Of: result.OfArc, Statistic: m.stat, Arc: []string{m.arc.to}}
	case m.arc != nil:
		return result.Reading{Of: result.OfArc, Statistic: m.stat, Arc: []string{m.arc.from, m.arc.to}}
	case m.versus == geomean:
		r.Of = result.OfMean
	case m.versus == "ratio":
		r.Of = result.OfRatio
	case m.versus != "": // an end of its interval
		r.Of, r.Statistic = result.OfRatio, m.versus
	case m.other != nil && m.other.base:
		r.Of = result.OfBase
	case m.other != nil:
		r.Of, r.Case = result.OfOther, m.other.name
	}
	return r
}

// reference is a name in case("…") with its position, or base.
type reference struct {
	name string
	at   int
	base bool
}

// unitOf returns the unit of a statistic: the unit of its metric, "" for a ratio or a count.
func unitOf(m mention) string {
	if m.stat == "cv" || m.stat == "n" || m.stat == "count" || m.versus != "" {
		return ""
	}
	return m.metric.Unit
}
