// Package process ends, pauses and watches the processes that a run starts. What such a
// process has started itself is found as far as the system allows: on Linux by descent, on
// other unix systems by process group, on Windows not at all.
package process

import (
	"os"
	"sync"
	"time"
)

// Set holds the processes that a run has started and that still live: hosts,
// with the commands that they measure, and hooks. They run in process groups of their
// own, so what a terminal sends does not reach them; whoever handles signals passes them
// on here, from any goroutine. The zero value is an empty set, ready to use.
type Set struct {
	mu     sync.Mutex
	living map[*os.Process]*Stops // nil for a hook
	killed bool
	since  time.Time     // of the pause, zero while they run
	paused time.Duration // all earlier pauses
	frozen []int         // by Pause
}

// Kill ends all processes at once with what they have started, and every process that is
// added later. What was measured is kept; cleanup hooks do not run any more.
func (p *Set) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	killAll(p.roots())
}

// Killed reports whether Kill was called.
func (p *Set) Killed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed
}

// Pause stops all processes until Resume. The batches that were running are marked as
// disturbed.
func (p *Set) Pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed || !p.since.IsZero() {
		return
	}
	p.since = time.Now()
	for _, s := range p.living {
		s.begin()
	}
	p.frozen = freeze(p.roots())
}

// Resume lets the processes go on, and returns how long they were stopped.
func (p *Set) Resume() (pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return 0
	}
	for _, s := range p.living {
		s.end()
	}
	thaw(p.frozen)
	pause = time.Since(p.since)
	p.paused = p.paused + pause
	p.since = time.Time{}
	p.frozen = nil
	return pause
}

// Lost is the length of all pauses together.
func (p *Set) Lost() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paused
}

// Add makes a process a member of the set until done is called, after its end. s counts its
// stops; nil is a process whose stops nobody counts.
func (p *Set) Add(process *os.Process, s *Stops) (done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.living == nil {
		p.living = map[*os.Process]*Stops{}
	}
	p.living[process] = s
	switch {
	case p.killed:
		killAll([]int{process.Pid})
	case !p.since.IsZero():
		s.begin()
		p.frozen = append(p.frozen, freeze([]int{process.Pid})...)
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.living, process)
	}
}

// PIDs lists the living processes, without what they have started.
func (p *Set) PIDs() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.roots()
}

func (p *Set) roots() (pids []int) {
	for process := range p.living {
		pids = append(pids, process.Pid)
	}
	return pids
}
