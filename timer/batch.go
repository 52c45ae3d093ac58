package timer

import (
	"errors"
	"fmt"
	"math"
)

// ErrStop is what a body returns to leave its loop early. The batch is given up
// and has no time.
var ErrStop = errors.New("stopped by the body")

// How often a reading is made again that was disturbed. Every reading at T0 is
// a new chance and costs 30 ns; a batch that ran on two CPUs is lost as a whole.
const (
	mostReadings = 100
	mostRepeats  = 3
)

// Loop times batches of one body. It belongs to the goroutine that measures,
// and timing a batch allocates nothing.
//
// Time does all that a program needs. A program that reads more around a batch, as the
// hosts of suite do, calls Start, runs the batch itself, calls Stop, and asks for Passed
// when there is time for it.
type Loop struct {
	Timer *Timer
	// Body runs n iterations.
	Body func(n int) error
	// Most iterations are asked of one call of Body; 0 means as many as an int holds.
	Most uint64
	// Retries counts the readings at T0 that were made again, Repeats the batches.
	Retries, Repeats int

	t0, t1 Instant // here and not on the stack: a reading goes through an interface
}

// Time runs a batch of n iterations of body between two readings, as Loop does.
func (t *Timer) Time(n uint64, body func(n int) error) (Delta, error) {
	loop := Loop{Timer: t, Body: body}
	return loop.Time(n)
}

// Time runs a batch of n iterations and returns what passed. If n is above Most
// the body is called several times inside the one batch. It does not preflight:
// do that once, on the locked thread that measures.
//
// An error of the body, ErrStop too, ends the batch and is returned as it is,
// without a time. A disturbed reading (ErrRetry) before the batch is made again,
// at most 100 times; after it the batch is repeated, at most 3 times, so that
// the body may run more often than n. Should all of that fail, the count stays
// absent; only a batch without any time is an error.
func (l *Loop) Time(n uint64) (Delta, error) {
	most := l.Most
	if most == 0 || most > math.MaxInt {
		most = math.MaxInt
	}
	for repeat := 0; ; repeat++ {
		l.Start()
		if err := l.run(n, most); err != nil {
			return Delta{}, err
		}
		err := l.Stop()
		if err != ErrRetry || repeat == mostRepeats {
			return l.delta(err)
		}
		l.Repeats++
	}
}

// Start makes the reading before a batch: again, at most 100 times, while it is disturbed
// (ErrRetry), and then without a count.
func (l *Loop) Start() {
	for range mostReadings {
		if l.Timer.Now(&l.t0, T0) != ErrRetry {
			return
		}
		l.Retries++
	}
	l.Timer.Now(&l.t0, T0)
}

// Stop makes the reading after a batch. The error is ErrRetry if it was disturbed, and then
// the count of the batch is absent.
func (l *Loop) Stop() error { return l.Timer.Now(&l.t1, T1) }

// Passed is the time and the count between Start and Stop.
func (l *Loop) Passed() Delta { return l.Timer.Diff(&l.t0, &l.t1) }

// Share is the part of the time between Start and Stop in which the counter was on the
// hardware, 1 if it always was.
func (l *Loop) Share() float64 { return l.Timer.Share(&l.t0, &l.t1) }

// run is all that happens between the two readings.
func (l *Loop) run(n, most uint64) error {
	for n > most {
		if err := l.Body(int(most)); err != nil {
			return err
		}
		n -= most
	}
	return l.Body(int(n))
}

func (l *Loop) delta(err error) (Delta, error) {
	d := l.Passed()
	switch {
	case d.TimeOK:
		return d, nil
	case err == nil:
		err = errors.New("the reading is not valid")
	}
	return Delta{}, fmt.Errorf("%s has no time: %w", l.Timer.Describe(), err)
}
