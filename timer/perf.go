package timer

import (
	"errors"
	"fmt"
	"runtime"
)

// rdpmcName is the counter that reads cycles and time from the kernel's page,
// without a system call, and the clock that goes with it. readName is the one
// that asks the kernel.
const (
	rdpmcName = "linux-x86-perf-rdpmc-hw-cycles"
	readName  = "linux-x86-perf-read-hw-cycles"
)

// The rows are the same on every system, so that a list written on one of them
// is understood on all; where a subtimer cannot work its reason says what it needs.

func perfClocks() []Subtimer {
	return []Subtimer{{Name: rdpmcName, Kind: KindClock, openClock: companion,
		Help: "CPU time of the thread, read together with the cycle counter of that name and only beside it"}}
}

// mLib's page spells the two names in two ways; the other one is an alias.
func perfCounters() []Subtimer {
	const scope = " of the measuring thread; without those in the kernel where kernel.perf_event_paranoid forbids them"
	return []Subtimer{
		{Name: rdpmcName, Kind: KindCycle, Unit: Cycles, Aliases: []string{"linux-perf-rdpmc-hw-cycles"},
			Help:        "core cycles" + scope + "; read without a system call",
			openCounter: func() (Counter, error) { return openOn("linux", "amd64", openRDPMC) }},
		{Name: readName, Kind: KindCycle, Unit: Cycles, Aliases: []string{"linux-perf-read-hw-cycles"},
			Help:        "core cycles" + scope + "; one system call a reading",
			openCounter: func() (Counter, error) { return openOn("linux", "", openPerfRead) }},
	}
}

// companion is the clock of a counter that reads time and count in one step.
func companion(c Counter) (Clock, error) {
	if err := needs("linux", "amd64"); err != nil {
		return nil, err
	}
	clock, ok := c.(interface {
		Clock
		timeless() error
	})
	if !ok {
		return nil, errors.New("works only beside the cycle counter of the same name: name it in the list of cycle counters too")
	}
	if err := clock.timeless(); err != nil {
		return nil, err
	}
	return clock, nil
}

// openOn opens a counter that needs a system and a processor; empty is any.
func openOn(goos, goarch string, open func() (Counter, error)) (Counter, error) {
	if err := needs(goos, goarch); err != nil {
		return nil, err
	}
	return open()
}

// needs is the reason why something for one system or processor cannot work here.
func needs(goos, goarch string) error {
	names := map[string]string{"linux": "Linux", "amd64": "an x86 processor (amd64)", "arm64": "an Arm processor (arm64)"}
	if goos != "" && goos != runtime.GOOS {
		return fmt.Errorf("needs %s, this is %s", names[goos], runtime.GOOS)
	}
	if goarch != "" && goarch != runtime.GOARCH {
		return fmt.Errorf("needs %s, this is %s", names[goarch], runtime.GOARCH)
	}
	return nil
}

// UserOnlyCounter says that a counter of cycles leaves out those in the kernel,
// because no more is permitted. It is settled by Preflight.
func UserOnlyCounter(c Counter) bool {
	cut, ok := c.(interface{ userOnly() bool })
	return ok && cut.userOnly()
}
