package gate

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// shown compares the pairs taken so far. If no pair has the metric on both sides, or if more
// pairs would not make a ratio, it returns nil and the verdict that results from that.
func (j *judging) shown(m result.Metric, tolerance, alpha float64) (v *versus, hopeless result.Verdict) {
	p, ok := pairedOf(j.own.Case, m)
	switch {
	case !ok && j.own.Samples.Len() > 0:
		return nil, result.NotJudged
	case !ok:
		return nil, result.Inconclusive
	}
	v = p.judgedAt(m, tolerance, alpha)
	if v.why != "" {
		return nil, givenUp
	}
	return v, ""
}

// steerCall decides worse or better as soon as the pairs do, and gives up if the ratio
// is so close to the limit that a verdict would take too long.
func (j *judging) steerCall(c *call) result.Verdict {
	v, hopeless := j.shown(c.metric, c.tolerance, j.alpha)
	if v == nil {
		return hopeless
	}
	if answer := c.answer(v); answer != result.Inconclusive {
		return answer
	}
	if c.judge(v).Near(c.tolerance) {
		return givenUp
	}
	return result.Inconclusive
}

// judge returns the sequence that decides a call: the one whose limit the call asks about.
func (c *call) judge(v *versus) *stats.Sequence {
	if c.worse == (c.metric.Direction == result.Higher) {
		return v.other
	}
	return v.used
}

// steerRatio decides `ratio(metric) operator limit`.
func (j *judging) steerRatio(c *comparison, limit float64) result.Verdict {
	v, none := j.shown(c.mention.metric, 0, ratioAlpha)
	if v == nil {
		return none
	}
	if v.bounded(); !v.hasBounds {
		return result.Inconclusive
	}
	at := span{v.low, v.high}
	if verdict := at.against(c.operator, limit); verdict != result.Inconclusive {
		return verdict
	}
	if v.high-v.low < hopeless*math.Abs(limit) {
		return givenUp
	}
	return result.Inconclusive
}
