//go:build !linux

package timer

func openRDPMC() (Counter, error) { return nil, needs("linux", "amd64") }

func openPerfRead() (Counter, error) { return nil, needs("linux", "") }
