package column

import (
	"testing"

	"example.com/suite/result"
)

// The base of a case that is judged by instructions is a number of instructions, also next to a case that has vanished
// and so has no settings, or is judged by its time.
func TestCountsAreNoTimes(t *testing.T) {
	counted := &result.Case{Name: "counted", Status: result.Measured, Unit: "op",
		Settings: result.Settings{Judge: result.JudgeInstructions},
		Metrics:  []result.Summary{{Metric: result.Instructions, Median: 150}},
		Counted:  &result.Counted{Runs: []float64{150}, Iterations: 1},
		Pairs:    &result.Pairs{Base: "b", Counted: &result.Counted{Runs: []float64{140}, Iterations: 1}},
		Comparisons: []result.Comparison{
			{Metric: result.Instructions, Base: 140, Candidate: 150, Ratio: 150.0 / 140, Runs: 5, Change: result.Worse},
		}}
	vanished := &result.Case{Name: "vanished", Status: result.Failed, Failure: &result.Failure{Cause: result.FailedVanished}}
	timed := &result.Case{Name: "timed", Status: result.Measured, Unit: "op",
		Metrics: []result.Summary{{Metric: "time", Unit: "s", Median: 1e-6}}}
	for _, c := range []struct {
		beside *result.Case
		head   string
	}{{vanished, "instructions/op"}, {timed, "time"}} {
		cases := []*result.Case{counted, c.beside}
		if got := timeColumns("", cases)[0].Head; got != c.head {
			t.Errorf("beside %s: the column is %q, want %q", c.beside.Name, got, c.head)
		}
		if base := baseTimes(cases)[0]; base.Unit != "" || base.Number != "140" {
			t.Errorf("beside %s: the base is %q %q", c.beside.Name, base.Number, base.Unit)
		}
	}
}
