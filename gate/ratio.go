package gate

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// ratio decides `ratio(metric) operator limit` by the ratio's interval. Any other leaf with a
// ratio is undecided if the ratio has no interval. The second result is false for leaves that
// point values decide.
func (j *judging) ratio(l *leaf) (outcome, bool) {
	for _, m := range l.mentions {
		if m.versus == "" {
			continue
		}
		if m.versus == geomean {
			if o, unknown := j.unknownMean(m); unknown {
				return o, true
			}
			continue
		}
		v, err := j.ratioOf(m.metric, 0, ratioAlpha)
		if err != nil {
			return without(err), true
		}
		if !v.exact && (v.why != "" || !v.hasBounds) {
			return undecided(v.unclearCause(), result.FormInterval, v.unknown(j.baseName())), true
		}
		if c := l.compare; c != nil && m.versus == "ratio" {
			return j.ratioAgainst(c, v), true
		}
		if v.isBound() {
			return undecided(result.CauseResolution, result.FormInterval, v.unknown(j.baseName())), true
		}
	}
	return outcome{}, false
}

func (j *judging) ratioAgainst(c *comparison, v *versus) outcome {
	limit, err := j.number(c.limit)
	if err != nil {
		return broken(err)
	}
	at, form := span{v.low, v.high}, result.FormInterval
	if v.exact {
		at, form = span{v.ratio, v.ratio}, exactForm(v.metric)
	}
	of := "of"
	if v.isBound() {
		of = v.sign()
	}
	o := decided(at.against(c.operator, limit), form, v.moveText(j.baseName())+fmt.Sprintf(": a ratio %s %s, limit %s", of, number(v.ratio), number(limit)))
	if o.verdict == result.Inconclusive {
		o.cause = v.unclearCause()
	}
	return o
}

// functions are ratio and ci in expressions, used if they are part of a larger term.

func (j *judging) functions() Versus {
	return Versus{Ratio: j.ratioFunction, CI: j.intervalFunction, Geomean: j.geomeanFunction, Arc: j.arcFunction, Trend: j.trendFunction}
}

func (j *judging) named(name string) (*versus, error) {
	m, known := j.own.Metric(name)
	if at, is := metrics[name]; is && !known {
		m = at
	}
	return j.ratioOf(m, 0, ratioAlpha)
}

func (j *judging) ratioFunction(m Metric) (float64, error) {
	v, err := j.named(m.name)
	if err != nil {
		return 0, err
	}
	return v.ratio, nil
}

func (j *judging) intervalFunction(m Metric) (*Interval, error) {
	v, err := j.named(m.name)
	switch {
	case err != nil:
		return nil, err
	case v.exact:
		return &Interval{v.ratio, v.ratio}, nil
	case !v.hasBounds:
		return nil, &absence{cause: v.unclearCause(), text: v.unknown(j.baseName())}
	}
	return &Interval{v.low, v.high}, nil
}

// versusValue returns the ratio, an end of its interval or a mean, NaN if it is not known.
func (j *judging) versusValue(m mention) float64 {
	if m.versus == geomean {
		out, err := j.meanOf(m.metric)
		if err != nil || len(out.missing) > 0 {
			return math.NaN()
		}
		return out.value
	}
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	switch {
	case err != nil || v.why != "":
		return math.NaN()
	case m.versus == "ratio" || v.exact:
		return v.ratio
	case !v.hasBounds || v.isBound():
		return math.NaN()
	case m.versus == "low":
		return v.low
	}
	return v.high
}

// versusListed returns the ratio with the interval that decided: the interval of a call if the
// expression has one for the metric, else the interval of the ratio.
func (j *judging) versusListed(m mention) result.Value {
	out := result.Value{Text: m.text, Value: j.versusValue(m)}
	if m.versus == geomean {
		out.Note = j.meanNote(m)
		return out
	}
	if j.gate.Unpaired {
		return j.unpairedListed(m)
	}
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	if at := slices.IndexFunc(j.gate.rule.calls, func(c *call) bool { return c.metric.Name == m.metric.Name }); at >= 0 {
		v, err = j.ratioOf(m.metric, j.gate.rule.calls[at].tolerance, j.alpha)
	}
	switch {
	case err != nil:
	case v.exact:
		out.Note = fmt.Sprintf("%s, and %s in %s", units.Format(v.own, m.metric.Unit), units.Format(v.base, m.metric.Unit), j.baseName())
	case v.isBound():
		out.Note = fmt.Sprintf("a bound: %s", v.boundSentence(j.baseName()).Text)
	case v.hasBounds:
		out.Note = fmt.Sprintf("of %s with %s", v.observations(v.used.Pairs()), j.baseName())
		if m.versus == "ratio" {
			out.Low = &v.low
			out.High = &v.high
			out.Confidence = 1 - 2*v.alpha
		}
	}
	return out
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

// Interval is the value of ci(metric): the confidence interval of the ratio to the base.
type Interval struct {
	Low  float64 `expr:"low"`
	High float64 `expr:"high"`
}

// versus recognises ratio(metric), ci(metric).low, ci(metric).high and
// geomean("metric").
func (b *builder) versus(n ast.Node) (mention, bool) {
	if m, ok := b.geomean(n); ok {
		return m, true
	}
	from, _ := b.program.Span(n)
	if _, m, ok := b.ofMetric(n, "ratio"); ok {
		return mention{text: b.written(n), metric: m, versus: "ratio", at: from}, true
	}
	if end, ok := property(n); ok && (end == "low" || end == "high") {
		if _, m, ok := b.ofMetric(n.(*ast.MemberNode).Node, "ci"); ok {
			return mention{text: b.written(n), metric: m, versus: end, at: from}, true
		}
	}
	return mention{}, false
}
