//go:build unix

package build

import (
	"os/exec"
	"syscall"

	"example.com/suite/internal/orphan"
)

// grouped makes the end of a context kill a command with everything it has started. Ctrl-C
// on the terminal reaches the command only through the context.
func grouped(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { return orphan.KillGroup(cmd.Process.Pid) }
	}
}

// apart takes the terminal away from a grouped command: reading from it would stop a
// process in the background.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr.Setpgid, cmd.SysProcAttr.Setsid = false, true }

// sweep kills what is left in the group of a grouped command that has ended.
func sweep(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = orphan.KillGroup(cmd.Process.Pid) // fails if the group is empty
	}
}
