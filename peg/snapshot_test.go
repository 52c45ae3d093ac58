//go:build !nopeg

package peg

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"example.com/suite/peg/pegfile"
)

// Two readers get the same, and a third as well: reading takes nothing away.
func TestSnapshotTakesNothing(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	w.lane.Hit(p[0])
	w.works(5)
	w.lane.Hit(p[1])
	first, second := w.snapshot(), w.snapshot()
	if !reflect.DeepEqual(first, second) {
		t.Errorf("first\n%+v\nthen\n%+v", first, second)
	}
	w.works(5)
	w.lane.Hit(p[0])
	w.want("a", "b", 1, 5)
	w.want("b", "a", 1, 5)
}

func TestResetForgetsAndKeepsWhatIsOpen(t *testing.T) {
	w := newWorld(t)
	p, far := w.points("a", "b", "span"), w.directed("far", "a")
	w.lane.Hit(p[0])
	m := w.lane.Begin(p[2])
	w.works(10)
	w.lane.Hit(p[1])
	w.registry.snapshot(false, true)
	if d := w.snapshot(); len(d.Points)+len(d.Arcs) > 0 {
		t.Errorf("after reset: %+v", d)
	}
	w.works(7)
	w.lane.Stop(far)
	w.want("a", "far", 1, 17)
	w.lane.Hit(p[0])
	w.want("b", "a", 1, 7)
	m.End()
	w.want("", "span", 1, 17)
}

// Spans that were open at a reset are counted before it, and left open behind it.
func TestUnmatchedAreNoMoreThanHitsBehindAReset(t *testing.T) {
	w := newWorld(t)
	p := w.point("span")
	for range 3 {
		w.lane.Begin(p)
	}
	w.registry.snapshot(false, true)
	w.lane.Begin(p)
	w.lane.Close()
	w.wantHits("span", 1, 1)
	w.wantProblem(`span "span" was left open 4 times`)
	if err := w.snapshot().Check(); err != nil {
		t.Error(err)
	}
}

func TestSnapshotAndResetLosesNothing(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	hits, arcs, sum := uint64(0), uint64(0), 0.0
	for i := range 100 {
		for range i * 7 {
			w.works(3)
			w.lane.Hit(p[i%2])
		}
		d := w.registry.snapshot(true, true)
		for _, p := range d.Points {
			hits += p.Count
		}
		for _, a := range d.Arcs {
			arcs, sum = arcs+a.Count, sum+a.Sum
		}
	}
	if want := uint64(7 * 99 * 100 / 2); hits != want || arcs != want-1 || sum != float64(3*(want-1)) {
		t.Errorf("%d hits, %d arcs of %g ns; want %d, %d and %d", hits, arcs, sum, want, want-1, 3*(want-1))
	}
}

func TestPointsAreInTheOrderOfTheirFirstHit(t *testing.T) {
	w := newWorld(t)
	w.points("a", "b", "c")
	for _, name := range []string{"c", "a", "c", "b"} {
		w.newLane(name).Hit(w.registry.names[name])
	}
	var got []string
	for _, p := range w.snapshot().Points {
		got = append(got, p.Name)
	}
	if want := []string{"c", "a", "b"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a snapshot says is a document that Read takes.
func TestSnapshotCanBeRead(t *testing.T) {
	w := newWorld(t)
	p, far := w.points("a", "b", "span"), w.directed("far", "a")
	for i := range 1000 {
		m := w.lane.Begin(p[2])
		w.lane.Hit(p[0])
		w.works(uint64(i * i % 977))
		w.lane.Hit(p[1])
		w.lane.Stop(far)
		m.End()
	}
	written := w.snapshot()
	data, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	read, err := pegfile.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read.Arcs, written.Arcs) {
		t.Errorf("written\n%+v\nread\n%+v", written.Arcs, read.Arcs)
	}
}

func TestSnapshotBeforeEnable(t *testing.T) {
	if d := newRegistry().snapshot(true, false); d.Protocol != pegfile.Protocol || d.Points == nil || d.Arcs == nil || d.End {
		t.Errorf("%+v", d)
	}
}

// The cost of a hit is known from the first Enable on, which measures it, and not only from
// the first hit on.
func TestSnapshotBeforeTheFirstHit(t *testing.T) {
	w := newWorld(t)
	if d := w.snapshot(); d.Clock != "world" || d.Cost != inFront+behind || d.Overlap != d.Cost || d.Residue == 0 || len(d.Points) > 0 {
		t.Errorf("%+v", d)
	}
}

func TestTallyOfKnownTimes(t *testing.T) {
	var all tally
	for _, ticks := range []int64{4, 8, 6, 2, -3} {
		all.add(stretch{ticks: ticks, hits: 1}, 1)
	}
	a := all.arc(hitErrors{})
	want := pegfile.Arc{Count: 5, Zero: 1, Sum: 20, Min: 0, Max: 8, Squares: 40, // of 4 8 6 2 0, mean 4
		Histogram: []pegfile.Bin{{High: 1, Count: 1}, {Low: 2, High: 2.125, Count: 1}, {Low: 4, High: 4.25, Count: 1},
			{Low: 6, High: 6.25, Count: 1}, {Low: 8, High: 8.5, Count: 1}}}
	if !reflect.DeepEqual(a, want) {
		t.Errorf("%+v, want %+v", a, want)
	}
}

// An hour with a deviation of 10 ns: squares of the times themselves would have no digit left of it.
func TestSquaresOfLongTimesWithASmallDeviation(t *testing.T) {
	var all tally
	for i := range 1000 {
		all.add(stretch{ticks: 3_600_000_000_000 + int64(i%2)*20, hits: 1}, 1)
	}
	if got, want := all.arc(hitErrors{}).Squares, 1000*10.0*10; math.Abs(got-want) > 1e-6*want {
		t.Errorf("squares %g, want %g", got, want)
	}
}

// Every time lies in its bin, from zero to more than there is.
func TestBinsHoldTheirTimes(t *testing.T) {
	for _, ns := range []float64{0, 0.49, 0.5, 0.99, 1, 1.06, 1.0625, 15.9, 16, 17, 1000, 1e6, 1e9, 3.6e12, 1e18} {
		var h histogram
		h.add(ns)
		bins := h.list()
		low, high := pegfile.BinOf(ns)
		if len(bins) != 1 || bins[0] != (pegfile.Bin{Low: low, High: high, Count: 1}) {
			t.Errorf("%g ns: %v, want %g to %g", ns, bins, low, high)
		}
	}
	var h histogram
	h.add(math.MaxFloat64)
	if bins := h.list(); len(bins) != 1 {
		t.Errorf("the longest time: %v", bins)
	}
}
