package spawn

import "example.com/suite/timer"

// Metric is a metric of a run. A new one needs a row in Metrics, and code in the files of
// the systems that can measure it: on other systems it is absent.
type Metric struct {
	Name  string // as in result.Metrics
	Unit  string // of the number that is kept: ns, B or empty for counts
	Field func(*Run) *int64
	// OfTree metrics are of all processes that a command starts. A test binary does not
	// have them: they would be of its search for benchmarks too.
	OfTree bool
}

// Metrics lists the metrics that a system measures of a run, in the order of
// result.Metrics. Others, such as cpu, are computed from these.
var Metrics = []Metric{
	{"wall", "ns", func(r *Run) *int64 { return &r.Wall }, false},
	{"user", "ns", func(r *Run) *int64 { return &r.User }, false},
	{"system", "ns", func(r *Run) *int64 { return &r.System }, false},
	{"wait", "ns", func(r *Run) *int64 { return &r.Wait }, false},
	{"rss", "B", func(r *Run) *int64 { return &r.RSS }, false},
	{"faults", "", func(r *Run) *int64 { return &r.Faults }, false},
	{"major_faults", "", func(r *Run) *int64 { return &r.MajorFaults }, false},
	{"read_bytes", "B", func(r *Run) *int64 { return &r.Read }, false},
	{"written_bytes", "B", func(r *Run) *int64 { return &r.Written }, false},
	{"tree_cpu", "ns", func(r *Run) *int64 { return &r.Tree.CPU }, true},
	{"tree_wait", "ns", func(r *Run) *int64 { return &r.Tree.Wait }, true},
	{"tree_memory", "B", func(r *Run) *int64 { return &r.Tree.Memory }, true},
	{"switches", "", func(r *Run) *int64 { return &r.Involuntary }, false},
	{"voluntary", "", func(r *Run) *int64 { return &r.Voluntary }, false},
}

// NewRun is a run of which nothing has been measured yet. 0 would be a measurement, and gates with
// an upper limit would pass on it.
func NewRun() (r Run) {
	for _, m := range Metrics {
		*m.Field(&r) = timer.Absent
	}
	return r
}

// CPU is the user and system time of a run.
func (r *Run) CPU() int64 {
	if r.User == timer.Absent || r.System == timer.Absent {
		return timer.Absent
	}
	return r.User + r.System
}
