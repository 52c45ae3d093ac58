package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestGroupsGiveOneNumberEach(t *testing.T) {
	hurt := Disturbed{Base: true}
	pairs := []Disturbed{{}, {}, {}, {}, hurt, {}, hurt, hurt, {}}
	ratios := []float64{3, 1, 2, 7, 100, 9, 4, 6, 50}
	group := []int{0, 0, 0, 1, 1, 1, 5, 5, 5}
	got := Groups(ratios, pairs, group, nil)
	want := []Group{
		{Ratio: 2, First: 0, Last: 2, Used: 3},
		{Ratio: 8, First: 3, Last: 5, Used: 2},
		{Ratio: 6, First: 6, Last: 8, Used: 3, Why: UseAllForMost},
	}
	if len(got) != len(want) {
		t.Fatalf("%d groups, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Ratio != w.Ratio || g.First != w.First || g.Last != w.Last || g.Used != w.Used || g.Why != w.Why {
			t.Errorf("group %d is %+v, want %+v", i, g, w)
		}
	}
	if c := got[1].Counts; len(c) != 3 || !c[0] || c[1] || !c[2] {
		t.Errorf("of the second group count %v", c)
	}
	if Groups(nil, nil, nil, nil) != nil {
		t.Error("no pairs have groups")
	}
}

// Groups of one draw are one observation, the mean of theirs.
func TestMergeJoinsGroupsOfOneDraw(t *testing.T) {
	groups := []Group{
		{Ratio: 1, First: 0, Last: 1, Used: 2, Counts: []bool{true, true}},
		{Ratio: 4, First: 2, Last: 3, Used: 1, Counts: []bool{false, true}, Why: UseAllForMost},
		{Ratio: 7, First: 4, Last: 4, Used: 1, Counts: []bool{true}},
	}
	got := Merge(groups, []int{0, 0, 1})
	if len(got) != 2 || got[0].Ratio != 2.5 || got[0].First != 0 || got[0].Last != 3 || got[0].Used != 3 || len(got[0].Counts) != 4 || got[0].Why != UseAllForMost || got[1].Ratio != 7 {
		t.Errorf("%+v", got)
	}
	if alone := Merge(groups, []int{0, 1, 2}); len(alone) != 3 || alone[1].Ratio != 4 || groups[0].Last != 1 {
		t.Errorf("each by itself: %+v, and the groups are %+v", alone, groups)
	}
	if Merge(nil, nil) != nil {
		t.Error("no groups were joined to some")
	}
}

// What layouts differ by is found beyond the noise within launches, about as large as it
// is, and noise alone is seldom taken for it.
func TestRangeBetween(t *testing.T) {
	const trials = 400
	rng := rand.New(rand.NewPCG(5, 6))
	ranges := func(layout float64) (seen int, median float64) {
		var all []float64
		for range trials {
			var logs []float64
			var blocks []int
			for launch := range 20 {
				offset := layout * (rng.NormFloat64() - rng.NormFloat64())
				for range 60 {
					logs, blocks = append(logs, offset+0.1*rng.NormFloat64()), append(blocks, launch)
				}
			}
			got := RangeBetween(logs, Groups(logs, make([]Disturbed, len(logs)), blocks, nil))
			if all = append(all, got); got > 0 {
				seen++
			}
		}
		return seen, Median(all)
	}
	if seen, _ := ranges(0); seen > trials/8 {
		t.Errorf("noise alone is taken for layouts in %d of %d", seen, trials)
	}
	for _, layout := range []float64{0.02, 0.05} {
		if seen, median := ranges(layout); seen < trials*8/10 || math.Abs(median/(4*layout)-1) > 0.25 {
			t.Errorf("layouts with a standard deviation of %g: seen in %d of %d, a range of %g in the median, want %g", layout, seen, trials, median, 4*layout)
		}
	}
}

// On a busy machine the middle of three ratios counts, so that each of them may miss what the two others show.
func TestGroupsOfABusyMachineHaveTheMiddleRatio(t *testing.T) {
	busy := []Disturbed{{Candidate: true}, {}, {}, {}, {}, {}, {}, {}}
	calm := make([]Disturbed, len(busy))
	one := make([]int, len(busy))
	flat := func(x float64) []float64 { return slices.Repeat([]float64{x}, len(busy)) }
	mostly := []float64{1, 1.2, 1.2, 1, 1.2, 1.2, 1, 1.2} // slow in five batches of eight
	for name, c := range map[string]struct {
		pairs    []Disturbed
		own, cpu []float64
		want     float64
		why      Use
	}{
		"slower":                                {busy, flat(1.1), flat(1.1), 1.1, UseMiddle},
		"slow in most batches, as its CPU time": {busy, mostly, mostly, 1.2, UseMiddle},
		"waits in each batch":                   {busy, flat(1.2), flat(1), 1.2, UseMiddle},
		"waits for a CPU in most batches":       {busy, mostly, flat(1), 1, UseMiddle},
		"disturbed in no batch":                 {calm, mostly, flat(1), 1.2, UseUndisturbed},
		"its CPU time is not known":             {busy, mostly, flat(math.NaN()), 1.2, UseUndisturbed},
	} {
		logs := make([]float64, len(c.own))
		for i, x := range c.own {
			logs[i] = math.Log(x)
		}
		times := &Times{Base: flat(1), Own: c.own, BaseCPU: flat(1), OwnCPU: c.cpu}
		g := Groups(logs, c.pairs, one, times)[0]
		if math.Abs(math.Exp(g.Ratio)-c.want) > 1e-9 || g.Why != c.why || g.Why == UseMiddle && g.Used != len(busy) {
			t.Errorf("%s: ratio %.3f, %v, %d used", name, math.Exp(g.Ratio), g.Why, g.Used)
		}
		swapped := &Times{Base: c.own, Own: flat(1), BaseCPU: c.cpu, OwnCPU: flat(1)}
		for i := range logs {
			logs[i] = -logs[i]
		}
		if back := Groups(logs, c.pairs, one, swapped)[0]; math.Abs(back.Ratio+g.Ratio) > 1e-12 {
			t.Errorf("%s: %.3f one way and %.3f the other", name, g.Ratio, back.Ratio)
		}
	}
}
