// Package timer reads clocks and cycle counters and measures what reading them
// costs. A Timer is one clock and one counter, each the first of a preference
// list that works; a System reads what else is kept for a batch, an Events
// reads the performance counters that were asked for. It knows nothing of suite
// files or verdicts.
//
// # Loops of your own
//
// Suite files measure what is registered with package bench. A program that
// times a loop of its own uses a Timer as suite does: Open, Preflight on the
// thread that measures, Time for a batch, Adapt for the number of iterations,
// Adjust for what the loop itself costs. See the examples.
package timer

import (
	"errors"
	"fmt"
)

// Edge states which of the two readings of a pair is made.
type Edge int

// T0 is read before the body, T1 after it.
const (
	T0 Edge = iota
	T1
)

// Instant is one reading. What it holds means nothing but to Diff of the Timer
// that made it.
type Instant struct {
	NS               int64  // of the clock
	Count            uint64 // of the counter
	Enabled, Running uint64 // ns that the counter wanted to count, and did
	TimeOK, CountOK  bool   // what of it is valid
}

// Delta is what passed between two instants. Time and count are valid apart: an
// absent one is never zero.
type Delta struct {
	NS              int64
	Count           int64 // in the unit of the counter
	TimeOK, CountOK bool
	Scaled          bool // the counter shared its hardware, and Count is an estimate
}

// Unit is what a counter counts.
type Unit string

// Ticks are steps of a time stamp counter, at a fixed frequency, whatever the
// core does. Cycles are work of the core, known only from a performance counter.
const (
	Ticks  Unit = "ticks"
	Cycles Unit = "cycles"
)

// Counter is a cycle subtimer.
type Counter interface {
	// Name is the word used in preference lists.
	Name() string
	// Unit is what it counts.
	Unit() Unit
	// PerThread reports whether it counts only what the thread that called Preflight does.
	PerThread() bool
	// Preflight prepares the calling thread; call it again on another one.
	Preflight() error
	// Read stores a reading in out and allocates nothing. It is ErrRetry where
	// reading again may succeed; after any other error the count stays absent.
	Read(out *Instant, edge Edge) error
	// Close releases what Preflight took. It may be called twice.
	Close() error
}

// ErrRetry is a transient failure of a reading: the thread has moved to another
// CPU since T0, or the counter was not on the hardware at that moment.
var ErrRetry = errors.New("the reading was disturbed; read again")

// Prefs are subtimers in order of preference. An empty list of clocks means
// wall, an empty list of cycle counters null.
type Prefs struct{ Clock, Cycle []string }

// Timer is a clock and, where Counter is not nil, a cycle counter.
type Timer struct {
	Clock   Clock
	Counter Counter
	Skipped []Skipped // preferred ones that do not work here, clocks first
	both    pairReader
}

// pairReader is a counter that reads its companion clock in the same step.
type pairReader interface {
	readPair(out *Instant, edge Edge) error
}

// New joins a clock and a counter, which may be nil.
func New(clock Clock, counter Counter) *Timer {
	t := &Timer{Clock: clock, Counter: counter}
	if counter != nil && clock.Name() == counter.Name() {
		t.both, _ = counter.(pairReader)
	}
	return t
}

// Describe names the subtimers in one line, as a preference list would.
func (t *Timer) Describe() string {
	if t.Counter == nil {
		return fmt.Sprintf("clock=%s cycle=%s", t.Clock.Name(), Null)
	}
	return fmt.Sprintf("clock=%s cycle=%s", t.Clock.Name(), t.Counter.Name())
}

// Preflight prepares the calling thread, which has to be locked
// (runtime.LockOSThread), and checks that both subtimers work on it.
func (t *Timer) Preflight() error {
	if t.Counter == nil {
		return nil
	}
	return t.Counter.Preflight()
}

// Now reads both subtimers: the clock first at T0 and last at T1, so that the
// count lies inside the time. An error is ErrRetry, and then the time is valid
// all the same, but for a clock that is read from its counter; a counter that
// has failed for good leaves CountOK false. A reading at T1 that was disturbed
// spoils the pair: begin again with T0.
func (t *Timer) Now(out *Instant, edge Edge) (err error) {
	switch {
	case t.both != nil:
		out.CountOK, out.TimeOK = false, false
		return t.both.readPair(out, edge)
	case t.Counter == nil:
		out.NS, out.TimeOK, out.CountOK = t.Clock.Now(), true, false
	case edge == T0:
		out.NS = t.Clock.Now()
		err = t.Counter.Read(out, edge)
		out.TimeOK, out.CountOK = true, err == nil
	default:
		err = t.Counter.Read(out, edge)
		out.NS = t.Clock.Now()
		out.TimeOK, out.CountOK = true, err == nil
	}
	if err == ErrRetry {
		return err
	}
	return nil
}

// Diff is what passed from a to b. A counter that was on the hardware for only
// a part of the time is scaled up from it, and absent where it never was.
func (t *Timer) Diff(a, b *Instant) Delta {
	d := Delta{NS: b.NS - a.NS, TimeOK: a.TimeOK && b.TimeOK, CountOK: a.CountOK && b.CountOK}
	if !d.TimeOK {
		d.NS = 0
	}
	if d.CountOK {
		d.Count, d.CountOK, d.Scaled = scale(b.Count-a.Count, b.Enabled-a.Enabled, b.Running-a.Running)
	}
	return d
}

// scale estimates a count whose counter ran for running of the enabled
// nanoseconds. Both are 0 for counters that share their hardware with nobody.
func scale(count, enabled, running uint64) (x int64, ok, scaled bool) {
	switch {
	case running >= enabled:
		return int64(count), true, false
	case running == 0:
		return 0, false, false
	}
	return int64(float64(count) * float64(enabled) / float64(running)), true, true
}

// Share is the part of the time from a to b that the counter was on the
// hardware, 0 to 1.
func (t *Timer) Share(a, b *Instant) float64 {
	return Count{Enabled: b.Enabled, Running: b.Running}.Share(Count{Enabled: a.Enabled, Running: a.Running})
}

// Close releases what the counter holds.
func (t *Timer) Close() error {
	if t.Counter == nil {
		return nil
	}
	return t.Counter.Close()
}
