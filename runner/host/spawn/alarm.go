package spawn

import (
	"sync"
	"time"
)

// alarm calls a function after some time, and not sooner because this process
// was stopped meanwhile: one that comes far too late starts over, because what
// it watches was stopped as well.
type alarm struct {
	mu    sync.Mutex
	timer *time.Timer
	after time.Duration
	due   time.Time
	off   bool
	fire  func()
}

// overslept is what a busy machine does not do to a timer.
const overslept = 500 * time.Millisecond

func newAlarm(after time.Duration, fire func()) *alarm {
	a := &alarm{after: after, fire: fire}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.due = time.Now().Add(after)
	a.timer = time.AfterFunc(after, func() { a.ring(time.Now()) })
	return a
}

func (a *alarm) ring(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.off:
	case now.Sub(a.due) > overslept:
		a.due = now.Add(a.after)
		a.timer.Reset(a.after)
	default:
		a.off = true
		a.fire()
	}
}

// stop calls it off; after it fire is not called, and not running either.
func (a *alarm) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.off = true
	a.timer.Stop()
}
