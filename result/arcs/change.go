package arcs

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/result"
)

// Change is the difference of an arc between base and candidate, in seconds per iteration.
// Each side has only one pass, so gates cannot use these numbers.
type Change struct {
	From, To             string
	Kind                 result.ArcKind
	Base, Candidate      float64 // sum ÷ iterations; 0 if a side does not have the arc
	BaseHits, Hits       float64 // count ÷ iterations
	BaseOnly, NewlyThere bool
	Difference           float64 // Candidate − Base
	Residue              float64 // largest error of Difference from the cost of hits, on the side with more of it
	Share                float64 // Difference ÷ Rise; NaN if the rise is 0 or not known
	IsUnshown            bool    // pairs of passes do not show that the arc differs; always false without pairs
}

// Changes returns the changes of all arcs of either side, the greatest rise first; nil if
// the pass of a side had no iterations. Directed arcs and spans may contain other arcs, so
// the differences do not add up to the rise.
func Changes(base, candidate *result.Pegs) []Change {
	if base.Iterations < 1 || candidate.Iterations < 1 {
		return nil
	}
	old := map[key]result.Arc{}
	for _, a := range Whole(base) {
		old[ends(&a)] = a
	}
	var all []Change
	for _, a := range Whole(candidate) {
		b, there := old[ends(&a)]
		delete(old, ends(&a))
		all = append(all, change(base, candidate, b, a,
			Change{From: a.From, To: a.To, Kind: a.Kind, NewlyThere: !there}))
	}
	for _, b := range Whole(base) {
		if _, left := old[ends(&b)]; left {
			all = append(all,
				change(base, candidate, b, result.Arc{}, Change{From: b.From, To: b.To, Kind: b.Kind, BaseOnly: true}))
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int { return cmp.Compare(b.Difference, a.Difference) })
	return all
}

func change(base, candidate *result.Pegs, b, a result.Arc, c Change) Change {
	m, n := float64(base.Iterations), float64(candidate.Iterations)
	c.Base, c.BaseHits = b.Sum/m, float64(b.Count)/m
	c.Candidate, c.Hits = a.Sum/n, float64(a.Count)/n
	c.Difference, c.Share = c.Candidate-c.Base, math.NaN()
	c.Residue = max(base.ShortOf(&b)*c.BaseHits, candidate.ShortOf(&a)*c.Hits)
	if rise := Rise(base, candidate); rise != 0 && base.Seconds > 0 && candidate.Seconds > 0 {
		c.Share = c.Difference / rise
	}
	return c
}

// Rise returns the time of an iteration in the candidate's pass less the time in the
// base's, in seconds. A pass without iterations counts as 0.
func Rise(base, candidate *result.Pegs) float64 { return PerIteration(candidate) - PerIteration(base) }

// PerIteration returns the mean time of an iteration of a pass in seconds, 0 if it had none.
func PerIteration(p *result.Pegs) float64 {
	if p.Iterations < 1 {
		return 0
	}
	return p.Seconds / float64(p.Iterations)
}
