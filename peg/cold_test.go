//go:build !nopeg

package peg

import (
	"slices"
	"testing"

	"example.com/suite/peg/pegfile"
)

// residueOf returns what the times of an arc may be off by, as readers take it.
func residueOf(d *pegfile.Document, a pegfile.Arc) float64 { return max(d.Residue, a.Residue) }

// In pairs of hits that follow a pause each, the empty arc shows what the pause cost. The
// residue that is stated for it has to be as long.
func TestResidueHoldsForHitsAfterAPause(t *testing.T) {
	w := newWorld(t)
	p, far := w.points("before", "after"), w.directed("far", "before")
	span := w.point("span")
	for range 50 {
		w.sleeps(1_000_000)
		w.lane.Hit(p[0])
		w.lane.Hit(p[1])
		w.lane.Hit(far)
		w.sleeps(1_000_000)
		w.lane.Begin(span).End()
	}
	d := w.snapshot()
	for _, ends := range [][2]string{{"before", "after"}, {"before", "far"}, {"", "span"}} {
		a := arcOf(t, d, ends[0], ends[1])
		if a.Max < coldBehind {
			t.Errorf("%s → %s: %g ns at most: the world has no cold hits", ends[0], ends[1], a.Max)
		}
		if residueOf(d, a) < a.Max {
			t.Errorf("%s → %s shows %g ns with nothing in it, and its residue is %g", ends[0], ends[1], a.Max, residueOf(d, a))
		}
	}
}

// Arcs that end a pause, such as the pause itself, are off by what a cold hit may cost.
func TestResidueOfThePauseItself(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	for range 50 {
		w.lane.Hit(p[0])
		w.lane.Hit(p[1])
		w.sleeps(1_000_000)
	}
	if a := w.arc("b", "a"); a.Residue < coldBehind {
		t.Errorf("a pause of %g ns has a residue of %g", a.Max, a.Residue)
	}
}

// Hits in a row keep the small residue, although the first of them find the caches cold
// and a few come after a pause: that is one time in a hundred at most.
func TestResidueOfHitsInARow(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b")
	for range 5 {
		w.sleeps(1_000_000)
		for range 200 {
			w.lane.Hit(p[0])
			w.works(5)
			w.lane.Hit(p[1])
			w.works(5)
		}
	}
	d := w.snapshot()
	for _, ends := range [][2]string{{"a", "b"}, {"b", "a"}} {
		a := arcOf(t, d, ends[0], ends[1])
		if a.Count < 995 || a.Residue != 0 || d.Residue > inFront+behind {
			t.Errorf("%s → %s: %d times, residue %g, of the document %g", ends[0], ends[1], a.Count, a.Residue, d.Residue)
		}
	}
}

// An arc that is rarely taken may have all its times after pauses, although its points are
// hit a hundred times as often without one. Its own times count.
func TestResidueOfARareArc(t *testing.T) {
	w := newWorld(t)
	p := w.points("a", "b", "rare")
	for range 10 {
		for range 300 {
			w.lane.Hit(p[0])
			w.lane.Hit(p[1])
		}
		w.sleeps(1_000_000)
		w.lane.Hit(p[0])
		w.lane.Hit(p[2])
	}
	d := w.snapshot()
	if a := arcOf(t, d, "a", "rare"); a.Max < coldBehind || residueOf(d, a) < a.Max {
		t.Errorf("a → rare shows %g ns, residue %g", a.Max, residueOf(d, a))
	}
	if a := arcOf(t, d, "a", "b"); a.Residue != 0 {
		t.Errorf("a → b: residue %g", a.Residue)
	}
}

// The steps after pauses are recorded; the cold residue is eight times what the dearest but
// one of them is above the cost, as one may hold an interrupt.
func TestColdResidueOfRecordedSteps(t *testing.T) {
	c := &clock{ns: 0.5}
	warm := [][][]uint64{{slices.Repeat([]uint64{20}, 100)}}
	for _, test := range []struct {
		cold []uint64
		want float64
	}{
		{nil, 10. / 3}, // no pauses: a third of the cost of 10 ns
		{[]uint64{20, 22, 20, 20}, 10. / 3},
		{[]uint64{20, 22, 20, 21}, 8 * 0.5},
		{[]uint64{40, 80, 120, 90_000}, 8 * 50},
		{[]uint64{120}, 8 * 50},
	} {
		slices.Sort(test.cold)
		got := c.costOf(warm, test.cold)
		if got.ticks != 20<<fraction || got.cold < test.want-0.01 || got.cold > test.want+0.01 || got.cold < got.residue {
			t.Errorf("%v: cost %d, residue %g, cold %g; want %g", test.cold, got.ticks>>fraction, got.residue, got.cold, test.want)
		}
	}
}

// On the real clocks the residues hold for nearly all hits. The limit is loose: without the
// residue of cold hits, nine tenths of the arcs after pauses are above.
func TestResiduesOnRealClocks(t *testing.T) {
	for name, pause := range pauses {
		var held float64
		for range 3 {
			if held = heldResidues(t, pause, 100); held >= 0.5 {
				break
			}
		}
		t.Logf("%s: the residue holds for %.0f%% of the arcs", name, 100*held)
		if held < 0.5 {
			t.Errorf("%s: the residue holds for %.0f%% of the arcs", name, 100*held)
		}
	}
}

// Documents of several processes keep the greatest residue and overlap of an arc.
func TestMergeKeepsTheGreatestResidueOfAnArc(t *testing.T) {
	one := func(residue float64) *pegfile.Document {
		return &pegfile.Document{Protocol: pegfile.Protocol, Arcs: []pegfile.Arc{{From: "a", To: "b", Count: 1, Sum: 7, Min: 7, Max: 7, Residue: residue, Overlap: 2 * residue}}}
	}
	if d := pegfile.Merge(one(0), one(80), one(30)); d.Arcs[0].Residue != 80 || d.Arcs[0].Overlap != 160 {
		t.Errorf("residue %g, overlap %g; want 80 and 160", d.Arcs[0].Residue, d.Arcs[0].Overlap)
	}
}
