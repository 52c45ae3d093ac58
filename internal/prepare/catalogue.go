package prepare

import (
	"example.com/suite/internal/benchcase"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// Catalogue returns what names in a suite file may refer to, apart from what hosts
// register and report. lookup has the environment. Hosts of suite's own functions are
// this same program, so its registry is theirs. Offline, no host will be asked.
func Catalogue(lookup func(string) (string, bool), offline bool) spec.Catalogue {
	return spec.Catalogue{Clocks: timer.Names(timer.KindClock), Cycles: timer.Names(timer.KindCycle),
		Counters: counters(), Offline: offline,
		Env: lookup, Registered: benchcase.Names}
}

// Catalogue is Catalogue with the functions and benchmarks of programs that the hosts build.
func (h *Hosts) Catalogue(lookup func(string) (string, bool), offline bool) spec.Catalogue {
	all := Catalogue(lookup, offline)
	all.Build = h.Functions
	all.GoTests = h.GoTests
	all.Harness = h.Harness
	return all
}

// counters lists the names of all events, as the kernel writes them and as metrics.
func counters() (names []string) {
	for _, event := range timer.AllEvents() {
		names = append(names, event.Name)
		if event.Metric != event.Name {
			names = append(names, event.Metric)
		}
	}
	return names
}
