package pairs

import (
	"math"
	"testing"

	"example.com/suite/result"
)

// paired is a case of five pairs in three blocks; the last pair lacks a number.
func paired(kind result.Kind) *result.Case {
	gap := math.NaN()
	own := result.Samples{Launch: make([]int, 5), Block: []int{0, 0, 1, 1, 2}, At: make([]float64, 5),
		Columns: map[string]result.Column{"time": {2, 4, 0, 1, 3}, "faults": {1, 1, 1, 1, gap}}, Disturbed: []result.Disturbed{{Index: 1, Cause: result.Preempted, Count: 1}}}
	base := own
	base.Columns = map[string]result.Column{"time": {1, 1, 0, 0, gap}, "faults": {0, 2, 1, 1, 1}}
	base.Disturbed = nil
	return &result.Case{Kind: kind, Samples: own, Pairs: &result.Pairs{Base: "b", Samples: base}}
}

func TestPairsWithoutANumberAreLeftOut(t *testing.T) {
	e := EvidenceOf(paired(result.KindCommand), "time")
	want := []float64{math.Log(2), math.Log(4), 0, Far}
	if len(e.Logs) != len(want) || e.Lost != 1 {
		t.Fatalf("%+v", e)
	}
	for i := range want {
		if e.Logs[i] != want[i] {
			t.Errorf("pair %d: %v, want %v", i, e.Logs[i], want[i])
		}
	}
	if e := EvidenceOf(paired(result.KindCommand), "faults"); e.Logs[0] != Far || e.Logs[1] != -math.Log(2) {
		t.Errorf("faults: %+v", e)
	}
	if e := EvidenceOf(paired(result.KindCommand), "rss"); e.Logs != nil || e.Groups != nil || e.Lost != 0 {
		t.Errorf("a metric that is not there: %+v", e)
	}
	if e := EvidenceOf(&result.Case{}, "time"); e.Logs != nil {
		t.Errorf("no pairs: %+v", e)
	}
}

// A disturbed pair of functions is set aside, and of existing benchmarks if a process takes many samples; one of
// processes counts.
func TestGroupsSetDisturbedPairsAside(t *testing.T) {
	for _, c := range []struct {
		kind    result.Kind
		isolate string
		used    int
	}{
		{result.KindGo, "", 1}, {result.KindCommand, "", 2}, {result.KindGoTest, "", 2},
		{result.KindGoTest, result.IsolateLaunch, 1}, {result.KindGoTest, result.IsolateSample, 2},
	} {
		one := paired(c.kind)
		one.Settings.Isolate = c.isolate
		g := EvidenceOf(one, "time").Groups
		if len(g) != 2 || g[0].Used != c.used || g[1].Used != 2 {
			t.Errorf("%s, %q: %+v", c.kind, c.isolate, g)
		}
	}
}

// Blocks that share a layout are one observation.
func TestGroupsOfALayoutAreOne(t *testing.T) {
	c := paired(result.KindGo)
	c.Samples.Launch = []int{0, 0, 1, 1, 2}
	c.Pairs.Layouts = []result.Layout{{Launch: 0, Draw: 0}, {Launch: 2, Draw: 1}}
	if g := EvidenceOf(c, "time").Groups; len(g) != 1 {
		t.Errorf("%+v", g)
	}
}
