package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// kind is what a leaf asks: something that only a function can answer, how a number compares
// with a limit, or any other term. What only some kinds can do is an interface at the place that asks for it.
type kind interface {
	// judge decides the leaf after sampling. negated is true if an odd number of nots enclose it.
	judge(j *judging, l *leaf, negated bool) outcome
}

// leaf decides one leaf after sampling.
func (j *judging) leaf(l *leaf, negated bool) outcome {
	j = j.of(l, negated)
	if j.gate.Unpaired && l.hangsOnBase() {
		return j.unpairedLeaf(l, negated)
	}
	return j.secondOpinion(l, l.kind.(kind).judge(j, l, negated))
}

// doubt decides a leaf whose numbers are not known well enough to evaluate it with them. The
// second result is false if it does not apply to the leaf.
type doubt func(j *judging, l *leaf) (o outcome, applies bool)

// The doubts in their order: the first that applies decides. A leaf with an arc that nobody measured,
// or with a percentile of an overloaded loop, is not evaluated at all. Otherwise the ratios come
// first, which may have no interval, then the interval of a median, and then values that the clock
// cannot resolve. Bounds of killed runs come last, because a comparison may still be decided by them.
var (
	beforeValues = []doubt{overArcs, saturated}
	ofValues     = []doubt{overRatios, byInterval, unresolved, imprecise}
)

func (c *comparison) judge(j *judging, l *leaf, negated bool) outcome { return j.byValues(l, negated) }
func (t *term) judge(j *judging, l *leaf, negated bool) outcome       { return j.byValues(l, negated) }

// byValues evaluates a leaf with point values, unless a doubt applies.
func (j *judging) byValues(l *leaf, negated bool) outcome {
	if o, applies := first(beforeValues, j, l); applies {
		return o
	}
	form, notes := j.form(l)
	o, applies := first(ofValues, j, l)
	if !applies {
		if o, applies = j.censored(l); !applies {
			o = j.plain(l, negated)
		}
		o.form = form
	}
	o.notes = append(o.notes, notes...)
	return o
}

// first returns the outcome of the first doubt that applies.
func first(doubts []doubt, j *judging, l *leaf) (outcome, bool) {
	for _, d := range doubts {
		if o, applies := d(j, l); applies {
			return o, true
		}
	}
	return outcome{}, false
}

// form returns FormExact if every metric of a leaf is exact, else FormPoint, and a note for each
// metric that should have been exact and varied.
func (j *judging) form(l *leaf) (result.Form, []string) {
	form, notes := result.FormExact, []string(nil)
	for _, m := range l.mentions {
		if m.by != nil {
			if !m.by.(judgedOperand).isExact(j, m) {
				form = result.FormPoint
			}
			continue
		}
		_, sum, err := j.summary(m)
		if err != nil || sum.Exact && !m.metric.Counted {
			continue
		}
		form = result.FormPoint
		if m.metric.Exact && !sum.Exact {
			notes = append(notes, fmt.Sprintf("%s was not the same every time: %s", m.metric.Name, sides.RangeOf(sum)))
		}
	}
	return form, notes
}

// overArcs and overRatios are the doubts about the values of functions.
func overArcs(j *judging, l *leaf) (outcome, bool)   { return unknownFunction(j, l, true) }
func overRatios(j *judging, l *leaf) (outcome, bool) { return unknownFunction(j, l, false) }

// unknownFunction decides a leaf by the first function in it, of arcs or of ratios, whose value is not known.
func unknownFunction(j *judging, l *leaf, arcs bool) (outcome, bool) {
	for _, m := range l.mentions {
		if m.by == nil || (m.reading().Of == result.OfArc) != arcs {
			continue
		}
		if o, applies := m.by.(judgedOperand).decideUnknown(j, l, m); applies {
			return o, true
		}
	}
	return outcome{}, false
}

// byInterval decides the comparison of a headline with a limit by the confidence interval. It does
// not apply if the metric does not vary, or the case does not have it.
func byInterval(j *judging, l *leaf) (outcome, bool) {
	c := l.compare()
	if c == nil || !c.mention.headline() || !c.mention.metric.Sampled {
		return outcome{}, false
	}
	m := c.mention
	s, sum, err := j.summary(m)
	if err != nil || sum.Exact {
		return outcome{}, false
	}
	limit, err := c.limit.number(j)
	if err != nil {
		return broken(err), true
	}
	if below, is := sides.BelowResolution(s.Case, m.metric.Name); is {
		o := decided(below.Against(c.operator, limit), result.FormInterval, boundText(s.Case, m, limit))
		if o.verdict == result.Inconclusive {
			o.cause = result.CauseResolution
		}
		return o, true
	}
	e := s.Evidence(m.metric.Name)
	if e.Err != nil {
		cause := result.CauseFewSamples
		if s.Settings.Sampling == "once" {
			cause = result.CauseNoInterval
		}
		return undecided(cause, result.FormInterval, tooFewText(s.Case, m, sum, e)), true
	}
	return decided(e.Against(c.operator, limit), result.FormInterval, intervalText(s.Case, m, sum, e, limit)), true
}

// unresolved makes a leaf inconclusive if it mentions a value below resolution, because only a
// bound of that value is known.
func unresolved(j *judging, l *leaf) (outcome, bool) {
	for _, m := range l.mentions {
		s, _, err := j.summary(m)
		if err != nil || m.by != nil {
			continue
		}
		if _, below := sides.BelowResolution(s.Case, m.metric.Name); below && m.stat != "n" {
			return undecided(result.CauseResolution, result.FormPoint, m.text+" is "+bound(s.Case, m)), true
		}
	}
	return outcome{}, false
}

// imprecise makes the comparison of a statistic with a limit inconclusive if the limit is within
// the error of the statistic, such as a step of the clock.
func imprecise(j *judging, l *leaf) (outcome, bool) {
	c := l.compare()
	if c == nil || c.mention.by != nil || !slices.Contains(inUnit, c.mention.stat) {
		return outcome{}, false
	}
	_, sum, err := j.summary(c.mention)
	if err != nil || sum.Error == 0 {
		return outcome{}, false
	}
	limit, err := c.limit.number(j)
	if err != nil {
		return broken(err), true
	}
	x := j.value(c.mention)
	if (sides.Span{Low: max(x-sum.Error, 0), High: x + sum.Error}).Against(c.operator, limit) != result.Inconclusive {
		return outcome{}, false
	}
	unit := c.mention.metric.Unit
	return undecided(result.CauseResolution, result.FormPoint,
		fmt.Sprintf("%s is %s, which may be wrong by %s, and the limit is %s",
			c.mention.text, units.Format(x, unit), units.Format(sum.Error, unit), units.Format(limit, unit))), true
}

// inUnit lists the statistics that have the error of single values.
var inUnit = []string{"median", "mean", "min", "max", "p50", "p90", "p95", "p99"}

// plain compares point values.
func (j *judging) plain(l *leaf, negated bool) outcome {
	if slices.ContainsFunc(l.mentions, func(m mention) bool { return m.metric.Name == "exit_code" }) {
		return j.everyRun(l, negated)
	}
	holds, err := j.holds(l)
	if err != nil {
		return j.failed(l, err)
	}
	return outcome{verdict: truth(holds), reasons: []string{j.plainText(l, holds)}}
}

// holds evaluates a leaf on point values.
func (j *judging) holds(l *leaf) (bool, error) {
	if t, is := l.kind.(*term); is {
		out, err := t.program.Run(j.env())
		return out == true, err
	}
	c := l.compare()
	x := j.value(c.mention)
	if sides.NotFinite(x) {
		return false, fmt.Errorf("%q has no value", c.mention.text)
	}
	at, err := c.limit.number(j)
	return sides.Span{Low: x, High: x}.Against(c.operator, at) == result.Pass, err
}

// everyRun evaluates a leaf that mentions the exit status, once for each status that occurred.
// The leaf is true if it is true for all of them; inside a not, if it is true for any. So a
// single run with another status is enough to fail the gate.
func (j *judging) everyRun(l *leaf, negated bool) outcome {
	j.env() // makes current independent of the summaries
	read := j.valuesOf(j.own)
	seen := exitCodes(j.own.Case)
	if len(seen) == 0 {
		seen = []float64{read.metrics.ExitCode}
	}
	var last outcome
	for _, x := range seen {
		read.current().ExitCode = x
		holds, err := j.holds(l)
		if err != nil {
			return j.failed(l, err)
		}
		last = outcome{verdict: truth(holds), reasons: []string{j.plainText(l, holds)}}
		if holds == negated {
			return last
		}
	}
	if len(j.own.Case.Samples.Censored) > 0 { // killed runs have no exit status
		return undecided(result.CauseKilled, "", l.text+": "+sides.Killed(j.own.Case)+", and they have no exit status")
	}
	return last
}

// exitCodes lists the statuses of all runs, each once, ascending.
func exitCodes(c *result.Case) []float64 {
	seen := slices.Clone(c.Samples.Column("exit_code").Present())
	slices.Sort(seen)
	return slices.Compact(seen)
}

// failed returns the outcome of a leaf without a value. It looks for a missing metric first,
// because that is a clearer reason than the error of the expression.
func (j *judging) failed(l *leaf, err error) outcome {
	for _, m := range l.mentions {
		_, sum, missing := j.summary(m)
		if missing != nil && m.reading().Of != result.OfArc {
			return without(missing)
		}
		if missing == nil {
			if err := undefined(m, sum); err != nil {
				return undecided(sides.CauseOf(err), "", err.Error())
			}
		}
	}
	return broken(err)
}

func intervalText(c *result.Case, m mention, s *result.Summary, e sides.Evidence, limit float64) string {
	unit := m.metric.Unit
	text := fmt.Sprintf("%s is %s%s, 99%% interval ", m.text, boundSign(s, "median"), units.Format(s.Median, unit))
	if math.IsInf(e.High, 1) {
		return text + fmt.Sprintf("from %s, without an upper end: %s; limit %s",
			units.Format(e.Low, unit), sides.Killed(c), units.Format(limit, unit))
	}
	return text + fmt.Sprintf("[%s, %s], limit %s",
		units.Format(e.Low, unit), units.Format(e.High, unit), units.Format(limit, unit))
}

func tooFewText(c *result.Case, m mention, s *result.Summary, e sides.Evidence) string {
	if c.Settings.Sampling == "once" {
		return fmt.Sprintf("%s is %s; a single pass has no interval", m.text, units.Format(s.Median, m.metric.Unit))
	}
	if m.metric.Quantile > 0 {
		return fewIterations(c, m, s)
	}
	return fmt.Sprintf("%s is %s; a 99%% interval needs %d blocks of samples, and there are %d",
		m.text, units.Format(s.Median, m.metric.Unit), sides.LeastBlocks, e.Blocks)
}

func boundText(c *result.Case, m mention, limit float64) string {
	return fmt.Sprintf("%s is %s, limit %s", m.text, bound(c, m), units.Format(limit, m.metric.Unit))
}

func bound(c *result.Case, m mention) string {
	at, _ := sides.BelowResolution(c, m.metric.Name)
	if math.IsInf(at.High, 1) {
		return "above " + units.Format(at.Low, m.metric.Unit) + " (the time is below resolution)"
	}
	return "below resolution (less than " + units.Format(at.High, m.metric.Unit) + ")"
}

func (j *judging) plainText(l *leaf, holds bool) string {
	if len(l.mentions) == 0 {
		return fmt.Sprintf("%s is %t", l.text, holds)
	}
	var said []string
	for _, m := range l.mentions {
		text := fmt.Sprintf("%s is %s", m.text, units.Format(j.value(m), unitOf(m)))
		if note := j.note(m); note != "" {
			text += " (" + note + ")"
		}
		said = append(said, text)
	}
	text := strings.Join(units.Distinct(said), ", ")
	if c := l.compare(); c != nil {
		if limit, err := c.limit.number(j); err == nil {
			return text + ", limit " + units.Format(limit, unitOf(c.mention))
		}
	}
	return l.text + ": " + text
}

// fewIterations explains why a percentile has no interval.
func fewIterations(c *result.Case, m mention, s *result.Summary) string {
	text := fmt.Sprintf("%s is %s in %s", m.text, units.Format(s.Median, m.metric.Unit), units.Plural(s.N, "iteration"))
	needed := math.Ceil(math.Log((1-sides.Confidence)/2) / math.Log(m.metric.Quantile))
	text += fmt.Sprintf("; a 99%% interval needs %.0f that do not depend on each other, in at least %d batches",
		needed, sides.LeastBlocks)
	if a := c.Latency.Arrivals; a != nil && a.Unserved > 0 {
		text += fmt.Sprintf(", and %d were due that had not begun", a.Unserved)
	}
	return text
}

// saturated leaves a leaf undecided that reads a percentile of a case whose iterations are due
// faster than they end. The second result is false for other leaves. Comparisons find out
// by themselves: see flawed.
func saturated(j *judging, l *leaf) (outcome, bool) {
	for _, m := range l.mentions {
		if m.metric.Quantile == 0 || m.by != nil {
			continue
		}
		if s, _, err := j.summary(m); err == nil && s.Latency != nil && s.Latency.Arrivals.Saturated() {
			return undecided(result.CauseSaturated, result.FormInterval,
				m.text+": "+sides.SaturatedText(s.Latency.Arrivals)), true
		}
	}
	return outcome{}, false
}
