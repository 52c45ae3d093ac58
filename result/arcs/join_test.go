package arcs_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b), 1e-12) }

// Lanes put together are what one lane with all of their times would be.
func TestWholeJoinsLanes(t *testing.T) {
	one, two := []float64{1, 2, 6}, []float64{4, 9}
	p := pegs([]string{"a", "b"}, onLane("x", arc("a", "b", one...)), onLane("y", arc("a", "b", two...)), arc("b", "a", 3))
	p.Arcs[0].Zero, p.Arcs[1].Zero = 1, 2
	whole := arcs.Whole(p)
	if len(whole) != 2 || whole[1].From != "b" {
		t.Fatalf("%+v", whole)
	}
	got, want := whole[0], arc("a", "b", slices.Concat(one, two)...)
	if got.Count != 5 || got.Lane != "" || got.Zero != 3 || got.Min != 1 || got.Max != 9 || got.P50 != nil {
		t.Errorf("got %+v", got)
	}
	for what, xs := range map[string][2]float64{"sum": {got.Sum, want.Sum}, "mean": {got.Mean, want.Mean}, "stddev": {got.StdDev, want.StdDev}} {
		if !near(xs[0], xs[1]) {
			t.Errorf("%s: got %g, want %g", what, xs[0], xs[1])
		}
	}
	if p.Arcs[0].Count != 3 || p.Arcs[0].Lane != "x" {
		t.Errorf("the pegs were changed: %+v", p.Arcs[0])
	}
}

// Arcs of different kinds between the same points stay apart.
func TestWholeKeepsKindsApart(t *testing.T) {
	p := pegs([]string{"a", "b"}, arc("a", "b", 1), ofKind(result.ArcDirected, arc("a", "b", 5)))
	if whole := arcs.Whole(p); len(whole) != 2 || whole[0].Sum != 1 || whole[1].Sum != 5 {
		t.Errorf("%+v", whole)
	}
}

// An arc that never came about on a lane leaves the least time of the others alone.
func TestWholeWithAnEmptyLane(t *testing.T) {
	for _, order := range [][]result.Arc{{{From: "a", To: "b", Lane: "x"}, onLane("y", binned(arc("a", "b", 3, 4), 3, 4))},
		{onLane("y", binned(arc("a", "b", 3, 4), 3, 4)), {From: "a", To: "b", Lane: "z"}}} {
		a := arcs.Whole(pegs(nil, order...))[0]
		if a.Count != 2 || a.Min != 3 || a.Max != 4 || a.P50 == nil || math.IsNaN(a.StdDev) {
			t.Errorf("%+v", a)
		}
	}
}

// The histogram of one lane must not speak for another that has none.
func TestNoPercentilesWithoutAllHistograms(t *testing.T) {
	p := pegs(nil, onLane("x", binned(arc("a", "b", 1, 2), 1, 2)), onLane("y", arc("a", "b", 50, 60)))
	if a := arcs.Whole(p)[0]; a.P50 != nil || a.P99 != nil || a.Histogram != nil {
		t.Errorf("%+v", a)
	}
}

// Percentiles of joined lanes are those of all their times, to the width of a bin.
func TestJoinedPercentilesAgainstRawTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		var all []float64
		p := &result.Pegs{}
		for lane := range 1 + trial%5 {
			times := make([]float64, 2+rng.IntN(400))
			for i := range times {
				times[i] = 1e-6 * math.Exp(rng.NormFloat64()+float64(lane)) // lanes differ
			}
			all = append(all, times...)
			p.Arcs = append(p.Arcs, onLane(string(rune('a'+lane)), binned(arc("a", "b", times...), times...)))
		}
		if trial%5 == 0 {
			p.Arcs = append(p.Arcs, result.Arc{From: "a", To: "b", Lane: "z"}) // so that it is joined at all
		}
		slices.Sort(all)
		a := arcs.Whole(p)[0]
		for q, got := range map[float64]*float64{0.5: a.P50, 0.9: a.P90, 0.99: a.P99} {
			want := all[max(0, int(math.Ceil(q*float64(len(all))))-1)]
			if off := math.Abs(*got - want); off > widthOf(want)*(1+1e-9) {
				t.Fatalf("trial %d: p%g is %g, want %g within %g", trial, 100*q, *got, want, widthOf(want))
			}
		}
		n := 0.0
		for i, b := range a.Histogram {
			if n += b[2]; i > 0 && b[0] < a.Histogram[i-1][1] {
				t.Fatalf("bins overlap: %v, %v", a.Histogram[i-1], b)
			}
		}
		if int64(n) != a.Count || a.Count != int64(len(all)) {
			t.Fatalf("%g in bins, %d counted, %d taken", n, a.Count, len(all))
		}
	}
}

// Worked by hand: ten times in [0, 10) and thirty in [10, 20), between 2 and 17.
func TestPercentile(t *testing.T) {
	bins := []result.ArcBin{{0, 10, 10}, {10, 20, 30}}
	for q, want := range map[float64]float64{0: 2, 0.1: 4, 0.25: 10, 0.5: 10 + 10.0/3, 0.99: 17, 1: 17} {
		if got := arcs.Percentile(bins, q, 2, 17); !near(got, want) {
			t.Errorf("p%g: got %g, want %g", 100*q, got, want)
		}
	}
}
