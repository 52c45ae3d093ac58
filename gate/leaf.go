package gate

import (
	"fmt"

	"github.com/expr-lang/expr/ast"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// leaf is a part that logic does not divide further.
type leaf struct {
	text      string
	mentions  []mention
	kind      kind
	condition bool // the leaf is part of the condition of ?:
}

func (l *leaf) judge(j judge, negated bool) outcome {
	o := j.leaf(l, negated)
	o.leaf = l
	o.negated = negated
	return o
}

// kind is what a leaf asks: something that only a function can answer, how a number compares
// with a limit, or any other term. What only some kinds can do is an interface where it is asked for.
type kind interface {
	// judge decides the leaf after sampling. negated is true if an odd number of nots enclose it.
	judge(j *judging, l *leaf, negated bool) outcome
}

// function is a row of the table with what is called if its value is a part of a larger term; nil:
// nothing is, because a leaf of its own decides it.
type function struct {
	Function
	call func(j *judging) any
}

// functionKind is the kind of a leaf that is a call of a function, or the comparison of one. The
// expression cannot evaluate it, because it can be undecided.
type functionKind interface {
	kind
	check(b *builder, n ast.Node) // adds the problems of the call at n
	mentions() []mention
}

// A tolerant kind compares with the base at a tolerance.
type tolerant interface{ asks() claim }

// claim is a metric that a gate compares with that of the base, and the change that it tolerates.
type claim struct {
	metric    result.Metric
	tolerance float64
}

// comparison is `mention operator limit`. If the limit is on the left in the source,
// the operator is reversed.
type comparison struct {
	mention  mention
	operator string
	limit    limit
}

// limit is the side of a comparison that contains no metric.
type limit struct {
	value   float64
	program *lang.Program // nil if value is known
}

// term is a leaf of any other shape.
type term struct{ program *lang.Program }

// compare returns the kind of a leaf that is a comparison, nil of any other.
func (l *leaf) compare() *comparison {
	c, _ := l.kind.(*comparison)
	return c
}

// number returns the value of a limit.
func (l limit) number(j *judging) (float64, error) {
	if l.program == nil {
		return l.value, nil
	}
	x, err := l.program.Run(j.env())
	if err != nil {
		return 0, err
	}
	number, ok := x.(float64)
	if !ok {
		return 0, fmt.Errorf("%q is not a number", l.program.Text.Value)
	}
	return number, nil
}

// turned maps an operator to the one with exchanged sides.
var turned = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
