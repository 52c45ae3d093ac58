package lang

import (
	"errors"
	"math"

	"example.com/suite/internal/diag"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Program is a compiled expression. It may be run from several goroutines.
type Program struct {
	Text Text // as given to Compile
	node ast.Node
	code *vm.Program
	from *compilation
}

// Node is the tree as written, untyped: literals, duration("…") and size("…")
// are FloatNodes in SI units, and so are whole numbers. Locations count
// characters of Text.Value. It must not be changed.
func (p *Program) Node() ast.Node { return p.node }

// Span says where a node stands in Text.Value, with the brackets that its parts
// need: from its first character up to and without to.
func (p *Program) Span(n ast.Node) (from, to int) { return p.from.span(n) }

// Source is the text of a node, as written.
func (p *Program) Source(n ast.Node) string { return p.from.source(n) }

// Problem places a message at a character of the expression.
func (p *Program) Problem(at int, message, hint string) diag.Problem {
	return p.from.whole.Problem(p.from.base+at, message, hint)
}

// Run evaluates the expression. env is of the type that it was compiled with.
// The error is placed at the part that failed and holds a diag.Problem; where a
// method of env failed, its error is in the chain too. A float64 result is
// finite.
func (p *Program) Run(env any) (any, error) {
	out, err := vm.Run(p.code, env)
	if err == nil {
		return out, nil
	}
	var e *file.Error
	if !errors.As(err, &e) {
		return nil, p.Problem(0, plain(err.Error()), "")
	}
	return nil, runError{p.Problem(e.From, plain(e.Message), ""), e.Prev}
}

// runError is a problem with its cause.
type runError struct {
	problem diag.Problem
	cause   error // may be nil
}

func (e runError) Error() string { return e.problem.Error() }

func (e runError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.problem}
	}
	return []error{e.problem, e.cause}
}

// Constant is the value of a number, of a signed number and of arithmetic on
// numbers; ok is false for every other node.
func Constant(n ast.Node) (x float64, ok bool) {
	switch n := n.(type) {
	case *ast.FloatNode:
		return n.Value, true
	case *ast.UnaryNode:
		x, ok := Constant(n.Node)
		switch n.Operator {
		case "-":
			return -x, ok
		case "+":
			return x, ok
		}
	case *ast.BinaryNode:
		a, okA := Constant(n.Left)
		b, okB := Constant(n.Right)
		x, known := calculate(n.Operator, a, b)
		return x, okA && okB && known && !math.IsNaN(x) && !math.IsInf(x, 0)
	}
	return 0, false
}

func calculate(operator string, a, b float64) (x float64, known bool) {
	switch operator {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	case "/":
		return a / b, true
	case "**", "^":
		return math.Pow(a, b), true
	}
	return 0, false
}
