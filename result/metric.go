package result

import (
	"regexp"
	"strings"
)

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
	Counted   bool   // one number for each run in which valgrind counts, see Case.Counted
	PerWork   bool   // of one unit of work; others are of a whole sample, run or iteration
	// OfMeasuring metrics describe the measurement and not the code. Output that other
	// programs read leaves them out.
	OfMeasuring bool
	When        string // on which systems it is available, in words
	Help        string
	// OptIn is the line of YAML that asks for the metric. If it is empty, every case
	// of these kinds has the metric.
	OptIn string
	// Quantile is above 0 for percentiles of single iterations: the value is the one of all
	// iterations of the case, from its histogram, and a sample is the one of a stretch of
	// them. 1 is the slowest iteration.
	Quantile float64
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
	latencyOn    = "latency: true"
	withCounter  = "where the machine has such a counter"
)

// Metrics returns the metric table, in the order of reports. Nobody may change it.
func Metrics() []Metric { return metricTable[:len(metricTable):len(metricTable)] }

// metricTable is made once, because a report looks metrics up for each case and column.
var metricTable = []Metric{
	{Name: "time", Unit: "s", Direction: Lower, Kinds: everyKind, When: everywhere, Sampled: true, PerWork: true,
		Help: "time of one unit of work by the clock that the suite chose (default wall)"},
	{Name: "throughput", Unit: "1/s", Direction: Higher, Kinds: everyKind, When: everywhere, Sampled: true,
		Help: "units of work per second: 1 / time"},
	{Name: "wall", Unit: "s", Direction: Lower, Kinds: allKinds, When: everywhere, Sampled: true, PerWork: true,
		Help: "wall-clock time of one unit of work"},
	{Name: "cpu", Unit: "s", Direction: Lower, Kinds: allKinds, When: everywhere, Sampled: true, PerWork: true,
		Help: "user and system time of the whole process, per unit of work"},
	{Name: "thread_cpu", Unit: "s", Direction: Lower, Kinds: goKinds, When: "Linux, loops locked to their thread",
		Sampled:     true,
		PerWork:     true,
		OfMeasuring: true,
		Help:        "CPU time of the measuring thread, per unit of work"},
	{Name: "ticks", Direction: Lower, Kinds: goKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: `timer: "cycle=x86-rdtscp"`,
		Help:  "ticks of the time stamp counter for one unit of work"},
	{Name: "cycles", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [cycles]",
		Help:  "cycles of the core for one unit of work"},
	{Name: "user", Unit: "s", Direction: Lower, Kinds: processKinds, When: everywhere, Sampled: true,
		Help: "user time of a run; the split from system time is rough"},
	{Name: "system", Unit: "s", Direction: Lower, Kinds: processKinds, When: everywhere, Sampled: true,
		Help: "system time of a run"},
	{Name: "wait", Unit: "s", Direction: Lower, Kinds: everyKind, When: linuxOnly, Sampled: true, OfMeasuring: true,
		Help: "time a sample spent waiting for a CPU"},
	{Name: "rss", Unit: "B", Direction: Lower, Kinds: processKinds, When: unixOnly, Sampled: true,
		Help: "peak memory of a run; never below the floor that the report states"},
	{Name: "faults", Direction: Lower, Kinds: processKinds, When: unixOnly, Sampled: true,
		Help: "page faults of a run, minor and major"},
	{Name: "major_faults", Direction: Lower, Kinds: processKinds, When: unixOnly, Sampled: true,
		Help: "page faults of a run that had to wait for a disk"},
	{Name: "read_bytes", Unit: "B", Direction: Lower, Kinds: processKinds, When: linuxOnly, Sampled: true,
		Help: "bytes that a run read by system calls, from any file, pipe or cache"},
	{Name: "written_bytes", Unit: "B", Direction: Lower, Kinds: processKinds, When: linuxOnly, Sampled: true,
		Help: "bytes that a run wrote by system calls"},
	{Name: "tree_cpu", Unit: "s", Direction: Lower, Kinds: commandKinds, When: ownCgroup, Sampled: true,
		Help: "CPU time of a run with all that it started, also what nobody waited for"},
	{Name: "tree_wait", Unit: "s", Direction: Lower, Kinds: commandKinds, When: ownCgroup, Sampled: true,
		OfMeasuring: true,
		Help:        "time in which a run, some process of it or what started it was ready and waited for a CPU"},
	{Name: "tree_memory", Unit: "B", Direction: Lower, Kinds: commandKinds,
		When:    ownCgroup + " with the memory controller",
		Sampled: true,
		Help:    "peak memory of all processes of a run together, with the files that it read into the cache"},
	{Name: "switches", Direction: Lower, Kinds: everyKind, When: unixOnly, Sampled: true, OfMeasuring: true,
		Help: "involuntary context switches of a sample"},
	{Name: "voluntary", Direction: Lower, Kinds: everyKind, When: unixOnly, Sampled: true, OfMeasuring: true,
		Help: "voluntary context switches of a sample: it waited for something"},
	{Name: "instructions", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [instructions]",
		Help:  "instructions retired for one unit of work"},
	{Name: "branches", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [branches]",
		Help:  "branches retired for one unit of work"},
	{Name: "branch_misses", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [branch-misses]",
		Help:  "mispredicted branches for one unit of work"},
	{Name: "cache_references", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [cache-references]",
		Help:  "accesses to the last cache for one unit of work"},
	{Name: "cache_misses", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [cache-misses]",
		Help:  "misses of the last cache for one unit of work"},
	{Name: "page_faults", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [page-faults]",
		Help:  "page faults for one unit of work, minor and major"},
	{Name: "context_switches", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [context-switches]",
		Help:  "context switches for one unit of work"},
	{Name: "cpu_migrations", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [cpu-migrations]",
		Help:  "moves to another CPU for one unit of work"},
	{Name: "task_clock", Unit: "s", Direction: Lower, Kinds: allKinds, When: withCounter, Sampled: true, PerWork: true,
		OptIn: "counters: [task-clock]",
		Help:  "time on a CPU for one unit of work, by the kernel's own count"},
	{Name: "latency_p50", Unit: "s", Direction: Lower, Kinds: goKinds, When: everywhere,
		Sampled: true, OptIn: latencyOn,
		Quantile: 0.5,
		Help:     "time that half of all single iterations do not exceed; `latency.p50` is its value"},
	{Name: "latency_p90", Unit: "s", Direction: Lower, Kinds: goKinds, When: everywhere,
		Sampled: true, OptIn: latencyOn,
		Quantile: 0.9,
		Help:     "time that 90 % of all single iterations do not exceed"},
	{Name: "latency_p99", Unit: "s", Direction: Lower, Kinds: goKinds, When: everywhere,
		Sampled: true, OptIn: latencyOn,
		Quantile: 0.99,
		Help:     "time that 99 % of all single iterations do not exceed"},
	{Name: "latency_p999", Unit: "s", Direction: Lower, Kinds: goKinds, When: everywhere,
		Sampled: true, OptIn: latencyOn,
		Quantile: 0.999,
		Help:     "time that 99.9 % of all single iterations do not exceed"},
	{Name: "latency_max", Unit: "s", Direction: Lower, Kinds: goKinds, When: everywhere,
		Sampled: true, OptIn: latencyOn,
		Quantile: 1,
		Help:     "time of the slowest single iteration that was seen"},
	{Name: "void", Direction: Lower, Kinds: allKinds, When: "with bodies that reject", Sampled: true, OfMeasuring: true,
		Help: "iterations of a sample that were declared void and left out"},
	{Name: "exit_code", Direction: Lower, Kinds: commandKinds, When: everywhere, Exact: true, Sampled: true,
		OfMeasuring: true,
		Help:        "exit status of a run"},
	{Name: "allocs", Direction: Lower, Kinds: heapKinds, When: everywhere, Exact: true,
		Help: "heap allocations of one iteration, counted in a pass of their own"},
	{Name: "heap", Unit: "B", Direction: Lower, Kinds: heapKinds, When: everywhere, Exact: true,
		Help: "bytes allocated on the heap by one iteration"},
}

// Instructions is the name of the metric that valgrind can count.
const Instructions = "instructions"

// InRuns is the metric in a case whose instructions are counted by valgrind: the samples do not have them. Other
// metrics stay as they are.
func (m Metric) InRuns() Metric {
	if m.Name == Instructions {
		m.Sampled, m.Counted = false, true
		m.Kinds = everyKind
		m.When = "where valgrind is installed"
	}
	return m
}

func FindMetric(name string) (Metric, bool) {
	return named(metricTable, name)
}

// named finds a metric in a table. A metric has 200 bytes, so it is not copied to be looked at.
func named(table []Metric, name string) (Metric, bool) {
	for i := range table {
		if table[i].Name == name {
			return table[i], true
		}
	}
	return Metric{}, false
}

// Percentiles lists the metrics of single iterations.
func Percentiles() (names []string) {
	for _, m := range Metrics() {
		if m.Quantile > 0 {
			names = append(names, m.Name)
		}
	}
	return names
}

// Declared is a metric of the suite's own, with one number for each sample: the suite file
// declares that a program prints it, or a Go benchmark reports it (b.ReportMetric, and
// bench.Case.Report of a registered function).
type Declared struct {
	Name string `json:"name"` // as gates spell it; not the name of another metric
	// of its numbers: s, B, 1/s, %, or a name of the suite's own; empty for plain counts
	Unit   string    `json:"unit,omitempty"`
	Better Direction `json:"better"`          // lower or higher
	Exact  bool      `json:"exact,omitempty"` // compared without statistics, unless it was seen to vary
}

// DeclaredName matches the names that a declared metric may have.
var DeclaredName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// Percent is the unit of shares: 0.03 is 3%.
const Percent = "%"

// Metric makes the row that the metric would have in the table.
func (d Declared) Metric(kind Kind) Metric {
	help := "printed by the program"
	if kind == KindGo {
		help = "reported by the function"
	}
	return Metric{Name: d.Name, Unit: d.Unit, Direction: d.Better, Exact: d.Exact, Kinds: []Kind{kind}, Sampled: true,
		When: everywhere, Help: help}
}

// scaledUnits are the units that are converted to SI base units, with their size.
var scaledUnits = map[string]struct {
	base string
	size float64
}{
	"ns": {"s", 1e-9}, "us": {"s", 1e-6}, "µs": {"s", 1e-6}, "μs": {"s", 1e-6}, "ms": {"s", 1e-3}, "s": {"s", 1},
	"sec": {"s", 1},
	"min": {"s", 60}, "h": {"s", 3600},
	"B": {"B", 1}, "kB": {"B", 1e3}, "MB": {"B", 1e6}, "GB": {"B", 1e9}, "TB": {"B", 1e12},
	"KiB": {"B", 1 << 10}, "MiB": {"B", 1 << 20}, "GiB": {"B", 1 << 30}, "TiB": {"B", 1 << 40},
	Percent: {Percent, 0.01},
}

// BaseUnit returns the unit in which numbers of a unit are stored, and the factor to
// it: s and 1e-3 for ms, B/s and 1e6 for MB/s. Per operation there is no unit of its
// own: s and 1e-9 for ns/op, allocs and 1 for allocs/op. Any other unit is kept, with
// factor 1.
func BaseUnit(unit string) (base string, scale float64) {
	of, per, rate := strings.Cut(unit, "/")
	u, known := scaledUnits[of]
	switch {
	case known && rate && per != "op":
		return u.base + "/" + per, u.size
	case known:
		return u.base, u.size
	case per == "op":
		return of, 1
	}
	return unit, 1
}
