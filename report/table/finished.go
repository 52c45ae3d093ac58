package table

import (
	"fmt"
	"math"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// FinishedCase returns one line about a case of a run that goes on: its time and, if it has
// pairs, the change against its base. There is no verdict, because gates are judged when
// all cases are measured.
func FinishedCase(c *result.Case) string {
	s := number.MeasuredSummary(c, c.MainMetric())
	switch {
	case c.Failure != nil:
		return fmt.Sprintf("%s: could not be measured: %s", c.Name, display.FirstLine(c.Failure.Message))
	case s == nil:
		return c.Name + ": finished"
	case c.JudgedByInstructions():
		return c.Name + ": " + countedEvidence(c) + countedSoFar(c)
	case s.Bound != nil:
		return fmt.Sprintf("%s: < %s%s", c.Name, units.Format(*s.Bound, "s"), number.PerUnit(c))
	}
	line := fmt.Sprintf("%s: %s%s%s",
		c.Name, number.BoundSign(s), units.Amount(s.Median, number.HalfInterval(s), units.Time), number.PerUnit(c))
	if s.Low != nil && s.High != nil && s.Median > 0 {
		line += " ± " + units.Tenths(number.HalfInterval(s)/s.Median)
	}
	if c.Pairs != nil {
		line += changeSoFar(c)
	}
	return line
}

// countedSoFar returns the change of the instructions, empty if there is none.
func countedSoFar(c *result.Case) string {
	base, own, ok := c.CountedRuns()
	if !ok || stats.Median(base) <= 0 {
		return ""
	}
	return fmt.Sprintf(", %s against %s", number.RatioText(stats.Median(own)/stats.Median(base), 1), c.Pairs.BaseName())
}

// changeSoFar returns the median change of the time over all pairs, empty if there is none.
func changeSoFar(c *result.Case) string {
	logs := pairs.EvidenceOf(c, "time").Ratios()
	if len(logs) == 0 {
		return ""
	}
	ratio := math.Exp(stats.Median(logs))
	if math.IsNaN(ratio) || math.IsInf(ratio, 0) {
		return ""
	}
	return fmt.Sprintf(", %s against %s", number.RatioText(ratio, 1), c.Pairs.BaseName())
}
