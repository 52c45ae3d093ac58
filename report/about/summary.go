package about

import (
	"fmt"
	"math"
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Summary reports which of the commands that were typed is faster, and how many times, with a line for
// each that was compared with the first one. It is empty for the cases of suite files, whose table
// and gates answer what their authors ask.
func Summary(g *table.Group) []page.Block {
	if g.File != result.CommandLine {
		return nil
	}
	return titled(summaryHead(g.Cases), page.Items(summaryOf(g.Cases)...))
}

func summaryOf(cases []*result.Case) (lines []string) {
	for _, c := range cases {
		o := c.MainComparison()
		switch {
		case c.Pairs == nil || c.Counterpart != nil || o == nil || o.Ratio <= 0:
		case o.Low == nil || o.High == nil:
			lines = append(lines,
				fmt.Sprintf("%s and %s: it takes more than %s to tell which is faster",
					c.Name, c.Pairs.BaseName(), units.Plural(o.Pairs, "pair")))
		default:
			lines = append(lines, fasterText(c, o))
		}
	}
	return lines
}

// fasterText returns which of two commands is faster. The faster one comes first, as in
// hyperfine's summary, and the interval is of the number that is printed.
func fasterText(c *result.Case, o *result.Comparison) string {
	base := c.Pairs.BaseName()
	switch o.Change {
	case result.Worse:
		return fmt.Sprintf("%s ran %s times faster than %s", base, factor(float64(o.Ratio), *o.Low, *o.High), c.Name)
	case result.Better:
		return fmt.Sprintf("%s ran %s times faster than %s",
			c.Name, factor(1/float64(o.Ratio), 1/(*o.High), 1/(*o.Low)), base)
	case result.Same:
		return fmt.Sprintf("%s took as long as %s, to within %s: %s times",
			c.Name, base, units.Exact(o.Tolerance), factor(float64(o.Ratio), *o.Low, *o.High))
	}
	return fmt.Sprintf("%s took %s times as long as %s: it is not clear which is faster",
		c.Name, factor(float64(o.Ratio), *o.Low, *o.High), base)
}

// factor prints a factor with its interval: 1.30 (1.26 … 1.35).
func factor(x, low, high float64) string {
	decimals := 2
	switch width := high - low; {
	case x >= 100 || math.IsInf(width, 0):
		decimals = 0
	case width < 0.02:
		decimals = 3
	}
	text := func(x float64) string { return strconv.FormatFloat(x, 'f', decimals, 64) }
	return fmt.Sprintf("%s (%s … %s)", text(x), text(low), text(high))
}

// summaryHead returns the heading of the summary, with the confidence of its intervals.
func summaryHead(cases []*result.Case) string {
	for _, c := range cases {
		if o := c.MainComparison(); o != nil && o.Confidence > 0 {
			return fmt.Sprintf("summary, with intervals of %s confidence", units.Exact(o.Confidence))
		}
	}
	return "summary"
}
