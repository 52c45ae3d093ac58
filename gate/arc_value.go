package gate

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// arcOf returns an arc of the case, all of its lanes added up.
func (j *judging) arcOf(b between) (result.Arc, error) {
	p := j.own.Pegs
	switch {
	case p == nil:
		return result.Arc{}, because(result.CauseNoMetric, "no arcs were measured%s", whyNoPegs(j.own.Case))
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
	a, err := j.arcOf(b)
	if err != nil {
		return nil, err
	}
	return statsOf(&a, j.own.Pegs.Iterations).at(b, j.own.arcsAt), nil
}

func statsOf(a *result.Arc, iterations int64) *Arc {
	return &Arc{Count: float64(a.Count), Sum: a.Sum, Min: a.Min, Max: a.Max, Mean: a.Mean, StdDev: a.StdDev,
		P50: orNaN(a.P50), Median: orNaN(a.P50), P90: orNaN(a.P90), P99: orNaN(a.P99), PerIteration: a.Sum / float64(iterations)}
}

// arcValue returns the statistic of a mention, NaN if there is no such arc.
func (j *judging) arcValue(m mention) float64 {
	a, err := j.arcOf(*m.arc)
	if err != nil {
		return math.NaN()
	}
	return reflect.ValueOf(statsOf(&a, j.own.Pegs.Iterations)).Elem().Field(arcStats[m.stat]).Float()
}

// arcs decides a leaf that mentions arcs: a comparison by the range of possible values,
// any other leaf on point values. It returns false if the leaf mentions none.
func (j *judging) arcs(l *leaf) (outcome, bool) {
	at := slices.IndexFunc(l.mentions, func(m mention) bool { return m.arc != nil })
	if at < 0 {
		return outcome{}, false
	}
	if err := j.noArc(l); err != nil {
		return outcome{verdict: result.Error, cause: result.CauseNoMetric, reasons: []string{err.Error()}, form: result.FormPoint}, true
	}
	if l.compare != nil {
		return j.arcAgainst(l.compare), true
	}
	for _, m := range l.mentions[at:] {
		if m.arc == nil {
			continue
		}
		if a, _ := j.arcOf(*m.arc); j.arcWithin(m, &a).low <= 0 && m.stat != "count" || j.incomplete(m) != "" {
			return undecided(j.arcCause(m), result.FormPoint, l.text+": "+j.arcDoubt(m, &a)), true
		}
	}
	return j.arcCorners(l)
}

// noArc returns the error of a leaf without a value, nil if all of its arcs have one.
func (j *judging) noArc(l *leaf) error {
	for _, m := range l.mentions {
		if m.arc == nil {
			continue
		}
		if _, err := j.arcOf(*m.arc); err != nil {
			return err
		}
		if math.IsNaN(j.arcValue(m)) {
			return because(result.CauseNoMetric, "%s is not known: the program keeps no histogram of the arc", m.text)
		}
	}
	return nil
}

// arcAgainst compares the range of possible values with the limit, and is inconclusive
// if the limit is inside the range.
func (j *judging) arcAgainst(c *comparison) outcome {
	limit, err := j.number(c.limit)
	if err != nil {
		return broken(err)
	}
	m := c.mention
	a, _ := j.arcOf(*m.arc)
	o := outcome{verdict: j.arcWithin(m, &a).against(c.operator, limit), form: result.FormPoint}
	text := m.text + " is " + units.Format(j.arcValue(m), unitOf(m))
	if note := j.arcNote(m); note != "" {
		text += " (" + note + ")"
	}
	text += ", limit " + units.Format(limit, unitOf(m))
	if o.verdict == result.Inconclusive {
		text += ": " + j.arcDoubt(m, &a)
		o.cause = j.arcCause(m)
	}
	o.reasons = []string{text}
	return o
}

// arcWithin returns the range of possible values of a statistic. The calibrated cost of a hit
// has been subtracted, so each time is too long by at most the residue, and too short by at
// most what the program may have worked during its hits. A percentile is known only to one step of the histogram. Arcs that were not recorded can have
// any length, so they leave one end of the range open, or both.
func (j *judging) arcWithin(m mention, a *result.Arc) span {
	x := j.arcValue(m)
	s := span{x, x}
	switch m.stat {
	case "p50", "median", "p90", "p99":
		s = stepOf(a, x)
	}
	times := j.arcTimes(m.stat, a)
	s = span{max(0, s.low-j.own.Pegs.ResidueOf(a)*times), s.high + j.own.Pegs.ShortOf(a)*times}
	if j.incomplete(m) == "" {
		return s
	}
	switch m.stat {
	case "count", "sum", "max", "per_iteration":
		return span{s.low, math.Inf(1)}
	case "min":
		return span{0, s.high}
	}
	return span{0, math.Inf(1)}
}

// arcTimes returns how many times the error of one time is in a statistic. It is once for each
// hit of the time, and package peg records the sum. In directed arcs and spans of other programs
// the number of hits is not known.
func (j *judging) arcTimes(stat string, a *result.Arc) float64 {
	switch stat {
	case "count":
		return 0
	case "sum":
		return float64(a.Count)
	case "per_iteration":
		return float64(a.Count) / float64(j.own.Pegs.Iterations)
	}
	return 1
}

// stepOf returns the step of the histogram that contains x, cut at the extremes.
func stepOf(a *result.Arc, x float64) span {
	for _, bin := range a.Histogram {
		if bin[0] <= x && x <= bin[1] {
			return span{min(x, max(bin[0], a.Min)), max(x, min(bin[1], a.Max))}
		}
	}
	return span{x, x}
}

// arcNote returns a note on a statistic: the number of times in it, and the residue of each.
func (j *judging) arcNote(m mention) string {
	a, err := j.arcOf(*m.arc)
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

// arcCause returns the cause for a limit that is not decided. arcDoubt returns it in words.
func (j *judging) arcCause(m mention) result.Cause {
	if j.incomplete(m) != "" {
		return result.CauseIncomplete
	}
	return result.CauseNearLimit
}

func (j *judging) arcDoubt(m mention, a *result.Arc) string {
	if why := j.incomplete(m); why != "" {
		return why
	}
	s := j.arcWithin(m, a)
	return fmt.Sprintf("pegs show only that it is between %s and %s", units.Format(s.low, "s"), units.Format(s.high, "s"))
}

// incomplete explains why arcs of a mention may be missing in the record, "" if none can be. A
// lane that records the arcs from a point separately records all of them.
func (j *judging) incomplete(m mention) string {
	p := j.own.Pegs
	if p.Truncated {
		return "the program did not end normally, so there may be more arcs"
	}
	apart, others := map[string]bool{}, map[string]bool{}
	for i := range p.Arcs {
		switch a := &p.Arcs[i]; {
		case m.arc.span || a.Kind == result.ArcSpan || a.To != m.arc.to:
		case a.From == m.arc.from:
			apart[a.Lane] = true
		case a.From == arcs.Other:
			others[a.Lane] = true
		}
	}
	for lane := range others {
		if !apart[lane] {
			return fmt.Sprintf("arcs to %q come from more points than are recorded separately, so there may be more from %q", m.arc.to, m.arc.from)
		}
	}
	return ""
}
