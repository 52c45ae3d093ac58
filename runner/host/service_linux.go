package host

import (
	"os"
	"syscall"
)

// beside keeps a service in a group of its own, and lets it end with this
// process. Requests are answered on the first thread, which lives as long.
func beside() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// sweepService kills what a service has left behind, in whatever group: orphans
// come to this process.
func (h *Host) sweepService(p *os.Process) { sweep(p.Pid) }
