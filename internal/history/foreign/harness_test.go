package foreign

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/testfile"
)

// Files that the programs themselves have written: testdata/README.md.
func TestResultsOfHarnesses(t *testing.T) {
	const enforce = "org.casbin.jcasbin.main.benchmark.BenchmarkEnforce.enforce/dataScale=small/modelType=rbac/useCache="
	for _, c := range []struct {
		file, origin, started string
		want                  []string // the name of a case and a metric, and how many values it has
		values                []float64
	}{
		{"jmh_thrpt.json", "JMH", "2026-05-05", []string{enforce + "false throughput 1/s 3", enforce + "true throughput 1/s 3"}, []float64{21009.04195728958, 9035937.462168882}},
		{"jmh_avgt.json", "JMH", "2026-05-05", []string{"com.twineworks.collections.constshapemap.BigMapReadBenchmark.const_shape_map__get time s 10"}, []float64{8.225937305749188e-9}},
		{"benchmarkdotnet.json", "BenchmarkDotNet", "2020-05-29", []string{
			"Fantomas.Benchmarks.Runners+CodePrinterTest.Format time s 5", "Fantomas.Benchmarks.Runners+CodePrinterTest.Format heap B 1"}, []float64{46.951833349, 23405419512}},
		{"vitest.json", "vitest", "2026-05-05", []string{"bench/c.bench.js > a > b > c time s 1"}, []float64{1.9998120225584804e-07}},
		{"libtest.txt", "cargo bench", "2026-05-05", []string{"tests::large time s 1", "tests::small time s 1"}, []float64{262133.45e-9, 2.25e-9}},
	} {
		text := testfile.Read(t, filepath.Join("testdata", c.file))
		runs, err := source{Text: text, Modified: time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC), Suite: "s"}.runs()
		if err != nil || len(runs) != 1 || runs[0].Origin != c.origin || runs[0].Started.Format(time.DateOnly) != c.started {
			t.Errorf("%s: %+v, %v", c.file, runs, err)
			continue
		}
		var got []string
		var values []float64
		for _, k := range runs[0].Cases {
			for _, m := range k.Metrics {
				got, values = append(got, fmt.Sprintf("%s %s %s %d", k.Name, m.Name, m.Unit, m.N)), append(values, m.Value)
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
			continue
		}
		for i, x := range c.values {
			if math.Abs(values[i]/x-1) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", c.file, got[i], values[i], x)
			}
		}
	}
}

// The machine of BenchmarkDotNet is in its file, in Go's words; parameters of JMH are those of the case.
func TestWhatElseIsInResultsOfHarnesses(t *testing.T) {
	read := func(file string) source {
		text := testfile.Read(t, filepath.Join("testdata", file))
		return source{Text: text}
	}
	runs, err := read("benchmarkdotnet.json").runs()
	if err != nil || runs[0].Machine.CPUs != 8 || runs[0].Machine.Arch != "amd64" || !strings.HasPrefix(runs[0].Machine.CPU, "Intel Core i7") {
		t.Errorf("%+v, %v", runs, err)
	}
	runs, err = read("jmh_thrpt.json").runs()
	if err != nil || len(runs[0].Cases[0].Params) != 3 || runs[0].Cases[0].Params[2].Text != "false" {
		t.Errorf("%+v, %v", runs, err)
	}
}

// A torn file is an error, and one whose benchmarks all failed has no case.
func TestHarnessesWithoutResults(t *testing.T) {
	for text, want := range map[string]string{
		`[{"jmhVersion": "1.37"`: "unexpected EOF",
		`{"HostEnvironmentInfo": {}, "Benchmarks": [{"FullName": "a", "Statistics": null, "Memory": {"BytesAllocatedPerOperation": 3}}]}`: "",
		`{"files": [{"groups": [{"fullName": "a", "benchmarks": [{"name": "b"}]}]}]}`:                                                     "",
		"test a ... bench: 1 cycles/iter (+/- 14)":                                                                                        errUnknown.Error(),
	} {
		runs, err := source{Text: []byte(text)}.runs()
		switch {
		case want == "" && (err != nil || len(runs[0].Cases) != 0):
			t.Errorf("%s: %+v, %v", text, runs, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
