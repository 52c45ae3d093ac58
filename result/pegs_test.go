package result_test

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/result"
)

// pegged gives a document whose first case has pegs, and so has its base.
func pegged(t *testing.T) *result.Document {
	t.Helper()
	doc := paired(t)
	p := func(x float64) *float64 { return &x }
	one := func() *result.Pegs {
		return &result.Pegs{Clock: "wall", Iterations: 10, Seconds: 0.1, Residue: 1e-9, Cost: 3e-8,
			Points: []result.PegPoint{{Name: "a", File: "a.go", Line: 3, Hits: 10}, {Name: "b", Hits: 4, Unmatched: 1}},
			Arcs: []result.Arc{
				{From: "", To: "a", Kind: result.ArcSpan, Count: 1, Sum: 2, Min: 2, Max: 2, Mean: 2},
				{From: "a", To: "b", Lane: "w", Count: 3, Sum: 6, Min: 1, Max: 3, Mean: 2, StdDev: 1, Zero: 1, P50: p(2), P90: p(3), P99: p(3), Histogram: []result.ArcBin{{0.5, 2, 1}, {2, 4, 2}}},
				{From: "a", To: "b", Kind: result.ArcDirected, Lane: "w", Count: 1, Sum: 0, Min: 0, Max: 0},
			},
			Problems: []string{"no point is called \"c\""}, Truncated: true}
	}
	doc.Cases[0].Pegs, doc.Cases[0].BasePegs = one(), one()
	return doc
}

func TestPegsAreWrittenAndRead(t *testing.T) {
	doc := pegged(t)
	comesBack(t, doc)
}

func TestPegsThatDoNotFitAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(p *result.Pegs, a *result.Arc){
		"pegs: there are no iterations":                             func(p *result.Pegs, _ *result.Arc) { p.Iterations = 0 },
		"seconds, residue, cost or overlap are out of range":        func(p *result.Pegs, _ *result.Arc) { p.Residue = -1 },
		"a point has no name":                                       func(p *result.Pegs, _ *result.Arc) { p.Points[1].Name = "" },
		`point "a" is there twice`:                                  func(p *result.Pegs, _ *result.Arc) { p.Points[1].Name = "a" },
		`point "b": hits, unmatched or line are out of range`:       func(p *result.Pegs, _ *result.Arc) { p.Points[1].Unmatched = 5 },
		`arc "a" → "" on "w": it has no ends`:                       func(_ *result.Pegs, a *result.Arc) { a.To = "" },
		`arc "" → "b" on "w": it has no ends`:                       func(_ *result.Pegs, a *result.Arc) { a.From = "" },
		`arc "a" → "b" on "w": unknown kind "indirect"`:             func(_ *result.Pegs, a *result.Arc) { a.Kind = "indirect" },
		`arc "a" → "b" on "w": it is there twice`:                   func(p *result.Pegs, a *result.Arc) { p.Arcs = append(p.Arcs, *a) },
		"count or zero are out of range":                            func(_ *result.Pegs, a *result.Arc) { a.Zero = 4 },
		"sum or stddev are out of range":                            func(_ *result.Pegs, a *result.Arc) { a.StdDev = math.Inf(1) },
		"pegs: arc \"a\" → \"b\" on \"w\": sum or stddev":           func(_ *result.Pegs, a *result.Arc) { a.Sum = 1e300 }, // two lanes of which overflow
		"on \"w\": min, mean and max are not":                       func(_ *result.Pegs, a *result.Arc) { a.Max = 1e300 },
		"min, mean and max are not in ascending order":              func(_ *result.Pegs, a *result.Arc) { a.Mean = 3.5 },
		"percentiles and histogram do not fit together":             func(_ *result.Pegs, a *result.Arc) { a.P90 = nil },
		"the percentiles are not in ascending order":                func(_ *result.Pegs, a *result.Arc) { a.P50, a.P99 = a.P99, a.P50 },
		"the bin from 1 to 4 is out of order":                       func(_ *result.Pegs, a *result.Arc) { a.Histogram[1][0] = 1 },
		"the bin from 2 to 4 has a count of 0.5":                    func(_ *result.Pegs, a *result.Arc) { a.Histogram[1][2] = 0.5 },
		"the counts of its histogram add up to 4, and it has 3":     func(_ *result.Pegs, a *result.Arc) { a.Histogram[0][2] = 2 },
		"pegs: arc \"a\" → \"b\" on \"w\": the bin from 0.5 to 0.1": func(_ *result.Pegs, a *result.Arc) { a.Histogram[0][1] = 0.1 },
	} {
		for side, of := range map[string]func(c *result.Case) *result.Pegs{
			"": func(c *result.Case) *result.Pegs { return c.Pegs }, "base_": func(c *result.Case) *result.Pegs { return c.BasePegs },
		} {
			doc := pegged(t)
			p := of(&doc.Cases[0])
			spoil(p, &p.Arcs[1])
			err := doc.Validate()
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ": "+side+"pegs: ") {
				t.Errorf("want a problem of %spegs with %q, got %v", side, want, err)
			}
		}
	}
	if err := pegged(t).Validate(); err != nil {
		t.Error(err)
	}
}

// An arc with a residue of its own has at least that of its pegs.
func TestResidueOfAnArc(t *testing.T) {
	p := &result.Pegs{Residue: 4e-9}
	for own, want := range map[float64]float64{0: 4e-9, 3e-9: 4e-9, 500e-9: 500e-9} {
		if got := p.ResidueOf(&result.Arc{Residue: own}); got != want {
			t.Errorf("residue %g of an arc: %g, want %g", own, got, want)
		}
	}
}
