package lang

import (
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser/lexer"
)

func (c *compilation) source(n ast.Node) string { return c.words(c.span(n)) }

// span joins the tokens of a node and of its parts, and adds the brackets that
// they leave open.
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

// isCall says that a node ends in an empty pair of brackets.
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
		if open += nesting(t); open < 0 {
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

// within gives the range of tokens between two offsets.
func (c *compilation) within(from, to int) (first, last int) {
	for first < len(c.tokens) && c.tokens[first].From < from {
		first++
	}
	for last = first; last < len(c.tokens) && c.tokens[last].To <= to && c.tokens[last].Kind != lexer.EOF; {
		last++
	}
	return first, last
}
