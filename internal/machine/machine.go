// Package machine describes the machine that results come from.
package machine

import (
	"runtime"

	"example.com/suite/result"
)

// Fingerprint reads what can be known about this machine. GOMAXPROCS is the value that
// the hosts inherit.
func Fingerprint() result.Machine {
	m := result.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(),
		GOMAXPROCS: runtime.GOMAXPROCS(0)}
	details(&m)
	return m
}
