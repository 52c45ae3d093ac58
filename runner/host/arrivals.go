package host

import (
	"math/rand/v2"

	"example.com/suite/bench"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// arrivals begin iterations at times that do not depend on when earlier ones ended: an open
// loop. An iteration that is due later is waited for. An iteration that is due already begins
// at once, and the time since it was due is part of its latency.
//
// The schedule pauses between batches, and while batches run that are thrown away, as if
// no time passed there: a queue that is left at the end of a batch is there when the next one
// begins.
type arrivals struct {
	clock  timer.Clock
	sleep  func(ns int64) // nil: waits only read the clock
	gap    float64        // ns from one arrival to the next, in the mean
	source rand.PCG
	draw   *rand.Rand // draws the gaps, nil if they are even
	half   int64      // ns of half a reading of the clock
	spin   int64      // ns at the end of a wait in which the clock is read again and again

	ahead float64 // ns by which the last arrival is after the last reading of the clock

	idle         int64 // ns of the running batch that were waited
	waits        int64 // iterations that were waited for
	lag, mostLag int64 // ns by which these began late
}

// Bounds of the time that is spent reading the clock at the end of a wait. With 20 processes on
// two CPUs a sleep of 1 ms ended 0.1 ms late in nine of ten times, and 3 ms in one of a
// hundred. A loop without waits keeps its core busy all the time.
const (
	leastSpin = 1_000_000  // ns
	mostSpin  = 20_000_000 // ns
)

// calibrationGap is the time between two arrivals while the cost of a reading is measured, ns.
const calibrationGap = 1000

func newArrivals(clock timer.Clock, sleep func(ns int64)) *arrivals {
	return &arrivals{clock: clock, sleep: sleep, gap: calibrationGap, spin: leastSpin}
}

// restart begins the schedule anew, with nobody waiting.
func (a *arrivals) restart() {
	if a != nil {
		a.ahead = 0
	}
}

// seed makes the arrivals from now on a Poisson process that is drawn from seed; 0
// changes nothing.
func (a *arrivals) seed(seed uint64) {
	if a == nil || seed == 0 {
		return
	}
	a.source.Seed(seed, 0)
	if a.draw == nil {
		a.draw = rand.New(&a.source)
	}
}

// begin empties the counts for a batch.
func (a *arrivals) begin() { a.idle, a.waits, a.lag, a.mostLag = 0, 0, 0, 0 }

// loop makes a loop that runs another one iteration by iteration, each when it is due, and
// counts their latencies from the time at which they were due.
func (a *arrivals) loop(l *latencies, loop bench.Loop) bench.Loop {
	return func(n int) {
		last := a.clock.Now()
		for range n {
			a.ahead += a.next()
			if a.ahead > 0 {
				last = a.wait(last)
			}
			loop(1)
			now := a.clock.Now()
			a.ahead -= float64(now - last)
			l.add(int64(-a.ahead) - l.cost)
			last = now
		}
	}
}

// next is the time from one arrival to the next, ns.
func (a *arrivals) next() float64 {
	if a.draw == nil {
		return a.gap
	}
	return a.draw.ExpFloat64() * a.gap
}

// wait waits for the arrival that is ahead of a reading of the clock, and returns the reading
// that is nearest to it.
func (a *arrivals) wait(last int64) int64 {
	now, due := last, last+int64(a.ahead)-a.half
	if long := due - now - a.spin; long > 0 && a.sleep != nil {
		a.sleep(long)
		now = a.clock.Now()
		late := now - last - long
		a.spin = min(max(a.spin-a.spin/16, 2*late, leastSpin), mostSpin)
	}
	for now < due {
		now = a.clock.Now()
	}
	a.ahead -= float64(now - last)
	a.idle += now - last
	a.waits++
	if late := int64(-a.ahead); late > 0 {
		a.lag += late
		a.mostLag = max(a.mostLag, late)
	}
	return now
}

// report adds what a batch had to wait for to its latencies.
func (a *arrivals) report(l *wire.Latency) {
	if a == nil {
		return
	}
	l.Arrivals = &wire.Arrivals{Idle: a.idle, Waits: a.waits, Lag: a.lag, MostLag: a.mostLag,
		Behind: int64(max(-a.ahead, 0))}
}

// without takes the waits out of a reading. What was counted of the process or the thread is
// absent, because it contains the reading of the clock at the end of each wait.
func (r *reading) without(idle int64) {
	if r.time != timer.Absent {
		r.time -= idle
		r.wall -= idle
	}
	r.leaveOut()
	r.voluntary = timer.Absent
}

// spaced makes the batch that sizing has found, with iterations one after the other, as short
// as a sample is to be with its waits.
func (f *function) spaced(k *kit, sized *wire.Sized, seen *census) {
	if f.open == nil {
		return
	}
	f.latency.arrivals.restart()
	if f.isFixed() {
		return
	}
	n := max(1, min(sized.N, int(float64(k.goal(f.spec.SampleTime, f.spec.Coalesce))/f.latency.arrivals.gap)))
	sized.GCMixed = sized.GCMixed || n < sized.N && seen.collected > 0
	sized.N, sized.Time = n, int64(float64(sized.Time)*float64(n)/float64(sized.N))
}

// span is how long a batch of n iterations lasts that is busy for some time, ns.
func (f *function) span(n int, busy int64) int64 {
	if f.open == nil {
		return busy
	}
	return max(busy, int64(float64(n)*f.latency.arrivals.gap))
}
