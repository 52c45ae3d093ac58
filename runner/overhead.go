package runner

import (
	"maps"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/stats"
	"example.com/suite/timer"
)

// overhead is what timing costs a side in its host, which is subtracted from its samples.
type overhead struct {
	loop       string                    // direct, indirect, trial or inputs; empty for a command
	counter    string                    // unit of the cycle counter: ticks, cycles, empty for none
	reading    map[string]float64        // cost of reading clocks and counter in the running block, by column
	empty      map[string]timer.Estimate // cost of readings inside a batch, by column
	iteration  timer.Estimate            // ns that reading the clock after an iteration costs, if single ones are timed
	perTrial   float64                   // ns of the reading after each iteration of a loop made by Try
	loopStart  float64                   // what a batch of the empty loop costs in addition to its iterations, ns
	frequency  float64                   // counts per ns
	countStart float64                   // what a batch of the empty loop counts in addition to its iterations
	startWait  time.Duration             // that the start of a command waits for a CPU
}

// calibration is what timing costs in hosts of one kind, as the first of them
// found it.
type calibration struct {
	hello *wire.Hello
	costs *wire.Costs
}

// charge sets what is subtracted from the samples of a case, and what its loop costs, from
// the calibration of its host.
func (s *series) charge(c *calibration) {
	if c == nil {
		return
	}
	s.result.Clock = c.hello.Clock
	if s.target.IsGoTest() {
		s.result.Clock = "wall" // the clock of package testing
	}
	if s.target.IsCommand() { // 30 ns do not matter to a process of at least 40 µs
		if f := c.costs.Floor; f != nil {
			s.overhead.startWait = time.Duration(f.Wait)
		}
		return
	}
	s.result.Counter = c.hello.Counter
	s.Counter = string(c.hello.Unit)
	loop := s.overhead.calibrated(c, s.result.Loop)
	parts := s.parts(s.N)
	s.result.ClockCost = seconds(s.overhead.empty["time"].NS * parts)
	s.result.LoopCost = seconds(loop.Time.Iteration.NS) / s.units(1)
	step, reading := float64(c.costs.Resolution), c.costs.Reading.NS
	s.result.ClockError = seconds(s.overhead.hidden(s.N, parts, step, reading)) / s.units(1)
	s.result.LoopError = seconds(loop.Time.Iteration.Error)/s.units(1) + s.result.ClockError
	if loop.Count != nil {
		s.result.CountError = s.overhead.hidden(s.N, parts, 1, countCost(c.costs)) / s.units(1)
		s.result.LoopCount = &result.Cost{Value: loop.Count.Iteration.NS / s.units(1), Error: loop.Count.Iteration.Error/s.units(1) + s.result.CountError}
	}
}

// calibrated takes over a calibration, and returns what it found of a kind of loop.
func (o *overhead) calibrated(c *calibration, loop string) *timer.Overhead {
	costs := c.costs.Direct
	if loop != "direct" {
		costs = c.costs.Indirect
	}
	o.loop = loop
	o.empty, o.perTrial = maps.Clone(c.costs.Empty), c.costs.Reading.NS
	o.loopStart = costs.Time.Batch.NS
	if costs.Count != nil {
		o.counter = string(c.hello.Unit)
		o.frequency, o.countStart = costs.Frequency.NS, costs.Count.Batch.NS
	}
	return costs
}

// addEmpty takes over what a batch of no iterations costs this case alone.
func (s *series) addEmpty(own map[string]timer.Estimate) {
	if s.overhead.empty == nil {
		s.overhead.empty = map[string]timer.Estimate{}
	}
	maps.Copy(s.overhead.empty, own)
	s.result.ClockCost = seconds(s.overhead.empty["time"].NS * s.parts(s.N))
}

// hidden is how much of an iteration a clock or counter may not show in batches of n, in so
// many parts: of each part one of its steps, and what overlaps with a reading. A loop made by
// Try has a reading after each iteration.
func (o *overhead) hidden(n int, parts, step, reading float64) float64 {
	batch := float64(max(n, 1))
	if o.loop == "trial" || o.iteration.NS > 0 {
		return step/batch + reading
	}
	return parts * (step + reading) / batch
}

// countCost is what a reading of the counter costs, in counts; 0: not known.
func countCost(c *wire.Costs) float64 {
	if c.Count == nil {
		return 0
	}
	return c.Count.NS
}

// cost returns what the readings of a column cost inside a batch of n iterations in so many
// parts, in the unit of the column.
func (o *overhead) cost(name string, n int, parts float64) float64 {
	switch {
	case o.loop == "trial":
		return o.costOfTrials(name, n)
	case o.iteration.NS > 0:
		return o.empty[name].NS*parts + o.costOfIterations(name, n)
	case o.loop == "inputs":
		return o.empty[name].NS * parts
	}
	if cost, ok := o.reading[name]; ok {
		return cost
	}
	return o.empty[name].NS
}

// costOfTrials returns the clock's cost in a loop made by Try, which reads the clock after
// each iteration. If the wall clock is the chosen one, both columns are the same, and
// so are their costs.
func (o *overhead) costOfTrials(name string, n int) float64 {
	around, behind := o.empty[name].NS, o.perTrial*float64(n)
	switch name {
	case "time":
		return behind
	case "wall":
		if o.empty["wall"] == o.empty["time"] {
			return behind
		}
		return around + behind
	case "cpu", "thread_cpu", "task_clock":
		return around + behind
	case o.counter:
		return around + behind*o.frequency
	}
	return around
}

// costOfIterations returns what reading the clock after each of n iterations adds to a
// column, in the column's own unit.
func (o *overhead) costOfIterations(name string, n int) float64 {
	cost := o.iteration.NS * float64(n)
	switch name {
	case "time", "wall", "cpu", "thread_cpu", "task_clock":
		return cost
	case o.counter:
		return cost * o.frequency
	}
	return 0
}

// measureReadings takes from a block of a case what the readings cost in it: of the clocks
// and of the counter, each in its own unit.
func (o *overhead) measureReadings(r *wire.Readings, id int) {
	o.reading = map[string]float64{}
	for _, name := range []string{"time", "wall", o.counter} {
		if column := r.Columns[name]; column != nil {
			o.reading[name] = o.readingCost(r, id, name)
		}
	}
}

// readingCost is the median over the pairs of batches of n and 2n in a block of a case, or,
// without such pairs, what calibration found. It is between 0 and twice what
// calibration found, which the bounds of summaries rely on.
func (o *overhead) readingCost(r *wire.Readings, id int, name string) float64 {
	column := r.Columns[name]
	var costs []float64
	for i := range len(r.ID) - 1 {
		paired := r.ID[i] == id && r.ID[i+1] == id && r.N[i+1] == 2*r.N[i]
		if paired && column[i] != timer.Absent && column[i+1] != timer.Absent {
			costs = append(costs, float64(2*column[i]-column[i+1]))
		}
	}
	known := o.empty[name].NS
	if len(costs) == 0 {
		return known
	}
	return min(max(stats.Median(costs), 0), 2*known)
}

// emptyLoop is the id of the empty loop that is like the case's.
func (o *overhead) emptyLoop() int {
	if o.loop == "direct" {
		return wire.EmptyDirect
	}
	return wire.EmptyIndirect
}

// What timing and looping cost changes with the frequency of the core, within
// milliseconds, and with the body, which overlaps with the reading of the clock. If
// that matters the costs are measured next to the body, in the same block.
const (
	tiny         = 20 * time.Nanosecond // blocks of shorter iterations include a batch of an empty loop
	shortReading = 200                  // batches below so many clock costs have batches twice as long between them
)

// isTiny reports whether each block includes a batch of an empty loop with as many
// iterations.
func (s *series) isTiny() bool {
	return !s.target.IsCommand() && !s.target.Spec.Settings.Latency && s.target.Spec.Settings.Parallel <= 1 && s.Thread == "locked" && s.result.Loop != "trial" && s.Sized < time.Duration(s.N)*tiny
}

// isShort reports whether batches alternate with batches of twice as many iterations:
// the cost of a reading is then 2·t(n) − t(2n), for this body and at this moment.
// Subtracting the cost of an empty batch instead made 3.4 ns of a 3.7 ns operation in
// batches of 25, because the body hides 7 ns of the 30 that a reading takes.
func (s *series) isShort() bool {
	return !s.target.IsCommand() && !s.target.Spec.Settings.Latency && s.Thread == "locked" && s.result.Loop != "trial" && !s.hasInputs() && s.target.Spec.Settings.GC != "between" &&
		float64(s.Sized) < shortReading*s.overhead.empty["time"].NS
}

// withReference adds to a request the batches that measure what timing costs. A block that is
// longer than usual has no more of them than a usual one: its median needs no more.
func (s *series) withReference(r *wire.Request) *wire.Request {
	if s.isShort() {
		var mixed []wire.Batch
		every := max(len(r.Batches)/blockSize, 1)
		for i, b := range r.Batches {
			mixed = append(mixed, b)
			if i%every == 0 {
				mixed = append(mixed, wire.Batch{ID: b.ID, N: 2 * b.N})
			}
		}
		r.Batches = mixed
	}
	if s.isTiny() && !s.isShort() { // in a short batch the clock costs more than the loop
		r.Batches = append(r.Batches, wire.Batch{ID: s.overhead.emptyLoop(), N: s.N})
	}
	return r
}

// loopTimes are what batches of an empty loop took, which were taken next to the blocks of a tiny
// body, as far as they are kept: mostLoops are enough to know what the loop costs, however
// long a case is measured.
type loopTimes struct {
	loops      []float64 // seconds per unit of work
	counts     []float64 // the same in counts
	keptLoops  int       // of loops that the journal has
	keptCounts int
}

const mostLoops = 10_000

// add takes row i of readings, which did so many units of work.
func (e *loopTimes) add(o *overhead, r *wire.Readings, i int, units float64) {
	if len(e.loops) >= mostLoops {
		return
	}
	e.loops = append(e.loops, seconds(max(float64(r.Columns["time"][i])-o.loopStart, 0))/units)
	if counts := r.Columns[o.counter]; counts != nil && counts[i] != timer.Absent {
		e.counts = append(e.counts, max(float64(counts[i])-o.countStart, 0)/units)
	}
}

// cost sets the cost of the loop of a case, if there are enough empty loops; otherwise
// calibration's cost stays.
func (e *loopTimes) cost(c *result.Case) {
	c.LoopCost, c.LoopError = beside(e.loops, c.LoopCost, c.LoopError)
	if c.LoopCount != nil {
		c.LoopCount.Value, c.LoopCount.Error = beside(e.counts, c.LoopCount.Value, c.LoopCount.Error)
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

// restore takes over what the journal has.
func (e *loopTimes) restore(loops, counts []float64) {
	*e = loopTimes{loops: loops, counts: counts, keptLoops: len(loops), keptCounts: len(counts)}
}

// unwritten returns what the journal does not have yet, and notes that it will have it.
func (e *loopTimes) unwritten() (loops, counts []float64) {
	loops, counts = e.loops[e.keptLoops:], e.counts[e.keptCounts:]
	e.keptLoops, e.keptCounts = len(e.loops), len(e.counts)
	return loops, counts
}

// references measure what timing costs both sides, after count pairs.
func references(own, base *series, count int) (batches []wire.Batch) {
	for _, s := range []*series{own, base} {
		for range count {
			if s.isShort() {
				batches = append(batches, wire.Batch{ID: s.id, N: s.N}, wire.Batch{ID: s.id, N: 2 * s.N})
			}
		}
	}
	if own.isTiny() && !own.isShort() {
		batches = append(batches, wire.Batch{ID: own.overhead.emptyLoop(), N: own.N})
	}
	return batches
}
