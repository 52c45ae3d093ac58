package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/expr-lang/expr/ast"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// ratio is case ÷ base, ratio(metric), or an end of its interval, ci(metric).low.
type ratio struct {
	end string // low or high; empty: the ratio itself
}

func (ratio) unit(mention) string { return "" }

func (r ratio) reading(m mention) result.Reading {
	return result.Reading{Of: result.OfRatio, Metric: m.metric.Name, Statistic: r.end}
}

func (ratio) note(*judging, mention) string { return "" }

func (ratio) isExact(j *judging, m mention) bool {
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	return err != nil || v.exact
}

func (ratio) interval(j *judging, m mention) (at span, known bool) {
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	if err != nil || !v.hasBounds {
		return span{}, false
	}
	return span{v.low, v.high}, true
}

// doubt decides `ratio(metric) operator limit` by the ratio's interval. Any other leaf with a
// ratio is undecided if the ratio has no interval.
func (r ratio) doubt(j *judging, l *leaf, m mention) (outcome, bool) {
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	if err != nil {
		return without(err), true
	}
	if !v.exact && (v.why != "" || !v.hasBounds) {
		return undecided(v.unclearCause(), result.FormInterval, v.unknown(j.baseName())), true
	}
	if c := l.compare(); c != nil && r.end == "" {
		return j.ratioAgainst(c, v), true
	}
	if v.isBound() {
		return undecided(result.CauseResolution, result.FormInterval, v.unknown(j.baseName())), true
	}
	return outcome{}, false
}

func (j *judging) ratioAgainst(c *comparison, v *versus) outcome {
	limit, err := c.limit.number(j)
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

func (r ratio) value(j *judging, m mention) float64 {
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	switch {
	case err != nil || v.why != "":
		return math.NaN()
	case r.end == "" || v.exact:
		return v.ratio
	case !v.hasBounds || v.isBound():
		return math.NaN()
	case r.end == "low":
		return v.low
	}
	return v.high
}

// listed returns the ratio with the interval that decided: the interval of a call if the
// expression has one for the metric, else the interval of the ratio.
func (r ratio) listed(j *judging, m mention) result.Value {
	out := result.Value{Text: m.text, Value: r.value(j, m)}
	if j.gate.Unpaired {
		return r.savedListed(j, m, out)
	}
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	if at := slices.IndexFunc(j.gate.rule.calls, func(c claim) bool { return c.metric.Name == m.metric.Name }); at >= 0 {
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
		if r.end == "" {
			out.Low = &v.low
			out.High = &v.high
			out.Confidence = 1 - 2*v.alpha
		}
	}
	return out
}

func (r ratio) steers() bool { return r.end == "" }

func (ratio) steer(j *judging, c *comparison, limit float64) result.Verdict {
	v, none := pairsSoFar(j.own, c.mention.metric, 0, ratioAlpha)
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

// pairsSoFar compares the pairs taken so far. If no pair has the metric on both sides, or if more
// pairs would not make a ratio, it returns nil and the verdict that results from that.
func pairsSoFar(s *subject, m result.Metric, tolerance, alpha float64) (v *versus, hopeless result.Verdict) {
	p, ok := pairedOf(s.Case, m)
	switch {
	case !ok && s.Samples.Len() > 0:
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

func (r ratio) againstSaved(j *judging, l *leaf, c *comparison, negated bool) outcome {
	t, err := j.tripwire(c.mention.metric, 0)
	if err != nil {
		return broken(err)
	}
	limit, err := c.limit.number(j)
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
	case r.end == "low":
		value, plain = t.low, span{t.low, t.low}
	case r.end == "high":
		value, plain = t.high, span{t.high, t.high}
	}
	v := l.settle(plain.against(c.operator, limit), wide.against(c.operator, limit), negated)
	return decided(v, "", fmt.Sprintf("%s: %s is %s, limit %s%s", t.moveText(j.gate.Base), c.mention.text, number(value), number(limit), t.doubt(v, c.operator, limit, negated, number)))
}

// savedListed is listed for a ratio to a saved result.
func (r ratio) savedListed(j *judging, m mention, out result.Value) result.Value {
	out.Note = "of medians, unpaired with " + j.gate.Base
	t, err := j.tripwire(m.metric, 0)
	switch {
	case err != nil:
		return out
	case t.exact:
		out.Note = fmt.Sprintf("%s, and %s in %s", units.Format(t.own, m.metric.Unit), units.Format(t.base, m.metric.Unit), j.gate.Base)
		return out
	case !t.hasBounds || r.end != "":
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

// ratio recognises ratio(metric), ci(metric).low and ci(metric).high.
func (b *builder) ratio(n ast.Node) (mention, bool) {
	from, _ := b.program.Span(n)
	if _, m, ok := b.ofMetric(n, "ratio"); ok {
		return mention{text: b.written(n), at: from, metric: m, by: ratio{}}, true
	}
	if end, ok := property(n); ok && (end == "low" || end == "high") {
		if _, m, ok := b.ofMetric(n.(*ast.MemberNode).Node, "ci"); ok {
			return mention{text: b.written(n), at: from, metric: m, by: ratio{end}}, true
		}
	}
	return mention{}, false
}

func (ratio) finding(j *judging, m mention) *result.Finding {
	v, err := j.ratioOf(m.metric, 0, ratioAlpha)
	if err != nil {
		return nil
	}
	return v.finding(m.metric.Name)
}
