package table

import (
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

func TestLineOfAFinishedCase(t *testing.T) {
	d := reporttest.Document("s")
	measured := reporttest.Measure(d, "sort", 2e-3, 0.01)
	bound := *measured
	bound.Metrics = []result.Summary{{Metric: "time", Bound: reporttest.Ptr(3e-10)}}
	without := *measured
	without.Metrics = nil
	failed := *measured
	failed.Status, failed.Failure = result.Failed, &result.Failure{Message: "exit status 2\nmore"}
	perByte := *measured
	reporttest.PerByte(&perByte, 1000)
	paired := *measured
	column := func(x float64) result.Column {
		all := make(result.Column, 20)
		for i := range all {
			all[i] = x
		}
		return all
	}
	samples := func(x float64) result.Samples {
		s := result.Samples{Launch: make([]int, 20), Block: make([]int, 20), At: make([]float64, 20), Columns: map[string]result.Column{"time": column(x)}}
		return s
	}
	paired.Samples = samples(3e-3)
	paired.Pairs = &result.Pairs{Base: "old", Samples: samples(2e-3)}
	for _, c := range []struct {
		of   *result.Case
		want string
	}{
		{measured, "sort: 2.000 ms ± 1.0%"},
		{&bound, "sort: < 0.3 ns"},
		{&without, "sort: finished"},
		{&failed, "sort: could not be measured: exit status 2"},
		{&perByte, "sort: 2.000 ms/B ± 1.0%"},
		{&paired, "sort: 2.000 ms ± 1.0%, +50.0% against old"},
	} {
		if got := FinishedCase(c.of); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
