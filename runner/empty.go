package runner

import (
	"time"

	"example.com/suite/runner/host/wire"
	"example.com/suite/stats"
	"example.com/suite/timer"
)

// What timing and looping cost changes with the frequency of the core, within
// milliseconds, and with the body, which overlaps with the reading of the clock. If
// that matters the costs are measured next to the body, in the same block.
const (
	tiny         = 20 * time.Nanosecond // blocks of shorter iterations include a batch of an empty loop
	shortReading = 200                  // batches below so many clock costs have batches twice as long between them
)

// isTiny reports whether each block includes a batch of an empty loop with as many
// iterations.
func (t *side) isTiny() bool {
	return !t.isCommand() && t.spec.Settings.Parallel <= 1 && t.Thread == "locked" && t.result.Loop != "trial" && t.Sized < time.Duration(t.N)*tiny
}

// isShort reports whether batches alternate with batches of twice as many iterations:
// the cost of a reading is then 2·t(n) − t(2n), for this body and at this moment.
// Subtracting the cost of an empty batch instead made 3.4 ns of a 3.7 ns operation in
// batches of 25, because the body hides 7 ns of the 30 that a reading takes.
func (t *side) isShort() bool {
	return !t.isCommand() && t.Thread == "locked" && t.result.Loop != "trial" && !t.hasInputs() && t.spec.Settings.GC != "between" &&
		float64(t.Sized) < shortReading*t.empty["time"].NS
}

func (t *side) emptyLoop() int {
	if t.result.Loop == "direct" {
		return wire.EmptyDirect
	}
	return wire.EmptyIndirect
}

// withReference adds to a request the batches that measure what timing costs.
func (t *side) withReference(r *wire.Request) *wire.Request {
	if t.isShort() {
		var mixed []wire.Batch
		for _, b := range r.Batches {
			mixed = append(mixed, b, wire.Batch{ID: b.ID, N: 2 * b.N})
		}
		r.Batches = mixed
	}
	if t.isTiny() && !t.isShort() { // in a short batch the clock costs more than the loop
		r.Batches = append(r.Batches, wire.Batch{ID: t.emptyLoop(), N: t.N})
	}
	return r
}

// readingCosts are what the readings cost in a block, by column: of the clocks
// and of the counter, each in its own unit.
func (t *side) readingCosts(r *wire.Readings) map[string]float64 {
	costs := map[string]float64{}
	for _, name := range []string{"time", "wall", t.Counter} {
		if column := r.Columns[name]; column != nil {
			costs[name] = t.readingCost(r, name, column)
		}
	}
	return costs
}

// readingCost is the median over the pairs of batches of n and 2n in a block, or,
// without such pairs, what calibration found. It is between 0 and twice what
// calibration found, on which bound relies.
func (t *side) readingCost(r *wire.Readings, name string, column []int64) float64 {
	var costs []float64
	for i := range len(r.ID) - 1 {
		paired := r.ID[i] == t.id && r.ID[i+1] == t.id && r.N[i+1] == 2*r.N[i]
		if paired && column[i] != timer.Absent && column[i+1] != timer.Absent {
			costs = append(costs, float64(2*column[i]-column[i+1]))
		}
	}
	known := t.empty[name].NS
	if len(costs) == 0 {
		return known
	}
	return min(max(stats.Median(costs), 0), 2*known)
}

// loopCost takes the cost of the loop from the empty loops of the blocks, if there are
// enough; else calibration's cost stays.
func (t *side) loopCost() {
	c := t.result
	c.LoopCost, c.LoopError = beside(t.loops, c.LoopCost, c.LoopError)
	if c.LoopCount != nil {
		c.LoopCount.Value, c.LoopCount.Error = beside(t.counts, c.LoopCount.Value, c.LoopCount.Error)
	}
}

// beside computes the cost of the loop by the empty loops xs. Calibration's error,
// which includes the spread between copies of the loop, is added all the same.
func beside(xs []float64, cost, err float64) (float64, float64) {
	low, high, few := stats.MedianInterval(xs, 0.99)
	if few != nil {
		return cost, err
	}
	middle := stats.Median(xs)
	return middle, err + max(high-middle, middle-low)
}
