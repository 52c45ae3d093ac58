package sides

import (
	"math"

	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// Versus is the comparison of a case with its base, in one metric and at one
// tolerance.
type Versus struct {
	Metric      result.Metric
	tolerance   float64
	Alpha       float64 // chance of error of "beyond the tolerance"
	within      float64 // of "not beyond the tolerance", and of each end of the interval
	Base, Own   float64 // medians of the pairs used, or the exact numbers
	Ratio       float64 // own ÷ base; +Inf if only the base is 0
	Exact       bool
	Over        stats.Side   // side of 1+tolerance on which the ratio is
	Under       stats.Side   // side of 1/(1+tolerance) on which the ratio is
	Why         string       // why nothing is shown; empty if more pairs would help
	Cause       result.Cause // the same as a word
	Low, High   float64      // interval of the ratio
	HasBounds   bool
	baseBound   *float64           // set if the base is below resolution, see result.Comparison
	ownBound    *float64           // the same of the case
	taken       int                // pairs
	counted     int                // pairs used
	seconds     float64            // wall time of the case
	spread      float64            // how much layouts differ, as a share of the metric
	rule        result.Sentence    // why some pairs are set aside, or all are used although some are disturbed
	observation result.Observation // pairs, blocks, launches or layouts
	Used        *stats.Sequence    // at 1+tolerance; nil if the numbers are exact
	Other       *stats.Sequence    // at 1/(1+tolerance)
	Runs        int                // of each side, if valgrind has counted; then there are no sequences
}

// JudgedAt compares the sides at a tolerance. It adds the observations to both sequences one by
// one, because verdicts allow for a look after each of them. An observation is one pair of
// commands, the median of a block of pairs of Go functions, or the median of one launch of two
// programs: all pairs of a block or launch share the memory addresses, which affect the speed.
// With single pairs as observations, 41 of 180 comparisons of code with itself, on 1 MiB of
// memory for each side, were called different at 1 % each way.
//
// alpha is the chance of error of a call that the change is beyond the tolerance, each way, and within that of a call
// that it is not.
func (p *paired) JudgedAt(m result.Metric, tolerance, alpha, within float64) *Versus {
	v := &Versus{
		Metric:      m,
		tolerance:   tolerance,
		Alpha:       alpha,
		within:      within,
		Ratio:       1,
		taken:       p.Taken,
		observation: p.observation,
		seconds:     p.seconds,
		Cause:       p.FlawCause,
		Why:         p.Flaw,
	}
	var err error
	v.Used, v.Other, err = pairs.Sequences(tolerance, alpha, within)
	if err != nil {
		v.Cause, v.Why = result.CauseExpression, err.Error()
		return v
	}
	o := p.observations()
	for _, g := range o.groups {
		_, _ = v.Used.Add(g.Ratio), v.Other.Add(g.Ratio) // finite, for every ratio is
	}
	v.counted, v.rule, v.spread = o.counted, o.rule, o.spread
	v.Over, v.Under = v.Used.Side(), v.Other.Side()
	if o.counted > 0 {
		v.Base, v.Own = o.base, o.own
		v.Ratio = math.Exp(middle(v.Used.Ratio()))
	}
	return v
}

// ruleOf explains why pairs were set aside, why all pairs of a group are used although some
// are disturbed, or why a group has another ratio than the median. It is empty if every pair is used and none is
// disturbed.
func ruleOf(groups []stats.Group, observation result.Observation) result.Sentence {
	aside := false
	whole, busy := 0, 0
	why := stats.UseUndisturbed
	for _, g := range groups {
		aside = aside || g.Used < g.Last-g.First+1
		switch g.Why {
		case stats.UseUndisturbed:
		case stats.UseMiddle:
			busy++
		default:
			whole, why = whole+1, g.Why
		}
	}
	if busy > 0 {
		return result.Say("other work took the CPU in %s %s, whose ratio is the middle one of three: of the median "+
			"times, of the median CPU times, and of the fastest batches", result.Some(busy, len(groups)),
			observation.Plural())
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

// Bounded adds the ratio's confidence interval: the intersection of the intervals at
// all numbers of pairs, which contains no limit beyond which the ratio was shown not to
// be. If the ratio moves during a run, the intersection is empty or excludes the current
// ratio; then bounded uses the current interval. It keeps what was shown unless that
// interval shows the opposite.
func (v *Versus) Bounded() *Versus {
	if v.Why != "" {
		return v.Undecided()
	}
	var err error
	v.Low, v.High, err = v.interval(v.Other, v.Used)
	v.HasBounds = err == nil
	if v.HasBounds {
		v.unopposed(&v.Over, 1+v.tolerance)
		v.unopposed(&v.Under, 1/(1+v.tolerance))
	}
	return v
}

// interval returns the intersection, or the current interval, with the lower end of one sequence and the upper end of
// another. Each has the error within at one of its ends.
func (v *Versus) interval(lower, upper *stats.Sequence) (low, high float64, err error) {
	for _, of := range []func(*stats.Sequence) (float64, float64, error){
		(*stats.Sequence).Intersection, (*stats.Sequence).Interval,
	} {
		low, _, _ = of(lower)
		if _, high, err = of(upper); err == nil && low <= v.Ratio && v.Ratio <= high {
			break
		}
	}
	return low, high, err
}

// Alarm returns the interval of the ratio with the error of an alarm at both ends, which is wider than Low to High in
// a suite of many calls.
func (v *Versus) Alarm() Span {
	at := Span{v.Low, v.High}
	if v.Used != nil {
		low, high, _ := v.interval(v.Used, v.Other)
		at = Span{min(at.Low, low), max(at.High, high)}
	}
	return at
}

// unopposed withdraws what early pairs showed if all pairs together show the opposite.
func (v *Versus) unopposed(side *stats.Side, limit float64) {
	if *side == stats.Above && v.High < limit || *side == stats.Below && v.Low > limit {
		*side, v.Cause = stats.Undecided, result.CauseMoved
		v.Why = stats.ErrContradiction.Error() +
			": the ratio itself has moved from one side of the tolerance to the other"
	}
}

// Undecided withdraws what was shown on either side.
func (v *Versus) Undecided() *Versus {
	v.Over, v.Under = stats.Undecided, stats.Undecided
	return v
}

// Plainly compares numbers that do not vary. Numbers below zero have no ratio, unless they are
// equal.
func Plainly(m result.Metric, base, own, tolerance, alpha float64) *Versus {
	v := &Versus{
		Metric:    m,
		tolerance: tolerance,
		Alpha:     alpha,
		Exact:     true,
		Base:      base,
		Own:       own,
		Ratio:     own / base,
		Over:      stats.Below,
		Under:     stats.Above,
	}
	switch {
	case base == own:
		v.Ratio = 1
		return v
	case base < 0 || own < 0:
		v.Cause, v.Why = result.CauseNoRatio, "a side is below zero, and there is no ratio"
		v.Exact, v.Ratio = false, 1
		return v.Undecided()
	}
	// 1+1e-12 absorbs rounding: 103 against 100 is 3 % and not above it.
	if own > base*(1+tolerance)*(1+1e-12) {
		v.Over = stats.Above
	}
	if base > own*(1+tolerance)*(1+1e-12) {
		v.Under = stats.Below
	}
	return v
}

// Worse returns the value of worse(metric, tolerance): pass for yes, fail for no, inconclusive if
// neither was shown.
func (v *Versus) Worse() result.Verdict { return v.moved(v.Metric.Direction) }

// Better returns the value of better(metric, tolerance), which is worse with exchanged sides.
func (v *Versus) Better() result.Verdict {
	if v.Metric.Direction == result.Higher {
		return v.moved(result.Lower)
	}
	return v.moved(result.Higher)
}

// moved reports whether the ratio is beyond the tolerance on the bad side: below
// 1/(1+tolerance) if higher is better, else above 1+tolerance.
func (v *Versus) moved(bad result.Direction) result.Verdict {
	side, yes := v.Over, stats.Above
	if bad == result.Higher {
		side, yes = v.Under, stats.Below
	}
	switch side {
	case yes:
		return result.Pass
	case stats.Undecided:
		return result.Inconclusive
	}
	return result.Fail
}

// Change returns what was shown in both directions together.
func (v *Versus) Change() result.Change {
	worse, better := v.Worse(), v.Better()
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
func (v *Versus) quotient() result.Ratio {
	if v.Base == 0 && v.Own > 0 {
		return result.Ratio(math.Inf(1))
	}
	return result.Ratio(v.Ratio)
}

// Comparison returns the comparison for the document of the result.
func (v *Versus) Comparison(c *result.Case) result.Comparison {
	o := result.Comparison{
		Metric:    v.Metric.Name,
		Unit:      v.Metric.Unit,
		Exact:     v.Exact,
		Tolerance: v.tolerance,
		Alpha:     v.Alpha,
		Within:    v.unlike(),
		Base:      v.Base,
		Candidate: v.Own,
		Ratio:     v.quotient(),
		Change:    v.Change(),
	}
	if v.Used != nil {
		o.Pairs = v.taken
		o.Used = v.counted
		o.Rule = v.rule.Text
		o.RulePattern, o.RuleValues = v.rule.Pattern, v.rule.Values
		switch v.observation {
		case result.PerBlock:
			o.Blocks = v.Used.Pairs()
		case result.PerLaunch:
			o.Launches = v.Used.Pairs()
		case result.PerLayout:
			o.Launches = c.Launches
		}
		if n := len(c.Pairs.Layouts); n > 0 {
			o.Layouts, o.LayoutSpread = n, v.spread
		}
	}
	o.Runs = v.Runs
	if v.HasBounds && !v.IsBound() && v.High < math.Exp(pairs.Far) && v.Low > math.Exp(-pairs.Far) {
		low, high := v.Low, v.High
		o.Low = &low
		o.High = &high
		o.Confidence = v.Confidence()
	}
	if o.BaseBound, o.CandidateBound = v.baseBound, v.ownBound; v.IsBound() && v.HasBounds {
		o.Confidence = min(v.Confidence(), BothHold)
		if low := v.Low; low > 0 {
			o.Low = &low
		} else {
			high := v.High
			o.High = &high
		}
	}
	if o.Change == result.Unclear {
		s := v.unclear(c.Pairs.BaseName())
		o.Cause, o.Reason = v.UnclearCause(), s.Text
		o.Pattern, o.Values = s.Pattern, s.Values
	}
	return o
}

// Finding returns the two numbers that are compared, and their ratio. It returns nil if
// nothing is known of them.
func (v *Versus) Finding(text string) *result.Finding {
	if v.Why != "" || NotFinite(v.Own) || NotFinite(v.Base) {
		return nil
	}
	f := &result.Finding{Of: result.OfRatio, Text: text, Value: v.Own, Base: &v.Base, Unit: v.Metric.Unit}
	if !NotFinite(v.Ratio) {
		f.Ratio = &v.Ratio
	}
	return f
}
