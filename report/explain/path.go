package explain

import (
	"fmt"
	"strings"

	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// path shows how the evidence grew: after some numbers of observations, how many were
// on each side of the tolerance, how many were needed, and what was shown by then. In
// addition to result.IsLook it shows each step that decided something, and the last.
func path(o *result.Comparison, e *evidence) []table.Line {
	low, high := limits(o)
	upper, err := newSequence(high, o.Alpha)
	lower, err2 := newSequence(low, o.Alpha)
	if err != nil || err2 != nil || len(e.groups) == 0 {
		return nil
	}
	head := fmt.Sprintf("%7s  %6s  %11s  %11s  %11s  %11s  %s", e.observation.Plural(), "needed", "above "+edge(high), "below "+edge(high), "above "+edge(low), "below "+edge(low), "shown")
	if o.Tolerance == 0 {
		head = fmt.Sprintf("%7s  %6s  %11s  %11s  %s", e.observation.Plural(), "needed", "above 0%", "below 0%", "shown")
	}
	lines := []table.Line{{Text: head, Class: table.Faint, Drawn: true}}
	observations := e.observations()
	for i, x := range observations {
		before := shownBy(upper, lower)
		_, _ = upper.Add(x), lower.Add(x) // finite: the logarithm of a positive number
		after := shownBy(upper, lower)
		if i+1 == len(observations) || after != before || result.IsLook(i+1) {
			lines = append(lines, table.Line{Text: step(o, upper, lower, after), Drawn: true})
		}
	}
	return lines
}

func newSequence(limit, alpha float64) (*stats.Sequence, error) {
	return stats.NewSequence(exp(limit), alpha)
}

// shownBy is what both sequences have shown: above or below the tolerance, not above
// or not below, or within it.
func shownBy(upper, lower *stats.Sequence) string {
	var shown []string
	switch {
	case upper.Side() == stats.Above:
		shown = append(shown, "above the tolerance")
	case lower.Side() == stats.Below:
		shown = append(shown, "below the tolerance")
	case upper.Side() == stats.Below && lower.Side() == stats.Above:
		shown = append(shown, "within the tolerance")
	case upper.Side() == stats.Below:
		shown = append(shown, "not above")
	case lower.Side() == stats.Above:
		shown = append(shown, "not below")
	}
	return strings.Join(shown, ", ")
}

func step(o *result.Comparison, upper, lower *stats.Sequence, shown string) string {
	need := "–"
	if k, ok := stats.Threshold(upper.Pairs(), o.Alpha); ok {
		need = fmt.Sprint(k)
	}
	aboveHigh, belowHigh := upper.Counts()
	if o.Tolerance == 0 {
		return strings.TrimRight(fmt.Sprintf("%7d  %6s  %11d  %11d  %s", upper.Pairs(), need, aboveHigh, belowHigh, shown), " ")
	}
	aboveLow, belowLow := lower.Counts()
	return strings.TrimRight(fmt.Sprintf("%7d  %6s  %11d  %11d  %11d  %11d  %s", upper.Pairs(), need, aboveHigh, belowHigh, aboveLow, belowLow, shown), " ")
}
