package spawn

import (
	"errors"
	"os"
)

// askToEnd does nothing: a program without a window takes no such request.
func askToEnd(*os.Process, string) error { return errors.ErrUnsupported }

// Pause does nothing: the system has no such signal.
func (v *Service) Pause() {}

// Continue does nothing.
func (v *Service) Continue() {}

func killService(p *os.Process) { _ = p.Kill() } // gone already

// endedBy is always empty: the system has no signals.
func endedBy(*os.ProcessState) string { return "" }
