package runner

import (
	"sync"
	"time"

	"example.com/suite/runner/host"
)

// stops counts how long a host was stopped (SIGSTOP, Ctrl-Z), by what the kernel
// tells its parent. That is known before the host goes on, so no answer can be
// quicker; a signal handler in the host could be late.
type stops struct {
	mu    sync.Mutex
	pid   int
	since time.Time     // zero while it runs
	total time.Duration // since the last call of taken
}

// unknown is the length of a stop whose beginning nobody saw.
const unknown = time.Nanosecond

// begin notes that it stops now; nil is a process that nobody asks.
func (s *stops) begin() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		s.since = time.Now()
	}
}

// end notes that it goes on. The kernel tells again of what Pause and Resume did.
func (s *stops) end() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.since.IsZero() {
		s.total += time.Since(s.since)
	}
	s.since, s.total = time.Time{}, max(s.total, unknown)
}

// taken is how long it was stopped since the last call, 0 for not at all.
func (s *stops) taken() time.Duration {
	s.look()
	s.mu.Lock()
	defer s.mu.Unlock()
	total := s.total
	s.total = 0
	return total
}

// now says that it is stopped at this moment.
func (s *stops) now() bool {
	s.look()
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.since.IsZero()
}

// attribute finds the batches during which the host was stopped: those that
// lasted at least half as long, for the beginning and the end are seen a little
// late, or all where none did. What was stopped is no time that the case used.
func attribute(r *host.Readings, stopped time.Duration) {
	for _, ns := range r.Stops { // of commands alone
		r.Elapsed -= ns
	}
	if stopped > 0 {
		r.Elapsed -= int64(stopped)
		walls := r.Columns["wall"]
		if marked := mark(r, stopped, func(i int) bool { return walls[i] >= int64(stopped)/2 }); !marked || stopped == unknown {
			mark(r, stopped, func(int) bool { return true })
		}
	}
	r.Elapsed = max(r.Elapsed, 0)
}

func mark(r *host.Readings, stopped time.Duration, which func(i int) bool) (any bool) {
	for i := range r.ID {
		if which(i) {
			for len(r.Stops) < len(r.ID) {
				r.Stops = append(r.Stops, 0)
			}
			r.Stops[i], any = max(r.Stops[i], int64(stopped)), true
		}
	}
	return any
}

// stopOf is how long a batch was stopped.
func stopOf(r *host.Readings, i int) time.Duration {
	if r.Stops == nil {
		return 0
	}
	return time.Duration(r.Stops[i])
}
