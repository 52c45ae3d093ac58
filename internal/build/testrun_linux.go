package build

import (
	"os/exec"
	"syscall"
)

// tied makes a command end together with this process, however this process ends: a test
// binary that hangs would outlive it. The kernel watches the thread that starts the
// command, so that thread must not end before.
func tied(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
