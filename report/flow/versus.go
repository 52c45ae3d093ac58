package flow

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// fill adds columns, and n rows with their cells. row makes a row without cells.
func (f *Flow) fill(columns []number.Column, n int, row func(i int) Row) {
	for _, col := range columns {
		f.Columns = append(f.Columns, col.Column)
	}
	for i := range n {
		one := row(i)
		for _, col := range columns {
			one.Cells = append(one.Cells, col.Cells[i])
		}
		f.Rows = append(f.Rows, one)
	}
}

// NewChanges lays out the changes of each arc from the base, as Of lays out
// arcs.
func NewChanges(c Pegged, base string) Flow {
	own, other := c.Case.Pegs, c.Case.BasePegs
	if c.Case.PegPairs != nil {
		return pairedChanges(c, base)
	}
	changes := arcs.Changes(other, own)
	out := Flow{Case: c.Label, About: aboutBoth(c.Case, base)}
	columns := changeColumns(changes, own, other)
	out.fill(columns, len(changes), func(i int) Row {
		return Row{From: changes[i].From, To: changes[i].To, Kind: string(changes[i].Kind)}
	})
	if text := sharesNote(changes, own, other); text != "" {
		out.Notes = append(out.Notes, page.Toned(page.Faint, text))
	}
	if len(changes) == 0 {
		out.Notes = append(out.Notes, page.Toned(page.Doubtful, "no arcs on either side"))
	}
	for _, cell := range columns {
		if cell.Head == "change" && slices.ContainsFunc(cell.Cells, func(c page.Cell) bool { return c.Text == dash }) {
			out.Notes = append(out.Notes, page.Toned(page.Faint, nothingNote))
		}
	}
	return out
}

// aboutBoth is the time of one iteration in each pass. It leaves the times out if
// either pass is untimed, as in results of the recorder alone.
func aboutBoth(c *result.Case, base string) string {
	const note = "(one pass of each, not judged)"
	if c.Pegs.Seconds <= 0 || c.BasePegs.Seconds <= 0 {
		return "here and in " + base + " " + note
	}
	return fmt.Sprintf("%s %s here, %s in %s %s",
		EachTime(arcs.PerIteration(c.Pegs)), turn(c), EachTime(arcs.PerIteration(c.BasePegs)), base, note)
}

func changeColumns(changes []arcs.Change, own, base *result.Pegs) (used []number.Column) {
	n := len(changes)
	kinds := make([]page.Cell, n)
	texts := make([]page.Cell, n)
	shares := make([]page.Cell, n)
	before := make([]number.Value, n)
	after := make([]number.Value, n)
	hits := make([]number.Value, n)
	hitsBefore := make([]number.Value, n)
	some, counts := false, false
	for i, c := range changes {
		kinds[i] = page.Cell{Text: string(c.Kind), Tone: page.Faint}
		some = some || c.Kind != ""
		before[i], after[i] = number.Value{X: c.Base, Ok: !c.NewlyThere}, number.Value{X: c.Candidate, Ok: !c.BaseOnly}
		hitsBefore[i] = number.Value{X: c.BaseHits, Unit: number.CountUnit, Ok: !c.NewlyThere}
		hits[i] = number.Value{X: c.Hits, Unit: number.CountUnit, Ok: !c.BaseOnly}
		counts = counts || math.Abs(c.Hits-c.BaseHits) > 0.005*max(c.Hits, c.BaseHits)
		texts[i] = changeCell(&c, isWithinResidue(&c))
		if isApart(base, own) && !math.IsNaN(c.Share) && texts[i].Text != dash {
			shares[i] = page.Cell{Number: signed(c.Share), Key: c.Share}
		}
	}
	if some {
		used = append(used, number.Column{Column: page.Column{Head: "kind", Worth: 88}, Cells: kinds})
	}
	used = append(used,
		number.Column{Column: page.Column{Head: "base", Worth: 87}, Cells: number.Aligned(before, units.Time)},
		number.Column{Column: page.Column{Head: "here", Worth: 86}, Cells: number.Aligned(after, units.Time)},
		number.Column{Column: page.Column{Head: "change", Worth: 89}, Cells: texts})
	if isApart(base, own) {
		used = append(used, number.Column{Column: page.Column{Head: "of difference", Worth: 70}, Cells: shares})
	}
	if counts {
		used = append(used,
			number.Column{Column: page.Column{Head: "base count", Worth: 60},
				Cells: number.Aligned(hitsBefore, units.Count)},
			number.Column{Column: page.Column{Head: "count", Worth: 61}, Cells: number.Aligned(hits, units.Count)})
	}
	return withCells(used, n)
}

// sharesNote explains shares that surprise a reader: above 100%, or left out.
func sharesNote(changes []arcs.Change, own, base *result.Pegs) string {
	switch {
	case own.Seconds <= 0 || base.Seconds <= 0 || len(changes) == 0:
		return ""
	case !isApart(base, own):
		return "the passes differ by less than 1%: no arc is called a part of that"
	case slices.ContainsFunc(changes, func(c arcs.Change) bool { return math.Abs(c.Share) > 1.005 }):
		return "beyond 100% of the difference: arcs that overlap count for each, and what one gains another may lose"
	}
	return ""
}

// isApart reports whether the passes differ by at least 1% per iteration, enough for
// an arc to be called a part of the difference. It is false if either pass was not
// timed.
func isApart(base, own *result.Pegs) bool {
	return own.Seconds > 0 && base.Seconds > 0 && math.Abs(arcs.Rise(base, own)) >= 0.01*arcs.PerIteration(base)
}

// withCells adds empty cells to columns without any number, so that all columns have n cells.
func withCells(columns []number.Column, n int) []number.Column {
	for i := range columns {
		if columns[i].Cells == nil {
			columns[i].Cells = make([]page.Cell, n)
		}
	}
	return columns
}

func changeCell(c *arcs.Change, nothing bool) page.Cell {
	switch {
	case c.NewlyThere:
		return page.Cell{Text: "new"}
	case c.BaseOnly:
		return page.Cell{Text: "gone"}
	case nothing:
		return page.Cell{Text: dash, Tone: page.Faint}
	case c.Base <= 0:
		return page.Cell{Text: "from 0"}
	}
	return page.Cell{Number: number.RatioText(c.Candidate/c.Base, 1), Key: c.Candidate / c.Base}
}

func signed(share float64) string {
	if share < 0 {
		return "−" + units.Whole(-share)
	}
	return "+" + units.Whole(share)
}
