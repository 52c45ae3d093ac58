package git

import (
	"os/exec"
	"syscall"
)

// apart keeps Ctrl-C on the terminal from a command. The end of a context kills the
// command; filters that it started end by themselves.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
