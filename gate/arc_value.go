package gate

import (
	"fmt"
	"math"
	"reflect"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

var _ judgedOperand = between{}

func (between) compares() bool { return false }

func (between) unit(m mention) string {
	if m.stat == "count" {
		return ""
	}
	return "s"
}

func (b between) reading(m mention) result.Reading {
	r := result.Reading{Of: result.OfArc, Statistic: m.stat, Arc: []string{b.from, b.to}}
	if b.span {
		r.Arc = r.Arc[1:]
	}
	return r
}

func (between) isExact(*judging, mention) bool { return false }

func (b between) listed(j *judging, m mention) result.Value {
	return result.Value{Text: m.text, Value: b.value(j, m), Unit: b.unit(m), Note: b.note(j, m)}
}

// in returns the arc of the case, all of its lanes added up.
func (b between) in(j *judging) (result.Arc, error) {
	p := j.own.Pegs
	switch {
	case p == nil:
		return result.Arc{}, sides.Because(result.CauseNoMetric, "no arcs were measured%s", whyNoPegs(j.own.Case))
	case b.span:
		return arcs.Span(p, b.to)
	}
	return arcs.Find(p, b.from, b.to)
}

func whyNoPegs(c *result.Case) string {
	for _, w := range c.Warnings {
		if w.Code == result.WarnNoPegs {
			return ": " + w.Message
		}
	}
	return ""
}

// arcFunction is the function arc of expressions. It is called if an arc is a part of a larger
// term.
func (j *judging) arcFunction(names ...string) (*Arc, error) {
	b := between{to: names[len(names)-1], span: len(names) == 1}
	if !b.span {
		b.from = names[0]
	}
	a, err := b.in(j)
	if err != nil {
		return nil, err
	}
	return statsOf(&a, j.own.Pegs.Iterations).at(b, j.valuesOf(j.own).assumed), nil
}

func statsOf(a *result.Arc, iterations int64) *Arc {
	return &Arc{Count: float64(a.Count), Sum: a.Sum, Min: a.Min, Max: a.Max, Mean: a.Mean, StdDev: a.StdDev,
		P50: orNaN(a.P50), Median: orNaN(a.P50), P90: orNaN(a.P90), P99: orNaN(a.P99),
		PerIteration: a.Sum / float64(iterations)}
}

// value returns the statistic of a mention, NaN if there is no such arc.
func (b between) value(j *judging, m mention) float64 {
	a, err := b.in(j)
	if err != nil {
		return math.NaN()
	}
	return reflect.ValueOf(statsOf(&a, j.own.Pegs.Iterations)).Elem().Field(arcStats[m.stat]).Float()
}

// arcsOf returns the arcs that a leaf mentions.
func arcsOf(l *leaf) (all []mention) {
	for _, m := range l.mentions {
		if _, is := m.by.(between); is {
			all = append(all, m)
		}
	}
	return all
}

// decideUnknown decides a comparison by the range of possible values. Any other leaf with arcs is decided by
// point values, unless one of the arcs can have any value. They are looked at together, with the
// first of them.
func (b between) decideUnknown(j *judging, l *leaf, first mention) (outcome, bool) {
	all := arcsOf(l)
	if all[0].at != first.at {
		return outcome{}, false
	}
	if err := noArc(j, all); err != nil {
		return outcome{
			verdict: result.Error,
			cause:   result.CauseNoMetric,
			reasons: []string{err.Error()},
			form:    result.FormPoint,
		}, true
	}
	if l.compare() != nil {
		return b.against(j, l.compare()), true
	}
	for _, m := range all {
		b := m.by.(between)
		if a, _ := b.in(j); b.within(j, m, &a).Low <= 0 && m.stat != "count" || b.incomplete(j) != "" {
			return undecided(b.cause(j), result.FormPoint, l.text+": "+b.explained(j, m, &a)), true
		}
	}
	return arcCorners(j, l, all)
}

// noArc returns the error of the first arc without a value, nil if all have one.
func noArc(j *judging, all []mention) error {
	for _, m := range all {
		b := m.by.(between)
		if _, err := b.in(j); err != nil {
			return err
		}
		if math.IsNaN(b.value(j, m)) {
			return sides.Because(result.CauseNoMetric, "%s is not known: the program keeps no histogram of the arc",
				m.text)
		}
	}
	return nil
}

// against compares the range of possible values with the limit, and is inconclusive
// if the limit is inside the range.
func (b between) against(j *judging, c *comparison) outcome {
	limit, err := c.limit.number(j)
	if err != nil {
		return broken(err)
	}
	m := c.mention
	a, _ := b.in(j)
	o := outcome{verdict: b.within(j, m, &a).Against(c.operator, limit), form: result.FormPoint}
	text := m.text + " is " + units.Format(b.value(j, m), b.unit(m))
	if note := b.note(j, m); note != "" {
		text += " (" + note + ")"
	}
	text += ", limit " + units.Format(limit, b.unit(m))
	if o.verdict == result.Inconclusive {
		text += ": " + b.explained(j, m, &a)
		o.cause = b.cause(j)
	}
	o.reasons = []string{text}
	return o
}

// within returns the range of possible values of a statistic. The calibrated cost of a hit
// has been subtracted, so each time is too long by at most the residue, and too short by at
// most what the program may have worked during its hits. A percentile is known only to one step of the histogram.
// Arcs that were not recorded can have any length, so they leave one end of the range open, or both.
func (b between) within(j *judging, m mention, a *result.Arc) sides.Span {
	x := b.value(j, m)
	s := sides.Span{Low: x, High: x}
	switch m.stat {
	case "p50", "median", "p90", "p99":
		s = stepOf(a, x)
	}
	times := arcTimes(m.stat, a, j.own.Pegs.Iterations)
	s = sides.Span{Low: max(0, s.Low-j.own.Pegs.ResidueOf(a)*times), High: s.High + j.own.Pegs.ShortOf(a)*times}
	if b.incomplete(j) == "" {
		return s
	}
	switch m.stat {
	case "count", "sum", "max", "per_iteration":
		return sides.Span{Low: s.Low, High: math.Inf(1)}
	case "min":
		return sides.Span{Low: 0, High: s.High}
	}
	return sides.Span{Low: 0, High: math.Inf(1)}
}

// arcTimes returns how many times the error of one time is in a statistic. It is once for each
// hit of the time, and package peg records the sum. In directed arcs and spans of other programs
// the number of hits is not known.
func arcTimes(stat string, a *result.Arc, iterations int64) float64 {
	switch stat {
	case "count":
		return 0
	case "sum":
		return float64(a.Count)
	case "per_iteration":
		return float64(a.Count) / float64(iterations)
	}
	return 1
}

// stepOf returns the step of the histogram that contains x, cut at the extremes.
func stepOf(a *result.Arc, x float64) sides.Span {
	for _, bin := range a.Histogram {
		if bin[0] <= x && x <= bin[1] {
			return sides.Span{Low: min(x, max(bin[0], a.Min)), High: max(x, min(bin[1], a.Max))}
		}
	}
	return sides.Span{Low: x, High: x}
}

// note returns a note on a statistic: the number of times in it, and the residue of each.
func (b between) note(j *judging, m mention) string {
	a, err := b.in(j)
	if err != nil || m.stat == "count" {
		return ""
	}
	text := fmt.Sprintf("of %d", a.Count)
	residue, short := j.own.Pegs.ResidueOf(&a), j.own.Pegs.ShortOf(&a)
	switch {
	case short == 0:
		return text
	case residue == short:
		text += ", ± " + units.Format(short, "s")
	default:
		text += ", −" + units.ShortTime(residue) + " +" + units.ShortTime(short)
	}
	if a.Kind != result.ArcNext && a.Residue == 0 && a.Overlap == 0 {
		text += " for each hit in it"
	}
	return text
}

// cause returns the cause for a limit that is not decided. explained returns it in words.
func (b between) cause(j *judging) result.Cause {
	if b.incomplete(j) != "" {
		return result.CauseIncomplete
	}
	return result.CauseNearLimit
}

func (b between) explained(j *judging, m mention, a *result.Arc) string {
	if why := b.incomplete(j); why != "" {
		return why
	}
	s := b.within(j, m, a)
	return fmt.Sprintf("pegs show only that it is between %s and %s", units.Format(s.Low, "s"),
		units.Format(s.High, "s"))
}

// incomplete explains why arcs may be missing in the record, "" if none can be. A
// lane that records the arcs from a point separately records all of them.
func (b between) incomplete(j *judging) string {
	p := j.own.Pegs
	if p.Truncated {
		return "the program did not end normally, so there may be more arcs"
	}
	apart, others := map[string]bool{}, map[string]bool{}
	for i := range p.Arcs {
		switch a := &p.Arcs[i]; {
		case b.span || a.Kind == result.ArcSpan || a.To != b.to:
		case a.From == b.from:
			apart[a.Lane] = true
		case a.From == arcs.Other:
			others[a.Lane] = true
		}
	}
	for lane := range others {
		if !apart[lane] {
			return fmt.Sprintf("arcs to %q come from more points than are recorded separately, so there may be "+
				"more from %q",
				b.to, b.from)
		}
	}
	return ""
}
