//go:build !linux

package runner

// watch and look do nothing: only what Pause does is known here.
func (s *stops) watch() {}
func (s *stops) look()  {}
