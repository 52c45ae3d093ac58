package process

import (
	"testing"
	"time"
)

// While this process is stopped its timers run on, and what it waits for cannot be seen.
func TestADeadlineDoesNotCountAStop(t *testing.T) {
	const hour = time.Hour
	d := NewDeadline(2500 * time.Millisecond)
	defer d.Stop()
	now := d.began
	for i, step := range []struct {
		after time.Duration
		over  bool
	}{
		{time.Second, false}, {hour, false}, {time.Second + 100*time.Millisecond, false}, {hour, false}, {500 * time.Millisecond, true},
	} {
		now = now.Add(step.after)
		if got := d.Over(now); got != step.over {
			t.Fatalf("tick %d, %v later: over %v, want %v", i, step.after, got, step.over)
		}
	}
	d.Reset(time.Second)
	if d.Over(d.began.Add(hour)) || !d.Over(d.began.Add(time.Second)) {
		t.Error("after Reset it counts differently")
	}
}
