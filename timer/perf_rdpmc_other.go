//go:build linux && !amd64

package timer

func openRDPMC() (Counter, error) { return nil, needs("linux", "amd64") }
