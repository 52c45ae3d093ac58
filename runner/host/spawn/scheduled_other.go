//go:build !linux

package spawn

import "example.com/suite/timer"

// Scheduled is not known here.
func (v *Service) Scheduled() Scheduled {
	return Scheduled{timer.Absent, timer.Absent, timer.Absent}
}
