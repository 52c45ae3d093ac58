//go:build !nopeg

package peg

import (
	"testing"

	"example.com/suite/peg/pegfile"
)

func TestDirectedArcSpansWhatLiesBetween(t *testing.T) {
	w := newWorld(t)
	p := w.points("begin", "middle")
	end := w.directed("end", "begin")
	w.lane.Hit(p[0])
	w.works(7)
	w.lane.Hit(p[1])
	w.works(8)
	w.lane.Hit(end)
	w.want("begin", "end", 1, 15)
	if a := w.arc("begin", "end"); a.Kind != pegfile.KindDirected {
		t.Errorf("kind %q", a.Kind)
	}
	w.wantArcs(2) // and begin → middle; none from middle to end
}

func TestDirectedPointBeginsTheNextArc(t *testing.T) {
	w := newWorld(t)
	begin, end, after := w.point("begin"), w.directed("end", "begin"), w.point("after")
	w.lane.Hit(begin)
	w.lane.Hit(end)
	w.works(9)
	w.lane.Hit(after)
	w.want("end", "after", 1, 9)
}

// The start may be made after the point that names it, and after its first hit.
func TestDirectedAtAPointMadeLater(t *testing.T) {
	w := newWorld(t)
	end := w.directed("end", "begin")
	w.lane.Hit(end)
	w.wantHits("end", 1, 1)
	w.wantProblem(`point "end" is measured from "begin", and no point is called so`)

	w.lane.Hit(w.point("begin"))
	w.works(12)
	w.lane.Hit(end)
	w.want("begin", "end", 1, 12)
	w.wantHits("end", 2, 1)
	if problems := w.snapshot().Problems; len(problems) > 0 {
		t.Errorf("problems %q of a start that is there now", problems)
	}
}

func TestDirectedAtAPointThatIsOff(t *testing.T) {
	w := newWorld(t)
	w.registry.disable()
	w.registry.enable([]string{"end"})
	begin, end := w.point("begin"), w.directed("end", "begin")
	w.lane.Hit(begin)
	w.lane.Hit(end)
	w.wantHits("end", 1, 1)
	w.wantProblem(`point "end" is measured from "begin", which is off`)
}

// A start on another lane is none: timepegs took the time of the CPU that it was on.
func TestDirectedStaysOnItsLane(t *testing.T) {
	w := newWorld(t)
	begin, end := w.point("begin"), w.directed("end", "begin")
	other := w.newLane("other")
	other.Hit(begin)
	w.lane.Hit(end)
	w.wantHits("end", 1, 1)
	w.wantArcs(0)
}

func TestDirectedAtItself(t *testing.T) {
	w := newWorld(t)
	turn, between := w.directed("turn", "turn"), w.point("between")
	w.lane.Hit(turn)
	w.works(4)
	w.lane.Hit(between)
	w.works(4)
	w.lane.Hit(turn)
	w.want("turn", "turn", 1, 8)
	w.wantHits("turn", 2, 1)
}

func TestDirectedFromTheBeginOfASpan(t *testing.T) {
	w := newWorld(t)
	request, first := w.point("request"), w.directed("first byte", "request")
	m := w.lane.Begin(request)
	w.works(40)
	w.lane.Stop(first)
	w.works(60)
	m.End()
	w.want("request", "first byte", 1, 40)
	w.want("", "request", 1, 100)
}
