//go:build !nopeg

package peg

import "testing"

func TestSpansNest(t *testing.T) {
	w := newWorld(t)
	p := w.points("outer", "inner")
	outer := w.lane.Begin(p[0])
	w.works(10)
	for range 3 {
		inner := w.lane.Begin(p[1])
		w.works(5)
		inner.End()
	}
	outer.End()
	w.want("", "outer", 1, 25)
	w.want("outer", "inner", 3, 15)
	w.wantHits("inner", 3, 0)
}

// Timepegs kept one departure of a point, and calls inside of calls overwrote it.
func TestSpansHoldThemselves(t *testing.T) {
	w := newWorld(t)
	p := w.point("walk")
	var walk func(depth int)
	walk = func(depth int) {
		defer w.lane.Begin(p).End()
		w.works(10)
		if depth > 0 {
			walk(depth - 1)
		}
	}
	walk(3)
	w.want("", "walk", 1, 40)
	w.want("walk", "walk", 3, 60) // 30, 20 and 10
	if a := w.arc("walk", "walk"); a.Min != 10 || a.Max != 30 {
		t.Errorf("from %g to %g, want 10 to 30", a.Min, a.Max)
	}
}

func TestOuterEndClosesInnerSpans(t *testing.T) {
	w := newWorld(t)
	p := w.points("outer", "inner")
	outer := w.lane.Begin(p[0])
	inner := w.lane.Begin(p[1])
	w.works(5)
	outer.End()
	inner.End() // too late
	w.want("", "outer", 1, 5)
	w.wantArcs(1)
	w.wantHits("inner", 1, 1)
	w.wantProblem(`span "inner" was left open once`)

	w.lane.Begin(p[1]).End()
	w.want("", "inner", 1, 0)
}

func TestSecondEndOfASpanDoesNothing(t *testing.T) {
	w := newWorld(t)
	p := w.points("outer", "inner")
	outer := w.lane.Begin(p[0])
	inner := w.lane.Begin(p[1])
	inner.End()
	inner.End()
	outer.End()
	w.want("outer", "inner", 1, 0)
	w.want("", "outer", 1, 0)
	w.wantProblem(`span "inner" was ended once when it was not open`)
}

// The last point of a lane is not moved by spans, nor does its arc hold their cost.
func TestSpansAreApartFromArcs(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b", "span")
	w.lane.Hit(p[0])
	m := w.lane.Begin(p[2])
	w.works(6)
	m.End()
	w.lane.Hit(p[1])
	w.want("a", "b", 1, 6)
	w.want("", "span", 1, 6)
}

func TestSpanOverManyHitsHasTheProgramsTime(t *testing.T) {
	w := newWorld(t)
	p := w.points("span", "hit")
	m := w.lane.Begin(p[0])
	for range 1000 {
		w.works(1)
		w.lane.Hit(p[1])
	}
	m.End()
	w.want("", "span", 1, 1000)
}

func TestSpanOfAClosedLaneIsLeftOpen(t *testing.T) {
	w := newWorld(t)
	p := w.point("span")
	m := w.lane.Begin(p)
	w.lane.Close()
	m.End()
	w.wantHits("span", 1, 1)
	w.wantProblem(`span "span" was left open once`)
}

func TestNestingHasAnEnd(t *testing.T) {
	w := newWorld(t)
	p := w.point("span")
	for range deepest + 5 {
		w.lane.Begin(p)
	}
	if open := len(w.lane.track.ledger.open); open > deepest {
		t.Errorf("%d spans are kept, want at most %d", open, deepest)
	}
	w.wantHits("span", deepest+5, 5)
}

// What the lane before left behind hides nothing of the next one.
func TestSpansOfTheNextLane(t *testing.T) {
	w := newWorld(t)
	p := w.point("span")
	first, second := w.newLane("request"), w.newLane("request")
	for range 5 {
		first.Begin(p)
	}
	first.Close()
	m := second.Begin(p)
	m.End()
	m.End()
	w.wantProblem(`span "span" was ended once when it was not open`)
	w.want("", "span", 1, 0)
}
