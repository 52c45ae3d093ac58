package gate

import (
	"cmp"
	"fmt"
	"math"

	"example.com/suite/gate/sides"
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
	d := &cautious{judging: j, fitness: f}
	again := decide(j.gate.rule.root, d, false)
	switch {
	case len(d.reasons) == 0 && d.second:
		return again
	case len(d.reasons) == 0 || again.verdict == result.Fail:
		return o
	}
	return outcome{
		verdict: result.Inconclusive,
		cause:   d.cause,
		reasons: append(d.reasons, o.reasons...),
		notes:   o.notes,
		form:    o.form,
	}
}

// cautious judges leaves as judging does, except that leaves in doubt are undecided.
type cautious struct {
	judging *judging
	fitness fitness
	cause   result.Cause // of the first leaf in doubt
	reasons []string
	second  bool // instructions have decided a leaf in doubt
}

func (d *cautious) leaf(l *leaf, negated bool) outcome {
	o := d.judging.leaf(l, negated)
	if cause, why := d.unreliable(l, o); why != "" {
		undecided := o
		undecided.verdict, undecided.reasons = result.Inconclusive, append([]string{why}, o.reasons...)
		if second := d.judging.secondOpinion(l, undecided); second.second {
			d.second = true
			return second
		}
		d.cause = cmp.Or(d.cause, cause)
		d.reasons = append(d.reasons, why)
		o.verdict = result.Inconclusive
	}
	return o
}

// changing is a kind that permits the ratio to the base to change by a share. The second result is
// false if it does not have the number.
type changing interface {
	allows(j *judging) (change float64, says bool)
	interval(j *judging) (at sides.Span, known bool) // of the ratio
}

// wide is an operand that depends on several cases, and so on their machines.
type wide interface {
	reliable(j *judging, m mention, f fitness) (unfit string, floor float64)
}

// unreliable returns why a leaf is not reliable, as a cause and in words. Both are empty if it is
// reliable. Exact numbers always are, because they are the same on every machine.
func (d *cautious) unreliable(l *leaf, o outcome) (cause result.Cause, why string) {
	decided := o.verdict == result.Pass || o.verdict == result.Fail
	if !decided || o.form == result.FormExact || o.form == result.FormRuns || !l.comparative() {
		return "", ""
	}
	unfit, floor := d.reliable(l)
	if unfit != "" {
		return result.CauseUnfit, "machine unfit: " + unfit
	}
	k, is := l.kind.(changing)
	if !is {
		return "", ""
	}
	allowed, says := k.allows(d.judging)
	if !says || allowed >= floor*(1-1e-9) {
		return "", ""
	}
	// Code that is 26 times as slow is not slow because the linker moved it.
	if at, known := k.interval(d.judging); known && (at.Low > 1+floor || at.High < 1/(1+floor)) {
		return "", ""
	}
	return result.CauseFloor, fmt.Sprintf("%s is tighter than what two builds of one source differ by here (%s)",
		units.Fine(allowed), units.Fine(floor))
}

// reliable returns why the machine that a leaf depends on is unfit, empty if it is not, and the
// smallest change for which the leaf is reliable.
func (d *cautious) reliable(l *leaf) (unfit string, floor float64) {
	if c := l.compare(); c != nil {
		if of, is := c.mention.by.(wide); is {
			return of.reliable(d.judging, c.mention, d.fitness)
		}
	}
	return d.fitness.of(d.judging.own.Case)
}

func (l *leaf) comparative() bool {
	for _, m := range l.mentions {
		if m.compares() && m.metric.Sampled && !m.metric.Exact {
			return true
		}
	}
	return false
}

// allows returns the distance from 1 of the limit of a ratio, of an end of its interval, or of a
// mean of ratios.
func (c *comparison) allows(j *judging) (change float64, says bool) {
	if _, ratio := c.mention.by.(compared); !ratio {
		return 0, false
	}
	limit, err := c.limit.number(j)
	if err != nil || !(limit > 0) {
		return 0, false
	}
	return max(limit, 1/limit) - 1, !math.IsInf(limit, 1)
}

func (c *comparison) interval(j *judging) (at sides.Span, known bool) {
	return c.mention.by.(compared).interval(j, c.mention)
}

// fitness is the result of a suite's sentinels, for each case the sentinel of its machine.
type fitness struct {
	unfit func(c *result.Case) string  // why no comparison of the case is reliable; empty if they are
	floor func(c *result.Case) float64 // smallest change of the case that is reliable
}

// of returns both for a case: in a suite that was not assessed every machine is fit.
func (f fitness) of(c *result.Case) (unfit string, floor float64) {
	if f.unfit == nil {
		return "", 0
	}
	return f.unfit(c), f.floor(c)
}
