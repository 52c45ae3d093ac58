//go:build !nopeg

package peg

import (
	"context"
	"runtime"
	"testing"
	"time"
)

func TestLanesKeepTheirOwnLastPoint(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	one, two := w.newLane("one"), w.newLane("two")
	one.Hit(p[0])
	two.Hit(p[1])
	w.works(5)
	one.Hit(p[1])
	w.works(5)
	two.Hit(p[0])
	d := w.snapshot()
	if ab := arcOf(t, d, "a", "b"); ab.Lane != "one" || ab.Count != 1 {
		t.Errorf("a → b: %+v", ab)
	}
	if ba := arcOf(t, d, "b", "a"); ba.Lane != "two" || ba.Count != 1 {
		t.Errorf("b → a: %+v", ba)
	}
}

func TestLanesOfOneNameAreJoined(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	one, two := w.newLane("worker"), w.newLane("worker")
	for i, lane := range []*Lane{one, two} {
		lane.Hit(p[0])
		w.works(uint64(10 * (i + 1)))
		lane.Hit(p[1])
	}
	w.want("a", "b", 2, 30)
	w.wantHits("a", 2, 0)
	w.wantArcs(1)
}

// A server makes a lane for each request. What they measured stays, their memory does
// not, and no arc goes from one request to the next.
func TestClosedLanesLeaveTheirArcsAndTheirMemory(t *testing.T) {
	w := newWorld(t)
	p, direct := w.points("a", "b"), w.directed("far", "a")
	for range 1000 {
		lane := w.newLane("request")
		lane.Stop(direct)
		lane.Hit(p[0])
		w.works(3)
		lane.Hit(p[1])
		lane.Close()
		w.works(1000)
	}
	w.want("a", "b", 1000, 3000)
	w.wantHits("far", 1000, 1000)
	w.wantArcs(1)
	if n := len(w.registry.tracks); n != 1 {
		t.Errorf("memory of %d lanes, want that of one", n)
	}
}

// A server that forgets to close the lanes of its requests loses no memory for ever.
func TestForgottenLanesGiveTheirMemoryBack(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	const lanes = 100
	for range lanes {
		lane := w.newLane("request")
		lane.Hit(p[0])
		w.works(3)
		lane.Hit(p[1])
	}
	free := func() int {
		w.registry.mu.Lock()
		defer w.registry.mu.Unlock()
		return len(w.registry.free["request"])
	}
	for begun := time.Now(); free() < lanes-1; runtime.Gosched() { // the last one may still lie on the stack
		if runtime.GC(); time.Since(begun) > time.Minute {
			t.Fatalf("memory of %d lanes was given back, want that of %d", free(), lanes)
		}
	}
	w.want("a", "b", lanes, 3*lanes)
}

func TestZeroLaneIsOneWithoutAName(t *testing.T) {
	w := newWorld(t)
	p := w.point("zero")
	before := pegs
	pegs = w.registry
	defer func() { pegs = before }()
	var lane Lane
	lane.Begin(p).End()
	lane.Close()
	lane.Hit(p)
	(&Lane{closed: true}).Hit(p)
	w.want("", "zero", 1, 0)
	w.wantProblem("lanes that were closed were hit 2 times, which does not count")
}

// Two goroutines on one lane are a fault of the program. It may spoil what is measured,
// and must not hang the program: head may be set back behind what was worked off.
func TestALaneWithTwoUsersIsTold(t *testing.T) {
	w := newWorld(t)
	p := w.point("a")
	for range 10 {
		w.lane.Hit(p)
	}
	w.snapshot()
	w.lane.track.head.Store(w.lane.track.head.Load() - 5)
	w.wantProblem(`lane "" was hit by several goroutines at once: hits are lost, arcs mean nothing`)
	w.lane.Hit(p)
	w.wantHits("a", 11, 0)

	w.lane.track.head.Store(w.lane.track.limit + 7) // and beyond, where it has to be found full
	w.lane.Hit(p)
	if head, limit := w.lane.track.head.Load(), w.lane.track.limit; head > limit {
		t.Errorf("head %d is beyond the limit %d", head, limit)
	}
}

func TestClosedLaneTakesNoHits(t *testing.T) {
	w := newWorld(t)
	p := w.point("a")
	w.lane.Hit(p)
	w.lane.Close()
	w.lane.Close()
	w.lane.Hit(p)
	w.lane.Begin(p).End()
	w.wantHits("a", 1, 0)
	w.wantProblem("lanes that were closed were hit 3 times, which does not count")
}

func TestNilLaneTakesHits(t *testing.T) {
	w := newWorld(t)
	p := w.point("a")
	var lane *Lane
	lane.Hit(p)
	lane.Start(p)
	lane.Stop(p)
	lane.Begin(p).End()
	lane.Close()
	w.wantArcs(0)
}

func TestDefaultLane(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b", "c")
	p[0].Hit()
	w.works(5)
	p[1].Stop()
	w.works(5)
	p[1].Start()
	w.works(5)
	w.registry.common.Hit(p[2])
	w.registry.common.Close()
	m := w.registry.common.Begin(p[2])
	w.works(4)
	m.End()
	d := w.snapshot()
	for from, to := range map[string]string{"a": "b", "b": "c"} {
		if a := arcOf(t, d, from, to); a.Sum != 5 || a.Lane != "" {
			t.Errorf("%+v, want a sum of 5", a)
		}
	}
	if a := arcOf(t, d, "", "c"); a.Sum != 4 {
		t.Errorf("span of %g ns, want 4", a.Sum)
	}
}

func TestContextCarriesALane(t *testing.T) {
	lane := NewLane("request")
	ctx := WithLane(context.Background(), lane)
	if got := LaneOf(ctx); got != lane {
		t.Errorf("lane %p, want %p", got, lane)
	}
	if got := LaneOf(context.Background()); got != pegs.common {
		t.Errorf("lane %p, want the default one", got)
	}
}

// A lane that takes no hits takes no memory, and needs no clock.
func TestLaneBeforeEnable(t *testing.T) {
	r := newRegistry()
	lane := &Lane{registry: r}
	p := r.addPoint("a", "", "", 0)
	lane.Hit(p)
	lane.Begin(p).End()
	lane.Close()
	if len(r.tracks) > 0 {
		t.Error("a lane without hits has memory")
	}
	if d := r.snapshot(true, false); len(d.Points)+len(d.Arcs)+len(d.Problems) > 0 {
		t.Errorf("%+v", d)
	}
}
