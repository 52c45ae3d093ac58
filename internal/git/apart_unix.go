//go:build unix

package git

import (
	"os/exec"
	"syscall"

	"example.com/suite/internal/orphan"
)

// apart makes the end of a context kill a command and everything that it started. The
// command gets a session of its own, so it has no terminal on which it could ask for a
// password.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return orphan.KillGroup(cmd.Process.Pid) }
}
