//go:build !nopeg

package peg

import (
	"math/rand/v2"
	"testing"
)

// On the real counter the time of a chain of cache misses between two points is in the arc
// between them. A stamp that did not wait for the loads would put nine tenths of it into
// the next arc, which has nothing in it.
func TestCacheMissesAreInTheirOwnArc(t *testing.T) {
	if !hasTicks() {
		t.Skip("no invariant time stamp counter here")
	}
	next := shuffled(64 << 20 / 64)
	r, from, to := enabled(systemClock())
	lane := &Lane{registry: r}
	at := uint32(0)
	for range 10_000 {
		lane.Hit(from)
		at = next[at][0]
		at = next[at][0]
		lane.Hit(to)
	}
	sink += uint64(at)
	d := r.snapshot(true, false)
	chase := medianOf(arcOf(t, d, "from", "to"))
	nothing := medianOf(arcOf(t, d, "to", "from"))
	t.Logf("two cache misses take %g ns, and nothing takes %g ns", chase, nothing)
	if chase < nothing {
		t.Error("the arc after the cache misses is longer than their own")
	}
}

// shuffled returns a cycle through n cache lines in random order: each contains the number
// of the next.
func shuffled(n int) [][16]uint32 {
	next := make([][16]uint32, n)
	for i := range next {
		next[i][0] = uint32(i)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := n - 1; i > 0; i-- { // Sattolo's algorithm: one cycle
		j := rng.IntN(i)
		next[i][0], next[j][0] = next[j][0], next[i][0]
	}
	return next
}
