//go:build !linux

package process

// watch and look do nothing: only what Pause does is known here.
func (s *Stops) watch() {}
func (s *Stops) look()  {}
