package about

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// path shows how the evidence grew: after some numbers of observations, how many were
// on each side of the tolerance, how many were needed, and what was shown by then. In
// addition to result.IsLook it shows each step that decided something, and the last.
func path(o *result.Comparison, e *pairs.Evidence) *page.Table {
	low, high := limits(o)
	alpha, within := o.Uneven()
	upper, lower, err := pairs.Sequences(o.Tolerance, alpha, within)
	if err != nil || len(e.Groups) == 0 {
		return nil
	}
	heads := []string{e.Per.Plural(), "needed", "above " + edge(high),
		"below " + edge(high), "above " + edge(low),
		"below " + edge(low), "shown"}
	if o.Tolerance == 0 {
		heads = slices.Delete(heads, 4, 6)
	}
	t := &page.Table{Columns: page.Heads(heads...)}
	for j := range len(heads) - 1 {
		t.Columns[j].Align = page.Right
		t.Columns[j].Worth = pathWorths[j]
	}
	observations := e.Ratios()
	for i, x := range observations {
		before := shownBy(upper, lower)
		_, _ = upper.Add(x), lower.Add(x) // finite: the logarithm of a positive number
		after := shownBy(upper, lower)
		if i+1 == len(observations) || after != before || result.IsLook(i+1) {
			t.Add(step(o, upper, lower, after)...)
		}
	}
	return t
}

// pathWorths are what the columns of a path are worth. The counts beyond the tolerance
// decide whether a case is worse or better.
var pathWorths = [6]int{2: 20, 3: 10, 4: 10, 5: 20}

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

// neededOf is how many observations decide if they are on one side.
func neededOf(observations int, alpha float64) string {
	if k, ok := stats.Threshold(observations, alpha); ok {
		return fmt.Sprint(k)
	}
	return "–"
}

func step(o *result.Comparison, upper, lower *stats.Sequence, shown string) []string {
	need := neededOf(upper.Pairs(), o.Alpha)
	if within := neededOf(upper.Pairs(), max(o.Alpha, o.Within)); within != need {
		need = within + ", " + need
	}
	aboveHigh, belowHigh := upper.Counts()
	cells := []string{fmt.Sprint(upper.Pairs()), need, fmt.Sprint(aboveHigh), fmt.Sprint(belowHigh)}
	if o.Tolerance > 0 {
		aboveLow, belowLow := lower.Counts()
		cells = append(cells, fmt.Sprint(aboveLow), fmt.Sprint(belowLow))
	}
	return append(cells, shown)
}
