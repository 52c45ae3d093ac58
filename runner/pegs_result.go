package runner

import (
	"fmt"
	"math"

	"example.com/suite/internal/diag"
	"example.com/suite/peg/pegfile"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
	"example.com/suite/runner/host/wire"
)

// mostProblems of those that a program reports of its pegs are kept.
const mostProblems = 20

// resultPegs turns what a host has read into what the document keeps: seconds instead of
// nanoseconds, and percentiles in addition to the histograms.
func resultPegs(pass *wire.Pegged) *result.Pegs {
	doc := pass.Document
	p := &result.Pegs{Clock: diag.Clip(doc.Clock), Iterations: pass.Iterations, Seconds: secondsOf(float64(pass.Elapsed)),
		Residue: secondsOf(doc.Residue), Cost: secondsOf(doc.Cost), Truncated: !doc.End, Points: []result.PegPoint{}, Arcs: []result.Arc{}}
	for _, point := range doc.Points {
		p.Points = append(p.Points, result.PegPoint{Name: point.Name, File: diag.Clip(point.File), Line: point.Line, Hits: count(point.Count), Unmatched: count(point.Unmatched)})
	}
	for i := range doc.Arcs {
		p.Arcs = append(p.Arcs, resultArc(&doc.Arcs[i]))
	}
	for i, text := range doc.Problems {
		if i == mostProblems {
			p.Problems = append(p.Problems, fmt.Sprintf("and %d more", len(doc.Problems)-i))
			break
		}
		p.Problems = append(p.Problems, diag.Clip(text))
	}
	return p
}

// secondsOf divides, because 1e-9 is not 10⁻⁹ to a float64.
func secondsOf(ns float64) float64 { return ns / 1e9 }

func count(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

func resultArc(a *pegfile.Arc) result.Arc {
	r := result.Arc{From: a.From, To: a.To, Kind: result.ArcKind(a.Kind), Lane: a.Lane, Count: count(a.Count), Zero: count(a.Zero),
		Sum: secondsOf(a.Sum), Min: secondsOf(a.Min), Max: secondsOf(a.Max), Residue: secondsOf(a.Residue)}
	if a.Count > 0 {
		r.Mean = min(max(r.Sum/float64(a.Count), r.Min), r.Max) // a sum is rounded
	}
	if a.Count > 1 {
		r.StdDev = secondsOf(math.Sqrt(max(a.Squares, 0) / float64(a.Count-1)))
	}
	for _, b := range a.Histogram {
		if b.Count > 0 {
			r.Histogram = append(r.Histogram, result.ArcBin{secondsOf(b.Low), secondsOf(b.High), float64(b.Count)})
		}
	}
	if r.Histogram != nil {
		r.P50, r.P90, r.P99 = percentile(&r, 0.5), percentile(&r, 0.9), percentile(&r, 0.99)
	}
	return r
}

func percentile(a *result.Arc, q float64) *float64 {
	x := arcs.Percentile(a.Histogram, q, a.Min, a.Max)
	return &x
}

// PegsOf converts a document that a program has written by itself, as the pegs of one
// run. How long the run took is not known, so Seconds is 0.
func PegsOf(doc *pegfile.Document) *result.Pegs {
	return resultPegs(&wire.Pegged{Document: doc, Iterations: 1})
}
