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

// apart starts a program as a shell does: in a process group of its own, and with
// no signal ignored, wherever this test was started from.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGTSTP)
}

// signalNamed gives the signals that a script may send.
func signalNamed(name string) os.Signal {
	return map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL,
		"TSTP": syscall.SIGTSTP, "CONT": syscall.SIGCONT}[name]
}

// isStopped asks /proc.
func isStopped(pid int) bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndex(text, []byte(") "))
	return i > 0 && text[i+2] == 'T'
}

// isBlocked asks /proc where the threads of a process wait in the kernel.
func isBlocked(pid int) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/wchan", pid)) // the pattern is right
	return slices.ContainsFunc(files, func(file string) bool {
		text, _ := os.ReadFile(file) // the thread may have ended
		return strings.Contains(string(text), "wait_for_partner")
	})
}

// endedBy is the status that a shell would give a program.
func endedBy(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
