package gate

import (
	"math"

	"example.com/suite/result"
)

// finding returns the numbers of the leaf that made the gate fail. It returns nil if the
// leaf is no comparison of one number with a limit, or if the number is not finite.
func (j *judging) finding(l *leaf, negated bool) *result.Finding {
	var f *result.Finding
	switch {
	case l == nil:
		return nil
	case l.call != nil:
		f = j.callFinding(l.call, negated)
	case l.trend != nil:
		f = j.driftFinding(l.trend)
	case l.compare != nil:
		f = j.compareFinding(l.compare)
	}
	if f != nil && negated {
		f.Operator = opposite[f.Operator]
	}
	return f
}

// opposite maps an operator to the one that holds if it does not.
var opposite = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

func (j *judging) compareFinding(c *comparison) *result.Finding {
	limit, err := j.number(c.limit)
	if err != nil || notFinite(limit) {
		return nil
	}
	m := c.mention
	var f *result.Finding
	switch {
	case m.versus == "ratio":
		v, err := j.ratioOf(m.metric, 0, ratioAlpha)
		if err != nil {
			return nil
		}
		f = v.finding(m.metric.Name)
	default:
		x := j.value(m)
		if notFinite(x) || j.unknown(m) {
			return nil
		}
		f = &result.Finding{Of: m.reading().Of, Text: m.text, Value: x, Unit: unitOf(m)}
		if m.versus != "" { // a mean, or an end of an interval
			f.Ratio = &x
		}
	}
	if f != nil {
		f.Operator, f.Limit = c.operator, limit
	}
	return f
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
