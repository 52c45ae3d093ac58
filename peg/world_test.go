//go:build !nopeg

package peg

import (
	"slices"
	"testing"

	"example.com/suite/peg/pegfile"
)

// A hit of the world below takes 10 ns, 3 of them in front of its stamp.
const (
	inFront = 3
	behind  = 7
	// coldBehind is what the first hit after a pause takes in addition, after its stamp.
	coldBehind = 90
)

// world has a clock that moves when the test says so, and by the cost of a reading.
type world struct {
	t        *testing.T
	at       uint64
	isCold   bool // the next hit is the first one after a pause
	registry *registry
	lane     *Lane
}

func newWorld(t *testing.T) *world { return newWorldAt(t, 1_000_000) }

func newWorldAt(t *testing.T, at uint64) *world {
	w := &world{t: t, at: at, registry: newRegistry()}
	clock := &clock{name: "world", now: w.now, ns: 1, pause: func() { w.sleeps(1_000_000) }}
	clock.calibrate()
	w.registry.clock = clock
	w.registry.enable(nil)
	w.lane = w.newLane("")
	return w
}

func (w *world) now() uint64 {
	w.at += inFront
	stamp := w.at
	w.at += behind
	if w.isCold {
		w.at += coldBehind
		w.isCold = false
	}
	return stamp
}

// sleeps lets so many nanoseconds pass in which the caches go cold.
func (w *world) sleeps(ns uint64) {
	w.at += ns
	w.isCold = true
}

// works lets the program do something for so many nanoseconds.
func (w *world) works(ns uint64) { w.at += ns }

// overlaps lets the program do something for so many nanoseconds, the hidden part of it
// during hits, as processors do that execute out of order.
func (w *world) overlaps(ns, hidden uint64) { w.at += ns - hidden }

func (w *world) newLane(name string) *Lane { return &Lane{registry: w.registry, name: name} }

func (w *world) point(name string) *Point { return w.registry.addPoint(name, "", "main.go", 1) }

func (w *world) points(names ...string) (points []*Point) {
	for _, name := range names {
		points = append(points, w.point(name))
	}
	return points
}

func (w *world) directed(name, from string) *Point {
	return w.registry.addPoint(name, from, "main.go", 1)
}

func (w *world) snapshot() *pegfile.Document { return w.registry.snapshot(true, false) }

// arc gives an arc of the snapshot, which has to be there.
func (w *world) arc(from, to string) pegfile.Arc {
	w.t.Helper()
	return arcOf(w.t, w.snapshot(), from, to)
}

func arcOf(t *testing.T, d *pegfile.Document, from, to string) pegfile.Arc {
	t.Helper()
	i := slices.IndexFunc(d.Arcs, func(a pegfile.Arc) bool { return a.From == from && a.To == to })
	if i < 0 {
		t.Fatalf("no arc %s → %s among %v", from, to, d.Arcs)
	}
	return d.Arcs[i]
}

func (w *world) want(from, to string, count uint64, sum float64) {
	w.t.Helper()
	if a := w.arc(from, to); a.Count != count || a.Sum != sum {
		w.t.Errorf("%s → %s: %d arcs of %g ns, want %d of %g", from, to, a.Count, a.Sum, count, sum)
	}
}

func (w *world) hits(name string) pegfile.Hits {
	w.t.Helper()
	d := w.snapshot()
	i := slices.IndexFunc(d.Points, func(p pegfile.Hits) bool { return p.Name == name })
	if i < 0 {
		w.t.Fatalf("no point %q among %v", name, d.Points)
	}
	return d.Points[i]
}

func (w *world) wantHits(name string, count, unmatched uint64) {
	w.t.Helper()
	if p := w.hits(name); p.Count != count || p.Unmatched != unmatched {
		w.t.Errorf("%s: %d hits, %d unmatched; want %d and %d", name, p.Count, p.Unmatched, count, unmatched)
	}
}

func (w *world) wantProblem(text string) {
	w.t.Helper()
	if problems := w.snapshot().Problems; !slices.Contains(problems, text) {
		w.t.Errorf("problems %q, want %q among them", problems, text)
	}
}

func (w *world) wantArcs(count int) {
	w.t.Helper()
	if arcs := w.snapshot().Arcs; len(arcs) != count {
		w.t.Errorf("%d arcs, want %d: %v", len(arcs), count, arcs)
	}
}
