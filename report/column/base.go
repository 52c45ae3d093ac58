package column

import (
	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// BaseHead is the heading of the times that the cases are compared with: base, time and
// change follow each other. The heading of the change names the base.
const BaseHead = "base"

// baseTimes returns the time of each case's base: its median over the pairs, or the saved
// time; of a case that is judged by instructions, their number. It returns nil if no case has one.
func baseTimes(cases []*result.Case) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		s := number.MeasuredSummary(c, c.MainMetric())
		if s == nil || s.Bound != nil || s.Median <= 0 {
			continue
		}
		x, ok := baseTime(c)
		if !ok {
			continue
		}
		// The interval of the case, scaled, decides on the digits: both columns have as many.
		v := number.Value{X: x, Half: number.HalfInterval(s) * x / s.Median, Unit: number.PerUnit(c)}
		if o := c.MainComparison(); c.Pairs != nil && o != nil && o.BaseBound != nil {
			v.Sign, v.X = "< ", *o.BaseBound
		}
		scale := units.Time
		if c.JudgedByInstructions() {
			v.Unit, scale = number.CountUnit, units.Count
		}
		cells.Put(i, v, scale)
	}
	return cells.All()
}

func baseTime(c *result.Case) (seconds float64, ok bool) {
	if o := c.MainComparison(); c.Pairs != nil && o != nil {
		return o.Base, o.Base > 0
	}
	if c.Earlier == nil || tripped(c) == nil {
		return 0, false
	}
	for i := range c.Earlier.Metrics {
		if s := &c.Earlier.Metrics[i]; s.Metric == "time" && s.Bound == nil {
			return s.Median, s.Median > 0
		}
	}
	return 0, false
}
