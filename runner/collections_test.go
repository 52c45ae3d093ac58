package runner

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/result"
)

// gcSamples are n samples, of which each tenth held a collection that made it longer.
func gcSamples(n int, time, longer float64) result.Samples {
	s := result.NoSamples()
	for i := range n {
		held := 0.0
		if i%10 == 0 {
			held = 1
		}
		s.Columns["time"] = append(s.Columns["time"], time+held*longer)
		s.Columns["gcs"] = append(s.Columns["gcs"], held)
	}
	return s
}

// Collections are described on average, on both sides; the median leaves them out.
func TestCollectionsHaveAFigureOfTheirOwn(t *testing.T) {
	plan := against(function("x"))
	one := newTrack(plan, &plan.Cases[0])
	pairUp(plan, []*track{one})
	one.result.Samples, one.base.result.Samples = gcSamples(200, 1e-6, 4e-6), gcSamples(200, 1e-6, 1e-6)
	one.result.Metrics = []result.Summary{{Metric: "time", Unit: "s", Median: 1e-6}}
	one.review().noteCollections()
	own, base := one.result.Collections, one.result.Pairs.Collections
	if own == nil || base == nil || math.Abs(own.Share-0.1) > 1e-9 || math.Abs(own.Time-4e-7) > 1e-12 || math.Abs(base.Time-1e-7) > 1e-12 {
		t.Fatalf("%+v, base %+v", own, base)
	}
	if w := one.result.Warnings; len(w) != 1 || !strings.Contains(w[0].Message, "fell into 10% of the batches and add 400 ns") || !strings.Contains(w[0].Message, "in main into 10%, and add 100 ns") {
		t.Errorf("%+v", w)
	}
	for name, s := range map[string]result.Samples{"all": gcSamples(5, 1, 1), "none": {Columns: map[string]result.Column{"time": {1, 2}}}} {
		if got := collections(&s); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Batches of pairs are as short as their share of sample_time, also if the body allocates.
func TestBatchesOfPairsAreShort(t *testing.T) {
	plan := against(function("x"))
	one := newTrack(plan, &plan.Cases[0])
	whole := int64(plan.Cases[0].Settings.SampleTime)
	if f := one.own.request().Function; f.SampleTime != whole || f.Spread {
		t.Errorf("alone a batch lasts %d ns, collections spread: %t", f.SampleTime, f.Spread)
	}
	pairUp(plan, []*track{one})
	for _, side := range one.sides() {
		if f := side.request().Function; f.SampleTime != whole/5 || !f.Spread {
			t.Errorf("in a pair it lasts %d ns, collections spread: %t", f.SampleTime, f.Spread)
		}
	}
}
