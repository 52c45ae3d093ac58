package result

import (
	"example.com/suite/internal/diag"
	"example.com/suite/internal/spill"
)

// Case is one measured case of a suite.
type Case struct {
	Suite       string       `json:"suite"`
	Name        string       `json:"name"` // unique within its suite
	Description string       `json:"description,omitempty"`
	Tags        []string     `json:"tags,omitempty"`
	Kind        Kind         `json:"kind"`
	Params      []Param      `json:"params,omitempty"` // in the order of the suite file
	Identity    Identity     `json:"identity"`
	Unit        string       `json:"unit"` // op, byte or a name of the suite's own
	Work        float64      `json:"work"` // units done by one iteration
	Settings    Settings     `json:"settings"`
	Status      Status       `json:"status"`
	Failure     *Failure     `json:"failure,omitempty"`     // set if status is error
	Missing     []string     `json:"missing,omitempty"`     // programs that the case, or its base, requires and the machine lacks; set if status is skipped
	Stop        Stop         `json:"stop,omitempty"`        // why sampling ended
	Seconds     float64      `json:"seconds"`               // wall time spent on the case, setup and warm-up included
	Iterations  int64        `json:"iterations"`            // per batch, fixed after sizing; 1 for commands
	Loop        string       `json:"loop,omitempty"`        // direct, indirect, trial or inputs
	Clock       string       `json:"clock,omitempty"`       // clock subtimer that time was read from
	Counter     string       `json:"counter,omitempty"`     // cycle subtimer, absent for null
	Thread      string       `json:"thread,omitempty"`      // locked or free, as decided
	ClockCost   float64      `json:"clock_cost"`            // seconds, subtracted from time and wall of every batch
	LoopCost    float64      `json:"loop_cost"`             // seconds per unit of work, stated and not subtracted
	LoopError   float64      `json:"loop_error"`            // seconds per unit of work
	ClockError  float64      `json:"clock_error,omitempty"` // seconds per unit of work: a step of the clock, and the part of a reading that may overlap with the body
	CountError  float64      `json:"count_error,omitempty"` // the same of the cycle counter, in counts
	LoopCount   *Cost        `json:"loop_count,omitempty"`  // the loop in ticks or cycles per unit of work, stated and not subtracted
	Inputs      *Inputs      `json:"inputs,omitempty"`      // if Loop is inputs
	Latency     *Latency     `json:"latency,omitempty"`     // of single iterations, if the suite file asks for it
	Void        int64        `json:"void,omitempty"`        // iterations, or runs, that were declared void and left out
	Retried     int64        `json:"retried,omitempty"`     // batches run again because a reading of the counter was disturbed
	Multiplexed *float64     `json:"multiplexed,omitempty"` // smallest share of its time that a counter was on the hardware, if below 1
	Declared    []Declared   `json:"declared,omitempty"`    // metrics of the suite's own, in the order of the suite file
	Output      string       `json:"output,omitempty"`      // sha256:… of what every run printed, if all had to print the same
	Samples     Samples      `json:"samples"`
	Collections *Collections `json:"collections,omitempty"` // of a case with pairs
	Metrics     []Summary    `json:"metrics,omitempty"`     // in the order of the metric table
	Pairs       *Pairs       `json:"pairs,omitempty"`       // only with a base
	Counterpart *Counterpart `json:"counterpart,omitempty"` // only with Suite.Against
	Earlier     *Earlier     `json:"earlier,omitempty"`     // only with an unpaired counterpart
	Past        []Past       `json:"past,omitempty"`        // of each metric whose drift a gate reads, if there is a history
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

// Kind is the kind of body that a case has.
type Kind string

// The kinds of body.
const (
	KindGo      Kind = "go"
	KindCommand Kind = "command"
	KindShell   Kind = "shell"
	KindGoTest  Kind = "gotest"
)

// Status is how far a case came.
type Status string

// A case is measured, could not be measured, or was not reached.
const (
	Measured Status = "measured"
	Failed   Status = "error"
	NotRun   Status = "not_run"
	// LeftOut cases were not measured, because this machine lacks a program that they
	// require.
	LeftOut Status = "skipped"
	// Unaffected cases were not measured, because nothing that they depend on has changed.
	Unaffected Status = "unaffected"
)

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

// Identity is what makes two results comparable.
type Identity struct {
	Function  string   `json:"function,omitempty"`
	Argv      []string `json:"argv,omitempty"`
	Shell     string   `json:"shell,omitempty"`
	Package   string   `json:"package,omitempty"`   // import path, of an existing Go benchmark
	Benchmark string   `json:"benchmark,omitempty"` // as it is printed, without GOMAXPROCS: BenchmarkParse/small
	Procs     int      `json:"procs,omitempty"`     // GOMAXPROCS, if the suite file sets it
	Program   string   `json:"program,omitempty"`   // resolved path of argv[0]
	Binary    string   `json:"binary,omitempty"`    // sha256:… of the program or host

	Files []NamedFile `json:"files,omitempty"` // that its definition names, such as scripts and inputs, before its first sample
}

// NamedFile is a file that the definition of a case names.
type NamedFile struct {
	Path string `json:"path"`           // with slashes; relative to the folder of the suite file, or absolute; "*" for more files than are hashed
	Hash string `json:"hash,omitempty"` // sha256:…, or size and time of a file that is too large to read; empty: it could not be read
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

	Sampling string   `json:"sampling,omitempty"` // many or once
	Keep     string   `json:"keep,omitempty"`     // samples or summary
	Pin      string   `json:"pin,omitempty"`      // auto, on or off: what stays on one CPU; empty for functions
	Quorum   float64  `json:"quorum,omitempty"`   // share of iterations, 0 to 1, that must not be declared void
	Counters []string `json:"counters,omitempty"` // names of the metrics that were asked for, in the order of the metric table
	// Callgrind reports whether instructions are those of one run that callgrind simulated
	// after the samples.
	Callgrind bool `json:"callgrind,omitempty"`

	Latency bool `json:"latency,omitempty"` // single iterations are timed

	Arrivals float64 `json:"arrivals,omitempty"` // iterations that were due in a second; 0: one began when the one before had ended
	Poisson  bool    `json:"poisson,omitempty"`  // their times were drawn: a Poisson process

	WarmupBatches int `json:"warmup_batches,omitempty"` // replaces Warmup if it is not 0: batches, of a command runs
}

// Cost is a number with half of its 99% interval.
type Cost struct {
	Value float64 `json:"value"`
	Error float64 `json:"error"`
}

// Inputs describes how a case gets the inputs that its iterations use up. They are made
// while the clock is stopped: before a batch and, if a batch has several parts, between them.
type Inputs struct {
	Size   int64 `json:"size"`   // bytes that making an input allocates
	Part   int64 `json:"part"`   // iterations whose inputs are made together, at most Iterations
	Parts  int64 `json:"parts"`  // of a batch, at least 1
	Pause  Cost  `json:"pause"`  // seconds that stopping and starting the clock costs; subtracted from each part
	Margin Cost  `json:"margin"` // seconds per unit of work: what is subtracted, and by how much the time may be wrong, because op may overlap with a reading of the clock
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

// Samples contains the raw numbers, one row per batch in the order in which they were
// taken. Columns are named after metrics. They are without the cost of timing and, if
// the metric is, per unit of work; every column has as many rows as Block.
type Samples struct {
	Launch    []int             `json:"launch"`    // from 0
	Block     []int             `json:"block"`     // from 0, counted over the whole case
	At        []float64         `json:"at"`        // seconds since the start of the run
	Columns   map[string]Column `json:"columns"`   // "time" has a number in every row, others may have gaps
	Disturbed []Disturbed       `json:"disturbed"` // ascending by Index
	// Taken is the number of samples taken if only a summary of them is kept
	// (samples: {keep: summary}); then each row contains the medians of one block
	// or of several in a row. If it is 0, every row is a sample.
	Taken int `json:"taken,omitempty"`
	// Censored lists the rows of commands that were killed by their timeout,
	// ascending. Their numbers are only bounds of the values that the finished run
	// would have had, see Ends. These rows are never disturbed.
	Censored []int `json:"censored,omitempty"`

	stored *spill.Block // the bytes of the rows, if they are in the file of a Store
}

// NoSamples returns a table without rows and columns.
func NoSamples() Samples {
	return Samples{Launch: []int{}, Block: []int{}, At: []float64{}, Columns: map[string]Column{}, Disturbed: []Disturbed{}}
}

// Len is the number of rows.
func (s *Samples) Len() int { return len(s.Block) }

// Count is the number of samples taken: Taken if only a summary of them is kept, else
// the number of rows.
func (s *Samples) Count() int {
	if s.Taken > 0 {
		return s.Taken
	}
	return s.Len()
}

// Summary describes one metric of one case. Absent numbers are nil.
type Summary struct {
	Metric     string   `json:"metric"`
	Unit       string   `json:"unit"` // s, B, 1/s, or empty for counts
	Exact      bool     `json:"exact"`
	Slack      float64  `json:"slack,omitempty"` // of an exact metric: by how much the largest pass exceeds the least, which is the value
	N          int      `json:"n"`               // samples summarised: only undisturbed ones if they are at least half
	Blocks     int      `json:"blocks"`          // blocks (or launches) that the interval rests on
	Median     float64  `json:"median"`          // the headline
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // of Low and High, at least
	// Error is by how much a statistic may be wrong however many samples there are, in Unit:
	// see Case.ClockError. Low and High include it. A least value of 40 with an error of 30
	// is anything from 10 to 70. It is 0 in documents of earlier versions.
	Error        float64  `json:"error,omitempty"`
	Mean         float64  `json:"mean"`
	StdDev       float64  `json:"stddev"`
	MAD          float64  `json:"mad"`
	Min          float64  `json:"min"`
	Max          float64  `json:"max"`
	P50          float64  `json:"p50"`
	P90          float64  `json:"p90"`
	P95          float64  `json:"p95"`
	P99          float64  `json:"p99"`
	OutliersLow  int      `json:"outliers_low,omitempty"` // Tukey, below Q1 − 1.5 IQR; reported, never dropped
	OutliersHigh int      `json:"outliers_high,omitempty"`
	Bound        *float64 `json:"bound,omitempty"` // set if the value is below resolution: it is less than this
	// Extremes is the origin of Min and Max: iteration if a batch is one iteration,
	// batch if they are extremes of means over n iterations. It is empty for metrics
	// that are not per unit of work.
	Extremes string `json:"extremes,omitempty"`
	// Censored is the number of the N samples that are only bounds, because their runs
	// were killed by the timeout. AtLeast and AtMost contain the keys of the statistics
	// that are therefore lower, or upper, bounds. All other statistics would be the same
	// if those runs had finished. An interval without an upper end has no High.
	Censored int      `json:"censored,omitempty"`
	AtLeast  []string `json:"at_least,omitempty"`
	AtMost   []string `json:"at_most,omitempty"`
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
