package timer

import (
	"encoding/binary"
	"slices"

	"golang.org/x/sys/unix"
)

// OpenEvents opens the named events (metric or kernel names) and gives those
// that do not work here with the reason. It is nil where none works.
//
// Those of the calling thread start at once, so lock it first
// (runtime.LockOSThread). Those of children are complete when the child has
// ended and was waited for, and need the child to be started by this thread or by
// the process of ChildrenOf.
func OpenEvents(names []string, scope Scope) (Events, []Skipped) {
	e, skipped := openEvents(realKernel{pid: int(max(scope-Children, 0))}, names, scope)
	if e == nil {
		return nil, skipped
	}
	return e, skipped
}

// perfEvents are events in groups. One group is read with one system call.
type perfEvents struct {
	kernel  perfKernel
	groups  []*perfGroup
	metrics []string
	cut     []string // metrics of which the kernel's part is left out
}

// perfGroup is a group of events that the kernel counts together or not at all,
// so that their counts belong to the same time.
type perfGroup struct {
	fds    []int // the leader first
	events []Event
	at     []int  // where the counts belong in Metrics
	buf    []byte // an answer of the kernel
	single bool   // an event without a group, and the answer without a number of events
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

// parse reads value, enabled and running of a single event, or number of
// events, enabled, running and a value each of a group.
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
		// Members first: a leader that is closed first leaves them without one.
		for _, fd := range slices.Backward(g.fds) {
			if err := e.kernel.close(fd); err != nil && first == nil {
				first = err
			}
		}
	}
	e.groups = nil
	return first
}

// arrange settles the order of Metrics, that of the table, and the buffers.
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

// inKernel are the events that happen in the kernel: without its part they
// open, and count 0 for ever.
func inKernel(metric string) bool { return metric == "context_switches" || metric == "cpu_migrations" }

// eventAttr is how the kernel knows an event.
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
