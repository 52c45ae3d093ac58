package gate

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// versus is the comparison of a case with its base, in one metric and at one
// tolerance.
type versus struct {
	metric      result.Metric
	tolerance   float64
	alpha       float64
	base, own   float64 // medians of the pairs used, or the exact numbers
	ratio       float64 // own ÷ base; +Inf if only the base is 0
	exact       bool
	over        stats.Side   // side of 1+tolerance on which the ratio is
	under       stats.Side   // side of 1/(1+tolerance) on which the ratio is
	why         string       // why nothing is shown; empty if more pairs would help
	cause       result.Cause // the same as a word
	low, high   float64      // interval of the ratio
	hasBounds   bool
	baseBound   *float64           // set if the base is below resolution, see result.Comparison
	ownBound    *float64           // the same of the case
	taken       int                // pairs
	counted     int                // pairs used
	seconds     float64            // wall time of the case
	spread      float64            // how much layouts differ, as a share of the metric
	rule        result.Sentence    // why some pairs are set aside, or all are used although some are disturbed
	observation result.Observation // pairs, blocks, launches or layouts
	used        *stats.Sequence    // at 1+tolerance; nil if the numbers are exact
	other       *stats.Sequence    // at 1/(1+tolerance)
}

// judgedAt compares the sides at a tolerance. It adds the observations to both sequences one by
// one, because verdicts allow for a look after each of them. An observation is one pair of
// commands, the median of a block of pairs of Go functions, or the median of one launch of two
// programs: all pairs of a block or launch share the memory addresses, which affect the speed.
// With single pairs as observations, 41 of 180 comparisons of code with itself, on 1 MiB of
// memory for each side, were called different at 1 % each way.
func (p *paired) judgedAt(m result.Metric, tolerance, alpha float64) *versus {
	v := &versus{metric: m, tolerance: tolerance, alpha: alpha, ratio: 1, taken: p.Taken, observation: p.observation, seconds: p.seconds, cause: p.flawCause, why: p.flaw}
	var err error
	v.used, err = stats.NewSequence(1+tolerance, alpha)
	if err == nil {
		v.other, err = stats.NewSequence(1/(1+tolerance), alpha)
	}
	if err != nil {
		v.cause, v.why = result.CauseExpression, err.Error()
		return v
	}
	o := p.observations()
	for _, g := range o.groups {
		_, _ = v.used.Add(g.Ratio), v.other.Add(g.Ratio) // finite, for every ratio is
	}
	v.counted, v.rule, v.spread = o.counted, o.rule, o.spread
	v.over, v.under = v.used.Side(), v.other.Side()
	if o.counted > 0 {
		v.base, v.own = o.base, o.own
		v.ratio = math.Exp(middle(v.used.Ratio()))
	}
	return v
}

// ruleOf explains why pairs were set aside, or why all pairs of a group are used although some
// are disturbed. It is empty if every pair is used and none is disturbed.
func ruleOf(groups []stats.Group, observation result.Observation) result.Sentence {
	aside := false
	whole := 0
	why := stats.UseUndisturbed
	for _, g := range groups {
		aside = aside || g.Used < g.Last-g.First+1
		if g.Why != stats.UseUndisturbed {
			whole, why = whole+1, g.Why
		}
	}
	because := map[stats.Use]string{
		stats.UseAllForMost:    "more than half of the pairs are disturbed",
		stats.UseAllForOneSide: "disturbances fall on one side more often",
	}[why]
	in := result.Some(whole, len(groups))
	switch {
	case aside && whole > 0:
		return result.Say("a side was disturbed; of %s %s all count, because %s", in, observation.Plural(), because)
	case aside:
		return result.Say("a side was disturbed")
	case whole > 0:
		return result.Say("in %s %s %s", in, observation.Plural(), because)
	}
	return result.Sentence{}
}

func middle(ratio float64) float64 { return max(-pairs.Far, min(math.Log(ratio), pairs.Far)) }

// bounded adds the ratio's confidence interval: the intersection of the intervals at
// all numbers of pairs, which is on one side of a limit exactly if that was shown. If
// the ratio moves during a run, the intersection is empty or excludes the current
// ratio; then bounded uses the current interval. It keeps what was shown unless that
// interval shows the opposite.
func (v *versus) bounded() *versus {
	if v.why != "" {
		return v.undecided()
	}
	low, high, err := v.used.Intersection()
	if err != nil || v.ratio < low || v.ratio > high {
		low, high, err = v.used.Interval()
	}
	v.low = low
	v.high = high
	v.hasBounds = err == nil
	if v.hasBounds {
		v.unopposed(&v.over, 1+v.tolerance)
		v.unopposed(&v.under, 1/(1+v.tolerance))
	}
	return v
}

// unopposed withdraws what early pairs showed if all pairs together show the opposite.
func (v *versus) unopposed(side *stats.Side, limit float64) {
	if *side == stats.Above && v.high < limit || *side == stats.Below && v.low > limit {
		*side, v.cause = stats.Undecided, result.CauseMoved
		v.why = stats.ErrContradiction.Error() + ": the ratio itself has moved from one side of the tolerance to the other"
	}
}

func (v *versus) undecided() *versus {
	v.over, v.under = stats.Undecided, stats.Undecided
	return v
}

// plainly compares numbers that do not vary. Numbers below zero have no ratio, unless they are
// equal.
func plainly(m result.Metric, base, own, tolerance, alpha float64) *versus {
	v := &versus{metric: m, tolerance: tolerance, alpha: alpha, exact: true, base: base, own: own, ratio: own / base, over: stats.Below, under: stats.Above}
	switch {
	case base == own:
		v.ratio = 1
		return v
	case base < 0 || own < 0:
		v.cause, v.why = result.CauseNoRatio, "a side is below zero, and there is no ratio"
		v.exact, v.ratio = false, 1
		return v.undecided()
	}
	// 1+1e-12 absorbs rounding: 103 against 100 is 3 % and not above it.
	if own > base*(1+tolerance)*(1+1e-12) {
		v.over = stats.Above
	}
	if base > own*(1+tolerance)*(1+1e-12) {
		v.under = stats.Below
	}
	return v
}

// worse returns the value of worse(metric, tolerance): pass for yes, fail for no, inconclusive if
// neither was shown.
func (v *versus) worse() result.Verdict { return v.moved(v.metric.Direction) }

// better returns the value of better(metric, tolerance), which is worse with exchanged sides.
func (v *versus) better() result.Verdict {
	if v.metric.Direction == result.Higher {
		return v.moved(result.Lower)
	}
	return v.moved(result.Higher)
}

// moved reports whether the ratio is beyond the tolerance on the bad side: below
// 1/(1+tolerance) if higher is better, else above 1+tolerance.
func (v *versus) moved(bad result.Direction) result.Verdict {
	side, yes := v.over, stats.Above
	if bad == result.Higher {
		side, yes = v.under, stats.Below
	}
	switch side {
	case yes:
		return result.Pass
	case stats.Undecided:
		return result.Inconclusive
	}
	return result.Fail
}

func (v *versus) change() result.Change {
	worse, better := v.worse(), v.better()
	switch {
	case worse == result.Pass:
		return result.Worse
	case better == result.Pass:
		return result.Better
	case worse == result.Fail && better == result.Fail:
		return result.Same
	}
	return result.Unclear
}

// quotient is the ratio, which is infinite if only the base has nothing: the one of pairs is a
// logarithm that is far away then.
func (v *versus) quotient() result.Ratio {
	if v.base == 0 && v.own > 0 {
		return result.Ratio(math.Inf(1))
	}
	return result.Ratio(v.ratio)
}

func (v *versus) comparison(c *result.Case) result.Comparison {
	o := result.Comparison{Metric: v.metric.Name, Unit: v.metric.Unit, Exact: v.exact, Tolerance: v.tolerance, Alpha: v.alpha,
		Base: v.base, Candidate: v.own, Ratio: v.quotient(), Change: v.change()}
	if v.used != nil {
		o.Pairs = v.taken
		o.Used = v.counted
		o.Rule = v.rule.Text
		o.RulePattern, o.RuleValues = v.rule.Pattern, v.rule.Values
		switch v.observation {
		case result.PerBlock:
			o.Blocks = v.used.Pairs()
		case result.PerLaunch:
			o.Launches = v.used.Pairs()
		case result.PerLayout:
			o.Launches = c.Launches
		}
		if n := len(c.Pairs.Layouts); n > 0 {
			o.Layouts, o.LayoutSpread = n, v.spread
		}
	}
	if v.hasBounds && !v.isBound() && v.high < math.Exp(pairs.Far) && v.low > math.Exp(-pairs.Far) {
		low, high := v.low, v.high
		o.Low = &low
		o.High = &high
		o.Confidence = 1 - 2*v.alpha
	}
	if o.BaseBound, o.CandidateBound = v.baseBound, v.ownBound; v.isBound() && v.hasBounds {
		o.Confidence = min(1-2*v.alpha, bothHold)
		if low := v.low; low > 0 {
			o.Low = &low
		} else {
			high := v.high
			o.High = &high
		}
	}
	if o.Change == result.Unclear {
		s := v.unclear(c.Pairs.BaseName())
		o.Cause, o.Reason = v.unclearCause(), s.Text
		o.Pattern, o.Values = s.Pattern, s.Values
	}
	return o
}

// finding returns the two numbers that are compared, and their ratio. It returns nil if
// nothing is known of them.
func (v *versus) finding(text string) *result.Finding {
	if v.why != "" || notFinite(v.own) || notFinite(v.base) {
		return nil
	}
	f := &result.Finding{Of: result.OfRatio, Text: text, Value: v.own, Base: &v.base, Unit: v.metric.Unit}
	if !notFinite(v.ratio) {
		f.Ratio = &v.ratio
	}
	return f
}
