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

// explainSlowest warns why the slowest run of a command took so much longer than usual, if
// that is known. The run is an outlier whether the headline includes it or not.
func (v review) explainSlowest() {
	s := &v.result.Samples
	walls := s.Columns["wall"]
	if !v.isCommand() || v.folds != nil || len(walls) < explainFrom {
		return
	}
	run := slowRun{samples: s, row: slowest(walls), units: v.units(1)}
	usual := stats.Median(walls.Present())
	if run.row < 0 || slices.Contains(s.Censored, run.row) || walls[run.row] < explainSlow*usual {
		return
	}
	causes := run.causes()
	if len(causes) == 0 {
		return
	}
	values := []any{span(run.ofRun("wall", walls[run.row])), span(run.ofRun("wall", usual))}
	var formats []string
	for _, cause := range causes {
		formats = append(formats, cause.format)
		values = append(values, cause.much)
	}
	v.doubt(result.WarnSlowest, result.Say("the slowest run took %s, usually %s: it"+strings.Join(formats, ", and"), values...), "")
}

// span is a time whose unit a report cannot break off.
func span(seconds float64) result.Quantity { return length(time.Duration(seconds * 1e9)) }

// slowRun is the slowest run of a command.
type slowRun struct {
	samples *result.Samples
	row     int     // -1 if no run has a time
	units   float64 // of work that a run does
}

// slowness is why a run took longer: a format with one verb, and the value that it prints.
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

// causes lists why a run took longer than usual. A time is a cause if it explains at least
// half of the difference; page faults that waited for a disk do not show for how long, so
// any unusual number of them is a cause.
func (r slowRun) causes() (all []slowness) {
	i, marked := slices.BinarySearchFunc(r.samples.Disturbed, r.row, func(d result.Disturbed, row int) int { return d.Index - row })
	if marked && strings.HasPrefix(r.samples.Disturbed[i].Cause, "stopped") {
		return []slowness{{" was %s", r.samples.Disturbed[i].Cause}}
	}
	longer := r.unusual("wall")
	for _, cause := range []struct{ metric, format string }{
		{"wait", " waited %s for a CPU"},
		{"tree_wait", ", or what started it, waited %s for a CPU"},
		{"cpu", " used %s more CPU time"},
	} {
		if more := r.unusual(cause.metric); more >= explainShare*longer && len(all) == 0 {
			all = append(all, slowness{cause.format, span(more)})
		}
	}
	if more := r.unusual("major_faults"); more > 0 {
		all = append(all, slowness{" had %s page faults more that waited for a disk", result.Printed(fmt.Sprintf("%.0f", more), more, "")})
	}
	return all
}

// unusual is how much more of a metric the whole run has than the median run, 0 if that is
// not known.
func (r slowRun) unusual(metric string) float64 {
	column := r.samples.Columns[metric]
	if column == nil || column[r.row] != column[r.row] {
		return 0
	}
	return r.ofRun(metric, column[r.row]-stats.Median(column.Present()))
}

// ofRun turns a number of a column into a number of a whole run: some columns are for
// one unit of work, others, such as wait, for the run.
func (r slowRun) ofRun(metric string, x float64) float64 {
	if perUnit[metric] {
		return x * r.units
	}
	return x
}
