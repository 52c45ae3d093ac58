package timer

import "strings"

// Event is something that a performance counter counts.
type Event struct {
	Metric   string // its name as a metric: branch_misses
	Name     string // its name in the kernel's tools: branch-misses
	Unit     string // s, counted in nanoseconds, or empty for counts
	Hardware bool   // needs a performance monitoring unit
	Help     string
}

// AllEvents lists all events in the order in which reports show them.
func AllEvents() []Event {
	return []Event{
		{"cycles", "cycles", "", true, "core cycles"},
		{"instructions", "instructions", "", true, "instructions retired"},
		{"branches", "branches", "", true, "branches retired"},
		{"branch_misses", "branch-misses", "", true, "mispredicted branches"},
		{"cache_references", "cache-references", "", true, "accesses to the last cache"},
		{"cache_misses", "cache-misses", "", true, "misses of the last cache"},
		{"page_faults", "page-faults", "", false, "page faults, minor and major"},
		{"context_switches", "context-switches", "", false, "context switches, voluntary and not"},
		{"cpu_migrations", "cpu-migrations", "", false, "moves to another CPU"},
		{"task_clock", "task-clock", "s", false, "time on a CPU, by the kernel's own count"},
	}
}

// Count is one reading of a counter: its value, and the nanoseconds for which it was
// enabled and for which it was on the hardware.
type Count struct{ Value, Enabled, Running uint64 }

// Since computes the count from before to c. If the counter shared the hardware it is
// scaled up to the whole time and scaled is true; if it was never on the hardware the
// count is Absent.
func (c Count) Since(before Count) (count int64, scaled bool) {
	x, ok, scaled := scale(c.Value-before.Value, c.Enabled-before.Enabled, c.Running-before.Running)
	if !ok {
		return Absent, false
	}
	return x, scaled
}

// Share is the part of the time since before that the counter was on the hardware, in
// [0, 1]; 1 if it does not share the hardware.
func (c Count) Share(before Count) float64 {
	enabled, running := c.Enabled-before.Enabled, c.Running-before.Running
	if running >= enabled {
		return 1
	}
	return float64(running) / float64(enabled)
}

// Events reads performance counters.
type Events interface {
	// Metrics lists the metrics that are counted, in the order of Read.
	Metrics() []string
	// Read stores one count for each metric in into, which has room for all of
	// them. It allocates nothing and returns false if reading failed.
	Read(into []Count) bool
	// Close releases the counters.
	Close() error
}

// UserOnly lists the metrics of events that leave out the kernel, because counting
// there is not permitted, in the order of Metrics.
func UserOnly(events Events) []string {
	if e, ok := events.(interface{ userOnly() []string }); ok {
		return e.userOnly()
	}
	return nil
}

// wanted looks up the events of a list, each once and in the order of AllEvents.
// unknown has the names that are no events.
func wanted(names []string) (events []Event, unknown []Skipped) {
	var known []string
	left := map[string]bool{}
	for _, name := range names {
		left[name] = true
	}
	for _, e := range AllEvents() {
		known = append(known, e.Name)
		if left[e.Name] || left[e.Metric] {
			events = append(events, e)
		}
		delete(left, e.Name)
		delete(left, e.Metric)
	}
	for _, name := range names {
		if left[name] {
			unknown = append(unknown, Skipped{kindEvent, name, "unknown event; known are " + strings.Join(known, ", ")})
			delete(left, name)
		}
	}
	return events, unknown
}

// kindEvent is the kind of events that were skipped.
const kindEvent Kind = "event"

// Scope selects the threads whose events are counted.
type Scope int

// ThisThread is the calling thread. Children are all processes that it starts from now
// on, from their exec on, and the processes that these start.
const (
	ThisThread Scope = iota
	Children
)

// ChildrenOf is the scope of the children of process pid, which has one thread.
func ChildrenOf(pid int) Scope { return Children + Scope(pid) }
