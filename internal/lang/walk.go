package lang

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// walk visits a parsed tree: it replaces literals by their values and refuses
// what the language leaves out.
type walk struct {
	c      *compilation
	visits int
	err    error
}

func (w *walk) node(at *ast.Node) {
	if w.visits++; w.visits > maxVisits && w.err == nil {
		w.err = w.c.problem(0, "the expression is too complex", "split it into several gates")
	}
	if w.err != nil || *at == nil {
		return
	}
	switch n := (*at).(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		w.number(at)
	case *ast.CallNode:
		w.call(at, n)
	case *ast.BuiltinNode:
		w.builtin(n)
	case *ast.IdentifierNode, *ast.StringNode, *ast.BoolNode, *ast.UnaryNode, *ast.BinaryNode,
		*ast.MemberNode, *ast.ConditionalNode, *ast.ArrayNode:
	default:
		w.err = w.c.problem(n.Location().From, "this form is not part of the language", "")
	}
	if w.err == nil {
		children(*at, w.node)
	}
}

// number puts the value of a literal in place of its mask.
func (w *walk) number(at *ast.Node) {
	if x, ok := w.c.masked.values[(*at).Location().From]; ok {
		ast.Patch(at, &ast.FloatNode{Value: x})
	} else if n, ok := (*at).(*ast.IntegerNode); ok { // hexadecimal and the like
		ast.Patch(at, &ast.FloatNode{Value: float64(n.Value)})
	}
}

// call replaces duration("2ms") and size("4KiB") by their value.
func (w *walk) call(at *ast.Node, n *ast.CallNode) {
	name, ok := n.Callee.(*ast.IdentifierNode)
	if !ok || name.Value != "duration" && name.Value != "size" {
		return
	}
	var literal *ast.StringNode
	if len(n.Arguments) == 1 {
		literal, _ = n.Arguments[0].(*ast.StringNode)
	}
	if literal == nil {
		w.err = w.c.problem(name.Location().From, fmt.Sprintf("%s takes one text in quotes", name.Value),
			map[string]string{"duration": `duration("2ms")`, "size": `size("64KiB")`}[name.Value])
		return
	}
	x, err := map[string]func(string) (float64, error){"duration": ParseDuration, "size": ParseSize}[name.Value](literal.Value)
	if err != nil {
		w.err = w.c.problem(literal.Location().From, err.Error(), "")
		return
	}
	from, to := w.c.span(n)
	value := &ast.FloatNode{Value: x}
	ast.Patch(at, value)
	loc := value.Location()
	loc.From, loc.To = from, to
	value.SetLocation(loc)
}

func (w *walk) builtin(n *ast.BuiltinNode) {
	if !slices.Contains(w.c.options.Builtins, n.Name) {
		w.err = w.c.unknown(n.Location().From, n.Name)
	}
}

// children calls visit for every part of a node that has a value, in the order
// of the text: names of functions and fields are no parts.
func children(n ast.Node, visit func(*ast.Node)) {
	each := func(nodes []ast.Node) {
		for i := range nodes {
			visit(&nodes[i])
		}
	}
	switch n := n.(type) {
	case *ast.UnaryNode:
		visit(&n.Node)
	case *ast.BinaryNode:
		visit(&n.Left)
		visit(&n.Right)
	case *ast.MemberNode:
		visit(&n.Node)
		if _, name := n.Property.(*ast.StringNode); !name {
			visit(&n.Property)
		}
	case *ast.CallNode:
		if m, ok := n.Callee.(*ast.MemberNode); ok {
			visit(&m.Node)
		}
		each(n.Arguments)
	case *ast.BuiltinNode:
		each(n.Arguments)
	case *ast.ConditionalNode:
		visit(&n.Cond)
		visit(&n.Exp1)
		visit(&n.Exp2)
	case *ast.ArrayNode:
		each(n.Nodes)
	}
}
