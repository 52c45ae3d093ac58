package result

import (
	"slices"

	"example.com/suite/internal/diag"
)

// Case is one measured case of a suite.
type Case struct {
	Suite       string   `json:"suite"`
	Name        string   `json:"name"` // unique within its suite
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Kind        Kind     `json:"kind"`
	Params      []Param  `json:"params,omitempty"` // in the order of the suite file
	Identity    Identity `json:"identity"`
	Unit        string   `json:"unit"` // op, byte or a name of the suite's own
	Work        float64  `json:"work"` // units done by one iteration
	Settings    Settings `json:"settings"`
	Status      Status   `json:"status"`
	Failure     *Failure `json:"failure,omitempty"` // set if status is error
	// programs that the case, or its base, requires and the machine lacks; set if status is skipped
	Missing    []string `json:"missing,omitempty"`
	Stop       Stop     `json:"stop,omitempty"`    // why sampling ended
	Seconds    float64  `json:"seconds"`           // wall time spent on the case, setup and warm-up included
	Iterations int64    `json:"iterations"`        // per batch, fixed after sizing; 1 for commands
	Loop       string   `json:"loop,omitempty"`    // direct, indirect, trial or inputs
	Clock      string   `json:"clock,omitempty"`   // clock subtimer that time was read from
	Counter    string   `json:"counter,omitempty"` // cycle subtimer, absent for null
	Thread     string   `json:"thread,omitempty"`  // locked or free, as decided
	ClockCost  float64  `json:"clock_cost"`        // seconds, subtracted from time and wall of every batch
	LoopCost   float64  `json:"loop_cost"`         // seconds per unit of work, stated and not subtracted
	LoopError  float64  `json:"loop_error"`        // seconds per unit of work
	// seconds per unit of work: a step of the clock, and the part of a reading that may overlap with the body
	ClockError float64 `json:"clock_error,omitempty"`
	CountError float64 `json:"count_error,omitempty"` // the same of the cycle counter, in counts
	// the loop in ticks or cycles per unit of work, stated and not subtracted
	LoopCount *Cost    `json:"loop_count,omitempty"`
	Inputs    *Inputs  `json:"inputs,omitempty"`  // if Loop is inputs
	Latency   *Latency `json:"latency,omitempty"` // of single iterations, if the suite file asks for it
	Void      int64    `json:"void,omitempty"`    // iterations, or runs, that were declared void and left out
	// batches run again because a reading of the counter was disturbed
	Retried int64 `json:"retried,omitempty"`
	// smallest share of its time that a counter was on the hardware, if below 1
	Multiplexed *float64   `json:"multiplexed,omitempty"`
	Declared    []Declared `json:"declared,omitempty"` // metrics of the suite's own, in the order of the suite file
	// sha256:… of what every run printed, if all had to print the same
	Output      string       `json:"output,omitempty"`
	Samples     Samples      `json:"samples"`
	Collections *Collections `json:"collections,omitempty"` // of a case with pairs
	Counted     *Counted     `json:"counted,omitempty"`     // by valgrind, if instructions were counted by it
	Metrics     []Summary    `json:"metrics,omitempty"`     // in the order of the metric table
	Pairs       *Pairs       `json:"pairs,omitempty"`       // only with a base
	Counterpart *Counterpart `json:"counterpart,omitempty"` // only with Suite.Against
	Earlier     *Earlier     `json:"earlier,omitempty"`     // only with an unpaired counterpart
	// of each metric whose drift a gate reads, if there is a history
	Histories   []History    `json:"past,omitempty"`
	Comparisons []Comparison `json:"comparisons,omitempty"` // with the base, in the order of the metric table
	Launches    int          `json:"launches"`              // processes that samples came from
	Stolen      *float64     `json:"stolen,omitempty"`      // share of the sampled time spent waiting for a CPU, 0 to 1
	Gates       []Gate       `json:"gates,omitempty"`
	Pegs        *Pegs        `json:"pegs,omitempty"`      // if the suite file asks for them
	BasePegs    *Pegs        `json:"base_pegs,omitempty"` // of the base
	Profiling   *Profiling   `json:"profiling,omitempty"` // if the case was profiled, or was to be
	PegPairs    *PegPairs    `json:"peg_pairs,omitempty"` // of both; only if the two differ
	Warnings    []Warning    `json:"warnings,omitempty"`
	Shard       int          `json:"shard,omitempty"` // in a merged document: the shard that has measured it, from 1
	Place       diag.Place   `json:"place"`
}

// MissingText explains why the case was skipped: this machine has no python3.
func (c *Case) MissingText() string { return MissingText(c.Missing) }

// MissingText names programs that the machine lacks.
func MissingText(programs []string) string { return "this machine has no " + diag.OrList(programs) }

// Param is one parameter of a case, as written and, if it is a number, as a number.
type Param struct {
	Name   string   `json:"name"`
	Text   string   `json:"text"`
	Number *float64 `json:"number,omitempty"` // SI base units
}

// Settings are the settings that the case was measured with; times are seconds.
type Settings struct {
	Batch      int64   `json:"batch"` // 0: found by sizing
	Warmup     float64 `json:"warmup"`
	SampleTime float64 `json:"sample_time"`
	TargetTime float64 `json:"target_time"`
	MaxTime    float64 `json:"max_time"`
	Timeout    float64 `json:"timeout"`
	SamplesMin int     `json:"samples_min"`
	SamplesMax int     `json:"samples_max"`
	Precision  float64 `json:"precision"` // 0: off
	Coalesce   float64 `json:"coalesce"`
	GC         string  `json:"gc"`
	Thread     string  `json:"thread"`
	Parallel   int     `json:"parallel"`
	Confidence float64 `json:"confidence"`

	Sampling string  `json:"sampling,omitempty"` // many or once
	Keep     string  `json:"keep,omitempty"`     // samples or summary
	Pin      string  `json:"pin,omitempty"`      // auto, on or off: what stays on one CPU; empty for functions
	Quorum   float64 `json:"quorum,omitempty"`   // share of iterations, 0 to 1, that must not be declared void
	// names of the metrics that were asked for, in the order of the metric table
	Counters []string `json:"counters,omitempty"`
	// Callgrind reports whether the suite file asks valgrind to count instructions, in runs after
	// the samples.
	Callgrind bool `json:"callgrind,omitempty"`

	Latency bool `json:"latency,omitempty"` // single iterations are timed

	// iterations that were due in a second; 0: one began when the one before had ended
	Arrivals float64 `json:"arrivals,omitempty"`
	Poisson  bool    `json:"poisson,omitempty"` // their times were drawn: a Poisson process

	WarmupBatches int `json:"warmup_batches,omitempty"` // replaces Warmup if it is not 0: batches, of a command runs

	// Judge is JudgeInstructions if only instructions are counted, and no times are taken; else it is empty.
	Judge string `json:"judge,omitempty"`

	// WhenUndecided is JudgeInstructions if instructions decide what the time does not; else it is empty.
	WhenUndecided string `json:"when_undecided,omitempty"`

	Isolate string `json:"isolate,omitempty"` // IsolateLaunch or IsolateSample; benchmarks that time themselves only
}

// Words for what a case is judged by.
const (
	JudgeTime         = "time"
	JudgeInstructions = "instructions"
)

// Words for what a benchmark that times itself has a process of its own for: the samples of a launch, or each sample.
const (
	IsolateLaunch = "launch"
	IsolateSample = "process"
)

// Inputs describes how a case gets the inputs that its iterations use up. They are made
// while the clock is stopped: before a batch and, if a batch has several parts, between them.
type Inputs struct {
	Size  int64 `json:"size"`  // bytes that making an input allocates
	Part  int64 `json:"part"`  // iterations whose inputs are made together, at most Iterations
	Parts int64 `json:"parts"` // of a batch, at least 1
	Pause Cost  `json:"pause"` // seconds that stopping and starting the clock costs; subtracted from each part
	// seconds per unit of work: what is subtracted, and by how much the time may be wrong, because op may overlap
	// with a reading of the clock
	Margin Cost `json:"margin"`
}

// Failure is why a case could not be measured.
type Failure struct {
	Phase   Phase        `json:"phase"`
	Cause   FailureCause `json:"cause"`
	Message string       `json:"message"`           // one line
	Detail  string       `json:"detail,omitempty"`  // last lines of standard error, or panic and stack
	Batch   int          `json:"batch,omitempty"`   // 1-based; 0 if none was running
	Exit    *int         `json:"exit,omitempty"`    // exit status
	Signal  string       `json:"signal,omitempty"`  // name of the signal that ended it
	Hint    string       `json:"hint,omitempty"`    // what to try
	Elapsed float64      `json:"elapsed,omitempty"` // seconds until it was noticed
}

// Summary is the summary of a metric, nil if the case has none.
func (c *Case) Summary(metric string) *Summary {
	for i := range c.Metrics {
		if c.Metrics[i].Metric == metric {
			return &c.Metrics[i]
		}
	}
	return nil
}

// Comparison is the comparison of a metric, nil if the case has none.
func (c *Case) Comparison(metric string) *Comparison {
	for i := range c.Comparisons {
		if c.Comparisons[i].Metric == metric {
			return &c.Comparisons[i]
		}
	}
	return nil
}

// IsVanished reports whether only the other tree has the case, and the suite file does not
// list it as removed. Such a case is in the document because it is an error.
func (c *Case) IsVanished() bool { return c.Failure != nil && c.Failure.Cause == FailedVanished }

// History returns what the history has of a metric, nil if no gate reads it or there is no
// history.
func (c *Case) History(metric string) *History {
	for i := range c.Histories {
		if c.Histories[i].Metric == metric {
			return &c.Histories[i]
		}
	}
	return nil
}

// Table lists every metric that the case may have: the metric table, then the metrics
// that the case declares.
func (c *Case) Table() []Metric {
	all := Metrics()
	if c.IsCounted() {
		all = slices.Clone(all)
		for i := range all {
			all[i] = all[i].InRuns()
		}
	}
	for _, d := range c.Declared {
		all = append(all, d.Metric(c.Kind))
	}
	return all
}

// Metric finds a metric of the case by name, including declared ones.
func (c *Case) Metric(name string) (Metric, bool) {
	return named(c.Table(), name)
}

// Warn adds a warning.
func (c *Case) Warn(code WarningCode, message, hint string) {
	c.Warnings = append(c.Warnings, Warning{Code: code, Message: message, Hint: hint})
}

// WarnWith adds a warning whose message has numbers in it.
func (c *Case) WarnWith(code WarningCode, message Sentence, hint string) {
	c.Warnings = append(c.Warnings, message.Warning(code, hint))
}

// WarnLacking adds the warning that metrics are missing or incomplete.
func (c *Case) WarnLacking(code WarningCode, metrics []string, message, hint string) {
	c.Warnings = append(c.Warnings, Warning{Code: code, Message: message, Hint: hint, Metrics: metrics})
}

// WarnOnce adds a warning unless the case has one of this code.
func (c *Case) WarnOnce(code WarningCode, message, hint string) {
	for _, w := range c.Warnings {
		if w.Code == code {
			return
		}
	}
	c.Warn(code, message, hint)
}

// Overhead returns what timing and the empty loop cost the case.
func (c *Case) Overhead() *Overhead {
	return &Overhead{c.Loop, c.LoopCost, c.LoopError, c.ClockError, c.CountError, c.LoopCount}
}

// SetOverhead sets what timing and the empty loop cost the case. nil changes nothing.
func (c *Case) SetOverhead(o *Overhead) {
	if o != nil {
		c.Loop, c.LoopCost, c.LoopError = o.Loop, o.LoopCost, o.LoopError
		c.ClockError, c.CountError, c.LoopCount = o.ClockError, o.CountError, o.LoopCount
	}
}

// RateUnit is the unit that the throughput of a case counts: its unit of work, or
// byte if a Go benchmark printed MB/s (b.SetBytes).
func (c *Case) RateUnit() string {
	if c.Samples.Columns["throughput"] != nil {
		return "byte"
	}
	return c.Unit
}

// Identity is what makes two results comparable.
type Identity struct {
	Function  string   `json:"function,omitempty"`
	Argv      []string `json:"argv,omitempty"`
	Shell     string   `json:"shell,omitempty"`
	Package   string   `json:"package,omitempty"`   // import path, of an existing Go benchmark
	Benchmark string   `json:"benchmark,omitempty"` // as it is printed, without GOMAXPROCS: BenchmarkParse/small
	Harness   string   `json:"harness,omitempty"`   // of the program with the benchmark, such as google-benchmark
	Procs     int      `json:"procs,omitempty"`     // GOMAXPROCS, if the suite file sets it
	Program   string   `json:"program,omitempty"`   // resolved path of argv[0]
	Binary    string   `json:"binary,omitempty"`    // sha256:… of the program or host

	// that its definition names, such as scripts and inputs, before its first sample
	Files []NamedFile `json:"files,omitempty"`
}

// NamedFile is a file that the definition of a case names.
type NamedFile struct {
	// with slashes; relative to the folder of the suite file, or absolute; "*" for more files than are hashed
	Path string `json:"path"`
	// sha256:…, or size and time of a file that is too large to read; empty: it could not be read
	Hash string `json:"hash,omitempty"`
}
