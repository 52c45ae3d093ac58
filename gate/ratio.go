package gate

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// ratio is case ÷ base, ratio(metric), or an end of its interval, ci(metric).low.
type ratio struct {
	end string // low or high; empty: the ratio itself
}

func (ratio) unit(mention) string { return "" }

var _ judgedOperand = ratio{}

func (ratio) compares() bool { return true }

func (r ratio) reading(m mention) result.Reading {
	return result.Reading{Of: result.OfRatio, Metric: m.metric.Name, Statistic: r.end}
}

func (ratio) note(*judging, mention) string { return "" }

func (ratio) isExact(j *judging, m mention) bool {
	v, err := j.ratioOf(m.metric, 0, evenly(sides.RatioAlpha))
	return err != nil || v.Exact
}

func (ratio) interval(j *judging, m mention) (at sides.Span, known bool) {
	v, err := j.ratioOf(m.metric, 0, evenly(sides.RatioAlpha))
	if err != nil || !v.HasBounds {
		return sides.Span{}, false
	}
	return sides.Span{Low: v.Low, High: v.High}, true
}

// decideUnknown decides `ratio(metric) operator limit` by the ratio's interval. Any other leaf with a
// ratio is undecided if the ratio has no interval.
func (r ratio) decideUnknown(j *judging, l *leaf, m mention) (outcome, bool) {
	v, err := j.ratioOf(m.metric, 0, evenly(sides.RatioAlpha))
	if err != nil {
		return without(err), true
	}
	if !v.Exact && (v.Why != "" || !v.HasBounds) {
		return undecided(v.UnclearCause(), result.FormInterval, v.Unknown(j.baseName())), true
	}
	if c := l.compare(); c != nil && r.end == "" {
		return r.against(j, c, v), true
	}
	if v.IsBound() {
		return undecided(result.CauseResolution, result.FormInterval, v.Unknown(j.baseName())), true
	}
	return outcome{}, false
}

// against decides a comparison with a limit by the interval of v.
func (ratio) against(j *judging, c *comparison, v *sides.Versus) outcome {
	limit, err := c.limit.number(j)
	if err != nil {
		return broken(err)
	}
	at, form := sides.Span{Low: v.Low, High: v.High}, result.FormInterval
	if v.Exact {
		at, form = sides.Span{Low: v.Ratio, High: v.Ratio}, v.FormOf()
	}
	of := "of"
	if v.IsBound() {
		of = v.Sign()
	}
	o := decided(at.Against(c.operator, limit), form,
		v.MoveText(j.baseName())+fmt.Sprintf(": a ratio %s %s, limit %s", of,
			sides.Number(v.Ratio), sides.Number(limit)))
	if o.verdict == result.Inconclusive {
		o.cause = v.UnclearCause()
	}
	return o
}

func (j *judging) named(name string) (*sides.Versus, error) {
	m, known := j.own.Metric(name)
	if at, is := metrics[name]; is && !known {
		m = at
	}
	return j.ratioOf(m, 0, evenly(sides.RatioAlpha))
}

func (j *judging) ratioFunction(m Metric) (float64, error) {
	v, err := j.named(m.name)
	if err != nil {
		return 0, err
	}
	return v.Ratio, nil
}

func (j *judging) intervalFunction(m Metric) (*Interval, error) {
	v, err := j.named(m.name)
	switch {
	case err != nil:
		return nil, err
	case v.Exact:
		return &Interval{v.Ratio, v.Ratio}, nil
	case !v.HasBounds:
		return nil, &sides.Absence{Cause: v.UnclearCause(), Text: v.Unknown(j.baseName())}
	}
	return &Interval{v.Low, v.High}, nil
}

func (r ratio) value(j *judging, m mention) float64 {
	v, err := j.ratioOf(m.metric, 0, evenly(sides.RatioAlpha))
	switch {
	case err != nil || v.Why != "":
		return math.NaN()
	case r.end == "" || v.Exact:
		return v.Ratio
	case !v.HasBounds || v.IsBound():
		return math.NaN()
	case r.end == "low":
		return v.Low
	}
	return v.High
}

// listed returns the ratio with the interval that decided: the interval of a call if the
// expression has one for the metric, else the interval of the ratio.
func (r ratio) listed(j *judging, m mention) result.Value {
	out := result.Value{Text: m.text, Value: r.value(j, m)}
	if j.gate.Unpaired {
		return r.savedListed(j, m, out)
	}
	v, err := j.ratioOf(m.metric, 0, evenly(sides.RatioAlpha))
	if at := slices.IndexFunc(j.gate.rule.calls, func(c claim) bool {
		return c.metric.Name == m.metric.Name
	}); at >= 0 {
		v, err = j.ratioOf(m.metric, j.gate.rule.calls[at].tolerance, j.risks)
	}
	switch {
	case err != nil:
	case v.Exact:
		out.Note = fmt.Sprintf("%s, and %s in %s",
			units.Format(v.Own, m.metric.Unit), units.Format(v.Base, m.metric.Unit), j.baseName())
	case v.IsBound():
		out.Note = fmt.Sprintf("a bound: %s", v.BoundSentence(j.baseName()).Text)
	case v.HasBounds:
		out.Note = fmt.Sprintf("of %s with %s", v.Basis(), j.baseName())
		if r.end == "" {
			out.Low = &v.Low
			out.High = &v.High
			out.Confidence = v.Confidence()
		}
	}
	return out
}

func (r ratio) steers() bool { return r.end == "" }

func (ratio) steer(j *judging, c *comparison, limit float64) result.Verdict {
	v, none := pairsSoFar(j.own, c.mention.metric, 0, evenly(sides.RatioAlpha))
	if v == nil {
		return none
	}
	if v.Used != nil {
		v.Bounded()
	}
	if !v.HasBounds {
		return result.Inconclusive
	}
	at := sides.Span{Low: v.Low, High: v.High}
	if verdict := at.Against(c.operator, limit); verdict != result.Inconclusive {
		return verdict
	}
	if v.High-v.Low < hopeless*math.Abs(limit) {
		return givenUp
	}
	return result.Inconclusive
}

// pairsSoFar compares the pairs taken so far. If no pair has the metric on both sides, or if more
// pairs would not make a ratio, it returns nil and the verdict that results from that.
func pairsSoFar(
	s *sides.Subject, m result.Metric, tolerance float64, r risks,
) (v *sides.Versus, hopeless result.Verdict) {
	if m.Counted {
		if v = sides.CountedOf(s.Case, m, tolerance, r.alpha, r.within); v == nil {
			return nil, result.NotJudged // they are counted after the samples
		}
		return v, result.Inconclusive
	}
	p, ok := sides.PairedOf(s.Case, m)
	switch {
	case !ok && s.Samples.Len() > 0:
		return nil, result.NotJudged
	case !ok:
		return nil, result.Inconclusive
	}
	v = p.JudgedAt(m, tolerance, r.alpha, r.within)
	if v.Why != "" {
		return nil, givenUp
	}
	return v, ""
}

func (r ratio) againstSaved(j *judging, l *leaf, c *comparison, negated bool) outcome {
	t, err := j.saved().tripwire(c.mention.metric, 0)
	if err != nil {
		return broken(err)
	}
	limit, err := c.limit.number(j)
	switch {
	case err != nil:
		return broken(err)
	case t.Why != "":
		return undecided(t.Cause, "", t.Unknown(j.gate.Base))
	}
	value := t.Ratio
	plain := t.plain()
	wide := t.wide()
	switch {
	case t.Exact:
		plain, wide = sides.Span{Low: t.Ratio, High: t.Ratio}, sides.Span{Low: t.Ratio, High: t.Ratio}
	case r.end == "low":
		value, plain = t.Low, sides.Span{Low: t.Low, High: t.Low}
	case r.end == "high":
		value, plain = t.High, sides.Span{Low: t.High, High: t.High}
	}
	v := l.settle(plain.Against(c.operator, limit), wide.Against(c.operator, limit), negated)
	return decided(v, "",
		fmt.Sprintf("%s: %s is %s, limit %s%s",
			t.MoveText(j.gate.Base), c.mention.text, sides.Number(value), sides.Number(limit),
			t.doubtText(v, c.operator, limit, negated, sides.Number)))
}

// savedListed is listed for a ratio to a saved result.
func (r ratio) savedListed(j *judging, m mention, out result.Value) result.Value {
	out.Note = "of medians, unpaired with " + j.gate.Base
	t, err := j.saved().tripwire(m.metric, 0)
	switch {
	case err != nil:
		return out
	case t.Exact:
		out.Note = fmt.Sprintf("%s, and %s in %s",
			units.Format(t.Own, m.metric.Unit), units.Format(t.Base, m.metric.Unit), j.gate.Base)
		return out
	case !t.HasBounds || r.end != "":
		return out
	}
	low, high := t.Low, t.High
	out.Low, out.Confidence = &low, sides.BothHold
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

// ratio and ci are of the ratio to the base.
var (
	_ = define(function{Function: Function{
		Name:   "ratio",
		OfBase: true,
		Usage:  "ratio(time) < 1.05",
		Takes:  "ratio takes a metric",
		Type:   reflect.TypeFor[func(Metric) (float64, error)](),
		Number: recogniseRatio,
		Misuse: onlyAlone,
		Fault:  metricFault,
	}, call: func(j *judging) any { return j.ratioFunction }})
	_ = define(function{Function: Function{
		Name:   "ci",
		OfBase: true,
		Usage:  "ci(time).high < 1.05",
		Takes:  "ci takes a metric",
		Type:   reflect.TypeFor[func(Metric) (*Interval, error)](),
		Number: recogniseEnd,
		Misuse: endless,
		Fault:  endlessFault,
	}, call: func(j *judging) any { return j.intervalFunction }})
)

// recogniseRatio recognises ratio(metric).
func recogniseRatio(b *builder, n ast.Node) (mention, bool) {
	m, ok := b.ofMetric(n, "ratio")
	from, _ := b.program.Span(n)
	return mention{text: b.written(n), at: from, metric: m, by: ratio{}}, ok
}

// recogniseEnd recognises ci(metric).low and ci(metric).high.
func recogniseEnd(b *builder, n ast.Node) (mention, bool) {
	end, ok := property(n)
	if !ok || end != "low" && end != "high" {
		return mention{}, false
	}
	m, ok := b.ofMetric(n.(*ast.MemberNode).Node, "ci")
	from, _ := b.program.Span(n)
	return mention{text: b.written(n), at: from, metric: m, by: ratio{end}}, ok
}

// endless adds a problem for an interval without its end.
func endless(b *builder, f *Function, n *ast.CallNode) {
	if !b.notMetric(f, n) {
		from, _ := b.program.Span(n)
		b.problem(from, "ci needs the end of the interval right after it", f.Usage)
	}
}

func endlessFault(b *builder, row *Function, f *lang.Fault) (better, hint string, ok bool) {
	better, hint, ok = metricFault(b, row, f)
	if !ok && f.Mentions("Interval") {
		return "ci is an interval, and has two ends", row.Usage, true
	}
	return better, hint, ok
}

func (r ratio) finding(j *judging, m mention) *result.Finding {
	if r.end != "" {
		return valueOf(j, m)
	}
	v, err := j.ratioOf(m.metric, 0, evenly(sides.RatioAlpha))
	if err != nil {
		return nil
	}
	return v.Finding(m.metric.Name)
}
