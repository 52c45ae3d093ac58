//go:build !nopeg

package peg

import (
	"math"
	"slices"
)

const (
	// rounds of chains. While other work shares the core, a hit takes up to twice as long,
	// and one round, 40 µs, may lie wholly in such a time: of eight the quickest counts,
	// since a cost that is too great makes zeros of short arcs.
	rounds = 8
	// shared is by what part of its cost a hit was seen to become dearer, in either
	// direction, when work came to the other thread of the core: 18.9 ns, then 24 to 25.
	shared = 3
	// A chain is short enough to stay in the log, so that nothing is worked off in it.
	chains     = 12
	chainHits  = 128
	chainFirst = 8 // hits that find the caches cold
)

// calibrate measures what a hit costs, on chains of hits with nothing between them: a
// third of a millisecond for a lane, and twice as much for the default one.
func (c *clock) calibrate() {
	probe := newRegistry()
	probe.clock = c
	p := probe.add("calibration", "", "", 0)
	p.live.Store(wordOf(p.number))

	plain := &Lane{registry: probe}
	var own, common [][][]uint64
	for range rounds { // turn by turn, so that each is spread over the whole time
		own = append(own, chainsOf(plain, plain, p))
		common = append(common, chainsOf(probe.common, &probe.common.common.lane, p))
	}
	c.own, c.common = c.costOf(own), c.costOf(common)
}

// chainsOf gives the ticks from hit to hit, chain by chain.
func chainsOf(hit, owner *Lane, p *Point) (all [][]uint64) {
	hit.Hit(p) // which takes the memory
	t := owner.track
	for range chains {
		t.tail, t.limit = t.head.Load(), t.head.Load()+logged
		first := t.tail
		for range chainHits {
			hit.Hit(p)
		}
		all = append(all, t.steps(first+chainFirst))
	}
	return all
}

// steps gives the differences between the stamps from the event first on, ascending.
func (t *track) steps(first uint64) (steps []uint64) {
	for i := first + 1; i < t.head.Load(); i++ {
		a, b := t.ring[(i-1)%logged].at, t.ring[i%logged].at
		steps = append(steps, max(b, a)-a)
	}
	slices.Sort(steps)
	return steps
}

// costOf takes the mean of the middle half of each chain, which knows parts of a tick
// and nothing of interrupts, the median of these in each round, and the least of the
// rounds. (The least of the chains would be luck: hits in use cost 3 to 6 ns more.) The
// residue is what is left of 99 in 100 steps of all rounds, and so shows a busy machine;
// it is a tick at least, and a third of the cost, since other work may come or go later.
func (c *clock) costOf(all [][][]uint64) costs {
	cost := uint64(math.MaxUint64)
	for _, chains := range all {
		cost = min(cost, usual(chains))
	}
	steps := slices.Sorted(slices.Values(slices.Concat(slices.Concat(all...)...)))
	most := steps[len(steps)*99/100] << fraction
	return costs{cost, max(c.length(max(most, cost)-cost), c.length(cost/shared), c.ns)}
}

// usual gives the median over chains of the mean of their middle half, times 2^fraction.
func usual(chains [][]uint64) uint64 {
	var means []uint64
	for _, steps := range chains {
		means = append(means, middle(steps))
	}
	slices.Sort(means)
	return means[len(means)/2]
}

// middle gives the mean of the middle half of ascending numbers, times 2^fraction.
func middle(steps []uint64) uint64 {
	half, sum := steps[len(steps)/4:len(steps)-len(steps)/4], uint64(0)
	for _, s := range half {
		sum += s << fraction
	}
	return sum / uint64(len(half))
}

// length gives nanoseconds of ticks·2^fraction.
func (c *clock) length(ticks uint64) float64 { return float64(ticks) * c.ns / (1 << fraction) }
