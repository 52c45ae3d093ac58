//go:build unix

package signals

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/runner/process"
	"golang.org/x/sys/unix"
)

// more is the signals that suite handles on Unix only: a lost terminal and Ctrl-Z.
var more = []os.Signal{syscall.SIGHUP, syscall.SIGTSTP}

func isSuspend(sig os.Signal) bool { return sig == syscall.SIGTSTP }

// settle is longer than SIGSTOP takes to stop all threads of this process.
const settle = 200 * time.Millisecond

// suspend stops the processes of a run and then this one, as Ctrl-Z does. It uses SIGSTOP,
// because Go cannot restore the default action of SIGTSTP. After SIGCONT the processes go
// on, and samples that were being taken are marked as disturbed.
func (s *Signals) suspend(processes *process.Set, announce func(string)) {
	if orphaned() {
		return // the kernel also ignores SIGTSTP then: nobody could continue the process
	}
	if processes != nil {
		processes.Pause()
	}
	goOn := make(chan os.Signal, 1)
	signal.Notify(goOn, syscall.SIGCONT)
	raise(syscall.SIGSTOP)
	select {
	case <-goOn:
	case <-time.After(settle):
	}
	signal.Stop(goOn)
	if processes != nil {
		pause := processes.Resume()
		announce(fmt.Sprintf("stopped for %s, going on; samples that were being taken are left out",
			units.ShortTime(pause.Seconds())))
	}
}

// orphaned reports whether no shell of this terminal could continue this process: its
// first ancestor in another process group belongs to another session.
func orphaned() bool {
	group, session := syscall.Getpgrp(), sessionOf(0)
	for pid := os.Getppid(); pid > 1; pid = parentOf(pid) {
		if g, err := syscall.Getpgid(pid); err != nil || g != group {
			return err != nil || sessionOf(pid) != session
		}
	}
	return true
}

func sessionOf(pid int) int {
	session, err := unix.Getsid(pid)
	if err != nil {
		return -1
	}
	return session
}

// The parent is 0 if it is not known: only Linux has /proc.
func parentOf(pid int) (parent int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndex(text, []byte(") "))
	_, _ = fmt.Sscanf(string(text[i+1:]), " %c %d", new(rune), &parent) // the first field is the state
	return parent
}

// raise sends a signal to this process.
func raise(sig os.Signal) {
	_ = syscall.Kill(os.Getpid(), sig.(syscall.Signal)) // a process may always signal itself
}

// KeepWriting makes a write to a closed standard output return an error. Without it
// SIGPIPE would end the process, and the other reports would not be written. The signal is
// caught and not ignored, because programs inherit ignored signals.
func KeepWriting() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
