package arcs_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// Where nothing joins or leaves on the way, count and total are exact.
func TestPath(t *testing.T) {
	p := pegs([]string{"a", "b", "c"}, arc("a", "b", 1, 4), arc("b", "c", 5, 2))
	s, err := arcs.Path(p, "a", "b", "c")
	if err != nil || !s.Exact || s.Count != 2 || s.Total != 12 || s.Min != 3 || s.Max != 9 || len(s.Arcs) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// As many went in as came out, and they were others: A→B, X→B, B→C, B→D.
func TestPathIsABoundWhereOthersJoin(t *testing.T) {
	p := pegs([]string{"a", "x", "b", "c", "d"}, arc("a", "b", 1, 1), arc("x", "b", 2, 2), arc("b", "c", 3, 3), arc("b", "d", 4, 4))
	if s, err := arcs.Path(p, "a", "b", "c"); err != nil || s.Exact || s.Count != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	p = pegs([]string{"a", "b", "c"}, arc("a", "b", 1), ofKind(result.ArcDirected, arc("b", "c", 3))) // whatever lies between
	if s, err := arcs.Path(p, "a", "b", "c"); err != nil || s.Exact {
		t.Errorf("%+v, %v", s, err)
	}
	p = pegs([]string{"a", "b", "c"}, arc("a", "b", 1, 1), arc("b", "c", 3))
	if s, err := arcs.Path(p, "a", "b", "c"); err != nil || s.Exact || s.Count != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestPathOfMissingArcs(t *testing.T) {
	p := pegs([]string{"a", "b"}, arc("a", "b", 1))
	for _, names := range [][]string{nil, {"a"}, {"a", "c"}, {"a", "b", "a"}} {
		if s, err := arcs.Path(p, names...); err == nil {
			t.Errorf("%q: %+v", names, s)
		}
	}
}

// Whatever way hits take through a graph, what is said of a path holds.
func TestPathBoundsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		walk := randomWalk(rng, 3+rng.IntN(60))
		p, truth := measured(walk)
		s, err := arcs.Path(p, "a", "b", "c")
		if err != nil {
			continue
		}
		if s.Count < truth.count || s.Total < truth.total-1e-9 || s.Exact && (s.Count != truth.count || math.Abs(s.Total-truth.total) > 1e-9) {
			t.Fatalf("%+v, %+v\n%v", s, truth, walk)
		}
		if truth.count > 0 && (truth.least < s.Min || truth.greatest > s.Max) {
			t.Fatalf("%+v, %+v\n%v", s, truth, walk)
		}
	}
}

type hit struct {
	name string
	at   float64
}

func randomWalk(rng *rand.Rand, n int) (walk []hit) {
	at := 0.0
	for range n {
		at += 1 + rng.Float64()
		walk = append(walk, hit{string(rune('a' + rng.IntN(3))), at})
	}
	return walk
}

type truth struct {
	count                  int64
	total, least, greatest float64
}

// measured gives the pegs of a walk, and what a → b → c in it really came to.
func measured(walk []hit) (*result.Pegs, truth) {
	times, hits := map[[2]string][]float64{}, map[string]int64{}
	real := truth{least: math.Inf(1)}
	for i, h := range walk {
		hits[h.name]++
		if i == 0 {
			continue
		}
		ends := [2]string{walk[i-1].name, h.name}
		times[ends] = append(times[ends], h.at-walk[i-1].at)
		if i > 1 && walk[i-2].name+walk[i-1].name+h.name == "abc" {
			took := h.at - walk[i-2].at
			real.count, real.total, real.least, real.greatest = real.count+1, real.total+took, min(real.least, took), max(real.greatest, took)
		}
	}
	p := &result.Pegs{}
	for name, n := range hits {
		p.Points = append(p.Points, result.PegPoint{Name: name, Hits: n})
	}
	for ends, xs := range times {
		p.Arcs = append(p.Arcs, arc(ends[0], ends[1], xs...))
	}
	return p, real
}

// A path of one step is that arc, of whatever kind, and no bound.
func TestPathOfOneStep(t *testing.T) {
	p := pegs([]string{"a", "b", "c"}, ofKind(result.ArcDirected, arc("a", "c", 2, 4)), arc("a", "b", 1), arc("b", "c", 1))
	if s, err := arcs.Path(p, "a", "c"); err != nil || !s.Exact || s.Count != 2 || s.Total != 6 || s.Min != 2 || s.Max != 4 {
		t.Errorf("%+v, %v", s, err)
	}
}
