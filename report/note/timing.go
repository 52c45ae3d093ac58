package note

import (
	"cmp"
	"fmt"

	"example.com/suite/report/number"
	"example.com/suite/result"
)

// timing is the clock and the cycle counter of a case. Commands have no counter.
type timing struct{ clock, counter string }

func timingOf(c *result.Case) timing { return timing{c.Clock, c.Counter} }

// usualTimings is the most common timing of each suite, the first one on a tie. Cases
// of kind go decide it; the others only if the suite has no such case.
func usualTimings(doc *result.Document) map[string]timing {
	usual := map[string]timing{}
	votes := map[string]map[timing]int{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if c.Clock == "" || number.MeasuredSummary(c, "time") == nil {
			continue
		}
		if votes[c.Suite] == nil {
			votes[c.Suite] = map[timing]int{}
		}
		t, weight := timingOf(c), 1
		if c.Kind == result.KindGo {
			weight = len(doc.Cases)
		}
		votes[c.Suite][t] += weight
	}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if t := timingOf(c); votes[c.Suite][t] > votes[c.Suite][usual[c.Suite]] {
			usual[c.Suite] = t
		}
	}
	return usual
}

// timedBy warns about a case that has another clock or counter than most of its
// suite: readers would compare numbers of two clocks.
func (ns *Notes) timedBy(c *result.Case) []result.Warning {
	t, usual := timingOf(c), ns.usual[c.Suite]
	if c.Kind != result.KindGo {
		t.counter, usual.counter = "", ""
	}
	if t.clock == "" || t == usual || number.MeasuredSummary(c, "time") == nil {
		return nil
	}
	return []result.Warning{{
		Code:    result.WarningCode(fmt.Sprintf("timed by %s %s", t.clock, t.counter)), // one footnote for each
		Message: fmt.Sprintf("timed by %s, most of the suite by %s", t.text(usual), usual.text(t)),
	}}
}

// text names the counter only if the two timings differ in it.
func (t timing) text(other timing) string {
	if t.counter == other.counter {
		return t.clock
	}
	return fmt.Sprintf("%s with %s", t.clock, cmp.Or(t.counter, "no counter"))
}
