package build

import (
	"os/exec"
	"syscall"
)

// tied makes the end of this process that of a command too, however it comes: a
// test binary that hangs would outlive it. The kernel goes by the thread that
// starts the command, which must not end before.
func tied(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
