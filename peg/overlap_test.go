//go:build !nopeg

package peg

import (
	"math/rand/v2"
	"testing"
)

// Of the cost of a hit, any part may have passed while the program worked. Its true time is
// in the interval of each arc, however many hits the arc spans.
func TestTrueTimeIsInTheIntervalOfAnArc(t *testing.T) {
	const work = 25
	for hidden := range uint64(inFront + behind + 1) {
		for _, between := range []int{0, 1, 2, 7, logged, 3 * logged} {
			w := newWorld(t)
			first, link, last, stop, span := w.point("first"), w.point("link"), w.directed("last", "first"), w.point("stop"), w.point("span")
			for range 3 {
				mark := w.lane.Begin(span)
				w.lane.Hit(first)
				for range between {
					w.overlaps(work, hidden)
					w.lane.Hit(link)
				}
				w.overlaps(work, hidden)
				w.lane.Hit(last)
				w.lane.Stop(stop)
				w.overlaps(work, hidden)
				w.lane.Stop(stop)
				mark.End()
			}
			d := w.snapshot()
			for ends, truth := range map[[2]string]int{{"first", "link"}: work, {"link", "link"}: work, {"first", "last"}: work * (between + 1), {"", "span"}: work * (between + 2)} {
				if (ends[0] == "link" && between < 2) || (ends[1] == "link" && between < 1) {
					continue
				}
				a := arcOf(t, d, ends[0], ends[1])
				low, high := a.Min-residueOf(d, a), a.Max+max(d.Overlap, a.Overlap)
				if float64(truth) < low || float64(truth) > high {
					t.Errorf("%d ns hidden, %d hits between: %s → %s is %g to %g ns, of which up to %g were hidden; want %d in it", hidden, between, ends[0], ends[1], a.Min, a.Max, max(d.Overlap, a.Overlap), truth)
				}
			}
		}
	}
}

// An interval is no wider than the hits in it: one hit of 10 ns for neighbours, and for an
// arc across three others four.
func TestOverlapOfAnArc(t *testing.T) {
	w := newWorld(t)
	p, far := w.points("a", "b"), w.directed("far", "a")
	for range 200 {
		w.lane.Hit(p[0])
		w.lane.Hit(p[1])
		w.lane.Hit(p[1])
		w.lane.Stop(p[1])
		w.lane.Hit(far)
	}
	d := w.snapshot()
	if d.Overlap != inFront+behind || d.Overlap != d.Cost {
		t.Errorf("overlap %g of the document, want the cost of a hit", d.Overlap)
	}
	for ends, hits := range map[[2]string]float64{{"a", "b"}: 1, {"far", "a"}: 1, {"b", "b"}: 1, {"a", "far"}: 4} {
		a := arcOf(t, d, ends[0], ends[1])
		if got := max(d.Overlap, a.Overlap); got != hits*d.Overlap || residueOf(d, a) != hits*d.Residue {
			t.Errorf("%s → %s: overlap %g, residue %g; want %g hits of %g and %g", ends[0], ends[1], got, residueOf(d, a), hits, d.Overlap, d.Residue)
		}
	}
}

// One time of an arc that spans a further hit counts, also among usual times.
func TestOverlapOfOneTimeAmongOthers(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b", "between")
	for i, ns := range []uint64{100, 200, 150, 140, 150, 150} {
		w.lane.Hit(p[0])
		w.works(ns)
		if i == 4 {
			w.lane.Stop(p[2])
		}
		w.lane.Hit(p[1])
	}
	if a := w.arc("a", "b"); a.Overlap != 2*(inFront+behind) {
		t.Errorf("overlap %g, want two hits", a.Overlap)
	}
}

// On the real counter the time of a chain of cache misses between two points is in the arc
// between them. A stamp that did not wait for the loads would put nine tenths of it into
// the next arc, which has nothing in it.
func TestCacheMissesAreInTheirOwnArc(t *testing.T) {
	if !hasTicks() {
		t.Skip("no invariant time stamp counter here")
	}
	next := shuffled(64 << 20 / 64)
	r, from, to := enabled(systemClock())
	lane := &Lane{registry: r}
	at := uint32(0)
	for range 10_000 {
		lane.Hit(from)
		at = next[at][0]
		at = next[at][0]
		lane.Hit(to)
	}
	sink += uint64(at)
	d := r.snapshot(true, false)
	chase := medianOf(arcOf(t, d, "from", "to"))
	nothing := medianOf(arcOf(t, d, "to", "from"))
	t.Logf("two cache misses take %g ns, and nothing takes %g ns", chase, nothing)
	if chase < nothing {
		t.Error("the arc after the cache misses is longer than their own")
	}
}

// shuffled returns a cycle through n cache lines in random order: each contains the number
// of the next.
func shuffled(n int) [][16]uint32 {
	next := make([][16]uint32, n)
	for i := range next {
		next[i][0] = uint32(i)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := n - 1; i > 0; i-- { // Sattolo's algorithm: one cycle
		j := rng.IntN(i)
		next[i][0], next[j][0] = next[j][0], next[i][0]
	}
	return next
}
