// Package timer reads clocks and cycle counters and measures what reading them
// costs. A Timer is one clock and at most one cycle counter, each the first of a
// preference list that works. A System reads the other metrics of a batch, and an
// Events reads the performance counters that were asked for. The package knows
// nothing of suite files or verdicts.
//
// # Loops of your own
//
// Suite files measure what is registered with package bench. A program that
// times a loop of its own uses a Timer as suite does: Open, Preflight on the
// thread that measures, Time for a batch, Adapt for the number of iterations,
// Adjust for what the loop itself costs. See the examples.
package timer

import (
	"embed"
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

// Instant is one reading. Its numbers have a meaning only in differences: pass it to
// Diff of the Timer that made it.
type Instant struct {
	NS               int64  // of the clock
	Count            uint64 // of the counter
	Enabled, Running uint64 // ns for which the counter was enabled, and was on the hardware
	TimeOK, CountOK  bool   // whether NS and Count are valid
}

// Delta is the time and the count between two instants. Check TimeOK and CountOK
// before using them: an absent value is not a measured zero.
type Delta struct {
	NS              int64
	Count           int64 // in the unit of the counter
	TimeOK, CountOK bool
	Scaled          bool // the counter shared its hardware, and Count is an estimate
}

// Unit is what a counter counts.
type Unit string

// Ticks are steps of a time stamp counter, whose frequency is fixed whatever the core
// does. Cycles are work of the core and come only from a performance counter.
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
	// Read stores a reading in out and allocates nothing. It returns ErrRetry if
	// reading again may succeed; after any other error the count stays absent.
	Read(out *Instant, edge Edge) error
	// Close releases what Preflight took. It may be called twice.
	Close() error
}

// ErrRetry is a transient failure of a reading: the thread has moved to another CPU
// since T0.
var ErrRetry = errors.New("the reading was disturbed; read again")

// Prefs are subtimers in order of preference. An empty list of clocks means
// wall, an empty list of cycle counters null.
type Prefs struct{ Clock, Cycle []string }

// Timer is a clock and, if Counter is not nil, a cycle counter.
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

// New combines a clock and a counter, which may be nil.
func New(clock Clock, counter Counter) *Timer {
	t := &Timer{Clock: clock, Counter: counter}
	if counter != nil && clock.Name() == counter.Name() {
		t.both, _ = counter.(pairReader)
	}
	return t
}

// Describe names both subtimers, as in "clock=wall cycle=null".
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

// Now reads both subtimers: the clock first at T0 and last at T1, so that the count
// covers only time that the clock covers too. The only error is ErrRetry; the time is
// still valid then, unless the clock is read from the counter. After ErrRetry at T1
// begin again with T0. If the counter has failed for good, CountOK is false and the
// error nil.
func (t *Timer) Now(out *Instant, edge Edge) (err error) {
	switch {
	case t.both != nil:
		out.CountOK, out.TimeOK = false, false
		return t.both.readPair(out, edge)
	case t.Counter == nil:
		out.NS = t.Clock.Now()
		out.TimeOK = true
		out.CountOK = false
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

// Diff computes the time and the count from a to b. If the counter was on the hardware
// for only a part of the time, the count is scaled up; if it never was, it is absent.
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

// Share is the share of the time from a to b for which the counter was on the hardware,
// 0 to 1.
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

// Source contains the files of this package, so that a host can prove which
// timing code it runs.
//
//go:embed *.go *.s
var Source embed.FS
