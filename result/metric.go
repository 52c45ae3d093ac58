package result

// Direction is the direction of improvement of a metric.
type Direction string

// Lower is better for times and memory, higher for rates.
const (
	Lower  Direction = "lower"
	Higher Direction = "higher"
)

// Metric is one row of the metric table, from which schema, docs, gates and reports
// are made.
type Metric struct {
	Name      string
	Unit      string // s, B, 1/s, or empty for counts
	Direction Direction
	Exact     bool   // compared without statistics, unless it was seen to vary
	Kinds     []Kind // of cases that have it
	Sampled   bool   // one number per sample; other metrics come from a separate pass
	When      string // on which systems it is available, in words
	Help      string
	// OptIn is the line of YAML that asks for the metric. If it is empty, every case
	// of these kinds has the metric.
	OptIn string
}

var (
	everyKind    = []Kind{KindGo, KindCommand, KindShell, KindGoTest}
	allKinds     = []Kind{KindGo, KindCommand, KindShell}
	heapKinds    = []Kind{KindGo, KindGoTest}
	processKinds = []Kind{KindCommand, KindShell, KindGoTest}
	goKinds      = []Kind{KindGo}
	commandKinds = []Kind{KindCommand, KindShell}
	everywhere   = "everywhere"
	unixOnly     = "Unix"
	linuxOnly    = "Linux"
	ownCgroup    = "Linux, where suite may make a control group (cgroup v2)"
	withCounter  = "where the machine has such a counter"
)

// Metrics returns the metric table, in the order of reports.
func Metrics() []Metric {
	return []Metric{
		{"time", "s", Lower, false, everyKind, true, everywhere, "time of one unit of work by the clock that the suite chose (default wall)", ""},
		{"throughput", "1/s", Higher, false, everyKind, true, everywhere, "units of work per second: 1 / time", ""},
		{"wall", "s", Lower, false, allKinds, true, everywhere, "wall-clock time of one unit of work", ""},
		{"cpu", "s", Lower, false, allKinds, true, everywhere, "user and system time of the whole process, per unit of work", ""},
		{"thread_cpu", "s", Lower, false, goKinds, true, "Linux, loops locked to their thread", "CPU time of the measuring thread, per unit of work", ""},
		{"ticks", "", Lower, false, goKinds, true, withCounter, "ticks of the time stamp counter for one unit of work", `timer: "cycle=x86-rdtscp"`},
		{"cycles", "", Lower, false, allKinds, true, withCounter, "cycles of the core for one unit of work", "counters: [cycles]"},
		{"user", "s", Lower, false, processKinds, true, everywhere, "user time of a run; the split from system time is rough", ""},
		{"system", "s", Lower, false, processKinds, true, everywhere, "system time of a run", ""},
		{"wait", "s", Lower, false, allKinds, true, linuxOnly, "time a sample spent waiting for a CPU", ""},
		{"rss", "B", Lower, false, processKinds, true, unixOnly, "peak memory of a run; never below the floor that the report states", ""},
		{"faults", "", Lower, false, processKinds, true, unixOnly, "page faults of a run, minor and major", ""},
		{"major_faults", "", Lower, false, processKinds, true, unixOnly, "page faults of a run that had to wait for a disk", ""},
		{"read_bytes", "B", Lower, false, processKinds, true, linuxOnly, "bytes that a run read by system calls, from any file, pipe or cache", ""},
		{"written_bytes", "B", Lower, false, processKinds, true, linuxOnly, "bytes that a run wrote by system calls", ""},
		{"tree_cpu", "s", Lower, false, commandKinds, true, ownCgroup, "CPU time of a run with all that it started, also what nobody waited for", ""},
		{"tree_wait", "s", Lower, false, commandKinds, true, ownCgroup, "time in which a run, some process of it or what started it was ready and waited for a CPU", ""},
		{"tree_memory", "B", Lower, false, commandKinds, true, ownCgroup + " with the memory controller", "peak memory of all processes of a run together, with the files that it read into the cache", ""},
		{"switches", "", Lower, false, everyKind, true, unixOnly, "involuntary context switches of a sample", ""},
		{"voluntary", "", Lower, false, everyKind, true, unixOnly, "voluntary context switches of a sample: it waited for something", ""},
		{"instructions", "", Lower, false, allKinds, true, withCounter, "instructions retired for one unit of work", "counters: [instructions]"},
		{"branches", "", Lower, false, allKinds, true, withCounter, "branches retired for one unit of work", "counters: [branches]"},
		{"branch_misses", "", Lower, false, allKinds, true, withCounter, "mispredicted branches for one unit of work", "counters: [branch-misses]"},
		{"cache_references", "", Lower, false, allKinds, true, withCounter, "accesses to the last cache for one unit of work", "counters: [cache-references]"},
		{"cache_misses", "", Lower, false, allKinds, true, withCounter, "misses of the last cache for one unit of work", "counters: [cache-misses]"},
		{"page_faults", "", Lower, false, allKinds, true, withCounter, "page faults for one unit of work, minor and major", "counters: [page-faults]"},
		{"context_switches", "", Lower, false, allKinds, true, withCounter, "context switches for one unit of work", "counters: [context-switches]"},
		{"cpu_migrations", "", Lower, false, allKinds, true, withCounter, "moves to another CPU for one unit of work", "counters: [cpu-migrations]"},
		{"task_clock", "s", Lower, false, allKinds, true, withCounter, "time on a CPU for one unit of work, by the kernel's own count", "counters: [task-clock]"},
		{"void", "", Lower, false, allKinds, true, "with bodies that reject", "iterations of a sample that were declared void and left out", ""},
		{"exit_code", "", Lower, true, commandKinds, true, everywhere, "exit status of a run", ""},
		{"allocs", "", Lower, true, heapKinds, false, everywhere, "heap allocations of one iteration, counted in a pass of their own", ""},
		{"heap", "B", Lower, true, heapKinds, false, everywhere, "bytes allocated on the heap by one iteration", ""},
	}
}

func FindMetric(name string) (Metric, bool) {
	for _, m := range Metrics() {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}
