package journal

import (
	"testing"
	"time"
)

func TestWaitingForTheDiskTakesATenthOfTheTime(t *testing.T) {
	for _, disk := range []time.Duration{10 * time.Microsecond, 500 * time.Microsecond, 5 * time.Millisecond, 30 * time.Millisecond} {
		var p Pace
		now, waited, syncs := time.Unix(0, 0), time.Duration(0), 0
		for range 1000 {
			now = now.Add(10 * time.Millisecond) // a block
			if p.Due(now) {
				p.Took(now, now.Add(disk))
				now, waited, syncs = now.Add(disk), waited+disk, syncs+1
			}
		}
		if share := float64(waited) / float64(now.Sub(time.Unix(0, 0))); share > 0.1 {
			t.Errorf("a disk of %v takes %.0f%%", disk, share*100)
		}
		if disk < time.Millisecond && syncs != 1000 {
			t.Errorf("a disk of %v is waited for behind %d blocks of 1000", disk, syncs)
		}
	}
	var p Pace
	now := time.Unix(0, 0)
	p.Took(now, now.Add(500*time.Microsecond))
	p.Took(now, now.Add(30*time.Millisecond)) // once in a while
	if p.Due(now.Add(30*time.Millisecond)) || !p.Due(now.Add(80*time.Millisecond)) {
		t.Errorf("behind a slow one it is taken to cost %v", p.cost)
	}
}
