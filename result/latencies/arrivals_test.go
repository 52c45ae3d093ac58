package latencies_test

import (
	"errors"
	"math"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/latencies"
	"example.com/suite/stats"
)

// The schedules of batches of different lengths add up: what was achieved is iterations by
// time, and utilization busy time by iterations.
func TestSchedulesOfBatchesAddUp(t *testing.T) {
	whole := &result.Latency{}
	for _, b := range []struct {
		n              int
		seconds, busy  float64
		waits, behind  int64
		lag, lagOfMost float64
	}{{100, 0.1, 0.05, 100, 0, 1e-6, 5e-6}, {300, 0.6, 0.6, 0, 3, 0, 0}, {50, 0.05, 0.01, 50, 0, 4e-6, 9e-6}} {
		row := batch(make([]int64, b.n))
		row.Arrivals = &result.Arrivals{Rate: 1000, Achieved: float64(b.n) / b.seconds, Utilization: b.busy * 1000 / float64(b.n),
			Waits: b.waits, Lag: b.lag, MostLag: b.lagOfMost, Unserved: b.behind}
		latencies.Add(whole, row)
	}
	a := whole.Arrivals
	near := func(x, want float64) bool { return math.Abs(x/want-1) < 1e-9 }
	if a.Rate != 1000 || !near(a.Achieved, 450/0.75) || !near(a.Utilization, 0.66*1000/450) || a.Waits != 150 || !near(a.Lag, (100*1e-6+50*4e-6)/150) || a.MostLag != 9e-6 || a.Unserved != 3 || !a.Saturated() {
		t.Errorf("%+v", a)
	}
}

// Iterations that had not begun count as slower than all others, and a saturated case has no
// interval.
func TestIntervalsOfOpenLoops(t *testing.T) {
	of := func(a *result.Arrivals) error {
		whole := &result.Latency{}
		for range 20 {
			times := make([]int64, 1000)
			for i := range times {
				times[i] = int64(1000 + i)
			}
			latencies.Add(whole, batch(times))
		}
		whole.Arrivals = a
		_, _, err := latencies.Interval(whole, 0.99, 0.95)
		return err
	}
	for _, test := range []struct {
		utilization float64
		unserved    int64
		want        error
	}{{0.5, 0, nil}, {0.99, 20, nil}, {0.5, 300, stats.ErrTooFew}, {1, 0, latencies.ErrSaturated}} {
		if err := of(&result.Arrivals{Rate: 1, Achieved: 1, Utilization: test.utilization, Unserved: test.unserved}); !errors.Is(err, test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
