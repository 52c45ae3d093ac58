//go:build !nopeg

package peg

import (
	"strconv"
	"testing"

	"example.com/suite/peg/pegfile"
)

func TestPointsAreOffUntilEnabled(t *testing.T) {
	w := newWorld(t)
	w.registry.disable()
	p := w.point("a")
	w.lane.Hit(p)
	w.lane.Begin(p).End()
	if d := w.snapshot(); len(d.Points) > 0 {
		t.Errorf("points that are off were hit: %+v", d.Points)
	}
	w.registry.enable(nil)
	w.lane.Hit(p)
	w.wantHits("a", 1, 0)
}

func TestEnableByName(t *testing.T) {
	w := newWorld(t)
	w.registry.disable()
	p := w.points("a", "b", "c")
	w.registry.enable([]string{"a"})
	w.registry.enable([]string{"c", "later", "never"})
	p = append(p, w.point("later"))
	for range 2 {
		for _, p := range p {
			w.works(10)
			w.lane.Hit(p)
		}
	}
	w.want("a", "c", 2, 40)
	w.want("c", "later", 2, 20)
	w.want("later", "a", 1, 10)
	w.wantArcs(3)
	w.wantProblem(`no point is called "never"`)
}

// What the program did while pegs were off is in no arc.
func TestNoArcOverATimeInWhichPegsWereOff(t *testing.T) {
	w := newWorld(t)
	a, b, far := w.point("a"), w.point("b"), w.directed("far", "a")
	w.lane.Hit(a)
	m := w.lane.Begin(b)
	w.registry.disable()
	w.works(1_000_000)
	w.registry.enable(nil)
	m.End()
	w.lane.Stop(far)
	w.lane.Hit(b)
	w.wantArcs(0)
	w.wantHits("far", 1, 1)
	w.wantHits("b", 2, 1)
}

// Enable adds: what is on goes on.
func TestEnableOfMoreGoesOn(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	w.lane.Hit(p[0])
	w.registry.enable([]string{"b"})
	w.works(8)
	w.lane.Hit(p[1])
	w.want("a", "b", 1, 8)
}

func TestDisableKeepsWhatWasMeasured(t *testing.T) {
	w := newWorld(t)
	p := w.point("a")
	w.lane.Hit(p)
	m := w.lane.Begin(p)
	w.registry.disable()
	w.lane.Hit(p)
	w.works(3)
	m.End()
	w.wantHits("a", 2, 0)
	w.want("", "a", 1, 3)
}

func TestSecondPointOfANameIsDead(t *testing.T) {
	w := newWorld(t)
	first := w.registry.addPoint("a", "", "one.go", 1)
	second := w.registry.addPoint("a", "", "two.go", 2)
	w.lane.Hit(first)
	w.lane.Hit(second)
	w.wantHits("a", 1, 0)
	w.wantProblem(`two.go:2: a second point "a", the first is at one.go:1: its hits do not count`)
	if p := w.hits("a"); p.File != "one.go" || p.Line != 1 {
		t.Errorf("made at %s:%d", p.File, p.Line)
	}
}

// A program that goes wrong in a loop does so in bounded memory.
func TestProblemsAreToldOnceAndBounded(t *testing.T) {
	w := newWorld(t)
	for range 1000 {
		w.registry.addPoint("a", "", "main.go", 1)
		w.registry.enable([]string{"never"})
	}
	problems := w.snapshot().Problems
	if len(problems) != 2 || len(w.registry.wanted) != 1 {
		t.Errorf("problems %q, %d are wanted", problems, len(w.registry.wanted))
	}
	for i := range 2 * mostProblems {
		w.registry.addPoint("a", "", "main.go", 2+i)
	}
	if n := len(w.registry.problems); n != mostProblems {
		t.Errorf("%d problems are kept", n)
	}
	w.wantProblem("points could not be made 101 times more")
}

func TestPointsHaveAnEnd(t *testing.T) {
	w := newWorld(t)
	for i := range mostPoint + 10 {
		w.point(strconv.Itoa(i))
	}
	w.wantProblem("main.go:1: more than 65535 points: its hits do not count")
	w.lane.Hit(w.registry.names[strconv.Itoa(mostPoint-1)])
	w.wantHits(strconv.Itoa(mostPoint-1), 1, 0)
	if n := len(w.registry.names); n != mostPoint {
		t.Errorf("%d points", n)
	}
}

func TestPointsThatCannotBeCalledSo(t *testing.T) {
	for _, name := range []string{"", pegfile.Other, "\xff"} {
		w := newWorld(t)
		w.lane.Hit(w.point(name))
		if d := w.snapshot(); len(d.Points) > 0 || len(d.Problems) != 1 {
			t.Errorf("%q: points %v, problems %q", name, d.Points, d.Problems)
		}
	}
}
