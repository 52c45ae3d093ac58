package runner

import (
	"context"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/result"
)

var onceABatch []byte

func init() {
	for name, took := range map[string]int64{"fake/scratch 4us": 4000, "fake/scratch 5us": 5000} {
		bench.Register(name, func(*bench.Case) bench.Loop {
			return func(n int) {
				onceABatch = make([]byte, 4000) // once a batch
				fake.Advance(took * int64(n))
			}
		})
	}
}

// A base and its candidates, and their candidates, count over the same number of
// iterations. Another case has a number of its own.
func TestABaseAndItsCandidatesCountAllocationsAlike(t *testing.T) {
	t.Parallel()
	got := runCases(t, context.Background(), "fake", function("fake/scratch 4us", named("base")),
		function("fake/scratch 4us", named("middle"), basedOn("base")), function("fake/scratch 5us", named("end"), basedOn("middle")),
		function("fake/scratch 4us", named("other")))
	allocs := func(c *result.Case) float64 {
		t.Helper()
		s := c.Summary("allocs") // the least of three batches: what the runtime allocates in one of them does not count
		if s == nil || s.Median <= 0 {
			t.Fatalf("%s: allocs %+v", c.Name, s)
		}
		return s.Median
	}
	end := allocs(&got[2])
	if n := got[2].Iterations; n >= got[3].Iterations || end != 1/float64(n) {
		t.Errorf("%g allocations an iteration, of %d", end, n)
	}
	for i := range 2 {
		if x := allocs(&got[i]); x != end {
			t.Errorf("%s: %g allocations an iteration, and %g in its candidate", got[i].Name, x, end)
		}
	}
	if x := allocs(&got[3]); x >= end {
		t.Errorf("%g allocations an iteration in a case that is compared with none", x)
	}
}
