// Package number prints numbers of results as cells and texts: with the digits that their intervals
// leave, in units that they can be read in, and changes with their intervals.
package number

import (
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Value is a number that a column shows for one case.
type Value struct {
	X, Half float64
	Unit    string      // printed after the prefix: /B, lines/s
	Low     *float64    // the lower bound, if x is the upper one
	Sign    string      // printed before x if x is a bound: ≥, ≤
	Within  *[2]float64 // the interval, if the column shows it
	Tone    page.Tone
}

// Median is the median of a metric, with the digits that its interval leaves.
func Median(s *result.Summary, unit string) Value {
	return Value{X: s.Median, Half: HalfInterval(s), Sign: BoundSign(s), Unit: unit}
}

// CountUnit marks plain counts, whose prefix follows the number without a space. A
// unit of work may follow the mark, if the counts are per unit.
const CountUnit = "#"

// Cells are the cells of a column in the making, one for each case.
type Cells struct {
	cells []page.Cell
	some  bool
	kinds []kind
}

// kind are the numbers of a column on one scale, and the cells that they are for.
type kind struct {
	scale  units.Scale
	at     []int
	values []Value
}

// NewCells returns n empty cells.
func NewCells(n int) *Cells { return &Cells{cells: make([]page.Cell, n)} }

// Set makes a cell something that is aligned with no other.
func (c *Cells) Set(i int, cell page.Cell) { c.cells[i], c.some = cell, true }

// Put makes a cell a number on a scale. Numbers of the same unit share a prefix if all of
// them are readable in it.
func (c *Cells) Put(i int, v Value, s units.Scale) {
	c.some = true
	at := slices.IndexFunc(c.kinds, func(k kind) bool { return &k.scale[0] == &s[0] })
	if at < 0 {
		at = len(c.kinds)
		c.kinds = append(c.kinds, kind{scale: s})
	}
	k := &c.kinds[at]
	k.at, k.values = append(k.at, i), append(k.values, v)
}

// All returns the cells, or nil if nothing is in any: then the column is left out.
func (c *Cells) All() []page.Cell {
	if !c.some {
		return nil
	}
	return c.Filled()
}

// Filled returns the cells, also if all are empty.
func (c *Cells) Filled() []page.Cell {
	for _, k := range c.kinds {
		steps := sharedSteps(k.values, k.scale)
		for j, v := range k.values {
			step, shared := steps[v.Unit]
			if !shared || k.scale.Exact(v.X, v.Half) && v.X == 0 {
				step = k.scale.Pick(v.X, v.Half)
			}
			c.cells[k.at[j]] = v.cell(k.scale, step)
		}
	}
	return c.cells
}

// cell prints a value in a step of a scale.
func (v Value) cell(s units.Scale, step int) page.Cell {
	if v.X == 0 && v.Half == 0 && strings.HasPrefix(v.Unit, CountUnit) {
		step = 0 // an exact zero needs no prefix: 0, not 0.00k
	}
	cell := ScaledCell(s, v.Sign+s.Print(v.X, v.Half, step), v.Unit, step)
	cell.Key, cell.Tone = v.X, v.Tone
	if v.Low != nil {
		cell.From = s.Print(*v.Low, v.Half, step)
	}
	if v.Within != nil {
		cell.Spread = intervalText(s, v, step)
	}
	return cell
}

// intervalText is ± and the distance to the farther end as a share of the value, or
// both ends if the interval is lopsided. The ends are in the unit of the number,
// unless the upper one is too large for it.
func intervalText(s units.Scale, v Value, step int) string {
	low, high := v.Within[0], v.Within[1]
	if !Lopsided(v.X, low, high) {
		return "± " + units.Tenths(v.Half/math.Abs(v.X))
	}
	if high/s[step].Size >= 10*s[step].Limit {
		return "(" + units.Amount(low, 0, s) + " … " + units.Amount(high, 0, s) + ")"
	}
	return "(" + s.Print(low, v.Half, step) + " … " + s.Print(high, v.Half, step) + ")"
}

// ScaledCell splits number, prefix and unit for alignment: 1.02 ns/B, 12.3M.
func ScaledCell(s units.Scale, number, unit string, step int) page.Cell {
	if of, isCount := strings.CutPrefix(unit, CountUnit); isCount {
		return page.Cell{Number: number + s[step].Name, Unit: of}
	}
	return page.Cell{Number: number, Unit: strings.TrimSpace(s[step].Name + unit)}
}

// sharedSteps chooses one step for each unit whose numbers are all readable in it.
func sharedSteps(values []Value, s units.Scale) map[string]int {
	xs, halves := map[string][]float64{}, map[string][]float64{}
	for _, v := range values {
		xs[v.Unit], halves[v.Unit] = append(xs[v.Unit], v.X), append(halves[v.Unit], v.Half)
	}
	steps := map[string]int{}
	for unit := range xs {
		if i := s.Common(xs[unit], halves[unit]); i >= 0 {
			steps[unit] = i
		}
	}
	return steps
}

// ShortCount prints a count in few characters: 272k.
func ShortCount(n float64) string {
	step := units.Count.Pick(n, 0)
	return units.Count.Print(n, 0, step) + units.Count[step].Name
}

// MeasuredSummary is the summary of a metric, nil if the case was not measured or has
// none.
func MeasuredSummary(c *result.Case, metric string) *result.Summary {
	if c.Status != result.Measured {
		return nil
	}
	return c.Summary(metric)
}

// Bound prints the upper bound of a number below resolution, with two digits: < 0.05
// ns.
func Bound(x float64, unit string, s units.Scale) page.Cell {
	i := s.Pick(x, math.Abs(x)) // an uncertainty as large as itself leaves two digits
	number := s.Print(x, math.Abs(x), i)
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	cell := ScaledCell(s, "< "+number, unit, i)
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

// PerUnit follows a unit of time: nothing for operations, /B for bytes.
func PerUnit(c *result.Case) string {
	switch u := WorkUnit(c); u {
	case "op":
		return ""
	case "byte":
		return "/B"
	default:
		return "/" + u
	}
}

// PerOp follows a count: /op, /B or the suite's unit.
func PerOp(c *result.Case) string {
	if WorkUnit(c) == "op" {
		return "/op"
	}
	return PerUnit(c)
}

// BoundSign is the sign before a median that is only a bound, because some runs were
// killed after their timeout; else it is empty.
func BoundSign(s *result.Summary) string {
	return map[int]string{1: "≥ ", -1: "≤ "}[s.Bounded("median")]
}

// WorkUnit is the unit of the case's work, op if it has none.
func WorkUnit(c *result.Case) string {
	if c.Unit == "" {
		return "op"
	}
	return c.Unit
}
