package pegfile_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/suite/peg/pegfile"
)

// reads gives the document of lines.
func reads(t *testing.T, text string) *pegfile.Document {
	t.Helper()
	doc, err := pegfile.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// arcLines are lines of one arc that takes these times.
func arcLines(times []float64) (text string) {
	for _, ns := range times {
		text += fmt.Sprintf("a\tb\t%g\n", ns)
	}
	return text
}

func TestMergedPartsAreTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	times := make([]float64, 1000)
	for i := range times {
		times[i] = 1e6 * math.Exp(rng.NormFloat64())
	}
	whole := reads(t, arcLines(times)).Arcs[0]
	merged := pegfile.Merge(reads(t, arcLines(times[:1])), reads(t, arcLines(times[1:300])), reads(t, arcLines(times[300:]))).Arcs[0]
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(a) }
	if !near(merged.Sum, whole.Sum) || !near(merged.Squares, whole.Squares) {
		t.Errorf("sum %g, squares %g; of the whole %g, %g", merged.Sum, merged.Squares, whole.Sum, whole.Squares)
	}
	merged.Sum, merged.Squares = whole.Sum, whole.Squares
	if !reflect.DeepEqual(merged, whole) {
		t.Errorf("%+v, of the whole %+v", merged, whole)
	}
	// R: x <- c(10, 20, 60); sum((x - mean(x))^2) = 1400
	if a := reads(t, arcLines([]float64{10, 20, 60})).Arcs[0]; !near(a.Squares, 1400) {
		t.Errorf("squares %g, want 1400", a.Squares)
	}
}

func TestMergeLeavesItsDocumentsAsTheyAre(t *testing.T) {
	a, b := reads(t, arcLines([]float64{10, 20})), reads(t, arcLines([]float64{10, 30}))
	before, _ := json.Marshal([]any{a, b})
	pegfile.Merge(a, b)
	pegfile.Merge(a, b)
	if after, _ := json.Marshal([]any{a, b}); string(after) != string(before) {
		t.Errorf("%s, before %s", after, before)
	}
}

// A program with bins of its own, put together with suite's, must neither lose counts
// nor have bins that overlap.
func TestBinsOfOtherLayoutsAreJoined(t *testing.T) {
	other := reads(t, `{"pegs":"suite-pegs/1","arcs":[{"from":"a","to":"b","count":5,"sum":75,"min":10,"max":30,"squares":280,"histogram":[[10,20,4],[20,40,1]]}]}`)
	got := pegfile.Merge(other, reads(t, arcLines([]float64{10, 12, 33}))).Arcs[0]
	count := uint64(0)
	for i, b := range got.Histogram {
		count += b.Count
		if i > 0 && b.Low < got.Histogram[i-1].High {
			t.Errorf("bin %v overlaps the one before", b)
		}
	}
	if count != 8 || got.Count != 8 {
		t.Errorf("%d of %d: %v", count, got.Count, got.Histogram)
	}
	if b, _ := json.Marshal(got); reads(t, `{"pegs":"suite-pegs/1","arcs":[`+string(b)+`]}`) == nil {
		t.Error("what was merged is refused")
	}
}

func TestAHistogramOfAPartIsDropped(t *testing.T) {
	without := reads(t, `{"pegs":"suite-pegs/1","arcs":[{"from":"a","to":"b","count":1,"sum":7,"min":7,"max":7,"squares":0}]}`)
	if got := pegfile.Merge(without, reads(t, arcLines([]float64{10}))).Arcs[0]; got.Histogram != nil || got.Count != 2 {
		t.Errorf("%+v", got)
	}
}

func TestMergeKeepsTheWorstOfWhatIsSaidOnce(t *testing.T) {
	a := &pegfile.Document{Clock: "wall", Residue: 5, Cost: 9, Overlap: 9, End: true, Problems: []string{"p"}, Points: []pegfile.Hits{{Name: "x", Count: 1}}}
	b := &pegfile.Document{Clock: "tsc", Residue: 7, Cost: 3, Problems: []string{"p", "q"}, Points: []pegfile.Hits{{Name: "y", Count: 1}, {Name: "x", File: "f", Line: 3, Count: 2, Unmatched: 1}}}
	got := pegfile.Merge(a, b, a)
	if got.Clock != "wall, tsc" || got.Residue != 7 || got.Cost != 9 || got.Overlap != 9 || got.End || !slices.Equal(got.Problems, []string{"p", "q"}) {
		t.Errorf("%+v", got)
	}
	if want := []pegfile.Hits{{Name: "x", File: "f", Line: 3, Count: 4, Unmatched: 1}, {Name: "y", Count: 1}}; !slices.Equal(got.Points, want) {
		t.Errorf("points %v, want %v", got.Points, want)
	}
	if !pegfile.Merge(a, a).End || pegfile.Merge().End {
		t.Error("the end has come when it has come for all of at least one")
	}
}

// A start before a reset, or in another process, is a point all the same.
func TestEndsOfArcsAreAmongThePoints(t *testing.T) {
	doc := reads(t, `{"pegs":"suite-pegs/1","points":[{"name":"b","count":1}],"arcs":[{"from":"a","to":"b","count":1,"sum":7,"min":7,"max":7,"squares":0}]}`)
	if want := []pegfile.Hits{{Name: "b", Count: 1}, {Name: "a"}}; !slices.Equal(doc.Points, want) {
		t.Errorf("points %v, want %v", doc.Points, want)
	}
}
