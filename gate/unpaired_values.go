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

// corners are the combinations of the ends of the intervals of what a leaf reads.
type corners struct {
	j        *judging
	leaf     *leaf
	env      reflect.Value // what the leaf reads
	readings []reading
}

// mostReadings limits the evaluations of a leaf to 2⁶.
const mostReadings = 6

// unpairedValues decides a leaf that names numbers of the saved result, such as
// time.median < 1.05 * base.time.median. It evaluates the leaf at every combination of
// the ends of their intervals.
func (j *judging) unpairedValues(l *leaf, negated bool) outcome {
	all := corners{j: j, leaf: l, env: reflect.ValueOf(j.env()).Elem()}
	for _, m := range l.mentions {
		r, why, err := all.reading(m)
		switch {
		case err != nil:
			return broken(err)
		case why != nil:
			return undecided(why.Cause, "", why.Text)
		case r != nil:
			all.readings = append(all.readings, *r)
		}
	}
	if len(all.readings) > mostReadings {
		return undecided(result.CauseNoPairs, "",
			fmt.Sprintf("%s: at most %d medians can be compared at once without pairs", l.text, mostReadings))
	}
	plain, err := all.verdict(func(r reading) sides.Span { return r.plain })
	if err != nil {
		return j.failed(l, err)
	}
	wide, err := all.verdict(func(r reading) sides.Span { return r.wide })
	if err != nil {
		return j.failed(l, err)
	}
	v := l.settle(plain, wide, negated)
	text := j.plainText(l, v == result.Pass)
	if v == result.Inconclusive {
		text += "; it is decided only if it is true, or false, for all values in the 99% intervals of the " +
			"medians, and red only if it fails by more than two runs of the same code may differ"
	}
	return decided(v, "", text)
}

// reading finds the intervals of a mention. It is nil for a value that needs none,
// such as an exact one. why is non-nil if the mention has no interval.
func (c corners) reading(m mention) (r *reading, why *sides.Absence, err error) {
	open := func(cause result.Cause, format string, args ...any) (*reading, *sides.Absence, error) {
		return nil, &sides.Absence{Cause: cause, Text: fmt.Sprintf(format, args...)}, nil
	}
	if m.by != nil && !m.compares() {
		return nil, nil, nil
	}
	if m.by != nil {
		return open(result.CauseNoPairs, "%s can be compared without pairs only by itself: %s",
			m.text, c.j.gate.rule.functions.find("ratio").Usage)
	}
	saved := m.other != nil && m.other.base
	s, sum, err := c.j.summary(m)
	switch {
	case err != nil && saved:
		return open(result.CauseNoMetric, "%s has no %s of this case", c.j.gate.Base, m.metric.Name)
	case err != nil:
		return nil, nil, err
	case sum.Exact || m.stat == "n" || m.stat == "" || m.other != nil && !saved:
		return nil, nil, nil
	case !m.headline():
		return open(result.CauseNoInterval, "%s has no interval, so it cannot be judged without pairs: compare medians",
			m.text)
	}
	r = &reading{slot: slotOf(c.env, m)}
	if saved {
		r.plain, r.wide, err = c.j.saved().median(s, m.metric.Name)
	} else {
		r.plain, err = sides.Solid(s.Case, m.metric, s.Evidence(m.metric.Name))
		r.wide = r.plain
	}
	if err != nil {
		return open(sides.CauseOf(err), "%s: %v", m.text, err)
	}
	return r, nil, nil
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

// verdict evaluates the leaf with each reading at both ends of one of its intervals, which of returns.
// It returns pass or fail if all evaluations agree, else inconclusive.
func (c corners) verdict(of func(reading) sides.Span) (result.Verdict, error) {
	if compare := c.leaf.compare(); compare != nil && len(c.readings) == 1 { // base.time.median < 2ms
		limit, err := compare.limit.number(c.j)
		return of(c.readings[0]).Against(compare.operator, limit), err
	}
	for _, r := range c.readings {
		defer r.slot.SetFloat(r.slot.Float())
	}
	passed := 0
	for corner := range 1 << len(c.readings) {
		for i, r := range c.readings {
			at := of(r)
			if r.slot.SetFloat(at.Low); corner>>i&1 == 1 {
				r.slot.SetFloat(at.High)
			}
		}
		holds, err := c.j.holds(c.leaf)
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
	case 1 << len(c.readings):
		return result.Pass, nil
	}
	return result.Inconclusive, nil
}
