package runner

import (
	"fmt"
	"math"
	"testing"

	"example.com/suite/peg/pegfile"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"github.com/google/go-cmp/cmp"
)

// Times 1000, 2000, 3000 and 6000 ns: mean 3000, squares 4+1+0+9 million. Half of
// them are below the end of the first bin.
func TestPegsOfTheDocumentAreSeconds(t *testing.T) {
	doc := &pegfile.Document{Clock: "x86-rdtsc", Residue: 7, Cost: 20, End: true, Points: []pegfile.Hits{{Name: "a", File: "a.go", Line: 3, Count: 5}, {Name: "b", Count: 4, Unmatched: 1}},
		Arcs: []pegfile.Arc{
			{From: "a", To: "b", Kind: pegfile.KindDirected, Lane: "worker", Count: 4, Sum: 12000, Min: 1000, Max: 6000, Squares: 14e6, Zero: 1,
				Histogram: []pegfile.Bin{{Low: 0, High: 3000, Count: 2}, {Low: 3000, High: 4000, Count: 1}, {Low: 4000, High: 5000}, {Low: 5000, High: 7000, Count: 1}}},
			{From: "b", To: "a", Count: 1, Sum: 5, Min: 5, Max: 5},
		}}
	got := resultPegs(&wire.Pegged{Document: doc, Iterations: 4, Elapsed: 5e8})
	p := func(x float64) *float64 { return &x }
	want := &result.Pegs{Clock: "x86-rdtsc", Iterations: 4, Seconds: 0.5, Residue: 7e-9, Cost: 20e-9,
		Points: []result.PegPoint{{Name: "a", File: "a.go", Line: 3, Hits: 5}, {Name: "b", Hits: 4, Unmatched: 1}},
		Arcs: []result.Arc{
			{From: "a", To: "b", Kind: result.ArcDirected, Lane: "worker", Count: 4, Sum: 12e-6, Min: 1e-6, Max: 6e-6, Mean: 3e-6, StdDev: math.Sqrt(14e6/3) / 1e9, Zero: 1,
				P50: p(3e-6), P90: p(6e-6), P99: p(6e-6), Histogram: []result.ArcBin{{0, 3e-6, 2}, {3e-6, 4e-6, 1}, {5e-6, 7e-6, 1}}}, // 6.2 and 6.9 µs are more than the longest
			{From: "b", To: "a", Count: 1, Sum: 5e-9, Min: 5e-9, Max: 5e-9, Mean: 5e-9},
		}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAProgramThatDidNotEndIsTruncated(t *testing.T) {
	if p := resultPegs(&wire.Pegged{Document: &pegfile.Document{}, Iterations: 1}); !p.Truncated || p.Points == nil || p.Arcs == nil {
		t.Errorf("%+v", p)
	}
}

func TestOfManyProblemsSomeAreKept(t *testing.T) {
	doc := &pegfile.Document{}
	for i := range 100 {
		doc.Problems = append(doc.Problems, fmt.Sprint("problem ", i))
	}
	got := resultPegs(&wire.Pegged{Document: doc, Iterations: 1}).Problems
	if len(got) != mostProblems+1 || got[mostProblems] != "and 80 more" {
		t.Errorf("%q", got)
	}
}

// The mean of a rounded sum is still between the least and the greatest.
func TestTheMeanIsNoExtreme(t *testing.T) {
	a := resultArc(&pegfile.Arc{From: "a", To: "b", Count: 3, Sum: 0.30000000000000004, Min: 0.1, Max: 0.1})
	if a.Mean < a.Min || a.Mean > a.Max {
		t.Errorf("mean %g, from %g to %g", a.Mean, a.Min, a.Max)
	}
}
