//go:build (race || !amd64) && !nopeg

package peg

// stampTicks is stamp with the time stamp counter.
func stampTicks(t *track, word uint64) bool {
	return t.head.Load() < t.limit && stamp(t, readTicks(), word)
}

// stamp writes an event into the log, and reports whether there was room. The store of
// head is what the race detector, and processors other than x86, need to see.
func stamp(t *track, at, word uint64) bool {
	head := t.head.Load()
	if head >= t.limit {
		return false
	}
	t.ring[head%logged] = event{at, word}
	t.head.Store(head + 1)
	return true
}
