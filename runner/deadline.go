package runner

import (
	"context"
	"time"
)

// deadline is a timer that does not count a time in which this process was
// stopped, or the machine asleep: the clock of the system goes on then, and what
// was waited for had no chance to be seen. It is set a slice at a time, and a
// slice that is noticed far too late does not count.
type deadline struct {
	C     <-chan time.Time // ticks; ask over at each
	timer *time.Timer
	left  time.Duration
	slice time.Duration
	began time.Time
}

// slice is short enough that a stop costs little of a deadline, and long enough
// that nobody is disturbed; late is what a busy machine does not do to a timer.
const (
	slice = time.Second
	late  = slice / 2
)

func newDeadline(d time.Duration) *deadline {
	t := &deadline{left: d, slice: min(d, slice), began: time.Now()}
	t.timer = time.NewTimer(t.slice)
	t.C = t.timer.C
	return t
}

// over says, at a tick, whether the time has passed. Where it has not, there will
// be another tick.
func (t *deadline) over(now time.Time) bool {
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

func (t *deadline) reset(d time.Duration) {
	t.left, t.slice, t.began = d, min(d, slice), time.Now()
	t.timer.Reset(t.slice)
}

func (t *deadline) stop() { t.timer.Stop() }

// within gives a context that ends after d, with context.DeadlineExceeded as its
// cause, by a deadline.
func within(ctx context.Context, d time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if d > 0 {
		t := newDeadline(d)
		go func() {
			defer t.stop()
			for {
				select {
				case <-t.C:
					if t.over(time.Now()) {
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
