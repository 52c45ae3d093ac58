package gate

import (
	"cmp"

	"example.com/suite/result"
)

// judge decides leaves: final after sampling, live during it.
type judge interface {
	leaf(l *leaf, negated bool) outcome
}

// decide decides a part of a rule. negated is true if an odd number of nots enclose it, so that a
// pass of the part counts against the gate.
func decide(n node, j judge, negated bool) outcome {
	switch n := n.(type) {
	case and:
		return join(j, negated, n.left, n.right, result.Fail, result.Pass)
	case or:
		return join(j, negated, n.left, n.right, result.Pass, result.Fail)
	case not:
		return n.judge(j, negated)
	case choice:
		return n.judge(j, negated)
	}
	l := n.(*leaf)
	o := j.leaf(l, negated)
	if o.leaf == nil { // else another one has decided in its place
		o.leaf = l
	}
	o.negated = negated
	return o
}

func (n not) judge(j judge, negated bool) outcome {
	o := decide(n.part, j, !negated)
	switch o.verdict {
	case result.Pass:
		o.verdict = result.Fail
	case result.Fail:
		o.verdict = result.Pass
	}
	return o
}

// join is Kleene's and and or: one decisive side is enough, and if it is the left
// one, the right one is not evaluated. An error on the left ends the evaluation; an
// error on the right counts, because the left side is not decisive then.
func join(j judge, negated bool, left, right node, decisive, neutral result.Verdict) outcome {
	a := decide(left, j, negated)
	if a.verdict == decisive || a.verdict == result.Error {
		return a
	}
	b := decide(right, j, negated)
	out := outcome{form: weaker(a.form, b.form), notes: append(a.notes, b.notes...)}
	for _, v := range []result.Verdict{decisive, result.Error, result.Inconclusive, givenUp,
		neutral, result.NotJudged} {
		if a.verdict == v || b.verdict == v {
			out.verdict = v
			break
		}
	}
	for _, side := range []outcome{a, b} {
		if side.verdict == out.verdict {
			out.cause = cmp.Or(out.cause, side.cause)
			out.reasons = append(out.reasons, side.reasons...)
			if out.leaf == nil {
				out.leaf = side.leaf
				out.negated = side.negated
			}
		}
	}
	return out
}

// judge evaluates the branch that the condition selects. If the condition is undecided,
// it evaluates both, and the outcome is decided only if they agree.
func (n choice) judge(j judge, negated bool) outcome {
	c := decide(n.condition, j, negated)
	switch c.verdict {
	case result.Error:
		return c
	case result.Pass:
		return c.then(decide(n.yes, j, negated))
	case result.Fail:
		return c.then(decide(n.no, j, negated))
	}
	yes, no := decide(n.yes, j, negated), decide(n.no, j, negated)
	if yes.verdict == no.verdict {
		return c.then(yes)
	}
	if yes.verdict == result.Inconclusive || no.verdict == result.Inconclusive {
		c.verdict = result.Inconclusive
		c.cause = cmp.Or(c.cause, yes.cause, no.cause)
	}
	c.form = weaker(c.form, weaker(yes.form, no.form))
	return c
}
