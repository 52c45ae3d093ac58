// Package flow shows what the time of a case is spent on: the arcs of its pegs, and how they differ from a
// base, as columns and words. Nothing here decides a verdict.
package flow

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// Flow shows what the time of a case is spent on: the arcs of its pegs, measured in a
// separate pass. Arcs are grouped by the point they begin at, in the order of time.
type Flow struct {
	Case    string        // its label
	About   string        // 1,024 iterations in 102 ms, 99.9 µs each with pegs
	Columns []page.Column // the columns of Row.Cells
	Rows    []Row
	Folded  string      // the arcs that Rows leaves out
	Changes []string    // if the time got worse: the arcs that took longer than in the base
	Notes   []page.Line // clock, what is below resolution, what is doubtful
}

// Row is one arc, or one lane of it.
type Row struct {
	From, To string // From is empty for spans outside any other
	Kind     string // "", directed or span
	Cells    []page.Cell

	sum, share float64
}

// Options are what a reader may choose about flows.
type Options struct {
	Lanes bool // a row for each lane of an arc
}

// Of lays out the arcs of a case that has pegs. label names the case.
func Of(label string, c *result.Case, o Options) Flow {
	f := flow{case_: c, pegs: c.Pegs, base: c.BasePegs}
	sources := arcs.InTime(c.Pegs)
	if o.Lanes {
		sources, f.base = arcs.InTimeByLane(c.Pegs), nil // lanes of two runs are not the same
	}
	for _, s := range sources {
		f.arcs = append(f.arcs, s.Arcs...)
	}
	out := Flow{Case: label, About: f.about(), Notes: f.notes()}
	columns := f.columns(o.Lanes)
	out.fill(columns, len(f.arcs), func(i int) Row {
		a := &f.arcs[i]
		return Row{From: a.From, To: a.To, Kind: string(a.Kind), sum: a.Sum, share: f.share(a)}
	})
	if o := c.Comparison("time"); o != nil && o.Change == result.Worse {
		out.Changes = Slower(c).Lines()
	}
	return out
}

// flow is a Flow in the making.
type flow struct {
	case_      *result.Case
	pegs, base *result.Pegs
	arcs       []result.Arc
}

// share is 0 if the pass took no time.
func (f *flow) share(a *result.Arc) float64 {
	if f.pegs.Seconds <= 0 {
		return 0
	}
	return a.Sum / f.pegs.Seconds
}

// about is the number of iterations in the pass, and the time of one with and without
// pegs.
func (f *flow) about() string {
	p := f.pegs
	if p.Seconds <= 0 {
		return "what the program wrote"
	}
	_, what, _ := strings.Cut(turn(f.case_), " ")
	text := fmt.Sprintf("%s in %s",
		units.Thousands(units.Plural(int(p.Iterations), what)), units.Amount(p.Seconds, 0, units.Time))
	if p.Iterations < 1 {
		return text
	}
	if p.Iterations > 1 {
		text += fmt.Sprintf(", %s each with pegs", units.Amount(arcs.PerIteration(p), 0, units.Time))
	}
	if t := number.MeasuredSummary(f.case_, "time"); t != nil && t.Bound == nil && f.case_.Kind != result.KindGoTest {
		text += fmt.Sprintf(" (%s without)", units.Amount(t.Median*max(1, f.case_.Work), 0, units.Time))
	}
	return text
}

// Fold keeps the arcs with the longest total times, at most most, in their order.
func (f *Flow) Fold(most int) {
	if len(f.Rows) <= most {
		return
	}
	sums := make([]float64, len(f.Rows))
	for i := range f.Rows {
		sums[i] = f.Rows[i].sum
	}
	slices.SortFunc(sums, func(a, b float64) int { return cmp.Compare(b, a) })
	least := sums[most-1]
	rest := len(f.Rows) - most
	left := most
	share := 0.0
	var kept []Row
	for _, r := range f.Rows {
		if r.sum >= least && left > 0 {
			kept, left = append(kept, r), left-1
			continue
		}
		share += r.share
	}
	f.Rows, f.Folded = kept, fmt.Sprintf("%s more, %s of the pass", units.Plural(rest, "arc"), units.Tenths(share))
}

// Pegged is a case with pegs, and its name in the report.
type Pegged struct {
	Label string
	Case  *result.Case
}
