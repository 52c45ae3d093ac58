//go:build !linux

package spawn

import (
	"os"
	"sync/atomic"
)

// Run starts a program, waits until it ends and reaps it.
func (s *Starter) Run(job *Job) (r Run, err error) {
	r = NewRun()
	start := s.now()
	process, err := os.StartProcess(job.Path, job.Argv, &os.ProcAttr{
		Dir: job.Dir, Env: job.Env, Files: []*os.File{job.Stdin, job.Stdout, job.Stderr}, Sys: ownGroup(),
	})
	if err != nil {
		return r, err
	}
	s.running.Store(int64(process.Pid))
	defer s.running.Store(0)
	var fired atomic.Bool
	watch := newAlarm(job.Timeout, func() {
		fired.Store(true)
		killGroup(process)
	})
	state, err := process.Wait()
	r.Wall = s.now() - start
	watch.stop()
	if err != nil {
		return r, err
	}
	r.TimedOut = fired.Load()
	r.User, r.System = int64(state.UserTime()), int64(state.SystemTime())
	r.Exit = state.ExitCode()
	r.usage(state)
	r.Leaked = killGroup(process)
	return r, nil
}

// Adopt does nothing: this system has no subreaper.
func Adopt() {}

// Leave ends the services: the processes of others are not known here.
func (s *Starter) Leave() { s.killServices() }

// Abandon kills the running program. Any goroutine may call it.
func (s *Starter) Abandon() {
	s.killServices()
	if p, err := os.FindProcess(int(s.running.Load())); err == nil && p.Pid > 0 {
		killGroup(p)
	}
}
