package forecast

import (
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// A verdict cannot come before the iterations of its pairs are due: one each 10 ms at 100/s.
func TestArrivalsTakeTimeBeforeAVerdict(t *testing.T) {
	const alpha = 0.01
	c := spec.Case{Kind: result.KindGo, Base: "b", Settings: spec.Defaults()}
	closed := LeastTime(&c, alpha)
	c.Settings.Latency, c.Settings.Arrivals = true, 100
	more := LeastTime(&c, alpha) - closed
	if want := time.Duration(stats.FirstVerdict(alpha)) * leastArrivals * 10 * time.Millisecond; more != want {
		t.Errorf("%v more than without arrivals, want %v", more, want)
	}
}
