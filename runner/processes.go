package runner

import (
	"os"
	"sync"
	"time"
)

// Processes are those that a run has started and that still live: hosts, with
// the commands that they measure, and hooks. They run in process groups of their
// own, so what a terminal sends does not reach them: who handles signals hands
// it on here, from any goroutine. The zero value is ready to use.
type Processes struct {
	mu     sync.Mutex
	living map[*os.Process]*stops // nil for a hook
	killed bool
	since  time.Time     // of the pause, zero while they run
	paused time.Duration // all earlier pauses
	frozen []int         // what Pause has stopped
}

// Kill ends all of them at once with what they have started, and every one that
// is started later. What was measured stays; clean-ups do not run any more.
func (p *Processes) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	killAll(p.roots())
}

// Killed says that Kill was called.
func (p *Processes) Killed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed
}

// Pause stops all of them until Resume. The batches that were running are marked
// as disturbed.
func (p *Processes) Pause() {
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

// Resume lets them go on, and says how long they were stopped.
func (p *Processes) Resume() (pause time.Duration) {
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
	p.paused, p.since, p.frozen = p.paused+pause, time.Time{}, nil
	return pause
}

// lost is the time of all pauses.
func (p *Processes) lost() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paused
}

// add takes a process in until done is called, behind its end.
func (p *Processes) add(process *os.Process, s *stops) (done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.living == nil {
		p.living = map[*os.Process]*stops{}
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

func (p *Processes) roots() (pids []int) {
	for process := range p.living {
		pids = append(pids, process.Pid)
	}
	return pids
}
