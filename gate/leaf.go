package gate

import (
	"example.com/suite/internal/lang"
)

// leaf is a part that logic does not divide further.
type leaf struct {
	text     string
	mentions []mention
	call     *call         // worse or better; nil for another shape
	growth   *ordering     // order(…) against a class; nil for another shape
	trend    *drifting     // trend(…).drift against a limit; nil for another shape
	compare  *comparison   // nil for another shape
	program  *lang.Program // nil for one of these shapes

	condition bool // the leaf is part of the condition of ?:
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

// turned maps an operator to the one with exchanged sides.
var turned = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

func (l *leaf) judge(j judge, negated bool) outcome {
	o := j.leaf(l, negated)
	o.leaf = l
	o.negated = negated
	return o
}
