package runner

import (
	"fmt"
	"math"
	"testing"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// printing is a track of a command that prints a metric.
func printing(keep string) *track {
	t := newTrack(&spec.Plan{Suite: "s"}, &spec.Case{Name: "c", Kind: result.KindCommand, Work: 4, Settings: spec.Settings{Keep: keep, Confidence: 0.95},
		Metrics: []spec.Metric{{Declared: result.Declared{Name: "lines", Unit: "lines", Better: result.Higher}, From: "stdout", Regex: "(.*)", Scale: 1}}})
	t.own.series.ID, t.own.series.N = 1, 1
	return t
}

// printed makes the readings of runs that printed these numbers.
func printed(lines ...float64) *wire.Readings {
	r := &wire.Readings{Columns: map[string][]int64{}, Values: map[string]wire.Values{"lines": lines, "time": lines, "secret": lines}}
	for i := range lines {
		r.ID, r.N = append(r.ID, 1), append(r.N, 1)
		for _, name := range []string{"time", "wall"} {
			r.Columns[name] = append(r.Columns[name], int64(1000*(i+1)))
		}
	}
	return r
}

// Printed numbers are columns as they are: not per unit of work, with their gaps,
// and only those that the case declares.
func TestPrintedNumbersAreColumns(t *testing.T) {
	track := printing("samples")
	track.take(printed(5, math.NaN(), 7), 1, 0) // the first is thrown away
	track.take(&wire.Readings{ID: []int{1}, N: []int{1}, Columns: map[string][]int64{"time": {1}, "wall": {1}}}, 0, 0)
	track.take(printed(9, math.Inf(1)), 0, 0)
	s := &track.result.Samples
	if got := fmt.Sprint([]float64(s.Columns["lines"])); got != "[NaN 7 NaN 9 NaN]" {
		t.Errorf("lines = %s", got)
	}
	if len(s.Columns["secret"]) > 0 || s.Columns["time"][0] != 2000e-9/4 {
		t.Errorf("%v", s.Columns)
	}
	track.summarise()
	sum := track.result.Summary("lines")
	if sum == nil || sum.N != 2 || sum.Median != 8 || sum.Unit != "lines" || sum.Exact || sum.Extremes != "" {
		t.Errorf("%+v", sum)
	}
	if last := track.result.Metrics[len(track.result.Metrics)-1]; last.Metric != "lines" {
		t.Errorf("the last metric is %s: declared ones stand behind the table", last.Metric)
	}
}

// Where only a summary is kept printed numbers are summarised too.
func TestPrintedNumbersAreSummarised(t *testing.T) {
	track := printing("summary")
	for i := range 30 {
		track.take(printed(float64(i), float64(i), float64(100+i)), 0, 0)
	}
	track.summarise()
	s := track.result.Summary("lines")
	if s == nil || s.N != 90 || s.Max != 129 || s.Min != 0 || s.Median < 13 || s.Median > 16 {
		t.Errorf("%+v", s)
	}
}
