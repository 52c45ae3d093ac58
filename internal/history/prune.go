package history

import (
	"slices"
	"time"
)

// Limits say which runs a history keeps. A zero limit keeps all.
type Limits struct {
	Runs int           // the newest of each machine
	Age  time.Duration // since the commit, or the start of a run without one
	Size int64         // bytes of all files together
}

// Beyond returns the entries that exceed the limits at a time, the oldest first. entries are
// in the order of time, as List returns them.
func (l Limits) Beyond(entries []Entry, now time.Time) (over []Entry) {
	runs := map[string]int{}
	size := int64(0)
	for _, e := range slices.Backward(entries) {
		machine := e.MachineName()
		runs[machine]++
		size += e.Size
		if l.Runs > 0 && runs[machine] > l.Runs || l.Age > 0 && now.Sub(e.When()) > l.Age || l.Size > 0 && size > l.Size {
			over = append(over, e)
		}
	}
	slices.Reverse(over)
	return over
}

// Prune removes runs from the history.
func (s Store) Prune(entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].name
	}
	return s.Remove(names)
}
