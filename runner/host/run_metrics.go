package host

import "example.com/suite/timer"

// runMetric is a metric of a run of a command. A new one needs a row in runMetrics, and
// code in the spawn files of the systems that can measure it: where none does, it is absent.
type runMetric struct {
	name  string // as in result.Metrics
	unit  string // of the number that is kept: ns, B or empty for counts
	field func(*run) *int64
	// ofTree metrics are of all processes that a command starts. A test binary does not
	// have them: they would be of its search for benchmarks too.
	ofTree bool
}

// runMetrics lists the metrics that a system measures of a run, in the order of
// result.Metrics. addRun works out the others, such as cpu, from these.
var runMetrics = []runMetric{
	{"wall", "ns", func(r *run) *int64 { return &r.wall }, false},
	{"user", "ns", func(r *run) *int64 { return &r.user }, false},
	{"system", "ns", func(r *run) *int64 { return &r.system }, false},
	{"wait", "ns", func(r *run) *int64 { return &r.wait }, false},
	{"rss", "B", func(r *run) *int64 { return &r.rss }, false},
	{"faults", "", func(r *run) *int64 { return &r.faults }, false},
	{"major_faults", "", func(r *run) *int64 { return &r.major }, false},
	{"read_bytes", "B", func(r *run) *int64 { return &r.read }, false},
	{"written_bytes", "B", func(r *run) *int64 { return &r.written }, false},
	{"tree_cpu", "ns", func(r *run) *int64 { return &r.tree.cpu }, true},
	{"tree_wait", "ns", func(r *run) *int64 { return &r.tree.wait }, true},
	{"tree_memory", "B", func(r *run) *int64 { return &r.tree.memory }, true},
	{"switches", "", func(r *run) *int64 { return &r.involuntary }, false},
	{"voluntary", "", func(r *run) *int64 { return &r.voluntary }, false},
}

// newRun returns a run of which nothing has been measured yet. 0 would be a measurement,
// and gates with an upper limit would pass on it.
func newRun() (r run) {
	for _, m := range runMetrics {
		*m.field(&r) = timer.Absent
	}
	return r
}

// cpu returns the user and system time of a run.
func (r *run) cpu() int64 {
	if r.user == timer.Absent || r.system == timer.Absent {
		return timer.Absent
	}
	return r.user + r.system
}
