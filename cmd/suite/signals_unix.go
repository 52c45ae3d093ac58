//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/suite/runner/process"
	"golang.org/x/sys/unix"
)

// more signals that suite handles here: a lost terminal, and Ctrl-Z.
var more = []os.Signal{syscall.SIGHUP, syscall.SIGTSTP}

func isSuspend(sig os.Signal) bool { return sig == syscall.SIGTSTP }

// settle is how long a signal to oneself may take to stop all threads.
const settle = 200 * time.Millisecond

// suspend stops what a run has started, and then this process as Ctrl-Z does: by
// SIGSTOP, because Go gives the default action of SIGTSTP not back. Behind it
// everything goes on, and what was running is marked as disturbed.
func (s *signals) suspend(processes *process.Set, announce func(string)) {
	if orphaned() {
		return // as the system itself does
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
		announce(fmt.Sprintf("stopped for %v, going on; samples that were being taken are left out", pause.Round(time.Millisecond)))
	}
}

// orphaned says that no shell of this terminal is above this process to let it go
// on: its first ancestor in another process group belongs to another session.
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

// parentOf a process, 0 where that is not known: only Linux has /proc.
func parentOf(pid int) (parent int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndex(text, []byte(") "))
	_, _ = fmt.Sscanf(string(text[i+1:]), " %c %d", new(rune), &parent) // the state, and what is wanted
	return parent
}

// raise sends a signal to this process.
func raise(sig os.Signal) {
	_ = syscall.Kill(os.Getpid(), sig.(syscall.Signal)) // it always may
}

// keepWriting lets a write to a closed standard output fail, where the system
// would end the process: the other reports are still to be written. It is caught
// and not ignored, because programs inherit what is ignored.
func keepWriting() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
