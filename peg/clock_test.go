//go:build !nopeg

package peg

import (
	"math"
	"slices"
	"testing"

	"example.com/suite/peg/pegfile"
)

func TestCalibrationFindsTheCostOfAHit(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]costs{"own": w.registry.clock.own, "common": w.registry.clock.common} {
		if c.ticks != (inFront+behind)<<fraction || math.Abs(c.residue-10./3) > 0.01 {
			t.Errorf("%s: %d/256 ticks, residue %g; want %d ticks and a third of them", name, c.ticks, c.residue, inFront+behind)
		}
	}
}

// An interrupt in every chain raises neither the cost nor the residue.
func TestCalibrationWithDisturbedHits(t *testing.T) {
	c := &clock{ns: 0.5}
	var all [][]uint64
	for range 10 {
		steps := slices.Repeat([]uint64{20, 22}, 100)
		steps[0] = 90_000
		slices.Sort(steps)
		all = append(all, steps)
	}
	got := c.costOf([][][]uint64{all}, nil)
	if cost := float64(got.ticks) / (1 << fraction); math.Abs(cost-21) > 0.1 {
		t.Errorf("cost %g ticks, want 21", cost)
	}
	if math.Abs(got.residue-3.5) > 0.05 {
		t.Errorf("residue %g ns, want 3.5, a third of the cost", got.residue)
	}
}

// Rounds in which other work shares the core do not raise the cost, which would make
// zeros of short arcs; they are told by the residue.
func TestCalibrationOnABusyMachine(t *testing.T) {
	c := &clock{ns: 0.5}
	busy, quiet := [][]uint64{slices.Repeat([]uint64{40}, 100)}, [][]uint64{slices.Repeat([]uint64{20}, 100)}
	got := c.costOf([][][]uint64{busy, busy, quiet, busy}, nil)
	if cost := float64(got.ticks) / (1 << fraction); cost != 20 || got.residue != 10 {
		t.Errorf("cost %g ticks, residue %g ns; want 20 and 10", cost, got.residue)
	}
}

// Cheaper hits than those of the calibration are no negative times.
func TestTimesBelowZeroAreZero(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	w.lane.Hit(p[0])
	w.at -= 4
	w.lane.Hit(p[1])
	if a := w.arc("a", "b"); a.Zero != 1 || a.Count != 1 || a.Sum != 0 || a.Min != 0 || a.Max != 0 {
		t.Errorf("%+v", a)
	}
}

func TestClockThatGoesBack(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	for range 600 {
		w.lane.Hit(p[0])
		w.at -= 1000
		w.lane.Hit(p[1])
		w.works(5)
	}
	w.want("a", "b", 600, 0)
	w.want("b", "a", 599, 599*5)
}

// A counter that starts again from zero takes no arc along, neither where only the
// fraction of a tick no longer fits.
func TestClockThatWrapsAround(t *testing.T) {
	for _, start := range []uint64{math.MaxUint64 - 100, math.MaxUint64>>fraction - 100, math.MaxInt64>>fraction - 100} {
		w := newWorldAt(t, start-300_000) // the calibration takes nearly as long
		w.at = start
		p := w.points("a", "b")
		for range 100 {
			w.lane.Hit(p[0])
			w.works(7)
			w.lane.Hit(p[1])
		}
		w.want("a", "b", 100, 700)
	}
}

func TestTickLength(t *testing.T) {
	at := 0.0
	ns := func() uint64 { at += 20; return uint64(at) }
	for name, c := range map[string]struct {
		ticks  func() uint64
		length float64
		steady bool
	}{
		"2.5 GHz":           {func() uint64 { at += 10; return uint64(at * 2.5) }, 0.4, true},
		"stands still":      {func() uint64 { at += 10; return 7 }, 0, false},
		"goes back":         {func() uint64 { at += 10; return uint64(1e15 - at) }, 0, false},
		"changes its speed": {func() uint64 { at += 10; return uint64(at * at / 1e5) }, 0, false},
	} {
		at = 0
		length, steady := tickLength(c.ticks, ns)
		if steady != c.steady || steady && math.Abs(length/c.length-1) > 1e-3 {
			t.Errorf("%s: %g ns a tick, steady %t", name, length, steady)
		}
	}
}

// On the real clocks a hundred hits that do nothing come to less than a quarter of what
// they take, at the median, in one of five tries. Pegs that forgot the cost of hits
// between, or their own, would show all of it. (Less than a tenth is usual; a machine
// that changes its speed between the calibration and the chain shows more.)
func TestEmptyChainOnRealClocks(t *testing.T) {
	const hits = 100
	for _, choose := range []func() *clock{systemClock, wallClock} {
		var median, cost float64
		for range 5 {
			clock := choose()
			clock.calibrate()
			if median, cost = emptyChain(t, clock, hits); median <= hits*cost/4 {
				break
			}
		}
		if median > hits*cost/4 {
			t.Errorf("%g ns over %d hits that do nothing, each costs %g", median, hits, cost)
		}
		t.Logf("%g ns over %d hits that do nothing, each costs %g", median, hits, cost)
	}
}

// emptyChain gives the median of a directed arc over so many empty hits, and their cost.
func emptyChain(t *testing.T, clock *clock, hits int) (median, cost float64) {
	r := newRegistry()
	r.clock = clock
	first, link, last := r.addPoint("first", "", "", 0), r.addPoint("link", "", "", 0), r.addPoint("last", "first", "", 0)
	r.enable(nil)
	lane := &Lane{registry: r}
	for range 1000 {
		lane.Hit(first)
		for range hits {
			lane.Hit(link)
		}
		lane.Hit(last)
	}
	d := r.snapshot(true, false)
	return medianOf(arcOf(t, d, "first", "last")), d.Cost
}

func medianOf(a pegfile.Arc) float64 {
	seen := uint64(0)
	for _, b := range a.Histogram {
		if seen += b.Count; 2*seen >= a.Count {
			return b.Low
		}
	}
	return math.Inf(1)
}
