//go:build !nopeg

package peg

import (
	"sync"
	"testing"

	"example.com/suite/peg/pegfile"
)

// Lanes are hit while two readers read and one takes: every hit is in one of the
// documents that were taken, and in one only.
func TestNothingIsLostOrDoubledWhileLanesAreHit(t *testing.T) {
	const lanes, rounds = 8, 4000
	for _, c := range []*clock{systemClock(), wallClock()} {
		c.calibrate()
		r := newRegistry()
		r.clock = c
		a, b, span := r.addPoint("a", "", "", 0), r.addPoint("b", "", "", 0), r.addPoint("span", "", "", 0)
		r.enable(nil)
		var work, readers sync.WaitGroup
		for range lanes {
			work.Go(func() {
				lane := &Lane{registry: r, name: "worker"}
				defer lane.Close()
				for range rounds {
					m := lane.Begin(span)
					lane.Hit(a)
					lane.Hit(b)
					m.End()
					a.Hit()
				}
			})
		}
		done := make(chan struct{})
		taken := make(chan *pegfile.Document, 1)
		readers.Go(func() { readUntil(done, func() { r.snapshot(true, false) }) })
		readers.Go(func() {
			all := []*pegfile.Document{}
			readUntil(done, func() { all = append(all, r.snapshot(true, true)) })
			taken <- pegfile.Merge(append(all, r.snapshot(true, true))...)
		})
		work.Wait()
		close(done)
		readers.Wait()
		want := map[string]uint64{"a": 2 * lanes * rounds, "b": lanes * rounds, "span": lanes * rounds}
		d := <-taken
		for _, p := range d.Points {
			if p.Count != want[p.Name] || p.Unmatched > 0 {
				t.Errorf("%s: %s was hit %d times, %d unmatched, want %d and none", c.name, p.Name, p.Count, p.Unmatched, want[p.Name])
			}
		}
		arcs := map[pegfile.Kind]uint64{}
		for _, a := range d.Arcs {
			arcs[a.Kind] += a.Count
		}
		// The first hit of each lane ends no arc, and of the default one.
		if next := uint64(3*lanes*rounds - 1); arcs[pegfile.KindSpan] != lanes*rounds || arcs[pegfile.KindNext] > next-1 || arcs[pegfile.KindNext] < next-lanes {
			t.Errorf("%s: arcs %v", c.name, arcs)
		}
	}
}

func readUntil(done chan struct{}, read func()) {
	for {
		select {
		case <-done:
			return
		default:
			read()
		}
	}
}

// Points are made, switched and hit by many at once.
func TestPointsAreMadeAndSwitchedWhileTheyAreHit(t *testing.T) {
	w := newWorld(t)
	w.registry.clock = wallClock() // the clock of the world has one user
	w.registry.clock.calibrate()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			lane := w.newLane("worker")
			for j := range 200 {
				p := w.registry.make(string(rune('a'+i))+string(rune('0'+j)), "", callerOf(1))
				lane.Hit(p)
				lane.Hit(w.registry.here(callerOf(1)))
				lane.Begin(p).End()
			}
		})
	}
	all.Go(func() {
		for range 50 {
			w.registry.disable()
			w.registry.enable([]string{"a0"})
			w.registry.enable(nil)
			w.snapshot()
		}
	})
	all.Wait()
	if n := len(w.registry.names); n != 4*200+1 {
		t.Errorf("%d points, want 801", n)
	}
}
