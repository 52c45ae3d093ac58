package gate

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// versus is what is known of the ratio of a case to its base, in one metric and at
// one tolerance.
type versus struct {
	metric    result.Metric
	tolerance float64
	alpha     float64
	base, own float64 // medians of the pairs that count, or the exact numbers
	ratio     float64 // own ÷ base; +Inf for something against zero
	exact     bool
	over      stats.Side   // where the ratio lies of 1+tolerance
	under     stats.Side   // where it lies of 1/(1+tolerance)
	why       string       // why nothing is shown, where it is not for want of pairs
	cause     result.Cause // the same as a word
	low, high float64      // of the ratio
	hasBounds bool
	taken     int             // pairs
	counted   int             // of them
	seconds   float64         // wall time that the case took
	spread    float64         // of layouts, a share of the metric
	rule      result.Sentence // why not all count, or all do although some are disturbed
	piece     result.Piece    // what counts once as evidence
	used      *stats.Sequence // at 1+tolerance; nil where numbers are exact
	other     *stats.Sequence // at 1/(1+tolerance)
}

// judgedAt shows the evidence to both sequences, one after the other, as if one had
// looked after each piece. A piece is a block: one pair of commands, and of Go
// functions all pairs of one set-up, or of one launch of two programs, for which the median stands. Where the memory of
// a set-up lies is part of its speed, and pair after pair repeats it: with the pairs
// themselves as evidence 41 of 180 comparisons of code with itself, on 1 MiB of
// memory for each side, were called different at 1 % each way.
func (p *paired) judgedAt(m result.Metric, tolerance, alpha float64) *versus {
	v := &versus{metric: m, tolerance: tolerance, alpha: alpha, ratio: 1, taken: p.Taken, piece: p.piece, seconds: p.seconds, cause: p.flawCause, why: p.flaw}
	var err error
	if v.used, err = stats.NewSequence(1+tolerance, alpha); err == nil {
		v.other, err = stats.NewSequence(1/(1+tolerance), alpha)
	}
	if err != nil {
		v.cause, v.why = result.CauseExpression, err.Error()
		return v
	}
	var base, own []float64
	groups := p.Groups()
	for _, g := range groups {
		_, _ = v.used.Add(g.Ratio), v.other.Add(g.Ratio) // finite, for every ratio is
		v.counted += g.Used
		for i, counts := range g.Counts {
			if counts {
				base, own = append(base, p.Base[g.First+i]), append(own, p.Own[g.First+i])
			}
		}
	}
	v.rule = ruleOf(groups, p.piece)
	v.spread = math.Expm1(stats.RangeBetween(p.Logs, groups))
	if v.over, v.under = v.used.Side(), v.other.Side(); len(own) > 0 {
		v.base, v.own, v.ratio = stats.Median(base), stats.Median(own), math.Exp(middle(v.used.Ratio()))
	}
	return v
}

// ruleOf says why pairs were set aside, and why all of a group count although some
// are disturbed.
func ruleOf(groups []stats.Group, piece result.Piece) result.Sentence {
	aside, whole, why := false, 0, stats.UseUndisturbed
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
		return result.Say("a side was disturbed; of %s %s all count, because %s", in, piece.Plural(), because)
	case aside:
		return result.Say("a side was disturbed")
	case whole > 0:
		return result.Say("in %s %s %s", in, piece.Plural(), because)
	}
	return result.Sentence{}
}

// middle gives the logarithm of a median ratio, with its ends at Far.
func middle(ratio float64) float64 { return max(-pairs.Far, min(math.Log(ratio), pairs.Far)) }

// bounded adds the interval of the ratio: what the intervals at all numbers of pairs
// have in common, which lies on one side of a limit exactly when that was shown. A
// ratio that moves leaves nothing in common, or not the ratio of now; then it is the
// interval of now. What was shown stands, unless that interval shows the opposite.
func (v *versus) bounded() *versus {
	if v.why != "" {
		return v.undecided()
	}
	low, high, err := v.used.Intersection()
	if err != nil || v.ratio < low || v.ratio > high {
		low, high, err = v.used.Interval()
	}
	v.low, v.high, v.hasBounds = low, high, err == nil
	if v.hasBounds {
		v.unopposed(&v.over, 1+v.tolerance)
		v.unopposed(&v.under, 1/(1+v.tolerance))
	}
	return v
}

// unopposed takes back what early pairs showed where all pairs together show the
// opposite.
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

// resolved takes back what cannot be said where a side is below resolution. The
// empty loop, which both sides pay for, brings every ratio nearer to 1: that one is
// beyond the tolerance stands, if the other side is above resolution, and that it is
// within does not.
func (v *versus) resolved(base, own bool) *versus {
	beyond := v.over == stats.Above || v.under == stats.Below
	if v.why != "" || !base && !own || base != own && beyond {
		return v
	}
	v.cause, v.hasBounds = result.CauseResolution, false
	v.why = v.metric.Name + " is below resolution, so that there is no ratio"
	return v.undecided()
}

// plainly compares numbers that never vary. Numbers below zero have no ratio, unless
// they are the same.
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
	// The hair more is for 103 against 100, which is 3 % and not above it.
	if own > base*(1+tolerance)*(1+1e-12) {
		v.over = stats.Above
	}
	if base > own*(1+tolerance)*(1+1e-12) {
		v.under = stats.Below
	}
	return v
}

// worse is the answer to worse(metric, tolerance): pass for yes, fail for no,
// inconclusive for neither shown.
func (v *versus) worse() result.Verdict { return v.moved(v.metric.Direction) }

// better is its mirror image: the base is worse than the case.
func (v *versus) better() result.Verdict {
	if v.metric.Direction == result.Higher {
		return v.moved(result.Lower)
	}
	return v.moved(result.Higher)
}

// moved says whether the ratio is beyond the tolerance on the side that is the bad
// one for a metric of this direction.
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

// change is the verdict of the comparison.
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
