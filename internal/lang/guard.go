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
)

// Names of functions that no text can call, since a name has no space.
const (
	finiteFloat = "finite float"
	finiteAny   = "finite any"
	remainderOf = "remainder of"
)

// NaN compares false with everything and 1/0 is infinite without a word, so
// `not (0/0 > 2)` would pass a gate. Every float is checked where it appears.
func addFunctions(config *conf.Config) {
	add := func(name string, f func(...any) (any, error), signature any) {
		config.Functions[name] = &builtin.Function{Name: name, Func: f, Types: []reflect.Type{reflect.TypeOf(signature)}}
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

// remainder is a % b of whole numbers; 5 % -0.01 is more likely a percentage
// that lost its way than a remainder.
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

// rewriter replaces nodes of a tree from its leaves up. Parts of a chain
// a < b < c are shared by two nodes; they are replaced once, for both.
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

// remainders makes a call of a % b.
func (c *compilation) remainders(n ast.Node) ast.Node {
	if b, ok := n.(*ast.BinaryNode); ok && b.Operator == "%" {
		return call(n, remainderOf, b.Left, b.Right)
	}
	return n
}

var arithmetic = []string{"+", "-", "*", "/", "**", "^"}

// guard wraps what yields a float, or something that may turn out to be one.
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

// call puts a function call in place of a node, of the same place and type.
func call(old ast.Node, name string, args ...ast.Node) ast.Node {
	callee := &ast.IdentifierNode{Value: name}
	callee.SetLocation(old.Location()) // else the text of what is around would begin at 0
	n := &ast.CallNode{Callee: callee, Arguments: args}
	n.SetLocation(old.Location())
	n.SetNature(*old.Nature())
	return n
}
