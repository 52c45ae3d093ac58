package arcs

import (
	"cmp"
	"math"
	"slices"

	"example.com/suite/internal/defaults"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// Confidence is the confidence with which the intervals of all arcs of a case contain their
// true differences.
const Confidence = defaults.Confidence

// Difference is how an arc differs between a base and a case, over pairs of passes: medians,
// in seconds per iteration.
type Difference struct {
	From, To        string
	Kind            result.ArcKind
	Base, Candidate float64 // of the passes
	Median          float64 // of the differences within pairs, Candidate − Base
	Low, High       float64 // bounds of the true median, if IsBounded
	IsBounded       bool
	IsShown         bool    // the arc differs by more than the cost of its hits can explain
	Share           float64 // Median ÷ the median difference of a whole iteration; NaN if that is 0
}

// Differences returns the differences of all arcs in the pairs of passes of a case, the
// greatest rise first, and the difference of a whole iteration. It is nil if the case has no
// such pairs.
//
// The intervals of all arcs together have Confidence: each of m arcs has an error of
// (1 − Confidence) ÷ m. An interval is the one of stats.MedianInterval, so it assumes no
// distribution. An arc is shown to differ if its interval excludes differences as small as what
// the cost of its hits may add.
func Differences(c *result.Case) (all []Difference, whole Difference) {
	p := c.PegPairs
	if p == nil || c.Pegs == nil || c.BasePegs == nil {
		return nil, Difference{}
	}
	whole = difference(p.Base, p.Case, 1-Confidence)
	residues := map[key]float64{}
	for _, change := range Changes(c.BasePegs, c.Pegs) {
		residues[key{change.From, change.To, change.Kind}] = change.Residue
	}
	for i := range p.Arcs {
		a := &p.Arcs[i]
		d := difference(a.Base, a.Case, (1-Confidence)/float64(len(p.Arcs)))
		d.From = a.From
		d.To = a.To
		d.Kind = a.Kind
		residue := residues[key{a.From, a.To, a.Kind}]
		d.IsShown = d.IsBounded && (d.Low > residue || d.High < -residue)
		d.Share = math.NaN()
		if whole.Median != 0 {
			d.Share = d.Median / whole.Median
		}
		all = append(all, d)
	}
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(b.Median, a.Median) })
	return all, whole
}

func difference(base, own []float64, alpha float64) (d Difference) {
	differences := make([]float64, len(base))
	for i := range base {
		differences[i] = own[i] - base[i]
	}
	d.Base = stats.Median(base)
	d.Candidate = stats.Median(own)
	d.Median = stats.Median(differences)
	low, high, err := stats.MedianInterval(differences, 1-alpha)
	if err == nil {
		d.Low = low
		d.High = high
		d.IsBounded = true
		d.IsShown = low > 0 || high < 0
	}
	return d
}

// ChangesOf returns the changes of all arcs of a case, as Changes does. If there are pairs of
// passes, they decide: times are medians of them, and an arc that is not shown to differ is
// marked.
func ChangesOf(c *result.Case) []Change {
	if c.Pegs == nil || c.BasePegs == nil {
		return nil
	}
	all := Changes(c.BasePegs, c.Pegs)
	differences, _ := Differences(c)
	for i := range all {
		for _, d := range differences {
			if d.From == all[i].From && d.To == all[i].To && d.Kind == all[i].Kind {
				all[i].Base, all[i].Candidate = d.Base, d.Candidate
				all[i].Difference, all[i].Share = d.Median, d.Share
				all[i].IsUnshown = !d.IsShown
			}
		}
	}
	return all
}
