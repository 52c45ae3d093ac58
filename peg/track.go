//go:build !nopeg

package peg

import (
	"sync"
	"sync/atomic"
)

// logged is how many hits a lane keeps before it works them off: 4 KiB of them. A power of two.
const logged = 256

// event is a hit in the log of a lane.
type event struct {
	at   uint64 // what the clock showed
	word uint64 // point, span and deed
}

// track is the memory of a lane: the log, and what has come of it. It outlives the
// lane, and is handed to the next one of that name.
//
// The log has one writer, the owner of the lane, which takes no lock: it writes the
// event and then moves head. Whoever holds mu may work off the events up to head. The
// owner looks at limit only, which it moves itself, under mu, when it gets there.
type track struct {
	head  atomic.Uint64 // events written since ever
	limit uint64        // of head: there is no room beyond
	ticks bool          // the log reads the time stamp counter by itself
	clock *clock
	ring  [logged]event

	mu     sync.Mutex
	tail   uint64 // events worked off
	ledger ledger
	name   string
	costs  costs
	mixed  uint64 // times that head was where one user alone cannot have brought it
}

// full works off the log and takes in one more event, which was stamped when the hit
// was entered. The time until here lies in no arc.
func (t *track) full(entered, w uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.workOff(t.head.Load())
	t.ledger.take(event{entered, w})
	t.limit = t.tail + logged
	t.ledger.pass(t.clock.now() - entered)
}

// workOff takes in what the log holds up to head. The caller holds mu.
//
// One user never gets further than limit. Of two at once, which is a fault of the
// program, one may set head back to where it was long ago: what the log holds then is
// left out, and reported, for nobody can say which hits are new.
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
