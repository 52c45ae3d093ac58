//go:build !nopeg

package peg

import (
	"time"
)

// clock is what hits are stamped with.
type clock struct {
	name  string
	ticks bool // it is the time stamp counter, which the log reads by itself
	now   func() uint64
	ns    float64 // in a tick
	pause func()  // comes before a pair of cold hits of calibrate; nil: there are no such pairs

	own    costs // of a hit on a lane
	common costs // of one on the default lane
}

// costs of a hit, and by how much the cost of one hit may differ from it, in nanoseconds.
type costs struct {
	ticks   uint64  // times 2^fraction
	residue float64 // of hits that follow other hits
	cold    float64 // of hits that follow a pause, at least residue
}

// clockBase is what the ordinary clock counts from. Not a global of state: it is never written.
var clockBase = time.Now()

func sinceStart() uint64 { return uint64(time.Since(clockBase)) }

// wallClock is the ordinary one.
func wallClock() *clock { return &clock{name: "wall", now: sinceStart, ns: 1, pause: rest} }

// systemClock returns the time stamp counter if it can be trusted, else the ordinary clock.
func systemClock() *clock {
	if !hasTicks() {
		return wallClock()
	}
	ns, steady := tickLength(readTicks, sinceStart)
	if !steady {
		return wallClock()
	}
	return &clock{name: "x86-rdtsc", ticks: true, now: readTicks, ns: ns, pause: rest}
}

const (
	// span of the comparison of two clocks, in nanoseconds, in two halves: a reading of
	// both is good to some 30 ns, and the tick to some 30 in a million.
	compared = 1_000_000
	// unsteady is a counter whose halves differ by more than this, relatively.
	unsteady = 0.01
)

// tickLength returns the nanoseconds of a tick, and whether it was the same in both halves. It
// takes a millisecond.
func tickLength(ticks, ns func() uint64) (length float64, steady bool) {
	t0, n0 := together(ticks, ns)
	for ns()-n0 < compared/2 {
	}
	t1, n1 := together(ticks, ns)
	for ns()-n0 < compared {
	}
	t2, n2 := together(ticks, ns)
	first, second := float64(n1-n0)/float64(t1-t0), float64(n2-n1)/float64(t2-t1)
	length = float64(n2-n0) / float64(t2-t0)
	// If the counter does not move, or goes back, these are infinite or tiny.
	steady = t1 > t0 && t2 > t1 && first/second < 1+unsteady && second/first < 1+unsteady
	return length, steady
}

// together reads two clocks at one time: the closest of eight tries, since the thread
// may lose the processor between two readings.
func together(ticks, ns func() uint64) (t, n uint64) {
	best := ^uint64(0)
	for range 8 {
		before := ticks()
		now := ns()
		after := ticks()
		if after-before < best {
			best = after - before
			t, n = before+best/2, now
		}
	}
	return t, n
}
