package spawn

import (
	"testing"
	"time"
)

// What an alarm watches is stopped together with this process.
func TestAnAlarmStartsOverBehindAStop(t *testing.T) {
	fired := 0
	a := newAlarm(time.Hour, func() { fired++ })
	defer a.stop()
	due := a.due
	if a.ring(due.Add(time.Minute)); fired != 0 || !a.due.Equal(due.Add(time.Minute+time.Hour)) {
		t.Errorf("a minute late it fired %d times, and is due at %v", fired, a.due)
	}
	a.ring(a.due.Add(overslept / 2))
	if fired != 1 {
		t.Errorf("on time it fired %d times", fired)
	}
	if a.ring(a.due); fired != 1 {
		t.Error("it fired twice")
	}
}

func TestAnAlarmThatIsCalledOffDoesNotFire(t *testing.T) {
	fired := 0
	a := newAlarm(time.Hour, func() { fired++ })
	a.stop()
	if a.ring(a.due); fired != 0 {
		t.Error("it fired")
	}
}
