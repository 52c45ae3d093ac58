//go:build !nopeg

package peg

import (
	"fmt"
	"testing"

	"example.com/suite/peg/pegfile"
)

func TestHitEndsAnArcAndBeginsTheNext(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b", "c")
	w.lane.Hit(p[0])
	w.works(100)
	w.lane.Hit(p[1])
	w.works(30)
	w.lane.Hit(p[2])
	w.want("a", "b", 1, 100)
	w.want("b", "c", 1, 30)
	w.wantArcs(2)
}

func TestArcToItself(t *testing.T) {
	w := newWorld(t)
	p := w.point("turn")
	for range 4 {
		w.lane.Hit(p)
		w.works(20)
	}
	w.want("turn", "turn", 3, 60)
	w.wantHits("turn", 4, 0)
}

func TestStopsMeasureFromOneStart(t *testing.T) {
	w := newWorld(t)
	p := w.points("start", "one", "two", "three")
	w.lane.Start(p[0])
	for i, stop := range p[1:] {
		w.works(uint64(100 * (i + 1)))
		w.lane.Stop(stop)
	}
	w.want("start", "one", 1, 100)
	w.want("start", "two", 1, 300)
	w.want("start", "three", 1, 600)
	w.wantArcs(3)
}

func TestStartEndsNothing(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	w.lane.Hit(p[0])
	w.lane.Start(p[1])
	w.wantArcs(0)
	w.wantHits("b", 1, 0)
}

func TestStopWithoutStartIsUnmatched(t *testing.T) {
	w := newWorld(t)
	p := w.points("stop", "hit")
	w.lane.Stop(p[0])
	w.wantHits("stop", 1, 1)
	w.lane.Hit(p[1]) // the first of a lane has nothing to end
	w.wantHits("hit", 1, 0)
	w.wantArcs(0)
}

// One point may be hit in all ways, from many places.
func TestOnePointInManyWays(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	w.lane.Start(p[0])
	w.works(5)
	w.lane.Stop(p[0])
	w.works(5)
	w.lane.Hit(p[0])
	w.works(1)
	w.lane.Hit(p[1])
	w.want("a", "a", 2, 5+10) // the second spans the stop
	w.want("a", "b", 1, 1)
}

// B–C–D lies on the way from A to E and on that from X to Y. Arcs between neighbours
// cannot tell them apart, directed ones do.
func TestPathsThroughSharedPoints(t *testing.T) {
	w := newWorld(t)
	w.directed("E", "A")
	w.directed("Y", "X")
	w.points("A", "B", "C", "D", "X")
	walk := func(each uint64, names ...string) {
		for _, name := range names {
			w.lane.Hit(w.registry.names[name])
			w.works(each)
		}
	}
	walk(10, "A", "B", "C", "D", "E")
	walk(1000, "X", "B", "C", "D", "Y")
	walk(10, "A", "B", "C", "D", "E")
	w.want("A", "E", 2, 80)
	w.want("X", "Y", 1, 4000)
	w.want("B", "C", 3, 1020)
}

func TestChainOfEmptyHitsIsZero(t *testing.T) {
	w := newWorld(t)
	first, p, last := w.point("first"), w.point("link"), w.directed("last", "first")
	w.lane.Hit(first)
	for range 3*logged + 17 { // logs are worked off meanwhile
		w.lane.Hit(p)
	}
	w.lane.Hit(last)
	d := w.snapshot()
	for _, a := range d.Arcs {
		if a.Max > d.Residue {
			t.Errorf("%s → %s: %g ns, and the residue is %g", a.From, a.To, a.Max, d.Residue)
		}
	}
}

// What is between two points is not changed by pegs in it.
func TestArcIsTheProgramsOwnTime(t *testing.T) {
	for _, between := range []int{0, 1, 2, 100, logged - 2, logged - 1, logged, logged + 1, 1000} {
		w := newWorld(t)
		p, q, last := w.point("first"), w.point("link"), w.directed("last", "first")
		w.lane.Hit(p)
		for range between {
			w.works(2)
			w.lane.Hit(q)
		}
		w.works(5)
		w.lane.Hit(last)
		w.want("first", "last", 1, float64(2*between+5))
	}
}

func TestManyPredecessorsAreKeptApart(t *testing.T) {
	w := newWorld(t)
	end := w.point("end")
	const many = 64 // the kernel's sixteen are not enough
	for i := range many {
		p := w.point(fmt.Sprint("from ", i))
		for range i + 1 {
			w.lane.Hit(p)
			w.works(10)
			w.lane.Hit(end)
		}
	}
	for i := range many {
		w.want(fmt.Sprint("from ", i), "end", uint64(i+1), float64(10*(i+1)))
	}
}

func TestPredecessorsBeyondAreOther(t *testing.T) {
	w := newWorld(t)
	end := w.point("end")
	for i := range kept + 6 {
		w.lane.Hit(w.point(fmt.Sprint("from ", i)))
		w.works(10)
		w.lane.Hit(end)
	}
	w.want("from 0", "end", 1, 10)
	w.want(fmt.Sprint("from ", kept-1), "end", 1, 10)
	w.want(pegfile.Other, "end", 6, 60)
}
