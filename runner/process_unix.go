//go:build unix

package runner

import (
	"os"
	"syscall"

	"example.com/suite/runner/host"
	"golang.org/x/sys/unix"
)

// askForStacks makes a Go program print where it stands and end.
func askForStacks(p *os.Process) { _ = p.Signal(syscall.SIGQUIT) } // gone already: then it says nothing

// killTree kills a host or a hook with its process group and, where that can be
// found out, with all that descends from it.
func killTree(p *os.Process) {
	killBelow(p.Pid)
	_ = unix.Kill(-p.Pid, unix.SIGKILL) // gone already: nothing to kill
}

// killRest kills what a process that has been reaped has left in its group. While
// anything is in it, its number is no other's.
func killRest(p *os.Process) { killGroup(p.Pid) }

// killGroup kills what is left of a process group.
func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) } // empty already

// signalName is the signal that ended a process, empty where it ended itself.
func signalName(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return host.SignalName(status.Signal())
}

// ownSession keeps a Ctrl-C on the terminal, and the terminal itself, from a hook.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
