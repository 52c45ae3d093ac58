//go:build !nopeg

package peg

import (
	"sync"
	"sync/atomic"
)

// logged is the number of hits that fill the log of a lane: 4 KiB. It has to be a power of
// two.
const logged = 256

// event is a hit in the log of a lane.
type event struct {
	at   uint64 // what the clock showed
	word uint64 // point, span and deed
}

// track is the memory of a lane: the log, and the ledger that counts its events. It
// outlives the lane, and the next lane of that name takes it over.
//
// The log has one writer, the owner of the lane, which takes no lock: it writes the
// event and then moves head. Any goroutine that holds mu may process the events up to
// head. To see whether the log is full the owner reads limit only, which nobody else
// moves; it does so under mu, in full.
type track struct {
	head  atomic.Uint64 // number of events ever written
	limit uint64        // the head at which the log is full
	ticks bool          // the log reads the time stamp counter by itself
	clock *clock
	ring  [logged]event

	mu     sync.Mutex
	tail   uint64 // events worked off
	ledger ledger
	name   string
	costs  costs
	mixed  uint64 // how often head had a value that a single user cannot reach
}

// full processes the log and one more event, which was stamped at the start of the hit.
// No arc includes the time that this takes.
func (t *track) full(entered, w uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.workOff(t.head.Load())
	t.ledger.take(event{entered, w})
	t.limit = t.tail + logged
	t.ledger.pass(t.clock.now() - entered)
}

// workOff counts the events in the log up to head. The caller holds mu.
//
// One user never gets past limit. If two goroutines use a lane at once, which is a fault
// of the program, one may set head back to an old value. Then nobody knows which events
// are new: workOff skips them all, and the document reports it.
func (t *track) workOff(head uint64) {
	if head-t.tail > logged {
		t.mixed++
		t.ledger.cut()
		t.tail = head
	}
	for t.tail != head {
		from := t.tail % logged
		events := t.ring[from:min(from+head-t.tail, logged)]
		t.ledger.takeAll(events)
		t.tail += uint64(len(events))
	}
}
