package gate

import (
	"cmp"
	"fmt"
	"math"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// doubted judges a failed gate again and leaves every comparison undecided that is not reliable
// on this machine. If the gate fails all the same, because of an exact metric or a limit, it
// stays failed; otherwise it is inconclusive. Gates that passed are not judged again, because a
// false difference does not make a gate pass that asks for no difference.
func doubted(j *judging, f fitness, o outcome) outcome {
	if o.verdict != result.Fail {
		return o
	}
	d := &doubtful{judging: j, fitness: f}
	if again := j.gate.rule.root.judge(d, false); len(d.reasons) == 0 || again.verdict == result.Fail {
		return o
	}
	return outcome{verdict: result.Inconclusive, cause: d.cause, reasons: append(d.reasons, o.reasons...), notes: o.notes, form: o.form}
}

// doubtful judges leaves as judging does, except that leaves in doubt are undecided.
type doubtful struct {
	judging *judging
	fitness fitness
	cause   result.Cause // of the first leaf in doubt
	reasons []string
}

func (d *doubtful) leaf(l *leaf, negated bool) outcome {
	o := d.judging.leaf(l, negated)
	if cause, why := d.doubt(l, o); why != "" {
		d.cause = cmp.Or(d.cause, cause)
		d.reasons = append(d.reasons, why)
		o.verdict = result.Inconclusive
	}
	return o
}

// doubt returns why a leaf is not reliable, as a cause and in words. Both are empty if it is
// reliable. Exact numbers always are, because they are the same on every machine.
func (d *doubtful) doubt(l *leaf, o outcome) (cause result.Cause, why string) {
	decided := o.verdict == result.Pass || o.verdict == result.Fail
	if !decided || o.form == result.FormExact || !l.comparative() {
		return "", ""
	}
	if why := d.unfit(l); why != "" {
		return result.CauseUnfit, "machine unfit: " + why
	}
	allowed, says := d.judging.allows(l)
	floor := d.believedFrom(l)
	if says && allowed < floor*(1-1e-9) && !d.judging.beyond(l, floor) {
		return result.CauseFloor, fmt.Sprintf("%s is tighter than what two builds of one source differ by here (%s)", units.Fine(allowed), units.Fine(floor))
	}
	return "", ""
}

// unfit returns why the machine that a leaf depends on is unfit, for a mean the first of the
// machines that measured it. It is empty if none is.
func (d *doubtful) unfit(l *leaf) string {
	j, of := d.judging, d.fitness.unfit
	if of == nil {
		return ""
	}
	why := of(j.own.Case)
	if c := l.compare; c != nil && c.mention.versus == geomean {
		for _, s := range j.cases.order {
			if s.Suite == j.own.Suite && s.Pairs != nil && contributes(s.Case, c.mention.metric) {
				why = cmp.Or(why, of(s.Case))
			}
		}
	}
	return why
}

// beyond reports whether the whole interval of a leaf's ratio is beyond the floor:
// code that is 26 times as slow is not slow because the linker moved it.
func (j *judging) beyond(l *leaf, floor float64) bool {
	var v *versus
	var err error
	if l.call != nil {
		v, err = j.ratioOf(l.call.metric, l.call.tolerance, j.alpha)
	} else if l.compare.mention.versus == geomean {
		at := j.versusValue(l.compare.mention)
		return at > 1+floor || at < 1/(1+floor)
	} else {
		v, err = j.ratioOf(l.compare.mention.metric, 0, ratioAlpha)
	}
	return err == nil && v.hasBounds && (v.low > 1+floor || v.high < 1/(1+floor))
}

// believedFrom returns the smallest change for which a leaf is reliable: the floor of its case,
// or for a mean the largest floor of the cases in it.
func (d *doubtful) believedFrom(l *leaf) (floor float64) {
	j, of := d.judging, d.fitness.floor
	if of == nil {
		return 0
	}
	c := l.compare
	if c == nil || c.mention.versus != geomean {
		return of(j.own.Case)
	}
	if !j.meansTree() {
		return 0
	}
	for _, s := range j.cases.order {
		if s.Suite == j.own.Suite && contributes(s.Case, c.mention.metric) {
			floor = max(floor, of(s.Case))
		}
	}
	return floor
}

func (l *leaf) comparative() bool {
	for _, m := range l.mentions {
		if (m.versus != "" || m.other != nil && m.other.base) && m.metric.Sampled && !m.metric.Exact {
			return true
		}
	}
	return l.call != nil && l.call.metric.Sampled && !l.call.metric.Exact
}

// allows returns the relative change that a leaf permits: its tolerance, or the distance from 1
// of the limit of a ratio, of an end of its interval, or of a mean of ratios. The second result
// is false for any other leaf.
func (j *judging) allows(l *leaf) (change float64, says bool) {
	switch c := l.compare; {
	case l.call != nil:
		return l.call.tolerance, true
	case c != nil && c.mention.versus != "":
		limit, err := j.number(c.limit)
		if err != nil || !(limit > 0) {
			return 0, false
		}
		return max(limit, 1/limit) - 1, !math.IsInf(limit, 1)
	}
	return 0, false
}
