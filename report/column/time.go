package column

import (
	"fmt"
	"slices"

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
		if cells == nil {
			cells = make([]page.Cell, len(cases))
		}
		for i, c := range cases {
			if state, is := stateCell(c); is {
				cells[i] = state
			}
		}
		return []number.Column{{Column: page.Column{Key: result.Instructions, Head: result.Instructions + suffix,
			Worth: 100}, Cells: cells}}
	}
	const net = "time net of loop"
	switch report {
	case "net":
		cells := number.Merge(times(cases), nets(cases))
		return []number.Column{{Column: page.Column{Key: "net", Head: net, Worth: 100}, Cells: cells}}
	case "both":
		return []number.Column{{Column: page.Column{Key: "time", Head: "time", Worth: 100}, Cells: times(cases)},
			{Column: page.Column{Key: "net", Head: net, Worth: 70}, Cells: nets(cases)}}
	}
	return []number.Column{{Column: page.Column{Key: "time", Head: "time", Worth: 100}, Cells: times(cases)}}
}

// times shows the median with its interval, the bound if the case is below
// resolution, or why there is no number.
func times(cases []*result.Case) []page.Cell {
	values := make([]number.Value, len(cases))
	for i, c := range cases {
		s := c.Summary("time")
		if c.Status == result.Measured && s != nil && s.Bound == nil {
			values[i] = number.Value{
				X:    s.Median,
				Half: number.HalfInterval(s),
				Sign: number.BoundSign(s),
				Unit: number.PerUnit(c),
				Ok:   true,
			}
			if s.Low != nil && s.High != nil {
				values[i].Within = &[2]float64{*s.Low, *s.High}
			}
		}
	}
	cells := number.Aligned(values, units.Time)
	if cells == nil {
		cells = make([]page.Cell, len(cases))
	}
	for i, c := range cases {
		if state, is := stateCell(c); is {
			cells[i] = state
			continue
		}
		s := c.Summary("time")
		switch {
		case c.JudgedByInstructions():
			cells[i] = page.Cell{Text: "not taken", Tone: page.Faint}
		case s != nil && s.Bound != nil:
			cells[i] = number.Bound(*s.Bound, number.PerUnit(c), units.Time)
		case s == nil:
			cells[i] = page.Cell{Text: "no time", Tone: page.Doubtful}
		}
	}
	return cells
}

// allCounted reports whether no times are taken of any case.
func allCounted(cases []*result.Case) bool {
	return len(cases) > 0 && !slices.ContainsFunc(cases, func(c *result.Case) bool { return !c.JudgedByInstructions() })
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
	values := make([]number.Value, len(cases))
	for i, c := range cases {
		if t := number.MeasuredSummary(c, "time"); t != nil && t.Bound == nil &&
			c.Kind == result.KindGo && c.LoopCost > 0 {
			low, high := t.Median-t.Error, t.Median+t.Error
			if t.Low != nil && t.High != nil {
				low, high = *t.Low, *t.High
			}
			low = max(0, low-c.LoopCost-(c.LoopError-t.Error))
			values[i] = number.Value{
				X:    high,
				Half: max(number.HalfInterval(t), t.Error),
				Unit: number.PerUnit(c),
				Ok:   true,
				Low:  &low,
			}
		}
	}
	return number.Aligned(values, units.Time)
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
