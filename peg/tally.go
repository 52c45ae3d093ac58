//go:build !nopeg

package peg

import (
	"math"

	"example.com/suite/peg/pegfile"
)

// tally summarizes the times of an arc, in nanoseconds, never negative.
//
// sum and squares are sums of the differences from the first time: with the times
// themselves, rounding would swallow a small deviation.
type tally struct {
	count   uint64
	cold    uint64 // times among count with a hit that followed a pause
	hits    uint64 // most hits whose cost was subtracted from one time
	colds   uint64 // most hits among them that followed a pause
	zero    uint64
	first   float64
	sum     float64
	squares float64
	min     float64
	max     float64
	bins    histogram
}

// add counts a time. It may be below zero, because hits were cheaper than at calibration
// or the clock went back; then it counts as zero.
func (t *tally) add(s stretch, scale float64) {
	if s.ticks < 0 {
		s.ticks = 0
		t.zero++
	}
	t.hits = max(t.hits, s.hits)
	t.colds = max(t.colds, s.colds)
	ns := float64(s.ticks) * scale
	if t.count == 0 {
		t.first = ns
		t.min = ns
		t.max = ns
	}
	t.count++
	t.cold += s.cold
	d := ns - t.first
	t.sum += d
	t.squares += d * d
	t.min, t.max = min(t.min, ns), max(t.max, ns)
	t.bins.add(ns)
}

// addUsual counts a time between two hits in a row, as add does, if it is between the least
// and the greatest so far and its octave exists; otherwise it does nothing and returns
// false. cold is 1 if a hit of the two followed a pause, else 0. Apart from this test
// no branch depends on the time: the processor could not predict branches on short times,
// and they would cost more than the rest.
func (t *tally) addUsual(ticks int64, scale float64, cold uint64) bool {
	below := ticks >> 63 // -1 or 0
	ns := float64(ticks&^below) * scale
	bin := binOfTime(ns)
	o := t.bins.octave[bin/pegfile.BinSteps]
	if !(ns >= t.min && ns <= t.max) || o == nil {
		return false
	}
	o[bin%pegfile.BinSteps]++
	t.zero -= uint64(below)
	t.count++
	t.cold += cold
	t.colds = max(t.colds, cold)
	d := ns - t.first
	t.sum += d
	t.squares += d * d
	return true
}

// arc returns what was counted, without its ends. Hits that followed a pause count in the
// residue if more than one time in a hundred has one.
func (t *tally) arc(e hitErrors) pegfile.Arc {
	n := float64(t.count)
	colds := 0.0
	if t.cold > t.count/rarely {
		colds = float64(t.colds)
	}
	residue := e.warm*(float64(t.hits)-colds) + e.cold*colds
	overlap := e.overlap * float64(t.hits)
	if residue == e.warm {
		residue = 0 // as the document states it
	}
	if overlap == e.overlap {
		overlap = 0
	}
	return pegfile.Arc{
		Count: t.count, Zero: t.zero, Min: t.min, Max: t.max,
		Sum:       min(max(t.first*n+t.sum, t.min*n), t.max*n), // rounding may put the sum outside
		Squares:   math.Max(0, t.squares-t.sum*t.sum/n),
		Residue:   residue,
		Overlap:   overlap,
		Histogram: t.bins.list(),
	}
}
