// Package arcs evaluates the pegs of a result: it joins lanes, sorts arcs by time, adds
// arcs along paths, and compares the arcs of a base and a candidate. All numbers are
// seconds. It renders nothing.
package arcs

import "example.com/suite/result"

// Outermost is the source of spans that are in no other span. No point has this name.
const Outermost = ""

// Other is the source that package peg uses for arcs to a point with too many sources to
// record each.
const Other = "…"

// Whole returns one arc for each from, to and kind, over all lanes, in the order of the
// document. Percentiles come from the joined histograms, so their error is at most the
// width of a bin; they are absent if the histogram of a lane is. An arc on a single lane
// keeps its numbers. Whole does not change p.
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

// kinds is the order in which Find looks for an arc. Most arcs begin at the last point on
// the lane, so next is first.
var kinds = []result.ArcKind{result.ArcNext, result.ArcDirected, result.ArcSpan}

// Find returns the arc between two points over all lanes: of the kind next, else directed,
// else span. The error is a *Missing, which suggests the nearest names.
func Find(p *result.Pegs, from, to string) (result.Arc, error) {
	for _, kind := range kinds {
		same := func(a *result.Arc) bool { return a.From == from && a.To == to && a.Kind == kind }
		if found := selected(p, same); len(found) > 0 {
			return joined(found), nil
		}
	}
	return result.Arc{}, missing(p, from, to)
}

// Span returns the arc of a span over all lanes and all spans around it; From is empty if
// these are several. A recursive span counts each time that it is opened, so its sum
// contains the time of inner ones more than once. The error is a *Missing.
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
