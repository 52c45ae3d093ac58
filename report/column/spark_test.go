package column

import (
	"fmt"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/result"
)

// The histogram shows the shape of the samples: two modes, a tail of stalls.
func TestSparks(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Measure(d, "a", 1e-6, 0)
	draw := func(xs ...float64) string {
		c.Samples = result.Samples{Columns: map[string]result.Column{"time": xs}, Block: make([]int, len(xs))}
		return fmt.Sprint(spark(c))
	}
	repeat := func(n int, xs ...float64) (out []float64) {
		for range n {
			out = append(out, xs...)
		}
		return out
	}
	for want, xs := range map[string][]float64{
		"[20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 20]": repeat(20, 1e-6, 2e-6), "[]": repeat(9, 1e-6, 2e-6),
		"[20 0 0 0 40 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2]": append(repeat(20, 1, 1.5, 1.5), 9000, 9001),
	} {
		if got := draw(xs...); got != want {
			t.Errorf("%d samples: %q, want %q", len(xs), got, want)
		}
	}
	c.Samples = result.Samples{Columns: map[string]result.Column{"time": repeat(10, 1, 2)}, Block: make([]int, 20)}
	for i := range 9 { // of 20 samples: the median is of the others
		c.Samples.Disturbed = append(c.Samples.Disturbed, result.Disturbed{Index: i, Cause: result.Preempted, Count: 1})
	}
	if spark(c) == nil {
		t.Error("a drawing goes with the first sample that is disturbed")
	}
}
