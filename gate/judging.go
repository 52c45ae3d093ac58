package gate

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// function is a row of the table with what is called if its value is a part of a larger term; nil:
// nothing is, because a leaf of its own decides it.
type function struct {
	Function
	call func(j *judging) any
}

// judgedOperand is an operand while it is judged.
type judgedOperand interface {
	value(j *judging, m mention) float64 // NaN if it has none
	note(j *judging, m mention) string
	listed(j *judging, m mention) result.Value // with the interval that decided, if there is one
	isExact(j *judging, m mention) bool

	// decideUnknown decides a leaf that mentions the number if its value is not known well enough to
	// evaluate the leaf with it. The second result is false if the value is.
	decideUnknown(j *judging, l *leaf, m mention) (outcome, bool)
}

// compared is an operand that is a ratio to a base.
type compared interface {
	interval(j *judging, m mention) (at sides.Span, known bool)
}

// judging judges one gate after sampling.
type judging struct {
	gate  *gate
	own   *sides.Subject
	cases *sides.Cases

	functions []*function
	risks     // of one comparative call
	host      func(shard int) Host
	read      map[*sides.Subject]*values
}

// env returns the values that the expression reads. All gates of a case share them, because they
// have the same parameters.
func (j *judging) env() any {
	v := j.valuesOf(j.own)
	if v.env == nil || reflect.TypeOf(v.env).Elem() != j.gate.rule.env {
		base := numbers{&absent, &result.Case{}}
		if s, err := j.cases.FindBase(j.own, j.basis()); err == nil {
			base = numbers{j.valuesOf(s).metrics, s.Case}
		}
		in := inputs{own: numbers{v.metrics, j.own.Case}, base: base, host: j.host(j.own.Shard), find: j.other}
		for _, f := range j.functions {
			var called any
			if f.call != nil {
				called = f.call(j)
			}
			in.functions = append(in.functions, called)
		}
		v.env = newParams(j.gate.Source, j.gate.rule.functions).env(j.gate.rule.env, in)
	}
	return v.env
}

func (j *judging) other(name string) (numbers, error) {
	s, err := j.find(&reference{name: name})
	if err != nil {
		return numbers{}, err
	}
	return numbers{j.valuesOf(s).metrics, s.Case}, nil
}

// find looks up a case of the same suite. nil means the gate's own case. The error is non-nil if
// the case was not measured.
func (j *judging) find(other *reference) (*sides.Subject, error) {
	switch {
	case other == nil:
		return j.own, nil
	case other.base:
		return j.cases.FindBase(j.own, j.basis())
	}
	s := j.cases.ByKey[sides.Key{Suite: j.own.Suite, Name: other.name}]
	switch {
	case s == nil || s.Status == result.NotRun:
		return nil, sides.Because(result.CauseNotRun, "case %q was not measured in this run", other.name)
	case s.Status != result.Measured:
		return nil, sides.Because(result.CauseNotMeasured, "case %q could not be measured", other.name)
	}
	return s, nil
}

// summary finds the summary that a mention refers to, and its case.
func (j *judging) summary(m mention) (*sides.Subject, *result.Summary, error) {
	s, err := j.find(m.other)
	if err != nil {
		return nil, nil, err
	}
	sum := s.Summary(m.metric.Name)
	if sum == nil {
		return nil, nil, sides.MissingOf(s.Case, m.metric)
	}
	return s, sum, nil
}

// of returns how a leaf is judged. A call that is not negated, such as better(time, 3%), fails a gate by the answer
// that the change is not beyond the tolerance. That is an alarm too, so both answers get the error of one.
func (j *judging) of(l *leaf, negated bool) *judging {
	if negated && !l.condition {
		return j
	}
	strict := *j
	strict.risks = evenly(j.alpha)
	return &strict
}

// basis returns what the gate compares the case with. If the case has pairs, it is their base,
// because that is what was measured.
func (j *judging) basis() sides.Basis {
	switch {
	case j.gate.Unpaired:
		return sides.Basis{Name: j.gate.Base, Saved: true}
	case j.own.Pairs != nil:
		return sides.BasisOf(j.own.Case)
	}
	return sides.Basis{Name: j.gate.Base, Tree: j.gate.Tree}
}

func (j *judging) baseName() string { return j.basis().Name }

// unmatched returns why there is nothing to compare with, nil if there is something.
func (j *judging) unmatched() error {
	switch {
	case j.gate.Unmatched != "": // even if the case has pairs with a base
		return &sides.Absence{Cause: cmp.Or(j.gate.UnmatchedCause, result.CauseNoBase), Text: j.gate.Unmatched}
	case j.gate.Unpaired && j.own.Earlier == nil:
		return sides.Because(result.CauseNoBase, "the case is not in %s", j.gate.Base)
	case j.basis().Name == "":
		return sides.Because(result.CauseNoBase, "the case has no base to compare it with (base: NAME, or --against)")
	}
	return nil
}

// ratioOf compares the case with its base in one metric.
func (j *judging) ratioOf(m result.Metric, tolerance float64, r risks) (*sides.Versus, error) {
	if j.gate.Unpaired {
		t, err := j.saved().tripwire(m, tolerance)
		return t.Versus, err
	}
	return j.cases.Versus(j.own, j.basis(), m, tolerance, r.alpha, r.within)
}

// value returns the number of a mention, NaN if it has none.
func (j *judging) value(m mention) float64 {
	if m.by != nil {
		return m.by.(judgedOperand).value(j, m)
	}
	s, err := j.find(m.other)
	if err != nil {
		return math.NaN()
	}
	at, known := fieldOf[m.metric.Name]
	if !known {
		return declaredValue(s, m)
	}
	field := reflect.ValueOf(j.valuesOf(s).current()).Elem().Field(at)
	if m.stat != "" {
		field = field.Field(statOf[m.stat])
	}
	return field.Float()
}

// note explains a value if that is necessary: an extreme of batches, if the times of single
// iterations are not known, or a value that is a bound because runs were killed.
func (j *judging) note(m mention) string {
	if m.by != nil {
		return m.by.(judgedOperand).note(j, m)
	}
	s, sum, err := j.summary(m)
	if err == nil && m.bounded(sum) {
		return strings.TrimSpace(boundSign(sum, m.stat)) + ": " + sides.Killed(s.Case)
	}
	if err != nil || m.stat != "min" && m.stat != "max" || sum.Extremes != "batch" {
		return ""
	}
	return fmt.Sprintf("of batches of %d iterations", s.Iterations)
}

// lister is a function with a value for the list of what a gate has read. The second result is
// false if the value is not known.
type lister interface {
	listed(j *judging) (result.Value, bool)
}

// listed returns every statistic that the expression mentions and that has a value, with its
// interval if it has one.
func (j *judging) listed() []result.Value {
	var values []result.Value
	for _, m := range j.gate.rule.mentions {
		x := j.value(m)
		if sides.NotFinite(x) || j.unknown(m) {
			continue
		}
		if m.by != nil {
			values = append(values, m.by.(judgedOperand).listed(j, m))
			continue
		}
		v := result.Value{Text: m.text, Value: x, Unit: unitOf(m), Note: j.note(m)}
		if s, sum, err := j.summary(m); err == nil && m.headline() && m.metric.Sampled && !sum.Exact {
			if e := s.Evidence(m.metric.Name); e.Err == nil && sum.Bound == nil {
				v.Low, v.Confidence = &e.Low, sides.Confidence
				if !math.IsInf(e.High, 1) {
					v.High = &e.High
				}
			}
		}
		values = append(values, v)
	}
	for _, k := range kindsOf[lister](j.gate.rule) {
		if v, known := k.listed(j); known {
			values = append(values, v)
		}
	}
	return values
}

// declaredValue returns the statistic of a mention, NaN if the case has no such metric.
func declaredValue(s *sides.Subject, m mention) float64 {
	sum := s.Summary(m.metric.Name)
	if sum == nil {
		return math.NaN()
	}
	return reflect.ValueOf(metricOf(sum)).Field(statOf[m.stat]).Float()
}

// number returns the value of a limit.
func (l limit) number(j *judging) (float64, error) {
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

// valuesOf returns the values of a case, which all gates of a call of Judge share.
func (j *judging) valuesOf(s *sides.Subject) *values {
	v := j.read[s]
	if v == nil {
		v = &values{metrics: metricsOf(s.Case)}
		j.read[s] = v
	}
	return v
}
