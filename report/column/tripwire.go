package column

import (
	"fmt"

	"example.com/suite/internal/display"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// tripwireHead names the saved result if there is room.
func tripwireHead(s *result.Suite) string {
	if s.Against == nil || display.Width(s.Against.Asked) > LongBase {
		return "vs saved" + TripwireSign
	}
	return "vs " + s.Against.Asked + TripwireSign
}

// tripwireColumn shows the change of each case's time against the saved one, as its
// gate found it; nil if no case has such a gate.
func tripwireColumn(cases []*result.Case) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		if v := tripped(c); v != nil {
			cells.Set(i, page.Cell{Marks: []page.Span{{Text: tripwireText(v), Tone: page.Faint}}, Key: v.Value})
		}
	}
	return cells.All()
}

// tripped is the ratio of times that an unpaired gate was decided on, nil if there is
// none.
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
	text := number.RatioText(v.Value, 1)
	if v.Low != nil && v.High != nil {
		text += fmt.Sprintf(" (%s … %s)", number.RatioText(*v.Low, 1), number.RatioText(*v.High, 1))
	}
	return text
}
