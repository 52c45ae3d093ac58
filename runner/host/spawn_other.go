//go:build !linux

package host

import (
	"os"
	"sync/atomic"
	"time"
)

// spawn starts a program, waits until it ends and reaps it.
func (c *command) spawn(path string, argv []string, stdin, stdout *os.File) (r run, err error) {
	r = newRun()
	start := c.host.now()
	process, err := os.StartProcess(path, argv, &os.ProcAttr{
		Dir: c.Dir, Env: c.env, Files: []*os.File{stdin, stdout, c.stderr}, Sys: ownGroup(),
	})
	if err != nil {
		return r, err
	}
	c.host.running.Store(int64(process.Pid))
	defer c.host.running.Store(0)
	var fired atomic.Bool
	watch := newAlarm(time.Duration(c.Timeout), func() {
		fired.Store(true)
		killGroup(process)
	})
	state, err := process.Wait()
	r.wall = c.host.now() - start
	watch.stop()
	if err != nil {
		return r, err
	}
	r.timedOut = fired.Load()
	r.user, r.system = int64(state.UserTime()), int64(state.SystemTime())
	r.exit = state.ExitCode()
	r.usage(state)
	r.leaked = killGroup(process)
	return r, nil
}

// adopt does nothing: this system has no subreaper.
func adopt() {}

// leave does nothing: the processes of others are not known here.
func (h *Host) leave() {}

// abandon kills the running command.
func (h *Host) abandon() {
	if p, err := os.FindProcess(int(h.running.Load())); err == nil && p.Pid > 0 {
		killGroup(p)
	}
}
