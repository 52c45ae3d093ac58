package sample

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
	Iteration  timer.Estimate            // ns that reading the clock after an iteration costs, if single ones are timed
	perTrial   float64                   // ns of the reading after each iteration of a loop made by Try
	loopStart  float64                   // what a batch of the empty loop costs in addition to its iterations, ns
	frequency  float64                   // counts per ns
	countStart float64                   // what a batch of the empty loop counts in addition to its iterations
	startWait  time.Duration             // that the start of a command waits for a CPU
}

// Calibration is what timing costs in hosts of one kind, as the first of them
// found it.
type Calibration struct {
	Hello *wire.Hello
	Costs *wire.Costs
}

// Charge sets what is subtracted from the samples of a case, and what its loop costs, from
// the calibration of its host.
func (s *Series) Charge(c *Calibration) {
	if c == nil {
		return
	}
	s.Result.Clock = c.Hello.Clock
	if s.Target.TimesItself() {
		s.Result.Clock = "wall" // of package testing; other harnesses report it
	}
	if s.Target.IsCommand() { // 30 ns do not matter to a process of at least 40 µs
		if f := c.Costs.Floor; f != nil {
			s.Overhead.startWait = time.Duration(f.Wait)
		}
		return
	}
	s.Result.Counter = c.Hello.Counter
	s.Counter = string(c.Hello.Unit)
	loop := s.Overhead.calibrated(c, s.Result.Loop)
	parts := s.parts(s.N)
	s.Result.ClockCost = seconds(s.Overhead.empty["time"].NS * parts)
	s.Result.LoopCost = seconds(loop.Time.Iteration.NS) / s.Units(1)
	step, reading := float64(c.Costs.Resolution), c.Costs.Reading.NS
	s.Result.ClockError = seconds(s.Overhead.hidden(s.N, parts, step, reading)) / s.Units(1)
	s.Result.LoopError = seconds(loop.Time.Iteration.Error)/s.Units(1) + s.Result.ClockError
	if loop.Count != nil {
		s.Result.CountError = s.Overhead.hidden(s.N, parts, 1, countCost(c.Costs)) / s.Units(1)
		s.Result.LoopCount = &result.Cost{Value: loop.Count.Iteration.NS / s.Units(1),
			Error: loop.Count.Iteration.Error/s.Units(1) + s.Result.CountError}
	}
}

// calibrated takes over a calibration, and returns what it found of a kind of loop.
func (o *overhead) calibrated(c *Calibration, loop string) *timer.Overhead {
	costs := c.Costs.Direct
	if loop != "direct" {
		costs = c.Costs.Indirect
	}
	o.loop = loop
	o.empty, o.perTrial = maps.Clone(c.Costs.Empty), c.Costs.Reading.NS
	o.loopStart = costs.Time.Batch.NS
	if costs.Count != nil {
		o.counter = string(c.Hello.Unit)
		o.frequency, o.countStart = costs.Frequency.NS, costs.Count.Batch.NS
	}
	return costs
}

// AddEmpty takes over what a batch of no iterations costs this case alone.
func (s *Series) AddEmpty(own map[string]timer.Estimate) {
	if s.Overhead.empty == nil {
		s.Overhead.empty = map[string]timer.Estimate{}
	}
	maps.Copy(s.Overhead.empty, own)
	s.Result.ClockCost = seconds(s.Overhead.empty["time"].NS * s.parts(s.N))
}

// hidden is how much of an iteration a clock or counter may not show in batches of n, in so
// many parts: of each part one of its steps, and what overlaps with a reading. A loop made by
// Try has a reading after each iteration.
func (o *overhead) hidden(n int, parts, step, reading float64) float64 {
	batch := float64(max(n, 1))
	if o.loop == "trial" || o.Iteration.NS > 0 {
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

// Cost returns what the readings of a column cost inside a batch of n iterations in so many
// parts, in the unit of the column.
func (o *overhead) Cost(name string, n int, parts float64) float64 {
	switch {
	case o.loop == "trial":
		return o.costOfTrials(name, n)
	case o.Iteration.NS > 0:
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
	around, between := o.empty[name].NS, o.perTrial*float64(n)
	switch name {
	case "time":
		return between
	case "wall":
		if o.empty["wall"] == o.empty["time"] {
			return between
		}
		return around + between
	case "cpu", "thread_cpu", "task_clock":
		return around + between
	case o.counter:
		return around + between*o.frequency
	}
	return around
}

// costOfIterations returns what reading the clock after each of n iterations adds to a
// column, in the column's own unit.
func (o *overhead) costOfIterations(name string, n int) float64 {
	cost := o.Iteration.NS * float64(n)
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
func (s *Series) isTiny() bool {
	return !s.Target.IsCommand() && !s.Target.Spec.Settings.Latency && s.Target.Spec.Settings.Parallel <= 1 &&
		s.Thread == "locked" && s.Result.Loop != "trial" && s.Sized < time.Duration(s.N)*tiny
}

// isShort reports whether batches alternate with batches of twice as many iterations:
// the cost of a reading is then 2·t(n) − t(2n), for this body and at this moment.
// Subtracting the cost of an empty batch instead made 3.4 ns of a 3.7 ns operation in
// batches of 25, because the body hides 7 ns of the 30 that a reading takes.
func (s *Series) isShort() bool {
	return !s.Target.IsCommand() && !s.Target.Spec.Settings.Latency && s.Thread == "locked" &&
		s.Result.Loop != "trial" && !s.hasInputs() && s.Target.Spec.Settings.GC != "between" &&
		float64(s.Sized) < shortReading*s.Overhead.empty["time"].NS
}

// WithReference adds to a request the batches that measure what timing costs. A block that is
// longer than usual has no more of them than a usual one: its median needs no more.
func (s *Series) WithReference(r *wire.Request) *wire.Request {
	if s.isShort() {
		var mixed []wire.Batch
		every := max(len(r.Batches)/BlockSize, 1)
		for i, b := range r.Batches {
			mixed = append(mixed, b)
			if i%every == 0 {
				mixed = append(mixed, wire.Batch{ID: b.ID, N: 2 * b.N})
			}
		}
		r.Batches = mixed
	}
	if s.isTiny() && !s.isShort() { // in a short batch the clock costs more than the loop
		r.Batches = append(r.Batches, wire.Batch{ID: s.Overhead.emptyLoop(), N: s.N})
	}
	return r
}

// LoopTimes are what batches of an empty loop took, which were taken next to the blocks of a tiny
// body, as far as they are kept: mostLoops are enough to know what the loop costs, however
// long a case is measured.
type LoopTimes struct {
	Loops      []float64 // seconds per unit of work
	Counts     []float64 // the same in counts
	keptLoops  int       // of loops that the journal has
	keptCounts int
}

const mostLoops = 10_000

// add takes row i of readings, which did so many units of work.
func (e *LoopTimes) add(o *overhead, r *wire.Readings, i int, units float64) {
	if len(e.Loops) >= mostLoops {
		return
	}
	e.Loops = append(e.Loops, seconds(max(float64(r.Columns["time"][i])-o.loopStart, 0))/units)
	if counts := r.Columns[o.counter]; counts != nil && counts[i] != timer.Absent {
		e.Counts = append(e.Counts, max(float64(counts[i])-o.countStart, 0)/units)
	}
}

// Cost sets the cost of the loop of a case, if there are enough empty loops; otherwise
// calibration's cost stays.
func (e *LoopTimes) Cost(c *result.Case) {
	c.LoopCost, c.LoopError = byEmptyLoops(e.Loops, c.LoopCost, c.LoopError)
	if c.LoopCount != nil {
		c.LoopCount.Value, c.LoopCount.Error = byEmptyLoops(e.Counts, c.LoopCount.Value, c.LoopCount.Error)
	}
}

// byEmptyLoops computes the cost of the loop by the empty loops xs. Calibration's error,
// which includes the spread between copies of the loop, is added all the same.
func byEmptyLoops(xs []float64, cost, err float64) (float64, float64) {
	low, high, few := stats.MedianInterval(xs, 0.99)
	if few != nil {
		return cost, err
	}
	middle := stats.Median(xs)
	return middle, err + max(high-middle, middle-low)
}

// flush returns what the journal does not have yet, and notes that it will have it.
func (e *LoopTimes) flush() (loops, counts []float64) {
	loops, counts = e.Loops[e.keptLoops:], e.Counts[e.keptCounts:]
	e.keptLoops, e.keptCounts = len(e.Loops), len(e.Counts)
	return loops, counts
}

// References measure what timing costs both sides, after count pairs.
func References(own, base *Series, count int) (batches []wire.Batch) {
	for _, s := range []*Series{own, base} {
		for range count {
			if s.isShort() {
				batches = append(batches, wire.Batch{ID: s.ID, N: s.N}, wire.Batch{ID: s.ID, N: 2 * s.N})
			}
		}
	}
	if own.isTiny() && !own.isShort() {
		batches = append(batches, wire.Batch{ID: own.Overhead.emptyLoop(), N: own.N})
	}
	return batches
}
