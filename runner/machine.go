package runner

import (
	"runtime"

	"example.com/suite/result"
)

// Fingerprint describes the machine that results come from, as far as it can
// be read here. GOMAXPROCS is that of the hosts, which inherit it.
func Fingerprint() result.Machine {
	m := result.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0)}
	details(&m)
	return m
}
