package timer

import (
	"encoding/binary"
	"slices"

	"golang.org/x/sys/unix"
)

// OpenEvents opens the named events (metric or kernel names) and returns the events
// that do not work here with the reason. Events is nil if none works.
//
// Events of the calling thread are counted at once, so lock it first
// (runtime.LockOSThread). Events of children are complete after the child has ended
// and was waited for; only this thread, or the process of ChildrenOf, may start it.
func OpenEvents(names []string, scope Scope) (Events, []Skipped) {
	e, skipped := openEvents(realKernel{pid: int(max(scope-Children, 0))}, names, scope)
	if e == nil {
		return nil, skipped
	}
	return e, skipped
}

// perfEvents contains events in groups. A group is read with one system call.
type perfEvents struct {
	kernel  perfKernel
	groups  []*perfGroup
	metrics []string
	cut     []string // metrics of which the kernel's part is left out
}

// perfGroup is a group of events that the kernel counts together or not at all, so
// that their counts are of the same time.
type perfGroup struct {
	fds    []int // the leader first
	events []Event
	at     []int  // for each event its index in Metrics
	buf    []byte // the kernel's answer
	single bool   // one event without a group: the answer has no number of events
}

func (e *perfEvents) Metrics() []string { return e.metrics }

func (e *perfEvents) userOnly() []string { return e.cut }

func (e *perfEvents) Read(into []Count) bool {
	for _, g := range e.groups {
		if n, err := e.kernel.read(g.fds[0], g.buf); err != nil || n != len(g.buf) || !g.parse(into) {
			return false
		}
	}
	return len(e.groups) > 0
}

// parse reads the kernel's answer: value, enabled and running of a single event, or
// the number of events, enabled, running and the values of a group. It is false if
// the number is not the number of events in the group.
func (g *perfGroup) parse(into []Count) bool {
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(g.buf[8*i:]) }
	if g.single {
		into[g.at[0]] = Count{word(0), word(1), word(2)}
		return true
	}
	for i, at := range g.at {
		into[at] = Count{word(3 + i), word(1), word(2)}
	}
	return word(0) == uint64(len(g.at))
}

func (e *perfEvents) Close() error {
	var first error
	for _, g := range e.groups {
		// Members first, so that none of them ever lacks its leader.
		for _, fd := range slices.Backward(g.fds) {
			if err := e.kernel.close(fd); err != nil && first == nil {
				first = err
			}
		}
	}
	e.groups = nil
	return first
}

// arrange sets Metrics, in the order of AllEvents, and the buffers.
func (e *perfEvents) arrange() {
	open := map[string]bool{}
	for _, g := range e.groups {
		for _, event := range g.events {
			open[event.Metric] = true
		}
	}
	for _, event := range AllEvents() {
		if open[event.Metric] {
			e.metrics = append(e.metrics, event.Metric)
		}
	}
	for _, g := range e.groups {
		g.at = nil
		for _, event := range g.events {
			g.at = append(g.at, slices.Index(e.metrics, event.Metric))
		}
		g.buf = make([]byte, 8*3)
		if !g.single {
			g.buf = make([]byte, 8*(3+len(g.fds)))
		}
	}
}

// inKernel reports whether an event happens in the kernel alone: without the kernel's
// part it opens, and counts 0 for ever.
func inKernel(metric string) bool { return metric == "context_switches" || metric == "cpu_migrations" }

func eventAttr(metric string) unix.PerfEventAttr {
	hardware := func(config uint64) unix.PerfEventAttr {
		return unix.PerfEventAttr{Type: unix.PERF_TYPE_HARDWARE, Config: config}
	}
	software := func(config uint64) unix.PerfEventAttr {
		return unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: config}
	}
	switch metric {
	case "cycles":
		return hardware(unix.PERF_COUNT_HW_CPU_CYCLES)
	case "instructions":
		return hardware(unix.PERF_COUNT_HW_INSTRUCTIONS)
	case "branches":
		return hardware(unix.PERF_COUNT_HW_BRANCH_INSTRUCTIONS)
	case "branch_misses":
		return hardware(unix.PERF_COUNT_HW_BRANCH_MISSES)
	case "cache_references":
		return hardware(unix.PERF_COUNT_HW_CACHE_REFERENCES)
	case "cache_misses":
		return hardware(unix.PERF_COUNT_HW_CACHE_MISSES)
	case "page_faults":
		return software(unix.PERF_COUNT_SW_PAGE_FAULTS)
	case "context_switches":
		return software(unix.PERF_COUNT_SW_CONTEXT_SWITCHES)
	case "cpu_migrations":
		return software(unix.PERF_COUNT_SW_CPU_MIGRATIONS)
	case "task_clock":
		return software(unix.PERF_COUNT_SW_TASK_CLOCK)
	}
	panic("timer: no kernel event for " + metric)
}
