//go:build !linux

package host

import (
	"os"
	"syscall"
)

func beside() *syscall.SysProcAttr { return ownGroup() }

// sweepService kills what a service has left in its group.
func (h *Host) sweepService(p *os.Process) { killService(p) }
