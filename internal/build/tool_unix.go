//go:build unix

package build

import (
	"os/exec"
	"syscall"
)

// grouped makes the end of a context kill a command with all it has started.
// A Ctrl-C on the terminal reaches it through the context alone.
func grouped(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	}
}

// apart takes the terminal from a grouped command: reading from it would stop a
// process that is not in the foreground.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr.Setpgid, cmd.SysProcAttr.Setsid = false, true }

// sweep kills what a grouped command that has ended has left in its group. While
// anything is in it, its number is no other's.
func sweep(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // mostly there is nothing
	}
}
