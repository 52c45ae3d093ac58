//go:build !linux

package spawn

import (
	"os"
	"syscall"
)

func serviceGroup() *syscall.SysProcAttr { return ownGroup() }

// sweepService kills what a service has left in its group.
func (s *Starter) sweepService(p *os.Process) { killService(p) }
