package lang

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser/lexer"
)

// walk visits a parsed tree: it replaces literals with their values and refuses nodes that
// the language leaves out.
type walk struct {
	c      *compilation
	visits int
	err    error
}

func (w *walk) node(at *ast.Node) {
	w.visits++
	if w.visits > maxVisits && w.err == nil {
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

// number replaces the mask of a literal with its value.
func (w *walk) number(at *ast.Node) {
	if x, ok := w.c.masked.values[(*at).Location().From]; ok {
		ast.Patch(at, &ast.FloatNode{Value: x})
	} else if n, ok := (*at).(*ast.IntegerNode); ok { // hexadecimal and the like
		ast.Patch(at, &ast.FloatNode{Value: float64(n.Value)})
	}
}

// call replaces duration("2ms") and size("4KiB") with their values.
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
	x, err := map[string]func(string) (float64, error){"duration": ParseDuration,
		"size": ParseSize}[name.Value](literal.Value)
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

// children calls visit for every part of a node that has a value, in the order of the text.
// Names of functions and fields have no values.
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

// Names of functions that no text can call, because names have no spaces.
const (
	finiteFloat = "finite float"
	finiteAny   = "finite any"
	remainderOf = "remainder of"
)

// addFunctions adds the checks of floats. NaN compares false with everything and 1/0 is
// infinite without an error, so `not (0/0 > 2)` would pass a gate. Every float is therefore
// checked where it appears.
func addFunctions(config *conf.Config) {
	add := func(name string, f func(...any) (any, error), signature any) {
		config.Functions[name] = &builtin.Function{Name: name, Func: f,
			Types: []reflect.Type{reflect.TypeOf(signature)}}
	}
	add(finiteFloat, checkFinite, func(float64, string) float64 { return 0 })
	add(finiteAny, checkFinite, func(any, string) any { return nil })
	add(remainderOf, remainder, func(any, any) float64 { return 0 })
}

func checkFinite(args ...any) (any, error) {
	x, ok := args[0].(float64)
	switch {
	case ok && math.IsNaN(x):
		return nil, fmt.Errorf("%q has no value", args[1])
	case ok && math.IsInf(x, 0):
		return nil, fmt.Errorf("%q is infinite", args[1])
	}
	return args[0], nil
}

// remainder is a % b of whole numbers. Others are refused: 5 % -0.01 is more likely a
// misplaced percentage.
func remainder(args ...any) (any, error) {
	a, okA := args[0].(float64)
	b, okB := args[1].(float64)
	if !okA || !okB || a != math.Trunc(a) || b != math.Trunc(b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return nil, errors.New(`"%" is the remainder of whole numbers`)
	}
	if b == 0 {
		return nil, errors.New(`the right side of "%" is zero`)
	}
	return math.Mod(a, b), nil
}

// rewriter replaces the nodes of a tree, leaves first. Two nodes share parts of a chain a <
// b < c; such parts are replaced once.
type rewriter struct {
	rewrite func(ast.Node) ast.Node
	done    map[ast.Node]ast.Node
}

func replace(at *ast.Node, rewrite func(ast.Node) ast.Node) {
	rewriter{rewrite, map[ast.Node]ast.Node{}}.node(at)
}

func (r rewriter) node(at *ast.Node) {
	old := *at
	if now, ok := r.done[old]; ok {
		*at = now
		return
	}
	children(old, r.node)
	*at = r.rewrite(old)
	r.done[old], r.done[*at] = *at, *at
}

// remainders replaces a % b with a call.
func (c *compilation) remainders(n ast.Node) ast.Node {
	if b, ok := n.(*ast.BinaryNode); ok && b.Operator == "%" {
		return call(n, remainderOf, b.Left, b.Right)
	}
	return n
}

var arithmetic = []string{"+", "-", "*", "/", "**", "^"}

// guard wraps nodes whose value is a float, or may turn out to be one.
func (c *compilation) guard(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.BinaryNode:
		if !slices.Contains(arithmetic, n.Operator) {
			return n
		}
	case *ast.MemberNode, *ast.IdentifierNode, *ast.BuiltinNode, *ast.CallNode:
	default:
		return n
	}
	text := &ast.StringNode{Value: c.source(n)}
	text.SetLocation(n.Location())
	switch t := n.Type(); t.Kind() {
	case reflect.Float64:
		return call(n, finiteFloat, n, text)
	case reflect.Interface:
		return call(n, finiteAny, n, text)
	}
	return n
}

// call replaces a node by a function call with the node's location and type.
func call(old ast.Node, name string, args ...ast.Node) ast.Node {
	callee := &ast.IdentifierNode{Value: name}
	callee.SetLocation(old.Location()) // with location 0, the text of the nodes around it would begin at 0
	n := &ast.CallNode{Callee: callee, Arguments: args}
	n.SetLocation(old.Location())
	n.SetNature(*old.Nature())
	return n
}

func (c *compilation) source(n ast.Node) string { return c.words(c.span(n)) }

// span joins the tokens of a node and of its parts, and adds brackets that are opened or
// closed only inside.
func (c *compilation) span(n ast.Node) (from, to int) {
	from, to = n.Location().From, n.Location().To
	widen := func(part ast.Node) {
		f, t := c.span(part)
		from, to = min(from, f), max(to, t)
	}
	if cond, ok := n.(*ast.ConditionalNode); ok { // its own location is unrelated
		from, to = c.span(cond.Cond)
	}
	children(n, func(part *ast.Node) { widen(*part) })
	if call, ok := n.(*ast.CallNode); ok {
		if m, ok := call.Callee.(*ast.MemberNode); ok {
			widen(m)
		}
	}
	if isCall(n) {
		to = max(to, c.tokenAfter(to))
	}
	return c.balance(from, to)
}

// isCall reports whether a node ends with an empty pair of brackets.
func isCall(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallNode:
		return len(n.Arguments) == 0
	case *ast.BuiltinNode:
		return len(n.Arguments) == 0
	}
	return false
}

func (c *compilation) tokenAfter(to int) int {
	for _, t := range c.tokens {
		if t.From >= to {
			return t.To
		}
	}
	return to
}

// balance widens a span until every bracket in it has its partner.
func (c *compilation) balance(from, to int) (int, int) {
	first, last := c.within(from, to)
	open, missing := 0, 0
	for _, t := range c.tokens[first:last] {
		open += nesting(t)
		if open < 0 {
			open, missing = 0, missing+1
		}
	}
	for ; open > 0 && last < len(c.tokens); last++ {
		open += nesting(c.tokens[last])
		to = c.tokens[last].To
	}
	for ; missing > 0 && first > 0; first-- {
		missing -= nesting(c.tokens[first-1])
		from = c.tokens[first-1].From
	}
	return from, to
}

// within finds the range of tokens between two offsets.
func (c *compilation) within(from, to int) (first, last int) {
	for first < len(c.tokens) && c.tokens[first].From < from {
		first++
	}
	for last = first; last < len(c.tokens) && c.tokens[last].To <= to && c.tokens[last].Kind != lexer.EOF; {
		last++
	}
	return first, last
}
