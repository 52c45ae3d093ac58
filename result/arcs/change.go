package arcs

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/result"
)

// Change is how an arc differs between base and candidate. Numbers are seconds per
// iteration: those of a pass of each, and no gate can ask for them.
type Change struct {
	From, To             string
	Kind                 result.ArcKind
	Base, Candidate      float64 // sum over the iterations; 0 where a side does not have it
	BaseHits, Hits       float64 // count over the iterations
	BaseOnly, NewlyThere bool
	Difference           float64 // Candidate − Base
	Residue              float64 // what Difference may be if nothing has changed: of the side with the most hits
	Share                float64 // of the difference of the passes, seconds per iteration; NaN where that is 0 or not known
}

// Changes gives the arcs of either side, the greatest rise first. Arcs that hold each
// other (directed ones, spans around spans) are all there: their sums overlap. A side
// whose pass had no iteration has no numbers: there are no changes then.
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
		all = append(all, change(base, candidate, b, a, Change{From: a.From, To: a.To, Kind: a.Kind, NewlyThere: !there}))
	}
	for _, b := range Whole(base) {
		if _, left := old[ends(&b)]; left {
			all = append(all, change(base, candidate, b, result.Arc{}, Change{From: b.From, To: b.To, Kind: b.Kind, BaseOnly: true}))
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
	c.Residue = max(base.ResidueOf(&b)*c.BaseHits, candidate.ResidueOf(&a)*c.Hits)
	if rise := Rise(base, candidate); rise != 0 && base.Seconds > 0 && candidate.Seconds > 0 {
		c.Share = c.Difference / rise
	}
	return c
}

// Rise is by how much longer an iteration of the candidate's pass took than one of the
// base's, seconds; 0 where a side had none.
func Rise(base, candidate *result.Pegs) float64 { return PerIteration(candidate) - PerIteration(base) }

// PerIteration is how long an iteration of a pass took, seconds; 0 where there was none.
func PerIteration(p *result.Pegs) float64 {
	if p.Iterations < 1 {
		return 0
	}
	return p.Seconds / float64(p.Iterations)
}
