//go:build !nopeg

package peg

import (
	"math"
	"slices"
)

const (
	// rounds of chains. If other work shares the core, a hit takes up to twice as long,
	// and one round, 40 µs, may fall wholly into such a time. The quickest of the eight
	// rounds counts, since a cost that is too high turns short arcs into zeros.
	rounds = 8
	// shared is the part of its cost by which a hit was seen to become dearer, in either
	// direction, when work came to the other thread of the core: 18.9 ns, then 24 to 25.
	shared = 3
	// A chain is short enough to stay in the log, so that the log is never worked off in it.
	chains     = 12
	chainHits  = 128
	chainFirst = 8 // hits that find the caches cold, and do not count in the cost

	// idle is the time, in nanoseconds, without a hit on the lane after which a hit is
	// taken to find the caches cold. After 10 µs of other work in 256 KiB of memory an
	// empty arc grew by 10 ns, after 100 µs by up to 500 ns.
	idle = 10_000
	// coldPairs of hits find the caches cold. The dearest but one of them counts, because
	// an interrupt may fall into one of twelve.
	coldPairs = 12
	// coldSpread is the factor from there to the dearest hit of a hundred, and to hits that
	// find translations and branch predictions lost as well, or writes under way: 1.0 to 3.4
	// were seen after sleeps of 20 ms, and up to 8 after walks over 32 MiB. With 6, one start
	// in eight had more than one hit of a hundred above. BenchmarkResidue counts them.
	coldSpread = 8
	// rarely is the part of the times of an arc that may be cold and still be left out of
	// its residue, as interrupts are: one in a hundred.
	rarely = 100
)

// calibrate measures what a hit costs, on chains of hits with nothing between them, and
// what hits cost that find the caches cold: half a millisecond for a lane, and twice as
// much for the default one.
func (c *clock) calibrate() {
	probe := newRegistry()
	probe.clock = c
	p, q := probe.addPoint("calibration", "", "", 0), probe.addPoint("after a pause", "", "", 0)
	p.live.Store(wordOf(p.number))
	q.live.Store(wordOf(q.number))

	plain, shared := &Lane{registry: probe}, &probe.common.common.lane
	var own, common [][][]uint64
	for range rounds { // turn by turn, so that each is spread over the whole time
		own = append(own, chainsOf(plain, plain, p))
		common = append(common, chainsOf(probe.common, shared, p))
	}
	c.own = c.costOf(own, c.coldSteps(plain, plain, p, q))
	c.common = c.costOf(common, c.coldSteps(probe.common, shared, p, q))
}

// chainsOf returns the ticks from hit to hit, chain by chain.
func chainsOf(hit, owner *Lane, p *Point) (all [][]uint64) {
	hit.Hit(p) // which takes the memory
	t := owner.track
	for range chains {
		first := t.clear()
		for range chainHits {
			hit.Hit(p)
		}
		all = append(all, t.steps(first+chainFirst))
	}
	return all
}

// coldSteps returns the ticks between two hits that find the log, the lane and the points
// in no cache, ascending; nil for a clock without pauses. A walk over memory would do it
// on every system, but takes some milliseconds, and its 16 MiB would count in the peak
// memory of the program.
func (c *clock) coldSteps(hit, owner *Lane, p, q *Point) (steps []uint64) {
	if c.pause == nil {
		return nil
	}
	t := owner.track
	for range coldPairs {
		first := t.clear()
		evict(t)
		evict(owner)
		evict(p)
		evict(q)
		c.pause()
		hit.Hit(p)
		hit.Hit(q)
		steps = append(steps, t.steps(first)...)
	}
	slices.Sort(steps)
	return steps
}

// clear makes room for a chain in the log, and returns the number of its first event.
func (t *track) clear() (first uint64) {
	first = t.head.Load()
	t.tail = first
	t.limit = first + logged
	return first
}

// steps returns the differences between the stamps from the event first on, ascending.
func (t *track) steps(first uint64) (steps []uint64) {
	for i := first + 1; i < t.head.Load(); i++ {
		a, b := t.ring[(i-1)%logged].at, t.ring[i%logged].at
		steps = append(steps, max(b, a)-a)
	}
	slices.Sort(steps)
	return steps
}

// costOf takes the mean of the middle half of each chain, which resolves parts of a tick
// and leaves interrupts out, then the median of these means in each round, and the least
// of the rounds. (The least of the chains would be luck: hits in use cost 3 to 6 ns more.)
//
// The residue is what remains of 99 in 100 steps of all rounds, so that a busy machine
// shows in it. It is at least a tick, and at least a third of the cost, since other work
// may come or go later. The cold residue is what remains of the steps after pauses.
func (c *clock) costOf(all [][][]uint64, cold []uint64) costs {
	cost := uint64(math.MaxUint64)
	for _, chains := range all {
		cost = min(cost, usual(chains))
	}
	steps := slices.Sorted(slices.Values(slices.Concat(slices.Concat(all...)...)))
	warm := c.residueOf(steps[len(steps)*99/100]<<fraction, cost)
	warm = max(warm, c.length(cost/shared), c.ns)
	if len(cold) == 0 {
		return costs{ticks: cost, residue: warm, cold: warm}
	}
	dear := cold[max(0, len(cold)-2)] << fraction
	return costs{ticks: cost, residue: warm, cold: max(warm, coldSpread*c.residueOf(dear, cost))}
}

// residueOf returns the nanoseconds by which a step exceeds the cost, 0 if it does not.
func (c *clock) residueOf(step, cost uint64) float64 { return c.length(max(step, cost) - cost) }

// usual returns the median over chains of the mean of their middle half, times 2^fraction.
func usual(chains [][]uint64) uint64 {
	var means []uint64
	for _, steps := range chains {
		means = append(means, middle(steps))
	}
	slices.Sort(means)
	return means[len(means)/2]
}

// middle returns the mean of the middle half of ascending numbers, times 2^fraction.
func middle(steps []uint64) uint64 {
	half, sum := steps[len(steps)/4:len(steps)-len(steps)/4], uint64(0)
	for _, s := range half {
		sum += s << fraction
	}
	return sum / uint64(len(half))
}

// ticksOf returns the ticks·2^fraction of a time in nanoseconds.
func (c *clock) ticksOf(ns float64) int64 { return int64(ns / c.ns * (1 << fraction)) }

// length returns the nanoseconds of ticks·2^fraction.
func (c *clock) length(ticks uint64) float64 { return float64(ticks) * c.ns / (1 << fraction) }
