package arcs_test

import (
	"math"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// The arc that grew comes first, with its part of what the pass grew by; numbers are of
// one iteration, so that passes of different length compare.
func TestChanges(t *testing.T) {
	base := pegs(nil, arc("a", "b", 1, 1), arc("b", "c", 4, 4), arc("c", "d", 2), onLane("w", arc("a", "b", 2, 2)))
	candidate := pegs(nil, arc("a", "b", 6, 6, 6, 6), arc("b", "c", 4, 4, 4, 4), arc("b", "x", 10))
	base.Iterations, base.Seconds = 2, 16
	candidate.Iterations, candidate.Seconds = 4, 52
	got := arcs.Changes(base, candidate)
	want := []arcs.Change{
		{From: "a", To: "b", Base: 3, Candidate: 6, BaseHits: 2, Hits: 1, Difference: 3, Share: 0.6},
		{From: "b", To: "x", Candidate: 2.5, Hits: 0.25, NewlyThere: true, Difference: 2.5, Share: 0.5},
		{From: "b", To: "c", Base: 4, Candidate: 4, BaseHits: 1, Hits: 1},
		{From: "c", To: "d", Base: 1, BaseHits: 0.5, BaseOnly: true, Difference: -1, Share: -0.2},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %+v\nwant %+v", got[i], want[i])
		}
	}
}

// Passes that took the same have no difference to have a share of.
func TestChangesOfEqualPasses(t *testing.T) {
	base, candidate := pegs(nil, arc("a", "b", 1)), pegs(nil, arc("a", "b", 2))
	if c := arcs.Changes(base, candidate); len(c) != 1 || !math.IsNaN(c[0].Share) || !near(c[0].Difference, 0.1) {
		t.Errorf("%+v", c)
	}
}

func TestChangesWithoutIterations(t *testing.T) {
	if c := arcs.Changes(pegs(nil, arc("a", "b", 1)), &result.Pegs{}); c != nil {
		t.Errorf("%+v", c)
	}
}

// What a change may be off by is the residue of each hit in it, of the side with more.
func TestResidueOfAChange(t *testing.T) {
	base, candidate := pegs(nil, arc("a", "b", 1, 1)), pegs(nil, arc("a", "b", 2, 2, 2))
	base.Iterations, base.Residue = 1, 0.25
	candidate.Iterations, candidate.Residue, candidate.Arcs[0].Residue = 1, 0.25, 0.5
	if c := arcs.Changes(base, candidate); len(c) != 1 || c[0].Residue != 1.5 {
		t.Errorf("%+v, want a residue of 3 times 0.5 s", c)
	}
	base.Overlap = 1 // its hits may be hidden on one side and not on the other
	if c := arcs.Changes(base, candidate); len(c) != 1 || c[0].Residue != max(1.5, c[0].BaseHits) {
		t.Errorf("%+v, want a residue of one second a hit of the base", c)
	}
	candidate.Arcs[0].Overlap = 2
	if c := arcs.Changes(base, candidate); len(c) != 1 || c[0].Residue != 6 {
		t.Errorf("%+v, want a residue of 3 times 2 s", c)
	}
}
