package gate

import (
	"fmt"
	"reflect"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// reading is a number in a leaf with two intervals: its own, and one that is wider by the floor.
type reading struct {
	slot        reflect.Value // field of the environment that the leaf reads
	plain, wide sides.Span
}

// mostReadings limits the evaluations of a leaf to 2⁶.
const mostReadings = 6

// unpairedValues decides a leaf that names numbers of the saved result, such as
// time.median < 1.05 * base.time.median. It evaluates the leaf at every combination of
// the ends of their intervals.
func (j *judging) unpairedValues(l *leaf, negated bool) outcome {
	env := reflect.ValueOf(j.env()).Elem()
	var all []reading
	for _, m := range l.mentions {
		r, why, err := j.reading(env, m)
		switch {
		case err != nil:
			return broken(err)
		case why != nil:
			return undecided(why.Cause, "", why.Text)
		case r != nil:
			all = append(all, *r)
		}
	}
	if len(all) > mostReadings {
		return undecided(result.CauseNoPairs, "",
			fmt.Sprintf("%s: at most %d medians can be compared at once without pairs", l.text, mostReadings))
	}
	plain, err := j.corners(l, env, all, func(r reading) sides.Span { return r.plain })
	if err != nil {
		return j.failed(l, err)
	}
	wide, err := j.corners(l, env, all, func(r reading) sides.Span { return r.wide })
	if err != nil {
		return j.failed(l, err)
	}
	v := l.settle(plain, wide, negated)
	text := j.plainText(l, v == result.Pass)
	if v == result.Inconclusive {
		text += "; it is decided only if it is true, or false, for all values in the 99% intervals of the medians, and red " +
			"only if it fails by more than two runs of the same code may differ"
	}
	return decided(v, "", text)
}

// reading finds the intervals of a mention. It is nil for a value that needs none,
// such as an exact one. why is non-nil if the mention has no interval.
func (j *judging) reading(env reflect.Value, m mention) (r *reading, why *sides.Absence, err error) {
	open := func(cause result.Cause, format string, args ...any) (*reading, *sides.Absence, error) {
		return nil, &sides.Absence{Cause: cause, Text: fmt.Sprintf(format, args...)}, nil
	}
	if m.by != nil && !m.compares() {
		return nil, nil, nil
	}
	if m.by != nil {
		return open(result.CauseNoPairs, "%s can be compared without pairs only by itself: %s",
			m.text, j.gate.rule.functions.find("ratio").Usage)
	}
	saved := m.other != nil && m.other.base
	s, sum, err := j.summary(m)
	switch {
	case err != nil && saved:
		return open(result.CauseNoMetric, "%s has no %s of this case", j.gate.Base, m.metric.Name)
	case err != nil:
		return nil, nil, err
	case sum.Exact || m.stat == "n" || m.stat == "" || m.other != nil && !saved:
		return nil, nil, nil
	case !m.headline():
		return open(result.CauseNoInterval, "%s has no interval, so it cannot be judged without pairs: compare medians",
			m.text)
	}
	r = &reading{slot: slotOf(env, m)}
	if saved {
		err = j.readSaved(r, s, m)
	} else {
		r.plain, err = sides.Solid(s.Case, m.metric, s.Evidence(m.metric.Name))
		r.wide = r.plain
	}
	if err != nil {
		return open(sides.CauseOf(err), "%s: %v", m.text, err)
	}
	return r, nil, nil
}

// readSaved sets the intervals of a median of the saved result: its own, and the same
// widened by the floor on both ends.
func (j *judging) readSaved(r *reading, saved *sides.Subject, m mention) error {
	e, known := saved.Intervals[m.metric.Name]
	switch {
	case !known:
		return sides.Because(result.CauseFewSamples, "it has no samples")
	case e.Err != nil:
		return e.Err
	}
	floor := j.floor(m.metric.Name)
	r.plain, r.wide = e.Span, sides.Span{Low: e.Low / (1 + floor), High: e.High * (1 + floor)}
	return nil
}

// slotOf returns the field of env that an expression reads for a mention.
func slotOf(env reflect.Value, m mention) reflect.Value {
	if m.other != nil {
		env = env.FieldByName("Base")
	}
	return tagged(tagged(env, m.metric.Name), m.stat)
}

// tagged finds the field with this name in its tag, also in embedded structs.
func tagged(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("expr") == name {
			return v.Field(i)
		}
		if f.Anonymous {
			if found := tagged(v.Field(i), name); found.IsValid() {
				return found
			}
		}
	}
	return reflect.Value{}
}

// corners evaluates a leaf with each reading at both ends of its interval. It returns pass or fail
// if all evaluations agree, else inconclusive.
func (j *judging) corners(
	l *leaf, env reflect.Value, all []reading, of func(reading) sides.Span,
) (result.Verdict, error) {
	if c := l.compare(); c != nil && len(all) == 1 { // base.time.median < 2ms
		limit, err := c.limit.number(j)
		return of(all[0]).Against(c.operator, limit), err
	}
	for _, r := range all {
		defer r.slot.SetFloat(r.slot.Float())
	}
	passed := 0
	for corner := range 1 << len(all) {
		for i, r := range all {
			at := of(r)
			if r.slot.SetFloat(at.Low); corner>>i&1 == 1 {
				r.slot.SetFloat(at.High)
			}
		}
		holds, err := j.holds(l)
		if err != nil {
			return result.Error, err
		}
		if holds {
			passed++
		}
	}
	switch passed {
	case 0:
		return result.Fail, nil
	case 1 << len(all):
		return result.Pass, nil
	}
	return result.Inconclusive, nil
}
