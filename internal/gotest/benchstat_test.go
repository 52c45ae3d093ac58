package gotest

import (
	"bytes"
	"testing"

	"example.com/suite/internal/extract"
	"example.com/suite/internal/testfile"
	"example.com/suite/stats"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// benchstat reads a file with the reader and the statistics of benchstat: the
// numbers of each benchmark and unit, in base units.
func benchstat(t *testing.T, text []byte) map[[2]string][]float64 {
	t.Helper()
	samples := map[[2]string][]float64{}
	reader := benchfmt.NewReader(bytes.NewReader(text), "recorded.txt")
	for reader.Scan() {
		if r, ok := reader.Result().(*benchfmt.Result); ok {
			for _, v := range r.Values {
				key := [2]string{string(r.Name.Full()), v.Unit}
				samples[key] = append(samples[key], v.Value)
			}
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return samples
}

func TestMediansOfARecordedOutputAreThoseOfBenchstat(t *testing.T) {
	text := testfile.Read(t, "testdata/recorded.txt")
	lines, err := extract.Benchmarks(bytes.NewReader(text))
	if err != nil || len(lines) != 9 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	ours := map[[2]string][]float64{}
	for i := range lines {
		for _, v := range lines[i].Values {
			key := [2]string{lines[i].Full, v.BaseUnit}
			ours[key] = append(ours[key], v.Base)
		}
	}
	theirs := benchstat(t, text)
	if len(ours) != len(theirs) || len(ours) != 10 {
		t.Errorf("%d series, benchstat has %d", len(ours), len(theirs))
	}
	for key, xs := range theirs {
		want := benchmath.AssumeNothing.Summary(benchmath.NewSample(xs, &benchmath.DefaultThresholds), 0.95).Center
		if got := stats.Median(ours[key]); got != want {
			t.Errorf("%s in %s: median %v, benchstat says %v", key[0], key[1], got, want)
		}
	}
}
