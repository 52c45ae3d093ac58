package spawn

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"example.com/suite/internal/orphan"
	"example.com/suite/runner/host/spawner"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
	"golang.org/x/sys/unix"
)

// Run starts a program, waits until it ends and reaps it.
func (s *Starter) Run(job *Job) (Run, error) {
	r, ok, err := s.bySpawner(job)
	if !ok {
		r, err = s.fork(job)
	}
	return r, err
}

// fork is Run without a spawner: every child starts with the peak memory of this
// process. It uses ForkExec and waits on its own thread, because os/exec opens files,
// makes a pipe and hands over to another thread between the two readings of the clock:
// 22 µs at the median.
func (s *Starter) fork(job *Job) (r Run, err error) {
	attr := &syscall.ProcAttr{
		Dir: job.Dir, Env: job.Env,
		Files: []uintptr{job.Stdin.Fd(), job.Stdout.Fd(), job.Stderr.Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	r = NewRun()
	start := s.now()
	pid, err := syscall.ForkExec(job.Path, job.Argv, attr)
	if err != nil {
		return r, err
	}
	s.running.Store(int64(pid))
	watch := newWatchdog(pid, job.Timeout)
	r.Stopped = ended(pid)
	r.Wall = s.now() - start
	r.TimedOut = watch.stop()
	onCPU, wait := schedstat(pid)
	r.Read, r.Written = processIO(pid)
	r.reap(pid)
	r.Wait = r.ownWait(onCPU, wait)
	s.running.Store(0)
	r.Left, r.Leaked = s.sweep(pid)
	return r, nil
}

// watchdog kills a run that takes too long, with its process group.
type watchdog struct {
	mu             sync.Mutex
	fired, stopped bool
	alarm          *alarm
}

func newWatchdog(pid int, timeout time.Duration) *watchdog {
	w := &watchdog{}
	w.alarm = newAlarm(timeout, func() { w.fire(pid) })
	return w
}

// fire kills both the run and its process group, because the run may have gone to
// another group. Neither number can be reused meanwhile: the run is reaped only
// after stop.
func (w *watchdog) fire(pid int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.fired = true
		_ = orphan.KillGroup(pid) // gone already: then there is nothing to kill
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// stop calls the watchdog off, and reports whether it has fired already.
func (w *watchdog) stop() (fired bool) {
	w.alarm.stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	return w.fired
}

// Codes of a Siginfo about a child (asm-generic/siginfo.h).
const (
	childStopped   = 5
	childContinued = 6
)

// ended waits until a child has ended and leaves it unreaped, so that what the
// kernel knows of it can still be read. It returns how long the child was stopped
// by signals, ns: at least 1 if it was, else 0.
func ended(pid int) (stopped int64) {
	const changes = unix.WSTOPPED | unix.WCONTINUED
	var since time.Time
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|changes|unix.WNOWAIT, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil, info.Code != childStopped && info.Code != childContinued:
			return stopped + lasted(since)
		}
		info = unix.Siginfo{}
		// consumes the change; a newer one replaces it
		_ = unix.Waitid(unix.P_PID, pid, &info, changes|unix.WNOHANG, nil)
		switch info.Code {
		case childStopped:
			since = time.Now()
		case childContinued:
			stopped, since = stopped+max(lasted(since), 1), time.Time{}
		}
	}
}

// lasted is how long a stop has lasted, 0 for none.
func lasted(since time.Time) int64 {
	if since.IsZero() {
		return 0
	}
	return int64(time.Since(since))
}

// schedstat reads how long the main thread of an unreaped child ran, and how long it
// was ready and had no CPU.
func schedstat(pid int) (onCPU, wait int64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid)) // without it, absent
	return parseSchedstat(string(text))
}

func parseSchedstat(text string) (onCPU, wait int64) {
	if n, _ := fmt.Sscan(text, &onCPU, &wait); n < 2 {
		return timer.Absent, timer.Absent
	}
	return onCPU, wait
}

// processIO reads how many bytes an unreaped child, and the children that it waited
// for, have read and written by system calls.
func processIO(pid int) (read, written int64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid)) // without it, absent
	return parseIO(string(text))
}

func parseIO(text string) (read, written int64) {
	if n, _ := fmt.Sscanf(text, "rchar: %d\nwchar: %d\n", &read, &written); n < 2 {
		return timer.Absent, timer.Absent
	}
	return read, written
}

// ownWait is the wait of the run if its main thread did all of the work. The wait of a
// run with more threads or processes is unknown, because wait does not include theirs.
func (r *Run) ownWait(onCPU, wait int64) int64 {
	if onCPU == timer.Absent || r.User+r.System > onCPU+onCPU/20+1_000_000 {
		return timer.Absent
	}
	return wait
}

// reap takes the exit status and the resource usage of a child that has ended.
func (r *Run) reap(pid int) {
	var status unix.WaitStatus
	var usage unix.Rusage
	for {
		if _, err := unix.Wait4(pid, &status, 0, &usage); err != unix.EINTR {
			break
		}
	}
	r.ended(status, &usage)
}

// ended stores what the kernel reports of a child that has ended.
func (r *Run) ended(status unix.WaitStatus, usage *unix.Rusage) {
	r.User, r.System = usage.Utime.Nano(), usage.Stime.Nano()
	r.RSS = usage.Maxrss << 10
	r.Faults, r.MajorFaults = usage.Minflt+usage.Majflt, usage.Majflt
	r.Voluntary, r.Involuntary = usage.Nvcsw, usage.Nivcsw
	r.Exit = status.ExitStatus()
	if status.Signaled() {
		r.Exit, r.Signal = 128+int(status.Signal()), wire.SignalName(status.Signal())
	}
}

// sweep kills and reaps the processes that outlive a run, also those that left its
// process group: orphans become children of this process, because it is a
// subreaper. If there are none it costs one system call. Services go on. group is 0 for
// none. It counts the processes that were alive and names the first of them; it gives up
// after a second, because some processes cannot be killed.
func (s *Starter) sweep(group int) (left []string, leaked int) {
	killing := false
	for range 1000 {
		child, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case err == unix.EINTR:
		case err != nil: // ECHILD: no child is left
			return left, leaked
		case child > 0 && killing:
			leaked++
		case child == 0: // some are left, and alive
			if len(s.strays()) == 0 {
				return left, leaked
			}
			if !killing {
				time.Sleep(time.Millisecond) // one that was forked last may be on its way to exec
				left = commandLines(s.strays())
			}
			killing = true
			s.killStrays(group)
			time.Sleep(time.Millisecond) // until they are dead; not timed
		}
	}
	return left, leaked
}

// killStrays kills a process group and all children of this process but its services.
func (s *Starter) killStrays(group int) {
	if group > 0 {
		_ = orphan.KillGroup(group) // the group may be empty
	}
	for _, child := range s.strays() {
		_ = unix.Kill(child, unix.SIGKILL)
	}
}

// strays lists the children of this process that are neither services nor the spawner.
func (s *Starter) strays() []int {
	spawner := s.spawning.Load().process()
	return slices.DeleteFunc(children(), func(pid int) bool {
		_, serves := s.services.Load(pid)
		return serves || pid == spawner
	})
}

// children lists the children of all threads of this process.
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

// commandLines reads the command lines of the first few processes, each word with a
// zero after it, or the kernel's name of a process without one.
func commandLines(pids []int) (lines []string) {
	for _, pid := range pids[:min(len(pids), spawner.MostLeft)] {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
		if len(text) == 0 {
			text, _ = os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		}
		if len(text) > 0 {
			lines = append(lines, string(text))
		}
	}
	return lines
}

// Adopt makes orphans of measured programs children of this process.
func Adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) } // without it, daemons escape

// Abandon kills the running program with all that it has started. Any goroutine may call
// it.
func (s *Starter) Abandon() {
	s.spawning.Load().abandon()
	s.killServices()
	if pid := int(s.running.Load()); pid != 0 {
		s.killStrays(pid)
	}
}

// Leave ends the spawner and kills what measured code has left running, after the last
// run.
func (s *Starter) Leave() {
	s.spawning.Swap(nil).close()
	s.killServices()
	s.services.Clear()
	s.sweep(int(s.running.Load()))
}
