package table

import (
	"math"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// timeColumns follows report: in the suite file: the time as measured, the time
// without its loop as two bounds, or both.
func timeColumns(report string, cases []*result.Case) []column {
	const net = "time net of loop"
	switch report {
	case "net":
		return []column{{page.Column{Key: "net", Head: net, Worth: 100}, merge(times(cases), nets(cases))}}
	case "both":
		return []column{{page.Column{Key: "time", Head: "time", Worth: 100}, times(cases)}, {page.Column{Key: "net", Head: net, Worth: 70}, nets(cases)}}
	}
	return []column{{page.Column{Key: "time", Head: "time", Worth: 100}, times(cases)}}
}

// times shows the median with its interval, the bound if the case is below
// resolution, or why there is no number.
func times(cases []*result.Case) []page.Cell {
	values := make([]value, len(cases))
	for i, c := range cases {
		s := c.Summary("time")
		if c.Status == result.Measured && s != nil && s.Bound == nil {
			values[i] = value{x: s.Median, half: HalfInterval(s), sign: BoundSign(s), unit: perUnit(c), ok: true}
			if s.Low != nil && s.High != nil {
				values[i].within = &[2]float64{*s.Low, *s.High}
			}
		}
	}
	cells := numbers(values, units.Time)
	if cells == nil {
		cells = make([]page.Cell, len(cases))
	}
	for i, c := range cases {
		s := c.Summary("time")
		switch {
		case c.Status == result.Failed:
			cells[i] = page.Cell{Text: CauseText(c.Failure), Tone: page.Bad}
		case c.Status == result.NotRun:
			cells[i] = page.Cell{Text: "not run", Tone: page.Doubtful}
		case c.Status == result.LeftOut:
			cells[i] = page.Cell{Text: "skipped", Tone: page.Faint}
		case c.Status == result.Unaffected:
			cells[i] = page.Cell{Text: "unaffected", Tone: page.Faint}
		case s != nil && s.Bound != nil:
			cells[i] = bound(*s.Bound, perUnit(c), units.Time)
		case s == nil:
			cells[i] = page.Cell{Text: "no time", Tone: page.Doubtful}
		}
	}
	return cells
}

// bound prints the upper bound of a number below resolution, with two digits: < 0.05
// ns.
func bound(x float64, unit string, s units.Scale) page.Cell {
	i := s.Pick(x, math.Abs(x)) // an uncertainty as large as itself leaves two digits
	number := s.Print(x, math.Abs(x), i)
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	cell := scaledCell(s, "< "+number, unit, i)
	cell.Tone, cell.Key = page.Faint, x
	return cell
}

// HalfInterval is the distance from the median to the farther end of its interval.
// Digits far below it are not printed.
func HalfInterval(s *result.Summary) float64 {
	if s.Low == nil || s.High == nil {
		return 0
	}
	return max(math.Abs(*s.High-s.Median), math.Abs(s.Median-*s.Low))
}

// perUnit follows a unit of time: nothing for operations, /B for bytes.
func perUnit(c *result.Case) string {
	switch u := WorkUnit(c); u {
	case "op":
		return ""
	case "byte":
		return "/B"
	default:
		return "/" + u
	}
}

// nets shows the bounds of a time without its loop, in seconds: the whole loop may have
// run in parallel with the body, or none of it. Both bounds include the interval of the
// time and the errors of what was subtracted. Commands have no loop.
func nets(cases []*result.Case) []page.Cell {
	values := make([]value, len(cases))
	for i, c := range cases {
		if t := MeasuredSummary(c, "time"); t != nil && t.Bound == nil && c.Kind == result.KindGo && c.LoopCost > 0 {
			low, high := t.Median-t.Error, t.Median+t.Error
			if t.Low != nil && t.High != nil {
				low, high = *t.Low, *t.High
			}
			low = max(0, low-c.LoopCost-(c.LoopError-t.Error))
			values[i] = value{x: high, half: max(HalfInterval(t), t.Error), unit: perUnit(c), ok: true, low: &low}
		}
	}
	return numbers(values, units.Time)
}
