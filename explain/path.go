package explain

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/report"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// looks are the numbers of pairs that count at which the path is shown, besides those at which
// something was decided and the last.
var looks = []int{10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10_000}

// path shows how the evidence grew: at some numbers of pairs how many lie on which
// side of the tolerance, how many had to, and what was shown by then.
func path(o *result.Comparison, rs []ratio) []report.Line {
	low, high := limits(o)
	upper, err := newCall(high, o.Alpha)
	lower, err2 := newCall(low, o.Alpha)
	if err != nil || err2 != nil || len(rs) == 0 {
		return nil
	}
	head := fmt.Sprintf("%6s  %6s  %11s  %11s  %11s  %11s  %s", "pairs", "needed", "above "+edge(high), "below "+edge(high), "above "+edge(low), "below "+edge(low), "shown")
	if o.Tolerance == 0 {
		head = fmt.Sprintf("%6s  %6s  %11s  %11s  %s", "pairs", "needed", "above 0%", "below 0%", "shown")
	}
	lines := []report.Line{{Text: head, Class: report.Faint, Drawn: true}}
	for i, r := range rs {
		before := shownBy(upper, lower)
		counts, _ := upper.Add(r.log, r.hurt) // finite, as a logarithm of positive numbers
		_, _ = lower.Add(r.log, r.hurt)
		after := shownBy(upper, lower)
		if i+1 == len(rs) || counts && (after != before || isLook(upper.Used().Pairs())) {
			lines = append(lines, report.Line{Text: step(o, upper, lower, after), Drawn: true})
		}
	}
	return lines
}

func newCall(limit, alpha float64) (*stats.Call, error) {
	return stats.NewCall(exp(limit), alpha)
}

func isLook(n int) bool { return slices.Contains(looks, n) }

// shownBy says what both calls have shown: above or below the tolerance, not so,
// or within it.
func shownBy(upper, lower *stats.Call) string {
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

func step(o *result.Comparison, upper, lower *stats.Call, shown string) string {
	sequence := upper.Used()
	need := "–"
	if k, ok := stats.Threshold(sequence.Pairs(), o.Alpha); ok {
		need = fmt.Sprint(k)
	}
	aboveHigh, belowHigh := sequence.Counts()
	if o.Tolerance == 0 {
		return strings.TrimRight(fmt.Sprintf("%6d  %6s  %11d  %11d  %s", sequence.Pairs(), need, aboveHigh, belowHigh, shown), " ")
	}
	aboveLow, belowLow := lower.Used().Counts()
	return strings.TrimRight(fmt.Sprintf("%6d  %6s  %11d  %11d  %11d  %11d  %s", sequence.Pairs(), need, aboveHigh, belowHigh, aboveLow, belowLow, shown), " ")
}
