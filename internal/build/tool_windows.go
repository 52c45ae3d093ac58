package build

import (
	"os/exec"
	"syscall"
)

// grouped keeps Ctrl-C on the terminal from a command. The end of a context kills the
// command; compilers that it has started end by themselves.
func grouped(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// apart does nothing: a command of another group cannot lose the console.
func apart(*exec.Cmd) {}

// sweep does nothing: a group is not a job, so processes cannot be found after their parent
// has ended.
func sweep(*exec.Cmd) {}
