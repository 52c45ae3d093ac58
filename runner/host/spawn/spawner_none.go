//go:build !linux || !(amd64 || arm64)

package spawn

import "example.com/suite/timer"

// spawning is empty here: a host starts its programs itself.
type spawning struct{}

func (*spawning) close() {}

func (*spawning) process() int { return 0 }

func (*spawning) abandon() {}

func (s *Starter) bySpawner(*Job) (r Run, ok bool, err error) { return r, false, nil }

// Unpinned explains why runs cannot be kept on one CPU.
func (s *Starter) Unpinned() string { return "that needs Linux on amd64 or arm64" }

// Peak is the least peak memory that a run can have, bytes; 0 if it is not known.
func (s *Starter) Peak() int64 { return peakMemory() }

// Scope covers the events of a run.
func (s *Starter) Scope() timer.Scope { return timer.Children }
