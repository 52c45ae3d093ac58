package sides

import (
	"math"
	"slices"

	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/result/summary"
	"example.com/suite/stats"
)

// seen is what is known of the body of a side in a metric. A body below resolution takes less
// than a bound, which is the upper end of the range. Any other body takes at most what was
// measured, and at least that without the whole empty loop, which may have run in parallel.
type seen struct {
	Span
	below bool
}

// seenSides returns what is known of both sides, each by its own loop and its own clock: a base
// whose loop is direct looked resolved next to the loop of a case that is indirect. It is valid
// only after sampling.
func seenSides(c *result.Case, m result.Metric) (base, own seen) {
	name := m.Name
	if name == "throughput" {
		name = "time"
	}
	b := baseSide(c)
	return seenOf(b, name, summary.Bound(b, name)), seenOf(c, name, boundOf(c, name))
}

func boundOf(c *result.Case, metric string) *float64 {
	if s := c.Summary(metric); s != nil {
		return s.Bound
	}
	return nil
}

// baseSide returns the base's side of the pairs as a case, with samples and without summaries.
func baseSide(c *result.Case) *result.Case {
	b := *c
	b.Samples, b.Pairs, b.Metrics = c.Pairs.Samples, nil, nil
	b.SetOverhead(c.Pairs.Overhead)
	return &b
}

func seenOf(c *result.Case, metric string, bound *float64) seen {
	if bound != nil {
		return seen{Span{0, *bound}, true}
	}
	e := evidenceOf(c, metric)
	if e.Err != nil {
		return seen{Span: Span{0, math.Inf(1)}}
	}
	loop, clock := summary.Loop(c, metric), c.ErrorOf(metric)
	return seen{Span: Span{max(0, e.Low-loop.Value-(loop.Error-clock)), e.High}}
}

// Visible withdraws what the pairs show and the bounds of a side below resolution do not. The
// ratio of the pairs is one of two loops then, however narrow its interval is.
func (v *Versus) Visible(c *result.Case) *Versus {
	if v.Why != "" || !slices.Contains(clocked, v.Metric.Name) || c.Kind != result.KindGo {
		return v
	}
	if c.Pairs.Overhead == nil {
		return v.visibleBefore(c)
	}
	base, own := seenSides(c, v.Metric)
	if !base.below && !own.below {
		return v
	}
	at := Span{own.Low / base.High, own.High / base.Low}
	if v.Metric.Name == "throughput" {
		at = Span{1 / at.High, 1 / at.Low}
	}
	v.baseBound, v.ownBound = base.bound(v.Metric), own.bound(v.Metric)
	if at.Low <= 0 && math.IsInf(at.High, 1) {
		return v.unseen()
	}
	v.Over, v.Under = at.beside(v.Over, 1+v.tolerance), at.beside(v.Under, 1/(1+v.tolerance))
	if v.HasBounds {
		at = Span{min(v.Low, at.Low), max(v.High, at.High)}
	}
	v.Low, v.High, v.Ratio = at.Low, at.High, at.Low
	if math.IsInf(at.High, 1) {
		return v
	}
	v.Low, v.Ratio = 0, at.High
	return v
}

// bound is what a side below resolution is less than in a metric, of a rate more. It is nil for
// other sides.
func (s seen) bound(m result.Metric) *float64 {
	switch {
	case !s.below:
		return nil
	case m.Name == "throughput":
		rate := 1 / s.High
		return &rate
	}
	return &s.High
}

// beside returns the side of a limit that pairs have shown, if the whole range is on it too.
func (s Span) beside(side stats.Side, limit float64) stats.Side {
	if side == stats.Above && s.Low <= limit || side == stats.Below && s.High >= limit {
		return stats.Undecided
	}
	return side
}

// unseen leaves a comparison undecided, because no ratio can be formed.
func (v *Versus) unseen() *Versus {
	v.Cause, v.HasBounds, v.Why = result.CauseResolution, false, "below resolution"
	return v.Undecided()
}

// IsBound reports whether a side is below resolution, so that the ratio is only a bound.
func (v *Versus) IsBound() bool { return v.baseBound != nil || v.ownBound != nil }

// visibleBefore judges documents of earlier versions, which do not contain what timing cost the
// base, as those versions did: by the loop of the case, and by the ratio of the two loops if one
// side is below resolution and the ratio beyond the tolerance.
func (v *Versus) visibleBefore(c *result.Case) *Versus {
	base, own := unseenBefore(c, v)
	beyond := v.Over == stats.Above || v.Under == stats.Below
	if !base && !own || base != own && beyond {
		return v
	}
	v.unseen()
	v.Why = v.Metric.Name + " is below resolution, so that there is no ratio"
	return v
}

func unseenBefore(c *result.Case, v *Versus) (base, own bool) {
	p, _ := pairs.Of(c, v.Metric.Name)
	if len(p.Own) == 0 {
		return false, false
	}
	_, own = BelowResolution(c, v.Metric.Name)
	median := stats.Median(p.Base)
	switch v.Metric.Name {
	case "ticks", "cycles":
		return c.LoopCount != nil && median <= c.LoopCount.Value+c.LoopCount.Error, own
	case "throughput":
		median = 1 / median
	}
	return median <= c.LoopCost+c.LoopError, own
}

// BoundSentence explains which sides are below resolution: "less than 2 ns here, and less than
// 1 ns in b".
func (v *Versus) BoundSentence(base string) result.Sentence {
	than := "less than"
	if v.Metric.Name == "throughput" {
		than = "more than"
	}
	switch unit := v.Metric.Unit; {
	case v.ownBound == nil:
		return result.Say("%s %s in %s", than, result.Amount(*v.baseBound, unit), base)
	case v.baseBound == nil:
		return result.Say("%s %s here", than, result.Amount(*v.ownBound, unit))
	default:
		return result.Say("%s %s here, and %s %s in %s",
			than, result.Amount(*v.ownBound, unit), than, result.Amount(*v.baseBound, unit), base)
	}
}
