package gate

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// A gate that compares a time with a size, or only constants, is always true or
// always false. Units are known before the run, so such gates are refused.

// dimension is the unit of a number in an expression: powers of seconds and bytes. A plain
// number fits every unit: in time.median < 0.002 it is in seconds. An unknown unit fits every
// unit too, and so does every number that is computed from it.
type dimension struct {
	kind           dimensionKind
	seconds, bytes int
}

type dimensionKind int

const (
	unknownUnit dimensionKind = iota // a parameter, a text, a truth value, a unit of the suite's own
	noUnit                           // a literal without a unit
	withUnit
)

var (
	count = dimension{kind: withUnit}
	times = dimension{kind: withUnit, seconds: 1}
	sizes = dimension{kind: withUnit, bytes: 1}
)

func (d dimension) String() string {
	switch d {
	case count:
		return "a number without a unit"
	case times:
		return "a time"
	case sizes:
		return "a size"
	case rate:
		return "a rate"
	}
	return "a number of another unit"
}

var rate = dimension{kind: withUnit, seconds: -1}

// fits reports whether two numbers may be compared or added. A time or a rate may be
// per byte: time.median < 2ms / 64KiB and throughput.median > 1MB are right.
func (d dimension) fits(e dimension) bool {
	switch {
	case d.kind != withUnit || e.kind != withUnit, d.seconds == e.seconds && d.bytes == e.bytes:
		return true
	case d.seconds == e.seconds:
		return d.seconds != 0
	}
	return d == rate && e == sizes || d == sizes && e == rate
}

// or returns the dimension of a term whose value is one of two that fit each other.
func (d dimension) or(e dimension) dimension {
	if d.kind == unknownUnit || e.kind == unknownUnit {
		return dimension{}
	}
	if d.kind == noUnit {
		return e
	}
	return d
}

// product returns the dimension of a product, or of a quotient if power is -1.
func (d dimension) product(e dimension, power int) dimension {
	if d.kind == unknownUnit || e.kind == unknownUnit {
		return dimension{}
	}
	return dimension{max(d.kind, e.kind), d.seconds + power*e.seconds, d.bytes + power*e.bytes}
}

// sense refuses gates that judge nothing: gates with constant leaves, comparisons of different
// units, and gates that depend only on the suite file.
func (b *builder) sense(n ast.Node) {
	if !b.judges(n) {
		b.problem(0, "the gate is the same whatever is measured",
			"compare a statistic of a metric with a limit: time.median < 2ms")
		return
	}
	for _, leaf := range leavesOf(n) {
		b.senseOf(leaf)
	}
}

// judges reports whether a gate depends on a measurement or on the machine.
func (b *builder) judges(n ast.Node) bool {
	return slices.ContainsFunc(nodes(n), func(part ast.Node) bool {
		called, _, _ := callee(part)
		f := b.functions.find(called)
		_, value := b.mention(part)
		id, name := part.(*ast.IdentifierNode)
		return f != nil && f.Leaf != nil || value || name && id.Value == "host"
	})
}

// leavesOf splits a node at logical operators and returns the parts.
func leavesOf(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.BinaryNode:
		if slices.Contains([]string{"and", "&&", "or", "||"}, n.Operator) {
			return append(leavesOf(n.Left), leavesOf(n.Right)...)
		}
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return leavesOf(n.Node)
		}
	case *ast.ConditionalNode:
		return slices.Concat(leavesOf(n.Cond), branch(n.Exp1), branch(n.Exp2))
	}
	return []ast.Node{n}
}

// branch is leavesOf for a branch of ?:. A branch may be a literal: host.os ==
// "linux" ? time.median < 2ms : true.
func branch(n ast.Node) []ast.Node {
	if _, ok := n.(*ast.BoolNode); ok {
		return nil
	}
	return leavesOf(n)
}

func (b *builder) senseOf(leaf ast.Node) {
	if _, ok := b.function(leaf); ok {
		return
	}
	from, _ := b.program.Span(leaf)
	if !slices.ContainsFunc(nodes(leaf), isIdentifier) {
		b.problem(from, fmt.Sprintf("%q is the same whatever is measured", b.written(leaf)),
			"leave it out, or compare a metric: time.median < 2ms")
		return
	}
	if c, ok := leaf.(*ast.BinaryNode); ok && turned[c.Operator] != "" {
		if b.withItself(c) {
			b.problem(from, fmt.Sprintf("%q compares a value with itself", b.written(leaf)), "")
			return
		}
	}
	b.dimension(leaf)
}

func isIdentifier(n ast.Node) bool {
	_, ok := n.(*ast.IdentifierNode)
	return ok
}

// withItself reports whether both sides of a comparison are the same value.
func (b *builder) withItself(n *ast.BinaryNode) bool {
	left, isLeft := b.mention(n.Left)
	right, isRight := b.mention(n.Right)
	return isLeft && isRight && left.text == right.text
}

// dimension works out the unit of a number, and adds a problem if different units
// meet.
func (b *builder) dimension(n ast.Node) dimension {
	if m, ok := b.mention(n); ok {
		return dimensionOf(unitOf(m))
	}
	switch n := n.(type) {
	case *ast.FloatNode:
		return literalDimension(b.written(n))
	case *ast.UnaryNode:
		return b.dimension(n.Node)
	case *ast.BinaryNode:
		return b.meet(n)
	case *ast.ConditionalNode:
		b.dimension(n.Cond)
		return b.alike(n.Exp1, n.Exp2)
	case *ast.BuiltinNode:
		return b.alike(n.Arguments...)
	}
	return dimension{}
}

func (b *builder) meet(n *ast.BinaryNode) dimension {
	switch n.Operator {
	case "*":
		return b.dimension(n.Left).product(b.dimension(n.Right), 1)
	case "/":
		return b.dimension(n.Left).product(b.dimension(n.Right), -1)
	case "+", "-", "%":
		return b.alike(n.Left, n.Right)
	}
	if turned[n.Operator] != "" {
		b.alike(n.Left, n.Right)
		return dimension{}
	}
	b.dimension(n.Left)
	b.dimension(n.Right)
	return dimension{}
}

// alike adds a problem if a number does not fit the first, and returns the common
// dimension.
func (b *builder) alike(all ...ast.Node) dimension {
	out := dimension{kind: noUnit}
	for i, n := range all {
		d := b.dimension(n)
		if !out.fits(d) {
			from, _ := b.program.Span(n)
			b.problem(from, fmt.Sprintf("%q is %s, and %q is %s", b.written(n), d, b.written(all[i-1]), out),
				hintFor(out))
			return dimension{}
		}
		out = out.or(d)
	}
	return out
}

func hintFor(d dimension) string {
	return map[dimension]string{
		times: "limits of times are written like 2ms",
		sizes: "limits of sizes are written like 64KiB",
		count: "it is a plain number, or a share such as 3%",
		rate:  "rates are written like 1MB, or as a plain number",
	}[d]
}

func dimensionOf(unit string) dimension {
	switch unit {
	case "s":
		return times
	case "B":
		return sizes
	case "1/s":
		return rate
	case "", result.Percent:
		return count
	}
	return dimension{}
}

// literalDimension returns the unit of a number from its text.
func literalDimension(text string) dimension {
	if _, err := lang.ParseNumber(text); err == nil {
		return dimension{kind: noUnit}
	}
	_, noDuration := lang.ParseDuration(text)
	_, noSize := lang.ParseSize(text)
	switch {
	case strings.HasPrefix(text, "duration"), noDuration == nil:
		return times
	case strings.HasPrefix(text, "size"), noSize == nil:
		return sizes
	case strings.HasSuffix(text, "%"):
		return count
	}
	return dimension{}
}
