//go:build !nopeg

package peg

import "math"

const (
	// kept apart are the arcs from so many points to one, on a lane: the kernel's
	// sixteen were too few for a parser's states, and each takes about a kilobyte.
	kept = 64
	// others is where the arcs beyond are said to come from.
	others = math.MaxUint32
)

// incoming are the arcs to a point. They are searched one after the other, the one that
// was last found first: most points have one predecessor or two.
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

// each passes all arcs to do, with the points at which they begin.
func (in *incoming) each(do func(origin uint32, t *tally)) {
	for i, o := range in.origins {
		do(o, in.arcs[i])
	}
	if in.other != nil {
		do(others, in.other)
	}
}
