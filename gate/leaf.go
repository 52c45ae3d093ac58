package gate

import (
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// leaf is a part that logic does not divide further.
type leaf struct {
	text      string
	mentions  []mention
	kind      any  // what it asks: a functionKind, a comparison or a term
	condition bool // the leaf is part of the condition of ?:
}

// functionKind is the kind of a leaf that is a call of a function, or the comparison of one. The
// expression cannot evaluate it, because it can be undecided.
type functionKind interface {
	checkCall(b *builder, n ast.Node) // adds the problems of the call at n
	mentions() []mention
}

// A tolerant kind compares with the base at a tolerance.
type tolerant interface{ asks() claim }

// claim is a metric that a gate compares with the base's, and the change that it tolerates.
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

// turned maps an operator to the one with exchanged sides.
var turned = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

// node is a part of a rule with a truth value: a leaf or an operator.
type node interface{ isNode() }

type (
	and    struct{ left, right node }
	or     struct{ left, right node }
	not    struct{ part node }
	choice struct{ condition, yes, no node }
)

func (and) isNode()    {}
func (or) isNode()     {}
func (not) isNode()    {}
func (choice) isNode() {}
func (*leaf) isNode()  {}
