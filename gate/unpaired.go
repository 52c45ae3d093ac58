package gate

import (
	"fmt"
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
		if m.compares() {
			return true
		}
	}
	return false
}

// tripping is a kind that is judged in its own way if the base is a saved result.
type tripping interface {
	againstSaved(j *judging, l *leaf, negated bool) outcome
}

// trippingOperand is an operand of which a comparison is judged in its own way then.
type trippingOperand interface {
	againstSaved(j *judging, l *leaf, c *comparison, negated bool) outcome
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
	for _, m := range l.mentions {
		if m.reading().Of == result.OfMean {
			return undecided(result.CauseNoPairs, "",
				l.text+": geomean needs pairs, and there are none with a saved result")
		}
	}
	if k, is := l.kind.(tripping); is {
		return k.againstSaved(j, l, negated)
	}
	if c := l.compare(); c != nil {
		if by, is := c.mention.by.(trippingOperand); is {
			return by.againstSaved(j, l, c, negated)
		}
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

// doubtText explains what an undecided leaf `ratio operator limit` lacks for counting against its
// gate. show prints a ratio.
func (t tripwire) doubtText(
	v result.Verdict, operator string, limit float64, negated bool, show func(float64) string,
) string {
	if v != result.Inconclusive {
		return ""
	}
	where, edge := "above", limit*(1+t.floor)
	if (operator[0] == '>') != negated {
		where, edge = "below", limit/(1+t.floor)
	}
	return fmt.Sprintf("; it fails only with all of the interval %s %s, for two runs of the same code may differ by %s",
		where, show(edge), units.Fine(t.floor))
}
