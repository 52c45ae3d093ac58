//go:build !nopeg

package peg

import "math"

const (
	// kept is the number of predecessors of a point whose arcs are kept apart on a lane.
	// Sixteen, as in the kernel, were too few for a parser's states; each takes about 1 KiB.
	kept = 64
	// others replaces the number of each further predecessor.
	others = math.MaxUint32
)

// incoming holds the arcs to a point. The arc found last is tried first, then all of them
// in order: most points have one or two predecessors.
type incoming struct {
	origins []uint32
	arcs    []*tally
	recent  uint32
	found   *tally // from recent; nil while there is none
	other   *tally
}

// from returns the arc from a point.
func (in *incoming) from(origin uint32) *tally {
	if in.recent == origin && in.found != nil {
		return in.found
	}
	return in.search(origin)
}

func (in *incoming) search(origin uint32) *tally {
	for i, o := range in.origins {
		if o == origin {
			in.recent, in.found = origin, in.arcs[i]
			return in.found
		}
	}
	if len(in.arcs) == kept {
		if in.other == nil {
			in.other = &tally{}
		}
		return in.other
	}
	in.origins = append(in.origins, origin)
	in.arcs = append(in.arcs, &tally{})
	in.recent, in.found = origin, in.arcs[len(in.arcs)-1]
	return in.found
}

// each calls do for every arc, with the number of the point at which it begins.
func (in *incoming) each(do func(origin uint32, t *tally)) {
	for i, o := range in.origins {
		do(o, in.arcs[i])
	}
	if in.other != nil {
		do(others, in.other)
	}
}
