package process

import (
	"sync"
	"time"
)

// Stops counts how long a process was stopped (SIGSTOP, Ctrl-Z), as the kernel reports it
// to the parent. The parent knows before the process goes on, so no answer of the process
// can arrive earlier; a signal handler in the process could be late.
type Stops struct {
	mu    sync.Mutex
	pid   int
	since time.Time     // zero while it runs
	total time.Duration // since the last call of Taken
}

// UnknownStop is the length of a stop whose beginning nobody saw.
const UnknownStop = time.Nanosecond

// WatchStops counts the stops of a child of this process from now on, until it ends.
func WatchStops(pid int) *Stops {
	s := &Stops{pid: pid}
	go s.watch()
	return s
}

// begin records that the process stops now. Nil is a process whose stops nobody counts.
func (s *Stops) begin() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		s.since = time.Now()
	}
}

// end records that the process goes on. The kernel reports again what Pause and Resume did.
func (s *Stops) end() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.since.IsZero() {
		s.total += time.Since(s.since)
	}
	s.since, s.total = time.Time{}, max(s.total, UnknownStop)
}

// Taken is how long the process was stopped since the last call, 0 for not at all.
func (s *Stops) Taken() time.Duration {
	s.look()
	s.mu.Lock()
	defer s.mu.Unlock()
	total := s.total
	s.total = 0
	return total
}

// Now reports whether the process is stopped at this moment.
func (s *Stops) Now() bool {
	s.look()
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.since.IsZero()
}
