package spawn

import (
	"sync"
	"time"
)

// alarm calls a function after some time. If it rings far too late, this process was
// stopped meanwhile, and so was what the alarm watches: then it starts over.
type alarm struct {
	mu    sync.Mutex
	timer *time.Timer
	after time.Duration
	due   time.Time
	off   bool
	fire  func()
}

// overslept is a delay of a timer that a busy machine does not cause.
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

// stop ends the alarm. When it returns, fire is not running and is not called any more.
func (a *alarm) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.off = true
	a.timer.Stop()
}
