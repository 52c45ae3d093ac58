package benchfmt

import (
	"strings"
	"testing"

	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Zeros are written in the unit that benchstat makes of the unit of other numbers.
func TestUnitsAreTidiedAsByBenchstat(t *testing.T) {
	for unit, want := range map[string]string{"ns/op": "sec/op", "read-MB": "read-B", "cpu-ns/ns": "cpu-sec/ns", "dns": "dns", "B/op": "B/op"} {
		if got := tidied(unit); got != want {
			t.Errorf("benchstat makes %[3]s of %[1]s, and not %[2]s", unit, got, want)
		}
	}
}

// A result of another program may have no column of times, or none at all.
func TestSamplesWithoutTimes(t *testing.T) {
	for want, columns := range map[string]map[string]result.Column{"BenchmarkA-1 1 7e-09 cpu-sec/op": {"cpu": {7e-9}}, "# a: there are no samples of it": {}} {
		c := result.Case{Suite: "s", Name: "a", Kind: result.KindCommand, Status: result.Measured, Iterations: 1, Unit: "op", Work: 1,
			Samples: result.Samples{Launch: []int{0}, Block: []int{0}, At: []float64{0}, Columns: columns}}
		if columns["cpu"] != nil {
			c.Metrics = []result.Summary{{Metric: "cpu", Unit: "s", Median: 7e-9, N: 1}}
		}
		var out strings.Builder
		if err := Render(&out, &result.Document{Suites: []result.Suite{{Name: "s"}}, Cases: []result.Case{c}}, table.Options{}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v, want %s in\n%s", err, want, out.String())
		}
	}
}
