//go:build unix

package tree

import (
	"os/exec"
	"syscall"
)

// apart makes the end of a context kill a command with all it has started. In a
// session of its own it has no terminal to ask for passwords on.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
