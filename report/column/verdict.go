package column

import (
	"strconv"

	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// MarkOf is the sign of a verdict, ~ for an accepted failure. ° after it marks a
// verdict on point values, † an unpaired one.
func MarkOf(g *result.Gate) page.Span {
	m := page.Span{Text: "–", Tone: page.Faint}
	switch g.Verdict {
	case result.Pass:
		m = page.Span{Text: "✓", Tone: page.Good}
	case result.Fail:
		m = page.Span{Text: "✗", Tone: page.Bad}
	case result.Inconclusive:
		m = page.Span{Text: "?", Tone: page.Doubtful}
	case result.Error:
		m = page.Span{Text: "!", Tone: page.Bad}
	}
	if g.IsAccepted() {
		m = page.Span{Text: "~", Tone: page.Doubtful}
	}
	if g.Severity == "warn" && m.Tone == page.Bad {
		m.Tone = page.Doubtful
	}
	m.Means = string(g.Verdict)
	switch {
	case g.Verdict == result.NotJudged:
	case g.Form == result.FormPoint:
		m.Text += "°"
	case g.DecidedBy == result.Instructions:
		m.Text += InstructionsSign
	case g.Form == result.FormUnpaired:
		m.Text += TripwireSign
	}
	return m
}

// MostMarks is how many marks a cell shows one by one. More are counted, because they
// cannot be read at a glance.
const MostMarks = 6

// marks are the verdicts of each case, nil if no case has gates.
func marks(cases []*result.Case) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		var cell page.Cell
		for j := range c.Gates {
			mark := MarkOf(&c.Gates[j])
			cell.Marks = append(cell.Marks, mark)
			cell.Key = max(cell.Key, Urgency(mark.Tone))
		}
		if len(cell.Marks) > MostMarks {
			cell.Marks = counted(cell.Marks)
		}
		if len(cell.Marks) > 0 {
			cells.Set(i, cell)
		}
	}
	return cells.All()
}

// counted merges equal marks into one with their number: ✓12 ✗1.
func counted(marks []page.Span) []page.Span {
	var kinds []page.Span
	times := map[page.Span]int{}
	for _, m := range marks {
		if times[m]++; times[m] == 1 {
			kinds = append(kinds, m)
		}
	}
	for i, m := range kinds {
		kinds[i].Text += strconv.Itoa(times[m])
		if i > 0 {
			kinds[i].Text = " " + kinds[i].Text
		}
	}
	return kinds
}

// Urgency orders verdicts: what needs more attention is greater.
func Urgency(c page.Tone) float64 {
	return map[page.Tone]float64{page.Faint: 0.5, page.Good: 1, page.Doubtful: 2, page.Bad: 3}[c]
}

func WorseOf(a, b page.Tone) page.Tone {
	if Urgency(b) > Urgency(a) {
		return b
	}
	return a
}

// InstructionsSign follows the mark of a gate on the time that instructions have decided.
const InstructionsSign = "ⁱ"

// TripwireSign follows the mark of an unpaired gate.
const TripwireSign = "†"
