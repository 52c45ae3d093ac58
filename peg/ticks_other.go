//go:build !amd64 && !nopeg

package peg

// readTicks is for systems with a time stamp counter that is worth reading.
func readTicks() uint64 { return sinceStart() }

func hasTicks() bool { return false }
