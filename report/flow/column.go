package flow

import (
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// columns are the columns of a table of arcs.
type columns []number.Column

// add adds a column, unless it is empty for all arcs.
func (c *columns) add(head string, worth int, cells []page.Cell) {
	if cells != nil {
		*c = append(*c, number.Column{Column: page.Column{Head: head, Worth: worth}, Cells: cells})
	}
}

// columns are the columns of an arc. The mean has the highest worth, because a reader needs it most.
func (f *flow) columns(lanes bool) (used columns) {
	used.add("kind", 89, words(len(f.arcs), func(i int) string { return string(f.arcs[i].Kind) }))
	if lanes {
		used.add("lane", 88, words(len(f.arcs), func(i int) string { return LaneName(&f.arcs[i]) }))
	}
	used.add(f.countHead(), 86, f.counts())
	used.add("share", 87, f.shares())
	used.add("mean", 90, f.times(func(a *result.Arc) *float64 { return &a.Mean }))
	used.add("p50", 60, f.times(func(a *result.Arc) *float64 { return a.P50 }))
	used.add("p99", 75, f.times(func(a *result.Arc) *float64 { return a.P99 }))
	used.add("min", 50, f.times(func(a *result.Arc) *float64 { return &a.Min }))
	used.add("max", 70, f.times(func(a *result.Arc) *float64 { return &a.Max }))
	used.add("total", 80, f.totals())
	used.add("vs base", 84, f.changes())
	return used
}

func LaneName(a *result.Arc) string {
	if a.Lane == "" {
		return "(default)"
	}
	return a.Lane
}

// words makes n cells of words, nil if all are empty.
func words(n int, of func(i int) string) []page.Cell {
	cells, some := make([]page.Cell, n), false
	for i := range cells {
		cells[i] = page.Cell{Text: of(i), Tone: page.Faint}
		some = some || cells[i].Text != ""
	}
	if !some {
		return nil
	}
	return cells
}

func (f *flow) countHead() string {
	switch {
	case f.pegs.Iterations <= 1:
		return "count"
	case turn(f.case_) == "a run":
		return "count/run"
	}
	return "count/iter"
}

// counts is per iteration, so that a reader sees at once whether an arc is taken
// once.
func (f *flow) counts() []page.Cell {
	cells := number.NewCells(len(f.arcs))
	for i, a := range f.arcs {
		each := float64(a.Count) / float64(max(1, f.pegs.Iterations))
		cells.Put(i, number.Value{X: each, Unit: number.CountUnit}, units.Count)
	}
	return cells.All()
}

// ArcShare is the share of the pass that an arc of p takes: 12.3%, or ≤ 0.4% if it is
// no longer than an arc with nothing in it.
func ArcShare(p *result.Pegs, a *result.Arc) string {
	f := flow{pegs: p}
	return f.shareText(a)
}

// isBelow reports whether the mean is at most the residue, the time that an arc with
// nothing in it may show.
func (f *flow) isBelow(a *result.Arc) bool {
	residue := f.pegs.ResidueOf(a)
	return a.Mean <= residue && residue > 0
}

// shares is nil if the time of the pass is unknown.
func (f *flow) shares() []page.Cell {
	if f.pegs.Seconds <= 0 {
		return nil
	}
	cells := make([]page.Cell, len(f.arcs))
	for i := range f.arcs {
		a := &f.arcs[i]
		cells[i] = page.Cell{Number: f.shareText(a), Key: f.share(a)}
		if f.isBelow(a) {
			cells[i].Tone = page.Faint
		} else if most := units.Tenths(f.most(a) / f.pegs.Seconds); most != cells[i].Number {
			cells[i].From, cells[i].Number = cells[i].Number, most
		}
	}
	return cells
}

// shareText is an arc's share of the pass, or an upper bound: 52.4%, ≤ 0.2%, <0.1%.
func (f *flow) shareText(a *result.Arc) string {
	if !f.isBelow(a) || f.pegs.Seconds <= 0 {
		return units.Tenths(f.share(a))
	}
	most := units.Tenths(f.most(a) / f.pegs.Seconds)
	if strings.HasPrefix(most, "<") {
		return most
	}
	return "≤ " + most
}

// most is the longest total time of an arc, in seconds.
func (f *flow) most(a *result.Arc) float64 {
	_, high := arcs.Bounds(f.pegs, a, a.Mean)
	return float64(a.Count) * high
}

// times makes a column of times of single arcs. A time that is no longer than an arc
// with nothing in it is shown as a bound, and one of which hits may hide a part as a range.
func (f *flow) times(of func(*result.Arc) *float64) []page.Cell {
	cells := number.NewCells(len(f.arcs))
	for i := range f.arcs {
		a := &f.arcs[i]
		if x := of(a); x != nil {
			cells.Put(i, f.value(a, *x, 1), units.Time)
		}
	}
	return cells.All()
}

func (f *flow) totals() []page.Cell {
	cells := number.NewCells(len(f.arcs))
	for i := range f.arcs {
		a := &f.arcs[i]
		cells.Put(i, f.value(a, a.Mean, float64(a.Count)), units.Time)
	}
	return cells.All()
}

// value is so many times the time x of an arc. A bound is fainter than a number.
func (f *flow) value(a *result.Arc, x, times float64) number.Value {
	low, high := arcs.Bounds(f.pegs, a, x)
	low, high = times*low, times*high
	switch {
	case low == high:
		return number.Value{X: high}
	case low == 0:
		return number.Value{X: high, Sign: "≤ ", Tone: page.Faint}
	}
	return number.Value{X: high, Low: &low}
}

// MeanText is the mean of an arc of p: 1.21 µs, a range, or a bound if the mean is no longer
// than an arc with nothing in it.
func MeanText(p *result.Pegs, a *result.Arc) string {
	switch low, high := arcs.Bounds(p, a, a.Mean); {
	case low == high:
		return EachTime(high)
	case low == 0:
		return "≤ " + EachTime(high)
	default:
		return EachTime(low) + number.To + EachTime(high)
	}
}

// changes compares an iteration with one of the base, nil if there is no base. Without pairs
// of passes it rests on one pass of each side, so no colour marks a change as better or worse.
// With them, a change that is not shown has a dash.
func (f *flow) changes() []page.Cell {
	if f.base == nil {
		return nil
	}
	byEnds := map[[3]string]arcs.Change{}
	for _, c := range arcs.ChangesOf(f.case_) {
		byEnds[[3]string{c.From, c.To, string(c.Kind)}] = c
	}
	cells := make([]page.Cell, len(f.arcs))
	for i := range f.arcs {
		a := &f.arcs[i]
		c, ok := byEnds[[3]string{a.From, a.To, string(a.Kind)}]
		switch {
		case !ok:
		case c.NewlyThere:
			cells[i] = page.Cell{Text: "new"}
		case f.isNothing(&c):
			cells[i] = page.Cell{Text: dash, Tone: page.Faint}
		case c.Base > 0:
			cells[i] = page.Cell{Number: number.RatioText(c.Candidate/c.Base, 1), Key: c.Candidate / c.Base}
		}
	}
	return cells
}

// isHidden reports whether some change is replaced by a dash.
func (f *flow) isHidden() bool {
	return slices.ContainsFunc(f.changes(), func(c page.Cell) bool { return c.Text == dash })
}

// dash replaces a change that is within the residue.
const dash = "–"

// isNothing reports whether a change is no more than arcs with nothing in them may show.
func (f *flow) isNothing(c *arcs.Change) bool { return c.IsUnshown || isWithinResidue(c) }
