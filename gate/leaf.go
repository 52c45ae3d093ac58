package gate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// judging judges one gate after sampling.
type judging struct {
	gate  *gate
	own   *subject
	cases *cases
	alpha float64 // the chance of a false alarm of one comparative call, each way
	host  func(shard int) Host
}

// env returns the values that the expression reads. All gates of a case share them, because they
// have the same parameters.
func (j *judging) env() any {
	if j.own.env == nil || reflect.TypeOf(j.own.env).Elem() != j.gate.rule.env {
		e := &Env{Metrics: *j.own.values(), Versus: j.functions(), Host: j.host(j.own.Shard)}
		base, _ := j.cases.findBase(j.own, j.basis()) // nil: its values are absent
		j.own.env = newParams(j.gate.Source).env(j.gate.rule.env, e, j.own.Case, base, j.other)
	}
	return j.own.env
}

func (j *judging) other(name string) (*subject, error) { return j.find(&reference{name: name}) }

// find looks up a case of the same suite. nil means the gate's own case. The error is non-nil if
// the case was not measured.
func (j *judging) find(other *reference) (*subject, error) {
	switch {
	case other == nil:
		return j.own, nil
	case other.base:
		return j.cases.findBase(j.own, j.basis())
	}
	s := j.cases.byKey[caseKey{j.own.Suite, other.name}]
	switch {
	case s == nil || s.Status == result.NotRun:
		return nil, because(result.CauseNotRun, "case %q was not measured in this run", other.name)
	case s.Status != result.Measured:
		return nil, because(result.CauseNotMeasured, "case %q could not be measured", other.name)
	}
	return s, nil
}

// summary finds the summary that a mention refers to, and its case.
func (j *judging) summary(m mention) (*subject, *result.Summary, error) {
	s, err := j.find(m.other)
	if err != nil {
		return nil, nil, err
	}
	sum := s.Summary(m.metric.Name)
	if sum == nil {
		return nil, nil, missingOf(s.Case, m.metric)
	}
	return s, sum, nil
}

// whyNot explains why a case lacks a metric: by the failure of its counters if a warning mentions
// one, else by the systems or settings that the metric needs.
func whyNot(c *result.Case, m result.Metric) string {
	if m.OptIn != "" {
		if why := refused(c, result.WarnNoCounters, m.Name); why != "" {
			return why
		}
		return "it is available " + m.When
	}
	if why := refused(c, result.WarnNoAllocations, m.Name); why != "" && !m.Sampled {
		return why
	}
	if m.When == "everywhere" || strings.HasPrefix(m.When, "with ") {
		return "it is available " + m.When
	}
	return "it is available on " + m.When
}

// refused returns the message of the warning with this code that names the metric. If there is
// none, it returns the message of the first warning with the code, or "".
func refused(c *result.Case, code result.WarningCode, metric string) (why string) {
	for _, w := range c.Warnings {
		if w.Code != code {
			continue
		}
		if slices.Contains(w.Metrics, metric) {
			return w.Message
		}
		if why == "" {
			why = w.Message
		}
	}
	return why
}

// leaf decides one leaf by the strongest form that its shape and its metrics allow.
func (j *judging) leaf(l *leaf, negated bool) outcome {
	switch {
	case j.gate.Unpaired && l.hangsOnBase():
		return j.unpairedLeaf(l, negated)
	case l.call != nil:
		return j.call(l.call)
	case l.growth != nil:
		return j.growth(l.growth)
	case l.trend != nil:
		return j.drift(l, negated)
	}
	if o, done := j.arcs(l); done {
		return o
	}
	if o, done := j.saturated(l); done {
		return o
	}
	form, notes := j.form(l)
	o, done := j.ratio(l)
	if done {
		o.notes = append(o.notes, notes...)
		return o
	}
	if c := l.compare; c != nil && form == result.FormPoint && c.mention.headline() {
		o, done = j.interval(c)
	}
	if !done {
		o, done = j.unresolved(l)
	}
	if !done {
		o, done = j.imprecise(l)
	}
	if !done {
		o, done = j.censored(l)
		o.form = form
	}
	if !done {
		o = j.plain(l, negated)
		o.form = form
	}
	o.notes = append(o.notes, notes...)
	return o
}

// form returns FormExact if every metric of a leaf is exact, else FormPoint, and a note for each
// metric that should have been exact and varied.
func (j *judging) form(l *leaf) (result.Form, []string) {
	form, notes := result.FormExact, []string(nil)
	for _, m := range l.mentions {
		if m.versus == geomean || m.arc != nil {
			form = result.FormPoint
			continue
		}
		if m.versus != "" {
			if v, err := j.ratioOf(m.metric, 0, ratioAlpha); err == nil && !v.exact {
				form = result.FormPoint
			}
			continue
		}
		_, sum, err := j.summary(m)
		if err != nil || sum.Exact && !isSimulated(m.metric) {
			continue
		}
		form = result.FormPoint
		if sum.Exact {
			continue
		}
		if m.metric.Exact {
			notes = append(notes, fmt.Sprintf("%s was not the same every time: %s", m.metric.Name, rangeOf(sum)))
		}
	}
	return form, notes
}

// interval decides the comparison of a headline with a limit by the confidence interval. The
// second result is false if the metric is not sampled or the case does not have it.
func (j *judging) interval(c *comparison) (outcome, bool) {
	m := c.mention
	s, sum, err := j.summary(m)
	if err != nil || !m.metric.Sampled {
		return outcome{}, false
	}
	limit, err := j.number(c.limit)
	if err != nil {
		return broken(err), true
	}
	if below, is := belowResolution(s.Case, m.metric.Name); is {
		o := decided(below.against(c.operator, limit), result.FormInterval, boundText(s.Case, m, limit))
		if o.verdict == result.Inconclusive {
			o.cause = result.CauseResolution
		}
		return o, true
	}
	e := s.evidence(m.metric.Name)
	if e.err != nil {
		cause := result.CauseFewSamples
		if s.Settings.Sampling == "once" {
			cause = result.CauseNoInterval
		}
		return undecided(cause, result.FormInterval, tooFewText(s.Case, m, sum, e)), true
	}
	return decided(e.against(c.operator, limit), result.FormInterval, intervalText(s.Case, m, sum, e, limit)), true
}

func (j *judging) number(l limit) (float64, error) {
	if l.program == nil {
		return l.value, nil
	}
	x, err := l.program.Run(j.env())
	if err != nil {
		return 0, err
	}
	number, ok := x.(float64)
	if !ok {
		return 0, fmt.Errorf("%q is not a number", l.program.Text.Value)
	}
	return number, nil
}

// unresolved makes a leaf inconclusive if it mentions a value below resolution, because only a
// bound of that value is known. The second result is false for other leaves.
func (j *judging) unresolved(l *leaf) (outcome, bool) {
	for _, m := range l.mentions {
		s, _, err := j.summary(m)
		if err != nil || m.versus != "" || m.arc != nil {
			continue
		}
		if _, below := belowResolution(s.Case, m.metric.Name); below && m.stat != "n" {
			return undecided(result.CauseResolution, result.FormPoint, m.text+" is "+bound(s.Case, m)), true
		}
	}
	return outcome{}, false
}

// imprecise makes the comparison of a statistic with a limit inconclusive if the limit is within
// the error of the statistic, such as a step of the clock. The second result is false for other
// leaves.
func (j *judging) imprecise(l *leaf) (outcome, bool) {
	c := l.compare
	if c == nil || c.mention.versus != "" || c.mention.arc != nil || !slices.Contains(inUnit, c.mention.stat) {
		return outcome{}, false
	}
	_, sum, err := j.summary(c.mention)
	if err != nil || sum.Error == 0 {
		return outcome{}, false
	}
	limit, err := j.number(c.limit)
	if err != nil {
		return broken(err), true
	}
	x := j.value(c.mention)
	if (span{max(x-sum.Error, 0), x + sum.Error}).against(c.operator, limit) != result.Inconclusive {
		return outcome{}, false
	}
	unit := c.mention.metric.Unit
	return undecided(result.CauseResolution, result.FormPoint, fmt.Sprintf("%s is %s, which may be wrong by %s, and the limit is %s",
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
	c := l.compare
	if c == nil {
		out, err := l.program.Run(j.env())
		return out == true, err
	}
	x := j.value(c.mention)
	if notFinite(x) {
		return false, fmt.Errorf("%q has no value", c.mention.text)
	}
	at, err := j.number(c.limit)
	return span{x, x}.against(c.operator, at) == result.Pass, err
}

func truth(holds bool) result.Verdict {
	if holds {
		return result.Pass
	}
	return result.Fail
}

// everyRun evaluates a leaf that mentions the exit status, once for each status that occurred.
// The leaf is true if it is true for all of them; inside a not, if it is true for any. So a
// single run with another status is enough to fail the gate.
func (j *judging) everyRun(l *leaf, negated bool) outcome {
	j.env() // makes current independent of the summaries
	seen := exitCodes(j.own.Case)
	if len(seen) == 0 {
		seen = []float64{j.own.values().ExitCode}
	}
	var last outcome
	for _, x := range seen {
		j.own.current().ExitCode = x
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
		return undecided(result.CauseKilled, "", l.text+": "+killed(j.own.Case)+", and they have no exit status")
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
		if missing != nil && m.arc == nil {
			return without(missing)
		}
		if missing == nil {
			if err := undefined(m, sum); err != nil {
				return undecided(causeOf(err), "", err.Error())
			}
		}
	}
	return broken(err)
}

// message returns the text of an error without its place, which the gate already has.
func message(err error) string {
	var p diag.Problem
	if errors.As(err, &p) {
		return p.Message
	}
	return err.Error()
}
