// Package signals handles SIGINT, SIGTERM, SIGHUP and Ctrl-Z while a command runs: what
// the first, the second and the third of them end, and in which order. It kills and stops
// the processes of a run, and its caller prints what it announces.
package signals

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/suite/runner/process"
)

// Signals handles SIGINT, SIGTERM and SIGHUP while a command runs.
//
// If the command watches its context, the first signal ends the context, with the signal
// as its cause. The second kills the processes of the run, which then still writes what
// was measured. The third ends this process at once, and so does the second if no run has
// processes. Every other command is ended by the first signal.
type Signals struct {
	incoming chan os.Signal
	cancel   context.CancelCauseFunc

	mu        sync.Mutex
	orderly   bool          // the command watches its context
	waiting   chan struct{} // closed by the next signal, nil for none
	came      bool          // a signal that asks the command to end
	processes *process.Set  // of the run, nil while there is none
	announce  func(string)
}

// interrupt is the signal that ended a context.
type interrupt struct{ os.Signal }

func (i interrupt) Error() string { return i.String() }

// Listen makes a context that signals end, until stop is called. A signal that was
// ignored when the process began stays ignored, as nohup and background jobs of a
// script expect.
func Listen() (ctx context.Context, s *Signals, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	s = &Signals{incoming: make(chan os.Signal, 4), cancel: cancel}
	for _, sig := range append([]os.Signal{os.Interrupt, syscall.SIGTERM}, more...) {
		if !signal.Ignored(sig) {
			signal.Notify(s.incoming, sig)
		}
	}
	go s.handle()
	return ctx, s, func() {
		signal.Stop(s.incoming)
		close(s.incoming)
		cancel(nil)
	}
}

// Orderly records that the command watches its context, and cleans up after it ends.
func (s *Signals) Orderly() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orderly = true
}

// Await calls do, which may wait for another process for ever, as when it opens a pipe
// that nobody reads. The next signal ends the wait with ErrWaiting. If a signal has come before,
// do has a short time.
func (s *Signals) Await(do func() error) error {
	if s == nil {
		return do()
	}
	next, done := make(chan struct{}), make(chan error, 1)
	s.mu.Lock()
	s.waiting = next
	var late <-chan time.Time
	if s.came {
		late = time.After(lastWait)
	}
	s.mu.Unlock()
	go func() { done <- do() }() // after a signal it goes on until the process ends
	select {
	case err := <-done:
		s.endWait()
		return err
	case <-next:
		return ErrWaiting
	case <-late:
		s.endWait()
		return ErrWaiting
	}
}

// AwaitReader calls do, which writes a file. If the file is a pipe that nobody reads, the next
// signal ends the wait.
func (s *Signals) AwaitReader(file string, do func() error) error {
	info, err := os.Stat(file)
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return do()
	}
	if err = s.Await(do); err == ErrWaiting {
		return fmt.Errorf("cannot write %q: %w", file, err)
	}
	return err
}

// lastWait is how long Await waits after a signal: long enough to write a report to a pipe that
// is read, and shorter than CI systems wait before they kill.
const lastWait = time.Second

// ErrWaiting means that a signal ended the wait of Await.
var ErrWaiting = errors.New("interrupted while it waited for a reader")

// endWait ends the wait of Await, and reports whether there was one.
func (s *Signals) endWait() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		return false
	}
	close(s.waiting)
	s.waiting = nil
	return true
}

func (s *Signals) isOrderly() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.orderly
}

// During sets the processes that a second signal kills, and the function that prints what
// signals do. end unsets them.
func (s *Signals) During(processes *process.Set, announce func(string)) (end func()) {
	if s == nil {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processes, s.announce = processes, announce
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.processes, s.announce = nil, nil
	}
}

// CleaningUp is the message about the first signal of a run.
const CleaningUp = "interrupted: finishing the batch and cleaning up; again to kill"

const killing = "killing all processes that still run; the result is written"

func (s *Signals) handle() {
	count := 0
	for sig := range s.incoming {
		processes, announce := s.running()
		count++
		if !isSuspend(sig) {
			s.mu.Lock()
			s.came = true
			s.mu.Unlock()
		}
		switch {
		case isSuspend(sig):
			count--
			s.suspend(processes, announce)
		case s.endWait():
			s.cancel(interrupt{sig})
		case count == 1 && s.isOrderly():
			s.cancel(interrupt{sig})
		case processes == nil:
			signal.Reset()
			raise(sig)
		default:
			signal.Stop(s.incoming)
			announce(killing)
			processes.Kill()
		}
	}
}

func (s *Signals) running() (*process.Set, func(string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processes, s.announce
}

// Name is the name of the signal that ended ctx, "" if none has.
func Name(ctx context.Context) string {
	i, ok := context.Cause(ctx).(interrupt)
	switch {
	case !ok:
		return ""
	case i.Signal == syscall.SIGTERM:
		return "SIGTERM"
	case i.Signal == syscall.SIGHUP:
		return "SIGHUP"
	}
	return "SIGINT"
}
