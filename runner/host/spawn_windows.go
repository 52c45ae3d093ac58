package host

import (
	"os"
	"syscall"

	"example.com/suite/timer"
)

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the process itself; what it started lives on.
func killGroup(p *os.Process) int {
	_ = p.Kill() // ended already: then there is nothing to kill
	return 0
}

func (r *run) usage(*os.ProcessState) {
	r.rss, r.faults, r.major = timer.Absent, timer.Absent, timer.Absent
	r.voluntary, r.involuntary = timer.Absent, timer.Absent
}
