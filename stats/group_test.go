package stats

import (
	"testing"
)

func TestGroupsGiveOneNumberEach(t *testing.T) {
	hurt := Disturbed{Base: true}
	pairs := []Disturbed{{}, {}, {}, {}, hurt, {}, hurt, hurt, {}}
	ratios := []float64{3, 1, 2, 7, 100, 9, 4, 6, 50}
	group := []int{0, 0, 0, 1, 1, 1, 5, 5, 5}
	got := Groups(ratios, pairs, group)
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
	if Groups(nil, nil, nil) != nil {
		t.Error("no pairs have groups")
	}
}
