package spawn

import (
	"os"
	"syscall"
)

// serviceGroup keeps a service in a group of its own, and ends it with this process: the
// signal is sent when the starting thread ends, here the first thread, which answers
// requests and lives as long as the process.
func serviceGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// sweepService kills the processes that outlive a service, in whatever group: orphans
// become children of this process.
func (s *Starter) sweepService(p *os.Process) { s.sweep(p.Pid) }
