package column

import (
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// timeColumns follows report: in the suite file: the time as measured, the time
// without its loop as two bounds, or both.
func timeColumns(report string, cases []*result.Case) []number.Column {
	if allCounted(cases) {
		suffix, mixed := unitOfCounts(cases, result.Instructions)
		cells := countCells(cases, result.Instructions, mixed)
		for i, c := range cases {
			if state, is := stateCell(c); is {
				cells.Set(i, state)
			}
		}
		return []number.Column{{Column: page.Column{Key: result.Instructions, Head: result.Instructions + suffix,
			Worth: 100}, Cells: cells.Filled()}}
	}
	const net = "time net of loop"
	switch report {
	case "net":
		cells := times(cases).Filled()
		for i, cell := range nets(cases) {
			if cell.Number != "" {
				cells[i] = cell
			}
		}
		return []number.Column{{Column: page.Column{Key: "net", Head: net, Worth: 100}, Cells: cells}}
	case "both":
		return []number.Column{
			{Column: page.Column{Key: "time", Head: "time", Worth: 100}, Cells: times(cases).Filled()},
			{Column: page.Column{Key: "net", Head: net, Worth: 70}, Cells: nets(cases)},
		}
	}
	return []number.Column{{Column: page.Column{Key: "time", Head: "time", Worth: 100}, Cells: times(cases).Filled()}}
}

// times shows the median with its interval, the bound if the case is below
// resolution, or why there is no number.
func times(cases []*result.Case) *number.Cells {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		state, is := stateCell(c)
		s := c.Summary("time")
		switch {
		case is:
			cells.Set(i, state)
		case c.JudgedByInstructions():
			cells.Set(i, page.Cell{Text: "not taken", Tone: page.Faint})
		case s == nil:
			cells.Set(i, page.Cell{Text: "no time", Tone: page.Doubtful})
		case s.Bound != nil:
			cells.Set(i, number.Bound(*s.Bound, number.PerUnit(c), units.Time))
		default:
			v := number.Median(s, number.PerUnit(c))
			if s.Low != nil && s.High != nil {
				v.Within = &[2]float64{*s.Low, *s.High}
			}
			cells.Put(i, v, units.Time)
		}
	}
	return cells
}

// allCounted reports whether instructions were counted and no times are taken of any case that was measured.
func allCounted(cases []*result.Case) bool {
	some := false
	for _, c := range cases {
		if c.JudgedByInstructions() {
			some = true
		} else if _, noNumbers := stateCell(c); !noNumbers {
			return false
		}
	}
	return some
}

// stateCell is the cell of a case without numbers, in place of them. It is false for a case that was measured.
func stateCell(c *result.Case) (page.Cell, bool) {
	switch c.Status {
	case result.Failed:
		return page.Cell{Text: CauseText(c.Failure), Tone: page.Bad}, true
	case result.NotRun:
		return page.Cell{Text: "not run", Tone: page.Doubtful}, true
	case result.LeftOut:
		return page.Cell{Text: "skipped", Tone: page.Faint}, true
	case result.Unaffected:
		return page.Cell{Text: "unaffected", Tone: page.Faint}, true
	}
	return page.Cell{}, false
}

// nets shows the bounds of a time without its loop, in seconds: the whole loop may have
// run in parallel with the body, or none of it. Both bounds include the interval of the
// time and the errors of what was subtracted. Commands have no loop.
func nets(cases []*result.Case) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		if t := number.MeasuredSummary(c, "time"); t != nil && t.Bound == nil &&
			c.Kind == result.KindGo && c.LoopCost > 0 {
			low, high := t.Median-t.Error, t.Median+t.Error
			if t.Low != nil && t.High != nil {
				low, high = *t.Low, *t.High
			}
			low = max(0, low-c.LoopCost-(c.LoopError-t.Error))
			half := max(number.HalfInterval(t), t.Error)
			cells.Put(i, number.Value{X: high, Half: half, Unit: number.PerUnit(c), Low: &low}, units.Time)
		}
	}
	return cells.All()
}

// CauseText is the failure in one or two words, for a cell.
func CauseText(f *result.Failure) string {
	switch {
	case f == nil:
		return "error"
	case f.Cause == result.FailedExit && f.Exit != nil:
		return fmt.Sprintf("exit %d", *f.Exit)
	case f.Cause == result.FailedSignal && f.Signal != "":
		return f.Signal
	}
	return string(f.Cause)
}
