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
func (f *Flow) fill(columns columns, n int, row func(i int) Row) {
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
	t := newChangeTable(len(changes))
	hits, hitsBefore := number.NewCells(len(changes)), number.NewCells(len(changes))
	isHidden := false
	for i := range changes {
		d := &changes[i]
		if !d.NewlyThere {
			t.base.Put(i, number.Value{X: d.Base}, units.Time)
			hitsBefore.Put(i, number.Value{X: d.BaseHits, Unit: number.CountUnit}, units.Count)
		}
		if !d.BaseOnly {
			t.here.Put(i, number.Value{X: d.Candidate}, units.Time)
			hits.Put(i, number.Value{X: d.Hits, Unit: number.CountUnit}, units.Count)
		}
		t.change[i] = changeCell(d, isWithinResidue(d))
		if t.change[i].Text == dash {
			isHidden = true
		} else if !math.IsNaN(d.Share) {
			t.share[i] = page.Cell{Number: signed(d.Share), Key: d.Share}
		}
	}
	if !isApart(other, own) {
		t.share = nil
	}
	if slices.ContainsFunc(changes, hasOtherCount) {
		t.baseCount, t.count = hitsBefore.Filled(), hits.Filled()
	}
	t.fill(&out, func(i int) Row {
		return Row{From: changes[i].From, To: changes[i].To, Kind: string(changes[i].Kind)}
	})
	if text := sharesNote(changes, own, other); text != "" {
		out.Notes = append(out.Notes, page.Toned(page.Faint, text))
	}
	if len(changes) == 0 {
		out.Notes = append(out.Notes, page.Toned(page.Doubtful, "no arcs on either side"))
	}
	if isHidden {
		out.Notes = append(out.Notes, page.Toned(page.Faint, nothingNote))
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

// changeTable is a table of changes in the making. Columns that are nil are left out.
type changeTable struct {
	base, here                                  *number.Cells
	change, difference, share, baseCount, count []page.Cell
}

func newChangeTable(n int) *changeTable {
	return &changeTable{base: number.NewCells(n), here: number.NewCells(n), change: make([]page.Cell, n),
		share: make([]page.Cell, n)}
}

func (t *changeTable) fill(out *Flow, row func(i int) Row) {
	n := len(t.change)
	var used columns
	used.add("kind", 88, words(n, func(i int) string { return row(i).Kind }))
	used.add("base", 87, t.base.Filled())
	used.add("here", 86, t.here.Filled())
	used.add("change", 89, t.change)
	used.add("difference", 85, t.difference)
	used.add("of difference", 70, t.share)
	used.add("base count", 60, t.baseCount)
	used.add("count", 61, t.count)
	out.fill(used, n, row)
}

// hasOtherCount reports whether an arc is taken more or less often than in the base, by over half a percent.
func hasOtherCount(c arcs.Change) bool {
	return math.Abs(c.Hits-c.BaseHits) > 0.005*max(c.Hits, c.BaseHits)
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
