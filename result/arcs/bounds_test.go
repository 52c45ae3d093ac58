package arcs_test

import (
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

func TestBounds(t *testing.T) {
	p := &result.Pegs{Residue: 4, Overlap: 10}
	far := &result.Arc{Kind: result.ArcDirected, Residue: 12, Overlap: 30}
	for _, c := range []struct {
		pegs         *result.Pegs
		arc          *result.Arc
		x, low, high float64
	}{
		{p, &result.Arc{}, 24, 24, 34},
		{p, &result.Arc{}, 1, 0, 11}, // an empty arc may show it
		{p, &result.Arc{}, 4, 0, 14},
		{p, &result.Arc{}, 999, 999, 1009},
		{p, &result.Arc{}, 1001, 1001, 1001}, // less than a hundredth
		{p, far, 24, 24, 54},
		{p, far, 11, 0, 41},
		{&result.Pegs{Residue: 4}, &result.Arc{}, 1, 0, 4}, // nothing can overlap
		{&result.Pegs{Residue: 4}, &result.Arc{}, 5, 5, 5},
		{&result.Pegs{}, &result.Arc{}, 0, 0, 0},
	} {
		if low, high := arcs.Bounds(c.pegs, c.arc, c.x); low != c.low || high != c.high {
			t.Errorf("%g of %+v: %g to %g, want %g to %g", c.x, c.arc, low, high, c.low, c.high)
		}
	}
}
