package runner

import (
	"context"
	"math"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/spec"
)

func TestACaseThatKeepsASummaryIsMeasuredAlike(t *testing.T) {
	t.Parallel()
	long := func(c *spec.Case) {
		c.Settings.SamplesMax, c.Settings.TargetTime = 100_000, spec.Duration(300*time.Millisecond)
	}
	keep := func(c *spec.Case) { c.Settings.Keep, c.Name = "summary", "kept" }
	got := runCases(t, context.Background(), "fake", function("micro/xorshift", long), function("micro/xorshift", long, keep))
	all, kept := got[0], got[1]
	if all.Status != result.Measured || kept.Status != result.Measured {
		t.Fatalf("%+v, %+v", all.Failure, kept.Failure)
	}
	a, k := all.Summary("time"), kept.Summary("time")
	if !close1(k.Median, a.Median, 1e-9) || k.N != kept.Samples.Taken || kept.Samples.Len() > summary.MostRows+1 || k.Low == nil {
		t.Errorf("kept %+v in %d rows, all %+v", k, kept.Samples.Len(), a)
	}
	if math.Abs(float64(kept.Samples.Count()-all.Samples.Count())) > 20 || kept.Stop != all.Stop {
		t.Errorf("%d samples, stopped by %s; all: %d, %s", kept.Samples.Count(), kept.Stop, all.Samples.Count(), all.Stop)
	}
}
