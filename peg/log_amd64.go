//go:build !race && !nopeg

package peg

// stampTicks is stamp with the time stamp counter, read first.
//
//go:noescape
func stampTicks(t *track, word uint64) bool

// stamp writes an event into the log, and reports whether there was room.
//
//go:noescape
func stamp(t *track, at, word uint64) bool
