package column

import (
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// versusColumn shows the change of each case's time against its base, with the
// verdict. If the other tree lacks the case, or has it in another form, the cell
// contains that reason. It is nil if nothing is compared.
func versusColumn(cases []*result.Case) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		switch {
		case c.Pairs != nil:
			cells.Set(i, Versus(c))
		case c.Counterpart.IsUnaffected():
			rule := strings.ReplaceAll(string(c.Counterpart.Rule), "-", " ")
			cells.Set(i, page.Cell{Marks: []page.Span{{Text: rule, Tone: page.Faint}}})
		case c.Counterpart.Unmatched() != "":
			cells.Set(i, page.Cell{Marks: []page.Span{{Text: Uncompared(c), Tone: page.Faint}}})
		}
	}
	return cells.All()
}

func Uncompared(c *result.Case) string {
	if c.Counterpart.State == result.CounterpartUnable {
		return "not comparable"
	}
	return string(c.Counterpart.State)
}

// Versus shows the change of the time. If it is unclear the cell has no number,
// because readers would take it for a finding.
func Versus(c *result.Case) page.Cell {
	o := c.MainComparison()
	if o == nil {
		return page.Cell{Marks: []page.Span{{Text: "not compared", Tone: page.Doubtful}}}
	}
	cell := page.Cell{
		Number: number.Change(o),
		Spread: number.SpreadText(o),
		Word:   string(o.Change),
		Tone:   number.ChangeClass(o.Change),
		Key:    float64(o.Ratio),
	}
	if o.Change == result.Unclear { // no Number, see above
		return page.Cell{Marks: []page.Span{{Text: UnclearText(o), Tone: cell.Tone}}, Key: float64(o.Ratio)}
	}
	if o.Base == 0 && o.Candidate != 0 {
		return page.Cell{Marks: []page.Span{{Text: cell.Number + "  " + cell.Word, Tone: cell.Tone}}}
	}
	return cell
}

// UnclearText is "unclear" with the interval of the ratio, if it is known. If a side is below
// resolution, more pairs would not help, and it is that reason.
func UnclearText(o *result.Comparison) string {
	if o.Cause == result.CauseResolution {
		return "not comparable: below resolution"
	}
	text := string(result.Unclear)
	if within := number.Range(o); within != "" {
		text += " (" + within + ")"
	}
	return text
}

// LongBase is the longest name of a base that a heading takes.
const LongBase = 20

// versusHead names the base if all cases share one.
func versusHead(s *result.Suite, cases []*result.Case) string {
	base := SharedBase(cases)
	if base == "" && s.Against != nil && !slices.ContainsFunc(cases, func(c *result.Case) bool {
		return c.Pairs != nil
	}) {
		base = s.Against.Asked // nothing was compared with it
	}
	if base != "" && display.Width(base) <= LongBase {
		return "vs " + base
	}
	return "vs base"
}

// SharedBase is the base of all cases that have one. It is empty if they differ, or
// if the name is too long for a heading.
func SharedBase(cases []*result.Case) (base string) {
	for _, c := range cases {
		switch {
		case c.Pairs == nil:
		case base == "":
			base = c.Pairs.BaseName()
		case base != c.Pairs.BaseName():
			return ""
		}
	}
	if display.Width(base) > LongBase {
		return ""
	}
	return base
}
