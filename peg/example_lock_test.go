//go:build !nopeg

package peg_test

import (
	"fmt"
	"sync"

	"example.com/suite/peg"
)

// Held is a mutex that shows how long it is held, as the tracer of interrupts that
// timepegs had: an arc begins where the lock is taken, and ends, with no other begun,
// where it is released. Whoever holds the lock is the only user of its lane.
type Held struct {
	mu              sync.Mutex
	lane            *peg.Lane
	taken, released *peg.Point
}

// NewHeld makes a mutex of a name.
func NewHeld(name string) *Held {
	return &Held{lane: peg.NewLane(name), taken: peg.New(name + " taken"), released: peg.New(name + " released")}
}

// Lock takes the lock.
func (h *Held) Lock() {
	h.mu.Lock()
	h.lane.Start(h.taken)
}

// Unlock releases it.
func (h *Held) Unlock() {
	h.lane.Stop(h.released)
	h.mu.Unlock()
}

// Example_lock finds out how long a lock is held. The time between a release and the
// next taking is in no arc.
func Example_lock() {
	cache := NewHeld("cache")
	peg.Enable("cache taken", "cache released")
	defer peg.Disable()
	peg.Reset()
	entries := 0
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				cache.Lock()
				entries++
				cache.Unlock()
			}
		})
	}
	all.Wait()
	for _, a := range peg.Snapshot().Arcs {
		fmt.Printf("%s → %s: %d times\n", a.From, a.To, a.Count)
	}
	fmt.Println(entries, "entries")
	// Output:
	// cache taken → cache released: 100 times
	// 100 entries
}
