package timer

import "strings"

// Event is something that a performance counter counts, the name as a metric
// and as the kernel's tools write it.
type Event struct {
	Metric   string // branch_misses
	Name     string // branch-misses
	Unit     string // s, counted in nanoseconds, or empty for counts
	Hardware bool   // needs a performance monitoring unit
	Help     string
}

// AllEvents lists the events in the order in which reports show them.
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

// Count is one reading of a counter: what it counted and how much of the time,
// nanoseconds, it was on the hardware.
type Count struct{ Value, Enabled, Running uint64 }

// Since is what was counted from before to c, scaled up where the counter shared
// the hardware, and Absent where it never was on it.
func (c Count) Since(before Count) (count int64, scaled bool) {
	x, ok, scaled := scale(c.Value-before.Value, c.Enabled-before.Enabled, c.Running-before.Running)
	if !ok {
		return Absent, false
	}
	return x, scaled
}

// Share is the part of the time since before that the counter was on the
// hardware, 0 to 1; 1 for one that shares it with nobody.
func (c Count) Share(before Count) float64 {
	enabled, running := c.Enabled-before.Enabled, c.Running-before.Running
	if running >= enabled {
		return 1
	}
	return float64(running) / float64(enabled)
}

// Events reads performance counters.
type Events interface {
	// Metrics names what is counted, in the order of Read.
	Metrics() []string
	// Read stores one count for each metric; into holds as many. It allocates
	// nothing and is false where reading has failed.
	Read(into []Count) bool
	// Close gives the counters back.
	Close() error
}

// UserOnly names the metrics of which events count only what happened outside
// the kernel, because no more is permitted, in the order of Metrics.
func UserOnly(events Events) []string {
	if e, ok := events.(interface{ userOnly() []string }); ok {
		return e.userOnly()
	}
	return nil
}

// wanted finds the events of a list, each once and in the order of the table,
// and the names that nobody knows.
func wanted(names []string) (events []Event, unknown []Skipped) {
	var known []string
	asked := map[string]bool{}
	for _, name := range names {
		asked[name] = true
	}
	for _, e := range AllEvents() {
		known = append(known, e.Name)
		if asked[e.Name] || asked[e.Metric] {
			events = append(events, e)
		}
		delete(asked, e.Name)
		delete(asked, e.Metric)
	}
	for _, name := range names {
		if asked[name] {
			unknown = append(unknown, Skipped{kindEvent, name, "unknown event; known are " + strings.Join(known, ", ")})
			delete(asked, name)
		}
	}
	return events, unknown
}

// kindEvent is the kind of events that were passed over.
const kindEvent Kind = "event"

// Scope says whose events are counted.
type Scope int

// Those of the calling thread, or of all processes that it starts from now on,
// from their exec on, with what they start themselves.
const (
	ThisThread Scope = iota
	Children
)

// ChildrenOf is Children of another process, which has one thread.
func ChildrenOf(pid int) Scope { return Children + Scope(pid) }
