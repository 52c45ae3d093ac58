package timer

import (
	"errors"
	"fmt"
	"runtime"
)

// rdpmcName is the counter that reads cycles and time from the kernel's page,
// without a system call, and its companion clock. readName is the counter that
// makes a system call.
const (
	rdpmcName = "linux-x86-perf-rdpmc-hw-cycles"
	readName  = "linux-x86-perf-read-hw-cycles"
)

// The rows are the same on every system, so that a list written on one system is
// accepted on all. The reason of a subtimer that cannot work names what it needs.

func perfClocks() []Subtimer {
	return []Subtimer{{Name: rdpmcName, Kind: KindClock, openClock: companion,
		Help: "CPU time of the thread, read together with the cycle counter of that name, and only with it"}}
}

// mLib's manual spells the first name in two ways; the other one is an alias.
func perfCounters() []Subtimer {
	const scope = " of the measuring thread; without the kernel if kernel.perf_event_paranoid forbids it"
	return []Subtimer{
		{Name: rdpmcName, Kind: KindCycle, Unit: Cycles, Aliases: []string{"linux-perf-rdpmc-hw-cycles"},
			Help:        "core cycles" + scope + "; read without a system call",
			openCounter: func() (Counter, error) { return openOn("linux", "amd64", openRDPMC) }},
		{Name: readName, Kind: KindCycle, Unit: Cycles, Aliases: []string{"linux-perf-read-hw-cycles"},
			Help:        "core cycles" + scope + "; one system call a reading",
			openCounter: func() (Counter, error) { return openOn("linux", "", openPerfRead) }},
	}
}

// companion opens the clock of a counter that reads time and count in one step.
func companion(c Counter) (Clock, error) {
	if err := needs("linux", "amd64"); err != nil {
		return nil, err
	}
	clock, ok := c.(interface {
		Clock
		timeless() error
	})
	if !ok {
		return nil, errors.New("works only with the cycle counter of the same name: name it in the list of cycle " +
			"counters too")
	}
	if err := clock.timeless(); err != nil {
		return nil, err
	}
	return clock, nil
}

// openOn opens a counter that needs a system and a processor; an empty name means any.
func openOn(goos, goarch string, open func() (Counter, error)) (Counter, error) {
	if err := needs(goos, goarch); err != nil {
		return nil, err
	}
	return open()
}

// needs explains why something for one system and processor cannot work here, nil if
// this is that system and processor. An empty name means any.
func needs(goos, goarch string) error {
	names := map[string]string{"linux": "Linux", "amd64": "an x86 processor (amd64)",
		"arm64": "an Arm processor (arm64)"}
	if goos != "" && goos != runtime.GOOS {
		return fmt.Errorf("needs %s, this is %s", names[goos], runtime.GOOS)
	}
	if goarch != "" && goarch != runtime.GOARCH {
		return fmt.Errorf("needs %s, this is %s", names[goarch], runtime.GOARCH)
	}
	return nil
}

// UserOnlyCounter reports whether a counter leaves out the cycles in the kernel,
// because counting there is not permitted. It is known after Preflight.
func UserOnlyCounter(c Counter) bool {
	cut, ok := c.(interface{ userOnly() bool })
	return ok && cut.userOnly()
}
