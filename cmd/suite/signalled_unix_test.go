//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// apart makes a program start as from a shell: in its own process group, and with no
// signal ignored even if this test was started with some ignored.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGTSTP)
}

// The name has no SIG.
func signalNamed(name string) os.Signal {
	return map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL,
		"TSTP": syscall.SIGTSTP, "CONT": syscall.SIGCONT}[name]
}

// isStopped reports whether a process is stopped. It reads /proc.
func isStopped(pid int) bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndex(text, []byte(") "))
	return i > 0 && text[i+2] == 'T'
}

// isBlocked reports whether a thread of a process waits for the other end of a pipe. It
// reads /proc.
func isBlocked(pid int) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/wchan", pid)) // the pattern is well formed
	return slices.ContainsFunc(files, func(file string) bool {
		text, _ := os.ReadFile(file) // the thread may have ended
		return strings.Contains(string(text), "wait_for_partner")
	})
}

// endedBy is the exit status that a shell would report for a program.
func endedBy(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
