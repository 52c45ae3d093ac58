package timer

import (
	"errors"
	"math"

	"example.com/suite/stats"
)

// Estimate is a median and half the width of its 99% interval, in nanoseconds or counts.
type Estimate struct {
	NS    float64 `json:"ns"`
	Error float64 `json:"error"`
}

// LoopCost is the cost of an empty loop: once per batch, and for each iteration.
type LoopCost struct {
	Batch     Estimate `json:"batch"`
	Iteration Estimate `json:"iteration"`
}

// Overhead is the cost of an empty loop in time and, if a counter was read in
// addition to the clock and never failed, in its counts.
type Overhead struct {
	Time  LoopCost  `json:"time"`
	Count *LoopCost `json:"count,omitempty"`
	// Frequency is in counts per nanosecond: for ticks the frequency of their
	// counter in GHz, for cycles the core's frequency during the calibration.
	Frequency *Estimate `json:"frequency,omitempty"`
}

// Rounds of a calibration. With 41 of them the 99% interval of the median is about
// 0.8 standard deviations wide, and at 50 µs a batch they take 3 ms for each loop.
const (
	rounds    = 41
	readings  = 100     // of a clock or a counter, in a round
	shortLoop = 50_000  // ns that the long batch of a triple lasts at least
	longLoop  = 200_000 // ns, for clocks with a coarse step and if cycles are counted
	fineSteps = 2000    // of the clock in a long batch: one of them is 0.05% of it
	longestN  = 1 << 22 // 1.4 ms at 0.33 ns: a clock too coarse to see it has a large error, not a hang
)

// Resolution measures the smallest step that clock is seen to take, in nanoseconds. It
// reads the clock at most 2 million times (50 ms at 25 ns); a clock that never moves is
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

// Reading is the time from one reading of a clock to the next, in nanoseconds.
type Reading struct {
	// Estimate is the median of 41 rounds. Each of them averages 100 readings, so that a
	// clock coarser than its own cost is measured too.
	Estimate
	Singles
}

// Singles describes single readings of a clock. Min is 0 if the clock does not always step
// between two of them.
type Singles struct {
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// Seconds is s, of nanoseconds, in seconds.
func (s Singles) Seconds() *Singles { return &Singles{s.Mean / 1e9, s.Min / 1e9, s.Max / 1e9} }

// ReadingCost measures the time between two readings of clock in a row.
func ReadingCost(clock Clock) Reading {
	cost := Reading{Singles: Singles{Min: math.Inf(1)}}
	each := make([]float64, rounds)
	for i := range each {
		var at [readings + 1]int64
		for j := range at {
			at[j] = clock.Now()
		}
		each[i] = float64(at[readings]-at[0]) / readings
		cost.Mean += each[i] / rounds
		for j := range readings {
			one := float64(at[j+1] - at[j])
			cost.Min, cost.Max = min(cost.Min, one), max(cost.Max, one)
		}
	}
	cost.Estimate = NewEstimate(each)
	return cost
}

// CountCost measures the counts between two readings of the counter in a row. ok is
// false if there is no counter, or if it failed or was off the hardware in more than half
// of the rounds.
func (t *Timer) CountCost() (cost Estimate, ok bool) {
	if t.Counter == nil {
		return Estimate{}, false
	}
	var each []float64
	for range rounds {
		var first, last Instant
		ok := t.Counter.Read(&first, T0) == nil
		for range readings {
			ok = t.Counter.Read(&last, T0) == nil && ok
		}
		if count, counted, _ := scale(last.Count-first.Count, last.Enabled-first.Enabled,
			last.Running-first.Running); ok && counted {
			each = append(each, float64(count)/readings)
		}
	}
	if len(each) <= rounds/2 {
		return Estimate{}, false
	}
	return NewEstimate(each), true
}

// Measure times one batch of n iterations of an empty loop.
type Measure func(n int) Delta

// Calibrate measures the cost of an empty loop. Each of copies times the same loop at
// another address in the program: the address changes a loop's speed, so the error
// covers the spread between copies. resolution is the clock's step in ns; the error
// covers a step in each triple too.
//
// A triple is three batches in a row, of one, half and all iterations. Each yields a
// slope and the distance of the middle batch from the straight line, which the error
// covers as well. The median of slopes is robust: least squares with equal weights,
// as in mLib, take the intercept from the noise of the longest runs and found −14 to
// +35 µs for a true cost of 0.25 µs.
func Calibrate(copies []Measure, resolution int64) Overhead {
	lines := make([]line, len(copies))
	for i, measure := range copies {
		lines[i] = line{measure: measure, long: grow(measure, float64(resolution))}
	}
	for round := range rounds { // copies take turns: the core changes its frequency within milliseconds
		for i := range lines {
			lines[i].triple(round)
		}
	}
	o := Overhead{Time: together(lines, func(l *line) *trace { return &l.time }, float64(resolution))}
	var ratios []float64
	for i := range lines {
		if len(lines[i].count.slopes) <= rounds/2 {
			return o // the counter failed
		}
		ratios = append(ratios, lines[i].ratios...)
	}
	count, frequency := together(lines, func(l *line) *trace { return &l.count }, 1), NewEstimate(ratios)
	o.Count, o.Frequency = &count, &frequency
	return o
}

// together combines the estimates of all copies in one unit. step is the smallest
// difference in that unit.
func together(lines []line, of func(*line) *trace, step float64) LoopCost {
	slopes, batches := make([]Estimate, len(lines)), make([]Estimate, len(lines))
	for i := range lines {
		slopes[i], batches[i] = of(&lines[i]).fit(step, float64(lines[i].long))
	}
	return LoopCost{Batch: combine(batches), Iteration: combine(slopes)}
}

// line contains the measurements of t(n) with one copy.
type line struct {
	measure     Measure
	long        int // iterations
	time, count trace
	ratios      []float64 // counts per ns
}

// trace contains the triples of a line in one unit, time or counts.
type trace struct{ slopes, starts, bends []float64 }

// triple times the three batches. Another one comes first in every round, so that a
// disturbance of every third batch does not always hit the same one.
func (l *line) triple(round int) {
	sizes, got := [3]int{1, l.long / 2, l.long}, [3]Delta{}
	for i := range sizes {
		at := (round + i) % len(sizes)
		got[at] = l.measure(sizes[at])
	}
	short := got[0]
	half := got[1]
	full := got[2]
	l.time.add(l.long, short.NS, half.NS, full.NS)
	if short.CountOK && half.CountOK && full.CountOK && full.NS > 0 {
		l.count.add(l.long, short.Count, half.Count, full.Count)
		l.ratios = append(l.ratios, float64(full.Count)/float64(full.NS))
	}
}

func (t *trace) add(long int, short, half, full int64) {
	slope := float64(full-short) / float64(long-1)
	t.slopes = append(t.slopes, slope)
	t.starts = append(t.starts, float64(short))
	t.bends = append(t.bends, (float64(half-short)-slope*float64(long/2-1))/float64(long/2))
}

// fit estimates slope and intercept. If the middle batch is off the line by more than
// its own error and a step of the clock, the loop has no constant cost, and the excess
// is added to the slope's error.
func (t *trace) fit(step, long float64) (slope, intercept Estimate) {
	slope, bend := NewEstimate(t.slopes), NewEstimate(t.bends)
	slope.NS = max(slope.NS, 0) // a coarse clock can step within the short batch and not within the long one
	slope.Error += step/long + max(math.Abs(bend.NS)-bend.Error-2*step/long, 0)
	intercept = NewEstimate(t.starts)
	intercept.NS = max(intercept.NS-slope.NS, 0)
	return slope, intercept
}

// grow finds a number of iterations whose batch lasts at least 2000 steps of the clock,
// within 50 to 200 µs. If a counter is read the batch lasts 200 µs, because for the
// frequency the reading of the clock around the counter has to be small against it too.
func grow(measure Measure, resolution float64) int {
	wanted := min(max(shortLoop, fineSteps*resolution), longLoop)
	for n := 1024; ; n *= 2 {
		batch := measure(n)
		if batch.CountOK {
			wanted = longLoop
		}
		if n >= longestN || float64(batch.NS) >= wanted {
			return n
		}
	}
}

// The error of the combined median covers all copies.
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

// NewEstimate estimates with the median of xs. The error is half the width of its 99%
// interval.
func NewEstimate(xs []float64) Estimate {
	middle := stats.Median(xs)
	low, high, err := stats.MedianInterval(xs, 0.99)
	if err != nil { // fewer than eight: the error is as large as the estimate
		return Estimate{middle, math.Abs(middle)}
	}
	return Estimate{middle, max(high-middle, middle-low)}
}

// Moved reports whether the cost of timing has changed since an earlier estimate: by
// more than three times both errors and by more than a tenth. The tenth is needed
// because in a calm moment the errors are smaller than the changes of the core's
// frequency within a second.
func (e Estimate) Moved(before Estimate) bool {
	return math.Abs(e.NS-before.NS) > max(3*(e.Error+before.Error), before.NS/10)
}
