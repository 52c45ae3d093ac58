package table

import (
	"fmt"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// pass is one line for a case that was sampled once, in the layout of mLib's
// bench_report: work, time, rate, and time and counts per unit of work. It is empty
// for other cases.
func pass(c *result.Case) string {
	t := number.MeasuredSummary(c, "time")
	work := float64(c.Iterations) * c.Work * float64(max(1, c.Settings.Parallel))
	if c.Settings.Sampling != "once" || t == nil || work <= 0 || t.Median <= 0 && t.Bound == nil {
		return ""
	}
	var facts []string
	took := units.Format(t.Median*work, "s")
	if t.Bound != nil {
		if t.Median < *t.Bound { // a net time; others show how long the pass was
			took = "< " + units.Format(*t.Bound*work, "s")
		}
		facts = append(facts, "< "+units.Format(*t.Bound, "s")+number.PerOp(c))
	} else {
		facts = append(facts, rate(c, 1/t.Median), units.Format(t.Median, "s")+number.PerOp(c))
	}
	for _, metric := range []string{"ticks", "cycles"} {
		switch s := number.MeasuredSummary(c, metric); {
		case s == nil:
		case s.Bound != nil:
			facts = append(facts, "< "+units.Format(*s.Bound, "")+" "+metric+number.PerOp(c))
		default:
			facts = append(facts, units.Format(s.Median, "")+" "+metric+number.PerOp(c))
		}
	}
	return fmt.Sprintf("single pass: %s in %s: %s", quantity(c, work), took, strings.Join(facts, ", "))
}

// quantity prints an amount of work, bytes with binary prefixes and all else with
// decimal ones.
func quantity(c *result.Case, x float64) string {
	if number.WorkUnit(c) == "byte" {
		return units.Amount(x, 0, units.Bytes)
	}
	return units.Amount(x, 0, units.Rate) + " " + number.WorkUnit(c)
}

func rate(c *result.Case, x float64) string { return quantity(c, x) + "/s" }
