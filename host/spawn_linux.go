package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"example.com/suite/timer"
	"golang.org/x/sys/unix"
)

// spawn starts a program, waits until it ends and reaps it. It uses ForkExec and
// waits on its own thread: os/exec opens files, makes a pipe and hands over to
// another thread inside the timed region, 22 µs at the median here.
func (c *command) spawn(path string, argv []string, stdin, stdout *os.File) (r run, err error) {
	attr := &syscall.ProcAttr{
		Dir: c.Dir, Env: c.env,
		Files: []uintptr{stdin.Fd(), stdout.Fd(), c.stderr.Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	start := c.host.now()
	pid, err := syscall.ForkExec(path, argv, attr)
	if err != nil {
		return r, err
	}
	c.host.running.Store(int64(pid))
	watch := c.watch(pid)
	ended(pid)
	r.wall = c.host.now() - start
	r.timedOut = watch.stop()
	onCPU, wait := schedstat(pid)
	r.reap(pid)
	r.wait = r.ownWait(onCPU, wait)
	c.host.running.Store(0)
	r.leaked = sweep(pid)
	return r, nil
}

// watchdog kills a run that takes too long, with its process group.
type watchdog struct {
	mu            sync.Mutex
	fired, called bool // called off
	timer         *time.Timer
}

func (c *command) watch(pid int) *watchdog {
	w := &watchdog{}
	w.timer = time.AfterFunc(time.Duration(c.Timeout), func() { w.fire(pid) })
	return w
}

// fire kills both, because the run may have gone to another group. Neither
// number can be reused meanwhile: the run is reaped only behind stop.
func (w *watchdog) fire(pid int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.called {
		w.fired = true
		_ = unix.Kill(-pid, unix.SIGKILL) // gone already: then there is nothing to kill
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// stop calls it off, and says whether it was too late for that.
func (w *watchdog) stop() (fired bool) {
	w.timer.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.called = true
	return w.fired
}

// ended waits until a child has ended and leaves it unreaped, so that what the
// kernel knows of it can still be read.
func ended(pid int) {
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// schedstat gives how long the main thread of an unreaped child ran, and how
// long it was ready and had no CPU.
func schedstat(pid int) (onCPU, wait int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return timer.Absent, timer.Absent
	}
	if n, _ := fmt.Sscan(string(text), &onCPU, &wait); n < 2 {
		return timer.Absent, timer.Absent
	}
	return onCPU, wait
}

// ownWait is the wait of the run where its main thread did all of the work.
// That of a tree of processes or threads is unknown: theirs is not in it.
func (r *run) ownWait(onCPU, wait int64) int64 {
	if onCPU == timer.Absent || r.user+r.system > onCPU+onCPU/20+1_000_000 {
		return timer.Absent
	}
	return wait
}

// reap takes the exit status and the resource usage of a child that has ended.
func (r *run) reap(pid int) {
	var status unix.WaitStatus
	var usage unix.Rusage
	for {
		if _, err := unix.Wait4(pid, &status, 0, &usage); err != unix.EINTR {
			break
		}
	}
	r.user, r.system = usage.Utime.Nano(), usage.Stime.Nano()
	r.rss = usage.Maxrss << 10
	r.faults = usage.Minflt + usage.Majflt
	r.voluntary, r.involuntary = usage.Nvcsw, usage.Nivcsw
	r.exit = status.ExitStatus()
	if status.Signaled() {
		r.exit, r.signal = 128+int(status.Signal()), unix.SignalName(status.Signal())
	}
}

// sweep kills and reaps what a run left behind, also what left its process
// group: orphans come to this process, because it is a subreaper. Where
// nothing is left it costs one system call. group is 0 for none. It counts what
// was alive; a process that cannot be killed is given up after a second.
func sweep(group int) (leaked int) {
	killing := false
	for range 1000 {
		child, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case err == unix.EINTR:
		case err != nil: // ECHILD: no child is left
			return leaked
		case child > 0 && killing:
			leaked++
		case child == 0: // some are, and alive
			killing = true
			killChildren(group)
			time.Sleep(time.Millisecond) // until they are dead; not timed
		}
	}
	return leaked
}

// killChildren kills a process group and all children of this process.
func killChildren(group int) {
	if group > 0 {
		_ = unix.Kill(-group, unix.SIGKILL) // empty where everything has left the group
	}
	for _, child := range children() {
		_ = unix.Kill(child, unix.SIGKILL)
	}
}

// children lists the children of this process, those of all its threads.
func children() (pids []int) {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil
	}
	for _, task := range tasks {
		text, err := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// adopt makes orphans of measured commands children of this process.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) } // without it, daemons escape

// abandon kills the running command with all that it started, whoever waits
// for it.
func (h *Host) abandon() {
	if pid := int(h.running.Load()); pid != 0 {
		killChildren(pid)
	}
}

// leave kills what measured code has left running, behind the last request.
func (h *Host) leave() { sweep(int(h.running.Load())) }
