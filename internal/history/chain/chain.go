// Package chain connects the commits of a history by what was measured between pairs of them: a
// commit may never have been compared with another one, and both with a third. Ratios that were
// measured in pairs are multiplied along the way, so nothing depends on the machine or on the
// hour at which a commit was measured.
package chain

import (
	"math"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/history"
	"example.com/suite/stats"
)

// Graph has the commits of one metric of one case, and the comparisons between them. The zero
// value has none.
type Graph struct {
	commits map[string]int
	names   []string
	edges   [][]edge // of each commit, in the order in which they were added
}

// edge is what is known of a commit ÷ another one, in natural logarithms.
type edge struct {
	to        int
	log, half float64 // of the interval with defaults.RatioConfidence; 0: they cannot differ
}

// Difference is one commit ÷ another one.
type Difference struct {
	Log  float64 // natural logarithm of the ratio
	Half float64 // half of its interval with defaults.RatioConfidence; 0: they cannot differ
}

// Factor is the difference as a ratio.
func (d Difference) Factor() stats.Factor {
	return stats.Factor{Value: math.Exp(d.Log), Low: math.Exp(d.Log - d.Half), High: math.Exp(d.Log + d.Half)}
}

// Inverse is the difference the other way round.
func (d Difference) Inverse() Difference { return Difference{-d.Log, d.Half} }

// Add adds what a run of a commit has found out about a case. It does nothing if that is no
// comparison with another commit, or one without an interval.
func (g *Graph) Add(commit string, c *history.Case, metric string) {
	if commit == "" || c.Against == "" || c.Against == commit || c.IsBase() {
		return
	}
	if c.Same != "" {
		g.connect(c.Against, commit, 0, 0)
		return
	}
	m := c.Metric(metric)
	if m == nil || m.Ratio == nil {
		return
	}
	if r := m.Ratio; r.Value != nil && r.Low != nil && r.High != nil && *r.Value > 0 &&
		*r.Low > 0 && *r.High >= *r.Low {
		g.connect(c.Against, commit, math.Log(*r.Value), math.Log(*r.High / *r.Low)/2)
	}
}

// connect adds a comparison. Two comparisons of the same commits count by their precision.
func (g *Graph) connect(from, to string, log, half float64) {
	a, b := g.index(from), g.index(to)
	for i, e := range g.edges[a] {
		if e.to != b {
			continue
		}
		if e.half == 0 || half == 0 {
			if half == 0 {
				e.log, e.half = log, half
			}
		} else {
			old, now := 1/(e.half*e.half), 1/(half*half)
			e.log = (e.log*old + log*now) / (old + now)
			e.half = 1 / math.Sqrt(old+now)
		}
		g.edges[a][i] = e
		for k := range g.edges[b] {
			if g.edges[b][k].to == a {
				g.edges[b][k].log, g.edges[b][k].half = -e.log, e.half
			}
		}
		return
	}
	g.edges[a] = append(g.edges[a], edge{b, log, half})
	g.edges[b] = append(g.edges[b], edge{a, -log, half})
}

func (g *Graph) index(commit string) int {
	if g.commits == nil {
		g.commits = map[string]int{}
	}
	at, known := g.commits[commit]
	if !known {
		at = len(g.names)
		g.commits[commit] = at
		g.names = append(g.names, commit)
		g.edges = append(g.edges, nil)
	}
	return at
}

// From returns how each commit that is connected with a commit differs from it: that commit ÷
// the one that is given, which is among them. Of several ways the one with the narrowest interval
// counts. It returns nil if the commit was compared with no other.
func (g *Graph) From(commit string) map[string]Difference {
	start, known := g.commits[commit]
	if !known {
		return nil
	}
	type place struct {
		log, variance float64
		isKnown, done bool
	}
	places := make([]place, len(g.names))
	places[start].isKnown = true
	found := map[string]Difference{}
	for {
		at := -1
		for i, p := range places {
			if p.isKnown && !p.done && (at < 0 || p.variance < places[at].variance) {
				at = i
			}
		}
		if at < 0 {
			return found
		}
		p := &places[at]
		p.done = true
		found[g.names[at]] = Difference{p.log, math.Sqrt(p.variance)}
		for _, e := range g.edges[at] {
			if next := &places[e.to]; !next.isKnown || p.variance+e.half*e.half < next.variance {
				next.log, next.variance, next.isKnown = p.log+e.log, p.variance+e.half*e.half, true
			}
		}
	}
}

// Widen returns an interval of a difference with another confidence, as far as its errors are
// normal.
func (d Difference) Widen(confidence float64) stats.Factor {
	return stats.Product([]stats.Factor{d.Factor()}, defaults.RatioConfidence, confidence)
}
