//go:build amd64 || arm64

package spawn

import (
	"fmt"

	"example.com/suite/runner/host/spawner"
	"golang.org/x/sys/unix"
)

// place is where a run is started: the CPU plus one, 0 for any, and whether what starts
// it stays there alone (1) or with the run (0).
func (j *Job) place() (cpu, alone int64) {
	switch j.Pin {
	case Pinned:
		cpu, _ = lastCPU() // if there is none, Unpinned has reported it
	case Starting:
		if last, cpus := lastCPU(); cpus > 1 {
			return last, 1
		}
	}
	return cpu, 0
}

// lastCPU is the highest CPU that this process may use, plus one, because the first
// ones serve most of the interrupts; cpus is how many there are, 0 if that is not
// known.
func lastCPU() (cpu int64, cpus int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return 0, 0
	}
	for i := range spawner.MostCPUs {
		if set.IsSet(i) {
			cpu, cpus = int64(i)+1, cpus+1
		}
	}
	return cpu, cpus
}

// Unpinned explains why runs cannot be kept on one CPU, empty if they can.
func (s *Starter) Unpinned() string {
	if s.spawner() == nil {
		return "the process that starts commands could not be started"
	}
	if _, cpus := lastCPU(); cpus == 0 {
		return fmt.Sprintf("the system does not report which CPUs may be used, or has more than %d", spawner.MostCPUs)
	}
	return ""
}
