package pegs

import (
	"errors"

	"example.com/suite/peg"
)

// bracket is a recursive span. It has two arcs: for outermost brackets, and for brackets
// inside brackets.
var bracket = peg.New("calculator/bracket")

// parser reads tokens by recursive descent.
type parser struct {
	lane *peg.Lane
	rest []token
}

var errFormula = errors.New("a number or a bracket is missing")

func parse(lane *peg.Lane, tokens []token) (*node, error) {
	p := parser{lane, tokens}
	tree, err := p.sum()
	if err == nil && len(p.rest) > 0 {
		err = errFormula
	}
	return tree, err
}

func (p *parser) sum() (*node, error)     { return p.chain('+', '-', p.product) }
func (p *parser) product() (*node, error) { return p.chain('*', '/', p.factor) }

// chain reads operands with one of two operators between them.
func (p *parser) chain(a, b byte, operand func() (*node, error)) (*node, error) {
	left, err := operand()
	for err == nil && (p.next(a) || p.next(b)) {
		operator := p.take().kind
		var right *node
		right, err = operand()
		left = &node{operator: operator, left: left, right: right}
	}
	return left, err
}

func (p *parser) factor() (*node, error) {
	switch {
	case p.next('('):
		return p.bracket()
	case p.next('n'):
		return &node{number: p.take().value}, nil
	}
	return nil, errFormula
}

func (p *parser) bracket() (*node, error) {
	defer p.lane.Begin(bracket).End()
	p.take()
	inside, err := p.sum()
	if err == nil && !p.next(')') {
		return nil, errFormula
	}
	if err == nil {
		p.take()
	}
	return inside, err
}

func (p *parser) next(kind byte) bool { return len(p.rest) > 0 && p.rest[0].kind == kind }

func (p *parser) take() token {
	first := p.rest[0]
	p.rest = p.rest[1:]
	return first
}
