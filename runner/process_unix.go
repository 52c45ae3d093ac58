//go:build unix

package runner

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// askForStacks makes a Go program print where it stands and end.
func askForStacks(p *os.Process) { _ = p.Signal(syscall.SIGQUIT) } // gone already: then it says nothing

// killTree kills a host with its process group.
func killTree(p *os.Process) { _ = unix.Kill(-p.Pid, unix.SIGKILL) } // gone already: nothing to kill

// killGroup kills what is left of a process group.
func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) } // empty already

// signalName is the signal that ended a process, empty where it ended itself.
func signalName(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}

// ownGroup keeps a Ctrl-C on the terminal from a hook.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
