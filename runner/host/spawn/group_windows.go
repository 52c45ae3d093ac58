package spawn

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the process itself; what it started lives on.
func killGroup(p *os.Process) int {
	_ = p.Kill() // ended already: then there is nothing to kill
	return 0
}

// usage stores nothing: what package os returns of a process here is its times alone.
func (r *Run) usage(*os.ProcessState) {}
