//go:build unix

package process

import (
	"os"
	"syscall"

	"example.com/suite/internal/orphan"
	"example.com/suite/runner/host/wire"
)

// AskForStacks makes a Go program print the stacks of its goroutines and end.
func AskForStacks(p *os.Process) { _ = p.Signal(syscall.SIGQUIT) } // gone already: then it prints nothing

// KillTree kills a host or a hook with its process group and, if the system can list
// them, all its descendants.
func KillTree(p *os.Process) {
	killBelow(p.Pid)
	_ = orphan.KillGroup(p.Pid) // gone already: nothing to kill
}

// KillRest kills what a process that has been reaped has left in its process group.
func KillRest(p *os.Process) { _ = orphan.KillGroup(p.Pid) } // empty already

// SignalName is the signal that ended a process, empty if it ended by itself.
func SignalName(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return wire.SignalName(status.Signal())
}

// OwnSession starts a hook in a session of its own, so that neither a Ctrl-C on the
// terminal nor the terminal itself reaches it.
func OwnSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
