package runner

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/result/latencies"
	"example.com/suite/result/summary"
	"example.com/suite/runner/record"
	"example.com/suite/spec"
	"github.com/google/go-cmp/cmp"
)

func init() {
	// Every slow-th iteration takes ten times as long as the others.
	every := func(ns int64, slow int) bench.Setup {
		return func(*bench.Case) bench.Loop {
			calls := 0
			return bench.Each(func() {
				if calls++; calls%slow == 0 {
					fake.Advance(10 * ns)
				} else {
					fake.Advance(ns)
				}
			})
		}
	}
	bench.Register("latency/1µs", every(1000, 50))
	bench.Register("latency/2µs", every(2000, 50))
	bench.Register("latency/100ns", every(100, 50))
}

func timing(c *spec.Case) { c.Settings.Latency = true }

func TestPercentilesOfSingleIterationsOfAKnownBody(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("latency/1µs", timing))[0]
	l := got.Latency
	if got.Status != result.Measured || l == nil {
		t.Fatalf("%s: %+v", got.Status, got.Failure)
	}
	for name, want := range map[string]float64{"latency_p50": 1e-6, "latency_p90": 1e-6, "latency_p99": 10e-6, "latency_p999": 10e-6, "latency_max": 10e-6} {
		if s := got.Summary(name); s == nil || !close1(s.Median, want, 0.01) || s.N != int(l.Count) {
			t.Errorf("%s: %+v, want %g", name, s, want)
		}
	}
	if n := int64(got.Samples.Len()) * got.Iterations; l.Count != n || !close1(l.Mean, 1.18e-6, 0.02) || l.Min != 1e-6 || l.Max != 10e-6 {
		t.Errorf("%d iterations of %d, mean %g, %g to %g", l.Count, n, l.Mean, l.Min, l.Max)
	}
	if s := got.Summary("time"); !close1(s.Median, 1.18e-6, 0.02) {
		t.Errorf("time %g: the readings are not subtracted", s.Median)
	}
	if len(l.Groups) < 8 || len(l.Groups) > result.MostLatencyGroups || l.Cost.Value < 20e-9 || l.Cost.Value > 21e-9 {
		t.Errorf("%d groups, a reading takes %g", len(l.Groups), l.Cost.Value)
	}
	for _, s := range summary.Of(&got) {
		if again := got.Summary(s.Metric); again.Median != s.Median {
			t.Errorf("%s: %g, from the document %g", s.Metric, again.Median, s.Median)
		}
	}
}

func TestPairsOfPercentiles(t *testing.T) {
	cases := []spec.Case{function("latency/1µs", timing), function("latency/2µs", timing, func(c *spec.Case) { c.Base = "latency/1µs" })}
	got := runCases(t, context.Background(), "fake", cases...)[1]
	if got.Status != result.Measured || got.Pairs.Latency == nil {
		t.Fatalf("%s, %+v", got.Status, got.Failure)
	}
	own, base, pairs := got.Samples.Columns["latency_p99"], got.Pairs.Samples.Columns["latency_p99"], 0
	for i := range own {
		if math.IsNaN(own[i]) != math.IsNaN(base[i]) {
			t.Fatalf("pair %d: %g and %g", i, own[i], base[i])
		}
		if !math.IsNaN(own[i]) {
			pairs++
			if !close1(own[i]/base[i], 2, 0.02) {
				t.Errorf("pair %d: %g ÷ %g", i, own[i], base[i])
			}
		}
	}
	if pairs == 0 || latencies.Percentile(got.Pairs.Latency, 0.5) > 1.01e-6 {
		t.Errorf("%d stretches, p50 of the base %g", pairs, latencies.Percentile(got.Pairs.Latency, 0.5))
	}
}

func TestIterationsTooShortForTheirReadingsAreRefused(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("latency/100ns", timing))[0]
	if f := got.Failure; f == nil || f.Cause != result.FailedCheck || !strings.Contains(f.Message, "reading the clock after it 20") {
		t.Errorf("%s, %+v", got.Status, got.Failure)
	}
}

// A single pass has the latencies of all of its iterations, and none of shorter passes before it.
func TestPercentilesOfASinglePass(t *testing.T) {
	for _, rate := range []float64{0, 100_000} {
		got := runCases(t, context.Background(), "fake", function("latency/1µs", timing, func(c *spec.Case) {
			c.Settings.Sampling, c.Settings.Arrivals = "once", rate
		}))[0]
		if got.Latency == nil || got.Latency.Count != got.Iterations || got.Iterations < 100 {
			t.Errorf("%g/s: %d iterations, %+v", rate, got.Iterations, got.Latency)
		}
		if a := got.Latency.Arrivals; rate > 0 && (!close1(a.Achieved, rate, 0.01) || a.Utilization > 0.2) {
			t.Errorf("%+v", a)
		}
	}
}

// The journal gets the times of the batches of a block, not those of the whole case once
// more, and they add up to what the case has.
func TestAJournalHasTheLatenciesOfEachBlockOnce(t *testing.T) {
	plan := function("latency/1µs", timing)
	plan.Settings.SamplesMin, plan.Settings.SamplesMax = 300, 300
	base := function("latency/2µs", timing)
	plan.Base = base.Name
	doc, text := runJournalled(t, context.Background(), []*spec.Plan{{Suite: "s", Cases: []spec.Case{base, plan}}}, journalOptions(t), filepath.Join(t.TempDir(), "j"), false)
	end := regexp.MustCompile(`(?m)^\{"at":\d+,"case":`).FindIndex(text) // until there a case is the sum of its blocks
	p, _, _, err := record.Read(bytes.NewReader(text[:end[0]]), nil)
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[record.Key][]int{}
	for _, m := range regexp.MustCompile(`(?m)^\{"at":\d+,"block":\{"case":\{"suite":"s","name":"([^"]*)".*`).FindAllSubmatch(text[:end[0]], -1) {
		key := record.Key{Suite: "s", Name: string(m[1])}
		lengths[key] = append(lengths[key], len(m[0]))
	}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		had := p.Cases[record.KeyOf(c)]
		if diff := cmp.Diff(c.Latency, had.Last.Case.Latency); diff != "" {
			t.Errorf("%s: %s", c.Name, diff)
		}
		if c.Pairs != nil {
			if diff := cmp.Diff(c.Pairs.Latency, had.Base.Last.Case.Latency); diff != "" {
				t.Errorf("%s: %s", c.Pairs.Base, diff)
			}
		}
		blocks := lengths[record.KeyOf(c)]
		if first, last := blocks[0], blocks[len(blocks)-1]; len(blocks) < 10 || 2*last > 3*first {
			t.Errorf("%s: the first of %d blocks takes %d bytes, the last %d", c.Name, len(blocks), first, last)
		}
	}
}
