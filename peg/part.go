//go:build !nopeg

package peg

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"example.com/suite/peg/pegfile"
)

// part is what a lane has measured.
func (g *ledger) part(lane string) *pegfile.Document {
	d := &pegfile.Document{}
	for i := range g.places {
		p := &g.places[i]
		if p.count > 0 {
			d.Points = append(d.Points, pegfile.Hits{Name: p.point.name, File: p.point.file, Line: p.point.line,
				Count: p.count, Unmatched: min(p.lacked, p.count)}) // spans left open may have begun before a reset
		}
		kind := pegfile.KindNext
		if p.point.from != "" {
			kind = pegfile.KindDirected
		}
		d.Arcs = append(d.Arcs, g.arcs(p, &p.next, kind, lane)...)
		d.Arcs = append(d.Arcs, g.arcs(p, &p.spans, pegfile.KindSpan, lane)...)
	}
	return d
}

func (g *ledger) arcs(p *place, in *incoming, kind pegfile.Kind, lane string) (arcs []pegfile.Arc) {
	in.each(func(origin uint32, t *tally) {
		a := t.arc(g.errs)
		a.From = g.nameOf(origin)
		a.To = p.point.name
		a.Kind = kind
		a.Lane = lane
		arcs = append(arcs, a)
	})
	return arcs
}

// nameOf returns the name of the start of an arc, "" for number 0: a span that is in no other.
func (g *ledger) nameOf(origin uint32) string {
	if origin == others {
		return pegfile.Other
	}
	return g.places[origin].point.name
}

// firsts are the stamps of the first hits, by the name of the point.
type firsts map[string]uint64

// order finds them. Lanes have one clock.
func (r *registry) order() firsts {
	order := firsts{}
	for _, t := range r.tracks {
		for _, p := range t.ledger.places {
			if p.count == 0 {
				continue
			}
			if first, known := order[p.point.name]; !known || p.first < first {
				order[p.point.name] = p.first
			}
		}
	}
	return order
}

// compare puts points that were not hit, but are the start of an arc, last.
func (f firsts) compare(a, b string) int {
	stamp := func(name string) uint64 {
		if at, hit := f[name]; hit {
			return at
		}
		return math.MaxUint64
	}
	return cmp.Or(cmp.Compare(stamp(a), stamp(b)), cmp.Compare(a, b))
}

// sortedNames of points.
func (r *registry) sortedNames() []string { return slices.Sorted(maps.Keys(r.names)) }
