package table

import (
	"fmt"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/result"
)

// A comparison with a saved result is unpaired, and every report says so: beside its
// gates, in the head of its column and in a note.

// TripwireSign stands behind the mark of an unpaired gate.
const TripwireSign = "†"

// Remark says behind the verdict of a gate how it was decided, where that is not by
// what the gate asks for; empty for all others.
func (g *Gate) Remark() string {
	switch {
	case g.Point:
		return " (point)"
	case g.Unpaired:
		return " (unpaired)"
	}
	return ""
}

// TripwireNote explains the sign.
const TripwireNote = "unpaired: against a saved result, measured at another time, so that what has changed on the machine is in the difference: a tripwire, of no promised certainty"

// tripwireHead names the saved result, where a heading has room for it.
func tripwireHead(s *result.Suite) string {
	if s.Against == nil || display.Width(display.Visible(s.Against.Asked)) > longBase {
		return "vs saved" + TripwireSign
	}
	return "vs " + display.Visible(s.Against.Asked) + TripwireSign
}

// tripwireColumn tells by how much the time of a case differs from what was saved of
// it, as its gate has found; nil where none has such a gate.
func tripwireColumn(cases []*result.Case) []Cell {
	cells := make([]Cell, len(cases))
	for i, c := range cases {
		if v := tripped(c); v != nil {
			cells[i] = Cell{Marks: []Mark{{tripwireText(v), Faint}}, Key: v.Value}
		}
	}
	if !slices.ContainsFunc(cases, func(c *result.Case) bool { return tripped(c) != nil }) {
		return nil
	}
	return cells
}

// tripped is the ratio of times that an unpaired gate rests on.
func tripped(c *result.Case) *result.Value {
	for i := range c.Gates {
		if c.Gates[i].Form != result.FormUnpaired {
			continue
		}
		for j := range c.Gates[i].Values {
			if v := &c.Gates[i].Values[j]; v.Text == "ratio(time)" {
				return v
			}
		}
	}
	return nil
}

// tripwireText is a change with its interval, and never a verdict.
func tripwireText(v *result.Value) string {
	text := RatioText(v.Value, 1)
	if v.Low != nil && v.High != nil {
		text += fmt.Sprintf(" (%s … %s)", RatioText(*v.Low, 1), RatioText(*v.High, 1))
	}
	return text
}
