package gate

import (
	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// finder is a kind that explains a failed gate by a number and its limit; nil if it has none.
type finder interface {
	finding(j *judging, negated bool) *result.Finding
}

// findingOperand is an operand that explains a failed gate by more than its value.
type findingOperand interface {
	finding(j *judging, m mention) *result.Finding
}

// finding returns the numbers of the leaf that made the gate fail. It returns nil if the
// leaf is no comparison of one number with a limit, or if the number is not finite.
func (j *judging) finding(l *leaf, negated bool) *result.Finding {
	if l == nil {
		return nil
	}
	k, is := l.kind.(finder)
	if !is {
		return nil
	}
	f := k.finding(j, negated)
	if f != nil && negated {
		f.Operator = opposite[f.Operator]
	}
	return f
}

// opposite maps an operator to the one that holds if it does not.
var opposite = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

func (c *comparison) finding(j *judging, _ bool) *result.Finding {
	limit, err := c.limit.number(j)
	if err != nil || sides.NotFinite(limit) {
		return nil
	}
	f := valueOf(j, c.mention)
	if by, is := c.mention.by.(findingOperand); is {
		f = by.finding(j, c.mention)
	}
	if f != nil {
		f.Operator, f.Limit = c.operator, limit
	}
	return f
}

// valueOf returns the number of a mention, nil if it is not known.
func valueOf(j *judging, m mention) *result.Finding {
	x := j.value(m)
	if sides.NotFinite(x) || j.unknown(m) {
		return nil
	}
	f := &result.Finding{Of: m.reading().Of, Text: m.text, Value: x, Unit: unitOf(m)}
	if _, ratio := m.by.(compared); ratio {
		f.Ratio = &x
	}
	return f
}
