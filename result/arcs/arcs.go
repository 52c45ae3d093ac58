// Package arcs reads what pegs have measured: lanes put together, arcs in the order of
// time, sums along paths, and what differs between a base and a candidate. It is
// handed the pegs of a result and gives numbers in seconds; it lays nothing out.
package arcs

import "example.com/suite/result"

// Outermost is the source of spans that lie in no other. Points cannot be called so.
const Outermost = ""

// Other is the source of arcs to points that have more sources than are kept apart: what
// package peg calls so.
const Other = "…"

// Whole gives one arc for each from, to and kind, the lanes put together, in the order
// of the document. Percentiles are those of the joined histograms, so they are known to
// the width of a bin; an arc of one lane stays as it is. An arc one of whose lanes has
// no histogram has no percentiles. p is left as it is.
func Whole(p *result.Pegs) []result.Arc {
	var order []key
	lanes := map[key][]*result.Arc{}
	for i := range p.Arcs {
		a := &p.Arcs[i]
		k := ends(a)
		if lanes[k] == nil {
			order = append(order, k)
		}
		lanes[k] = append(lanes[k], a)
	}
	whole := make([]result.Arc, len(order))
	for i, k := range order {
		whole[i] = joined(lanes[k])
		whole[i].Lane = ""
	}
	return whole
}

// kinds is the order in which Find looks for an arc: the last point on the lane is what
// most arcs begin at.
var kinds = []result.ArcKind{result.ArcNext, result.ArcDirected, result.ArcSpan}

// Find gives the arc between two points, lanes put together, of the kind next or, where
// there is none, directed or span. The error is a *Missing, which names what is nearest.
func Find(p *result.Pegs, from, to string) (result.Arc, error) {
	for _, kind := range kinds {
		same := func(a *result.Arc) bool { return a.From == from && a.To == to && a.Kind == kind }
		if found := selected(p, same); len(found) > 0 {
			return joined(found), nil
		}
	}
	return result.Arc{}, missing(p, from, to)
}

// Span gives all of a span, whatever spans it lies in, lanes put together: From is
// empty where these are several. A span that holds itself counts once for each time
// that it was opened, so that its sum holds the inner ones twice. The error is a
// *Missing.
func Span(p *result.Pegs, name string) (result.Arc, error) {
	found := selected(p, func(a *result.Arc) bool { return a.Kind == result.ArcSpan && a.To == name })
	if len(found) == 0 {
		return result.Arc{}, missingSpan(p, name)
	}
	return joined(found), nil
}

func selected(p *result.Pegs, wanted func(*result.Arc) bool) (found []*result.Arc) {
	for i := range p.Arcs {
		if wanted(&p.Arcs[i]) {
			found = append(found, &p.Arcs[i])
		}
	}
	return found
}
