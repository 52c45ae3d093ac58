package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// A saved result is a tripwire and no base. It was measured at another time: the two
// sides were not taken in random order, so any drift of the machine looks like a change
// of the code. Such a gate is decided by the intervals of two medians, and is red only
// if the whole interval of their ratio is beyond the limit by more than the floor.

// hangsOnBase reports whether a leaf mentions the base, or a ratio to it.
func (l *leaf) hangsOnBase() bool {
	for _, m := range l.mentions {
		if m.versus != "" || m.other != nil && m.other.base {
			return true
		}
	}
	return false
}

// unpairedLeaf decides a leaf that depends on a saved result.
func (j *judging) unpairedLeaf(l *leaf, negated bool) outcome {
	o := j.againstSaved(l, negated)
	if doubts := j.own.Earlier.Doubts; len(doubts) > 0 && o.verdict != result.Error {
		o = undecided(result.CauseNotComparable, "", "not comparable with "+j.gate.Base+": "+strings.Join(doubts, "; "))
	}
	o.form = result.FormUnpaired
	return o
}

func (j *judging) againstSaved(l *leaf, negated bool) outcome {
	c := l.compare
	switch {
	case slices.ContainsFunc(l.mentions, func(m mention) bool { return m.versus == geomean }):
		return undecided(result.CauseNoPairs, "", l.text+": geomean needs pairs, and there are none with a saved result")
	case l.call != nil:
		return j.unpairedCall(l, negated)
	case c != nil && c.mention.versus != "":
		return j.unpairedRatio(l, negated)
	}
	return j.unpairedValues(l, negated)
}

// settle returns the verdict on a leaf from plain, the verdict without the floor, and wide, the
// verdict with the floor added. It is plain, except that it is inconclusive if plain counts
// against the gate and wide differs from it. The condition of ?: can count for or against the
// gate, so there a difference always makes it inconclusive.
func (l *leaf) settle(plain, wide result.Verdict, negated bool) result.Verdict {
	against := (plain == result.Fail) != negated || l.condition
	if against && wide != plain {
		return result.Inconclusive
	}
	return plain
}

// beyond returns the condition on the ratio that a call means, such as > 1.03.
func (c *call) beyond() (operator string, limit float64) {
	if c.worse == (c.metric.Direction == result.Higher) {
		return "<", 1 / (1 + c.tolerance)
	}
	return ">", 1 + c.tolerance
}

func (j *judging) unpairedCall(l *leaf, negated bool) outcome {
	c := l.call
	t, err := j.tripwire(c.metric, c.tolerance)
	switch {
	case err != nil:
		return broken(err)
	case t.exact:
		return decided(c.answer(t.versus), "", c.explained(t.versus, j.gate.Base))
	case t.why != "":
		return undecided(t.cause, "", t.unknown(j.gate.Base))
	}
	operator, limit := c.beyond()
	v := l.settle(t.plain().against(operator, limit), t.wide().against(operator, limit), negated)
	text := t.moveText(j.gate.Base) + ", and " + units.Format(c.tolerance, result.Percent) + " is tolerated"
	if !c.worse {
		text = t.moveText(j.gate.Base) + ", and a gain of more than " + units.Format(c.tolerance, result.Percent) + " is asked for"
	}
	return decided(v, "", text+t.doubt(v, operator, limit, negated, signed))
}

// doubt explains what an undecided leaf `ratio operator limit` lacks for counting against its
// gate. show prints a ratio.
func (t tripwire) doubt(v result.Verdict, operator string, limit float64, negated bool, show func(float64) string) string {
	if v != result.Inconclusive {
		return ""
	}
	where, edge := "above", limit*(1+t.floor)
	if (operator[0] == '>') != negated {
		where, edge = "below", limit/(1+t.floor)
	}
	return fmt.Sprintf("; it fails only with all of the interval %s %s, for two runs of the same code may differ by %s", where, show(edge), units.Fine(t.floor))
}

func (j *judging) unpairedRatio(l *leaf, negated bool) outcome {
	c := l.compare
	t, err := j.tripwire(c.mention.metric, 0)
	if err != nil {
		return broken(err)
	}
	limit, err := j.number(c.limit)
	switch {
	case err != nil:
		return broken(err)
	case t.why != "":
		return undecided(t.cause, "", t.unknown(j.gate.Base))
	}
	value := t.ratio
	plain := t.plain()
	wide := t.wide()
	switch {
	case t.exact:
		plain, wide = span{t.ratio, t.ratio}, span{t.ratio, t.ratio}
	case c.mention.versus == "low":
		value, plain = t.low, span{t.low, t.low}
	case c.mention.versus == "high":
		value, plain = t.high, span{t.high, t.high}
	}
	v := l.settle(plain.against(c.operator, limit), wide.against(c.operator, limit), negated)
	return decided(v, "", fmt.Sprintf("%s: %s is %s, limit %s%s", t.moveText(j.gate.Base), c.mention.text, number(value), number(limit), t.doubt(v, c.operator, limit, negated, number)))
}

// unpairedListed returns the ratio with the interval that decided.
func (j *judging) unpairedListed(m mention) result.Value {
	out := result.Value{Text: m.text, Value: j.versusValue(m), Note: "of medians, unpaired with " + j.gate.Base}
	t, err := j.tripwire(m.metric, 0)
	switch {
	case err != nil:
		return out
	case t.exact:
		out.Note = fmt.Sprintf("%s, and %s in %s", units.Format(t.own, m.metric.Unit), units.Format(t.base, m.metric.Unit), j.gate.Base)
		return out
	case !t.hasBounds || m.versus != "ratio":
		return out
	}
	low, high := t.low, t.high
	out.Low, out.Confidence = &low, bothHold
	if !math.IsInf(high, 1) {
		out.High = &high
	}
	return out
}
