package timer

import (
	"errors"
	"math"

	"example.com/suite/stats"
)

// Estimate is a median with half of its 99% interval, nanoseconds.
type Estimate struct {
	NS    float64 `json:"ns"`
	Error float64 `json:"error"`
}

// LoopCost is what an empty loop costs: once per batch and for each iteration.
type LoopCost struct {
	Batch     Estimate `json:"batch"`
	Iteration Estimate `json:"iteration"`
}

// Rounds of a calibration. 41 give a 99% interval of the median of about
// 0.8 standard deviations, and at 200 µs a batch take 8 ms for each loop.
const (
	rounds   = 41
	longLoop = 200_000 // ns that the long batch of a pair lasts at least
	longestN = 1 << 22 // 1.4 ms at 0.33 ns: a clock too coarse to see it has a large error, not a hang
)

// Resolution is the smallest step that clock is seen to take, nanoseconds. It
// reads at most 2 million times (50 ms at 25 ns); a clock that never moved is
// an error.
func Resolution(clock Clock) (int64, error) {
	least, steps := int64(math.MaxInt64), 0
	last := clock.Now()
	for reads := 0; reads < 2_000_000 && steps < 1000; reads++ {
		now := clock.Now()
		if now > last {
			least, steps = min(least, now-last), steps+1
		}
		last = now
	}
	if steps == 0 {
		return 0, errors.New("the clock did not move in 2,000,000 readings")
	}
	return least, nil
}

// ReadingCost is the time that passes between two readings of clock with
// nothing between them. Each of its rounds averages 100 readings in a row, so
// that a clock coarser than its own cost is measured too.
func ReadingCost(clock Clock) Estimate {
	const readings = 100
	costs := make([]float64, rounds)
	for i := range costs {
		first := clock.Now()
		for range readings - 1 {
			clock.Now()
		}
		costs[i] = float64(clock.Now()-first) / readings
	}
	return NewEstimate(costs)
}

// Measure times one batch of n iterations of an empty loop, nanoseconds.
type Measure func(n int) int64

// Calibrate finds the cost of empty loops of one kind. Each of copies times
// the same loop placed elsewhere in the program: where a loop lies changes its
// speed, so the error covers the spread between copies too. Short and long
// batches alternate, never minutes apart, and each pair gives one slope. A
// step of the clock, resolution ns, may hide in each of them.
func Calibrate(copies []Measure, resolution int64) LoopCost {
	lines := make([]line, len(copies))
	for i, measure := range copies {
		lines[i] = line{measure: measure, long: grow(measure)}
	}
	for range rounds { // in turns: the core changes its frequency within milliseconds
		for i := range lines {
			lines[i].pair()
		}
	}
	slopes, batches := make([]Estimate, len(copies)), make([]Estimate, len(copies))
	for i := range lines {
		slopes[i], batches[i] = lines[i].fit(resolution)
	}
	return LoopCost{Batch: combine(batches), Iteration: combine(slopes)}
}

// line gathers what pairs of a short and a long batch say of t(n).
type line struct {
	measure        Measure
	long           int // iterations
	slopes, starts []float64
}

func (l *line) pair() {
	short, full := float64(l.measure(1)), float64(l.measure(l.long))
	l.slopes = append(l.slopes, (full-short)/float64(l.long-1))
	l.starts = append(l.starts, short)
}

// fit estimates slope and intercept.
func (l *line) fit(resolution int64) (slope, intercept Estimate) {
	slope = NewEstimate(l.slopes)
	slope.NS = max(slope.NS, 0) // a coarse clock can step between the two
	slope.Error += float64(resolution) / float64(l.long)
	intercept = NewEstimate(l.starts)
	intercept.NS = max(intercept.NS-slope.NS, 0)
	return slope, intercept
}

// grow finds an n whose batch lasts long enough to tell slopes apart.
func grow(measure Measure) int {
	n := 1024
	for n < longestN && measure(n) < longLoop {
		n *= 2
	}
	return n
}

// combine takes the middle of the copies; its error reaches all of them.
func combine(copies []Estimate) Estimate {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range copies {
		low, high = min(low, c.NS-c.Error), max(high, c.NS+c.Error)
	}
	middles := make([]float64, len(copies))
	for i, c := range copies {
		middles[i] = c.NS
	}
	middle := stats.Median(middles)
	return Estimate{middle, max(high-middle, middle-low)}
}

// NewEstimate is the median of xs with half of its 99% interval.
func NewEstimate(xs []float64) Estimate {
	middle := stats.Median(xs)
	low, high, err := stats.MedianInterval(xs, 0.99)
	if err != nil { // rounds is large enough; kept so that a change of it shows
		return Estimate{middle, math.Abs(middle)}
	}
	return Estimate{middle, max(high-middle, middle-low)}
}
