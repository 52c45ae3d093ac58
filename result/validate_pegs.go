package result

import (
	"errors"
	"math"
	"slices"
)

// mostExact is the largest count that JSON numbers represent exactly.
const mostExact = 1 << 53

var arcKinds = []ArcKind{ArcNext, ArcDirected, ArcSpan}

// pegsValidator checks the pegs of a case.
type pegsValidator struct{ *checklist }

// side checks the pegs of a case or of its base; which is their key.
func (v pegsValidator) side(c *Case, which string, p *Pegs) {
	if p == nil {
		return
	}
	outer := v.where
	defer func() { v.where = outer }()
	v.where += which + ": "
	v.check(p.Iterations > 0, "there are no iterations")
	v.check(isTime(p.Seconds) && isTime(p.Residue) && isTime(p.Cost) && isTime(p.Overlap),
		"seconds, residue, cost or overlap are out of range")
	for i := range p.Points {
		v.point(c, which, &p.Points[i])
	}
	for i := range p.Arcs {
		v.arc(c, which, &p.Arcs[i])
	}
}

// pairs checks that each arc has a time in each pass.
func (v pegsValidator) pairs(c *Case) {
	p := c.PegPairs
	if p == nil {
		return
	}
	n := len(p.Base)
	v.check(n > 0 && len(p.Case) == n, "peg_pairs: %d passes of the base have %d neighbours", n, len(p.Case))
	v.passes(n, "an iteration", p.Base, p.Case)
	for i := range p.Arcs {
		a := &p.Arcs[i]
		v.check(a.To != "" && (a.From != "" || a.Kind == ArcSpan) && slices.Contains(arcKinds, a.Kind),
			"peg_pairs: an arc has no ends, or an unknown kind")
		v.check(v.fresh("peg_pairs", c.Suite, c.Name, a.From, a.To, string(a.Kind)),
			"peg_pairs: the arc %q → %q is there twice", a.From, a.To)
		v.passes(n, "the arc "+a.From+" → "+a.To, a.Base, a.Case)
	}
}

func (v pegsValidator) passes(n int, what string, sides ...[]float64) {
	for _, times := range sides {
		v.check(len(times) == n && !slices.ContainsFunc(times, func(x float64) bool { return !isTime(x) }),
			"peg_pairs: %s has not a time in each of %d passes", what, n)
	}
}

func (v pegsValidator) point(c *Case, which string, p *PegPoint) {
	v.check(p.Name != "", "a point has no name")
	v.check(v.fresh(which, "point", c.Suite, c.Name, p.Name), "point %q is there twice", p.Name)
	v.check(p.Unmatched >= 0 && p.Unmatched <= p.Hits && p.Line >= 0,
		"point %q: hits, unmatched or line are out of range",
		p.Name)
}

func (v pegsValidator) arc(c *Case, which string, a *Arc) {
	outer := v.where
	defer func() { v.where = outer }()
	v.where += "arc " + arcName(a) + ": "
	v.check(a.To != "" && (a.From != "" || a.Kind == ArcSpan), "it has no ends")
	v.check(slices.Contains(arcKinds, a.Kind), "unknown kind %q", a.Kind)
	v.check(v.fresh(which, "arc", c.Suite, c.Name, a.From, a.To, string(a.Kind), a.Lane), "it is there twice")
	v.check(a.Count > 0 && a.Count <= mostExact && a.Zero >= 0 && a.Zero <= a.Count, "count or zero are out of range")
	v.check(isTime(a.Sum) && isTime(a.StdDev), "sum or stddev are out of range")
	v.check(isTime(a.Min) && a.Min <= a.Mean && a.Mean <= a.Max && isTime(a.Max),
		"min, mean and max are not in ascending order")
	v.check(isTime(a.Residue) && isTime(a.Overlap), "residue or overlap are out of range")
	v.percentiles(a)
	v.histogram(a)
}

func arcName(a *Arc) string {
	name := `"` + a.From + `" → "` + a.To + `"`
	if a.Lane != "" {
		name += ` on "` + a.Lane + `"`
	}
	return name
}

// percentiles exist if the histogram does, and are between the extremes.
func (v pegsValidator) percentiles(a *Arc) {
	last := a.Min
	for _, p := range []*float64{a.P50, a.P90, a.P99} {
		v.check((p == nil) == (len(a.Histogram) == 0), "percentiles and histogram do not fit together")
		if p != nil {
			v.check(*p >= last && *p <= a.Max, "the percentiles are not in ascending order between min and max")
			last = *p
		}
	}
}

// histogram checks that bins ascend and that their counts add up to the arc's count.
func (v pegsValidator) histogram(a *Arc) {
	sum, end := 0.0, 0.0
	for _, b := range a.Histogram {
		low := b[0]
		high := b[1]
		n := b[2]
		v.check(low >= end && high > low && !notNumber(high), "the bin from %v to %v is out of order", low, high)
		v.check(n > 0 && n == math.Trunc(n) && !infinite(n), "the bin from %v to %v has a count of %v", low, high, n)
		sum, end = sum+n, high
	}
	v.check(len(a.Histogram) == 0 || sum == float64(a.Count), "the counts of its histogram add up to %v, and it has %d",
		sum, a.Count)
}

// mostSeconds is 30 million years. Sums over lanes and squares of such times stay
// finite.
const mostSeconds = 1e15

// isTime reports whether a number can be a time in seconds: 0 to mostSeconds.
func isTime(x float64) bool { return x >= 0 && x <= mostSeconds }

// Validate checks pegs that another program wrote. It joins everything that a
// document must not contain in one error.
func (p *Pegs) Validate() error {
	v := pegsValidator{newChecklist()}
	v.side(&Case{}, "pegs", p)
	return errors.Join(v.problems...)
}
