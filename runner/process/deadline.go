package process

import (
	"context"
	"time"
)

// Deadline is a timer that does not count time in which this process was stopped or the
// machine was asleep: the system's clock goes on then, and what was waited for had no chance
// to be seen. It runs a slice at a time, and a slice that ends far too late does not count.
type Deadline struct {
	C     <-chan time.Time // ticks; call Over at each tick
	timer *time.Timer
	left  time.Duration
	slice time.Duration
	began time.Time
}

// slice is short enough that a stop costs little of a deadline, and long enough that the
// timer disturbs nobody. A busy machine does not delay a timer by late.
const (
	slice = time.Second
	late  = slice / 2
)

// NewDeadline makes a deadline that is over after d.
func NewDeadline(d time.Duration) *Deadline {
	t := &Deadline{left: d, slice: min(d, slice), began: time.Now()}
	t.timer = time.NewTimer(t.slice)
	t.C = t.timer.C
	return t
}

// Over reports, at a tick, whether the time has passed. If it has not, there will be
// another tick.
func (t *Deadline) Over(now time.Time) bool {
	if now.Sub(t.began) < t.slice+late {
		t.left -= t.slice
	}
	if t.left <= 0 {
		return true
	}
	t.slice, t.began = min(t.left, slice), now
	t.timer.Reset(t.slice)
	return false
}

// Reset starts the deadline again, with d.
func (t *Deadline) Reset(d time.Duration) {
	t.left = d
	t.slice = min(d, slice)
	t.began = time.Now()
	t.timer.Reset(t.slice)
}

// Stop ends the timer: no tick comes after it.
func (t *Deadline) Stop() { t.timer.Stop() }

// Within makes a context that ends after d, by a deadline, with
// context.DeadlineExceeded as its cause. Without d (0) it does not end by itself.
func Within(ctx context.Context, d time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if d > 0 {
		t := NewDeadline(d)
		go func() {
			defer t.Stop()
			for {
				select {
				case <-t.C:
					if t.Over(time.Now()) {
						cancel(context.DeadlineExceeded)
						return
					}
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	return ctx, func() { cancel(nil) }
}
