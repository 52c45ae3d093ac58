//go:build unix

package spawn

import (
	"fmt"
	"os"
	"syscall"

	"example.com/suite/internal/orphan"
	"example.com/suite/runner/host/wire"
	"golang.org/x/sys/unix"
)

// askToEnd sends a signal to a service and to all of its group.
func askToEnd(p *os.Process, name string) error {
	signal := unix.SignalNum(name)
	if signal == 0 {
		return fmt.Errorf("unknown signal %q", name)
	}
	return unix.Kill(-p.Pid, signal)
}

// Pause stops the service, with its group, until Continue.
func (v *Service) Pause() { _ = unix.Kill(-v.cmd.Process.Pid, unix.SIGSTOP) } // gone already

// Continue lets a service go on that was stopped.
func (v *Service) Continue() { _ = unix.Kill(-v.cmd.Process.Pid, unix.SIGCONT) } // gone already

func killService(p *os.Process) { _ = orphan.KillGroup(p.Pid) } // gone already

// endedBy is the signal that ended a process, empty if it ended itself.
func endedBy(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return wire.SignalName(status.Signal())
	}
	return ""
}
