package runner

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// Limits from which the slowest run of a command is explained.
const (
	explainFrom  = 10  // runs: with fewer nobody knows what is usual
	explainSlow  = 2.0 // times the median
	explainShare = 0.5 // of what it took longer, by one cause
)

// explain warns why the slowest run took so much longer than usual, if that is known.
// The run is an outlier whatever the headline makes of it.
func (t *side) explain() {
	s := &t.result.Samples
	walls := s.Columns["wall"]
	if !t.isCommand() || t.folds != nil || len(walls) < explainFrom {
		return
	}
	slow, usual := slowest(walls), stats.Median(walls.Present())
	if slow < 0 || slices.Contains(s.Censored, slow) || walls[slow] < explainSlow*usual {
		return
	}
	if causes := t.causes(slow, t.unusual("wall", slow)); len(causes) > 0 {
		said := []any{span(t.ofRun("wall", walls[slow])), span(t.ofRun("wall", usual))}
		var formats []string
		for _, cause := range causes {
			formats, said = append(formats, cause.format), append(said, cause.much)
		}
		t.doubt(result.WarnSlowest, result.Say("the slowest run took %s, usually %s: it"+strings.Join(formats, ", and"), said...), "")
	}
}

// span is a time whose unit a report cannot break off.
func span(seconds float64) result.Quantity { return length(time.Duration(seconds * 1e9)) }

// slowness is why a run took longer: a format with one verb, and what it prints.
type slowness struct {
	format string
	much   any
}

// slowest is the row with the greatest number, -1 for none.
func slowest(column result.Column) int {
	found := -1
	for i, x := range column {
		if x == x && (found < 0 || x > column[found]) {
			found = i
		}
	}
	return found
}

// causes lists why a run took so many seconds longer than usual. A time is a cause if
// it explains at least half of them; page faults that waited for a disk do not show for
// how long, so any unusual number of them is a cause.
func (t *side) causes(row int, longer float64) (all []slowness) {
	s := &t.result.Samples
	if i, marked := slices.BinarySearchFunc(s.Disturbed, row, func(d result.Disturbed, row int) int { return d.Index - row }); marked && strings.HasPrefix(s.Disturbed[i].Cause, "stopped") {
		return []slowness{{" was %s", s.Disturbed[i].Cause}}
	}
	for _, cause := range []struct{ metric, format string }{
		{"wait", " waited %s for a CPU"},
		{"tree_wait", ", or what started it, waited %s for a CPU"},
		{"cpu", " used %s more CPU time"},
	} {
		if more := t.unusual(cause.metric, row); more >= explainShare*longer && len(all) == 0 {
			all = append(all, slowness{cause.format, span(more)})
		}
	}
	if more := t.unusual("major_faults", row); more > 0 {
		all = append(all, slowness{" had %s page faults more that waited for a disk", result.Printed(fmt.Sprintf("%.0f", more), more, "")})
	}
	return all
}

// unusual is how much more of a metric the whole run of a row has than the median, 0 if
// that is not known.
func (t *side) unusual(metric string, row int) float64 {
	column := t.result.Samples.Columns[metric]
	if column == nil || column[row] != column[row] {
		return 0
	}
	return t.ofRun(metric, column[row]-stats.Median(column.Present()))
}

// ofRun turns a number of a column into a number of a whole run: some columns are for
// one unit of work, others, such as wait, for the run.
func (t *side) ofRun(metric string, x float64) float64 {
	if perUnit[metric] {
		return x * t.units(1)
	}
	return x
}
