package arcs

import (
	"cmp"
	"slices"

	"example.com/suite/result"
)

// Source is a point with the arcs that begin there.
type Source struct {
	Name string       // empty for spans that lie in no other
	Arcs []result.Arc // lanes put together, the longest in sum first
}

// InTime groups arcs by their source, in the order in which points were first hit: as
// tpt shows them. The outermost spans come first; sources that are no points, as what
// is kept of too many of them, come last in the order of their names.
func InTime(p *result.Pegs) []Source {
	return grouped(p, Whole(p))
}

// InTimeByLane returns the same as InTime for each lane separately: arcs that differ only
// in their lane follow each other, in the order of the lanes' names.
func InTimeByLane(p *result.Pegs) []Source {
	return grouped(p, slices.Clone(p.Arcs))
}

func grouped(p *result.Pegs, arcs []result.Arc) []Source {
	place := map[string]int{Outermost: -1}
	for i, point := range p.Points {
		place[point.Name] = i
	}
	at := func(name string) int {
		if i, ok := place[name]; ok {
			return i
		}
		return len(p.Points)
	}
	sums := sumsOf(arcs)
	slices.SortStableFunc(arcs, func(a, b result.Arc) int {
		return cmp.Or(cmp.Compare(at(a.From), at(b.From)), cmp.Compare(a.From, b.From),
			cmp.Compare(sums[ends(&b)], sums[ends(&a)]), cmp.Compare(at(a.To), at(b.To)), cmp.Compare(a.To, b.To),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Lane, b.Lane))
	})
	var sources []Source
	for _, a := range arcs {
		if n := len(sources); n == 0 || sources[n-1].Name != a.From {
			sources = append(sources, Source{Name: a.From})
		}
		s := &sources[len(sources)-1]
		s.Arcs = append(s.Arcs, a)
	}
	return sources
}

// key is what an arc is but for its lane.
type key struct {
	from, to string
	kind     result.ArcKind
}

func ends(a *result.Arc) key { return key{a.From, a.To, a.Kind} }

// sumsOf returns the sum of each arc over all lanes.
func sumsOf(arcs []result.Arc) map[key]float64 {
	sums := map[key]float64{}
	for i := range arcs {
		sums[ends(&arcs[i])] += arcs[i].Sum
	}
	return sums
}

// visible is the smallest part of a time that is shown as a range: of three digits, the
// last one changes.
const visible = 0.01

// Bounds returns the range that x, a time of the arc a, is shown as. low is 0 if an arc with
// nothing in it may show x. Otherwise the range goes from x, which has the full cost of the
// arc's hits subtracted, to what it is with the part that the program may have worked in
// added. Both are x if they hardly differ.
func Bounds(p *result.Pegs, a *result.Arc, x float64) (low, high float64) {
	residue := p.ResidueOf(a)
	overlap := p.OverlapOf(a)
	switch {
	case residue > 0 && x <= residue:
		return 0, max(residue, x+overlap)
	case overlap > visible*x:
		return x, x + overlap
	}
	return x, x
}
