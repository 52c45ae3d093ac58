package wire

import (
	"slices"

	"example.com/suite/internal/benchcase"
)

// Function asks for a registered benchmark with its parameters and settings.
// Times are nanoseconds.
type Function struct {
	Name       string                     `json:"name"` // of the case
	Function   string                     `json:"function"`
	Params     map[string]benchcase.Param `json:"params,omitempty"`
	Batch      int                        `json:"batch,omitempty"` // fixed iterations, 0: find them
	Warmup     int64                      `json:"warmup"`
	SampleTime int64                      `json:"sample_time"`
	Coalesce   float64                    `json:"coalesce"` // shortest batch in clock costs
	GC         string                     `json:"gc"`       // on, between, off
	// collections may fall into any batch: none grows to contain one
	Spread   bool     `json:"spread"`
	Thread   string   `json:"thread"`   // auto, locked, free
	Parallel int      `json:"parallel"` // goroutines, at least 1
	Long     bool     `json:"long"`     // known to have batches over LongBatch; sizing finds it out as well
	Counters []string `json:"counters,omitempty"`
	Quorum   float64  `json:"quorum,omitempty"` // share of iterations that have to count, of loops made by Try
	// Witness asks for the instructions of the batches as well, if they can be counted. They
	// change nothing else: a loop that runs better off its thread leaves it without them.
	Witness bool `json:"witness,omitempty"`

	Latency bool `json:"latency,omitempty"` // single iterations are timed

	// iterations that are due in a second, if they begin when they are due; 0: one begins when the one before has ended
	Arrivals float64 `json:"arrivals,omitempty"`

	// replaces Warmup if it is not 0: batches of the n that was found
	WarmupBatches int `json:"warmup_batches,omitempty"`
}

// Command asks for a program that is started once per sample.
type Command struct {
	Name      string   `json:"name"`
	Argv      []string `json:"argv"`
	Env       []string `json:"env,omitempty"` // NAME=value in addition to the host's own
	Dir       string   `json:"dir"`
	Stdin     string   `json:"stdin,omitempty"`  // path; empty: the null device
	Input     string   `json:"input,omitempty"`  // text that it reads, if Stdin is empty
	Stdout    string   `json:"stdout,omitempty"` // path; empty: the null device
	ExitCodes []int    `json:"exit_codes"`
	Warmup    int64    `json:"warmup"`
	Timeout   int64    `json:"timeout"` // per run and per hook
	Prepare   []string `json:"prepare,omitempty"`
	Conclude  []string `json:"conclude,omitempty"`
	HookVars  []string `json:"hook_vars,omitempty"` // NAME=value for Prepare and Conclude alone
	Runs      int      `json:"runs,omitempty"`      // of the case, in earlier launches
	Counters  []string `json:"counters,omitempty"`
	Witness   bool     `json:"witness,omitempty"` // as in Function
	Reject    []int    `json:"reject,omitempty"`  // exit statuses that declare a run void
	Quorum    float64  `json:"quorum,omitempty"`  // share of runs that have to count
	// on: runs stay on one CPU; auto: only the process that starts them does; else neither
	Pin     string   `json:"pin,omitempty"`
	Metrics []Metric `json:"metrics,omitempty"`
	// SameOutput requires all runs to print the same: Expect, or, if that is nil,
	// what the first of them prints.
	SameOutput bool    `json:"same_output,omitempty"`
	Expect     *Output `json:"expect,omitempty"`

	WarmupBatches int  `json:"warmup_batches,omitempty"` // replaces Warmup if it is not 0: runs
	AnyExit       bool `json:"any_exit,omitempty"`       // every exit status means success
	Traced        bool `json:"traced,omitempty"`         // the host itself looks at no folder of the command
}

// BenchmarkVariable asks the test binaries that suite builds for samples. A binary then runs a benchmark once for each
// line that it reads from descriptor 3, a number of iterations and the name of the benchmark, and writes a line about
// each run to descriptor 4: ok, the iterations, collections, the CPU time of the process between the answer before and
// this request in ns, how long the thread of the run ran and waited for a CPU in ns (-1: not known), user and system
// time in ns, peak memory as getrusage has it, page faults, page faults that read, switches that were asked for and
// others, and then pairs of a value and its unit; or FAIL, or SKIP; or LEFT, without a run, if it turns to another
// benchmark and goroutines of those before have not ended: then it ends itself.
const BenchmarkVariable = "SUITE_BENCHMARK"

// Values of BenchmarkVariable.
const (
	Samples = "sample"  // each request for another benchmark than the last one calls its function, which prepares it
	Counts  = "count"   // the same, and valgrind counts the instructions
	Crowded = "crowded" // as Samples, on a machine whose CPUs are busy
	Passes  = "pass"    // a function goes on while its benchmarks are asked for in its order, as in go test
)

// GoTest asks for a benchmark of a test binary, which is started once per
// sample, or once for all samples if it stays. The command lacks the benchmark and the number of iterations.
type GoTest struct {
	Command
	Benchmark string `json:"benchmark"`       // BenchmarkParse/small
	Match     string `json:"match"`           // pattern that matches it alone: ^BenchmarkParse$/^small$
	Printed   string `json:"printed"`         // its name on its line: BenchmarkParse/small-4
	Stays     bool   `json:"stays,omitempty"` // a process takes many samples
	N         int    `json:"n,omitempty"`
	Goal      int64  `json:"goal"` // ns that a sample has to last, if N is 0
	// MostGoal is how long a sample of a process that stays may last at most, because what comes with it, a
	// collection and what the benchmark prepares, takes as long.
	MostGoal int64    `json:"most_goal,omitempty"`
	Values   []Metric `json:"values,omitempty"` // that it may print in addition to its time
}

// Harness asks for a benchmark of a program that has others: the command is started once per sample, or once for all
// samples if it stays, with what the harness adds to it.
type Harness struct {
	Command
	Harness   string `json:"harness"`         // its name: google-benchmark
	Benchmark string `json:"benchmark"`       // as the program lists it
	Counts    bool   `json:"counts"`          // it is told iterations, else ns
	Files     bool   `json:"files,omitempty"` // its results are in files
	Stays     bool   `json:"stays,omitempty"` // a process takes many samples
	N         int    `json:"n,omitempty"`     // iterations of a sample; 0: as many as take Goal
	Goal      int64  `json:"goal"`            // ns that a sample has to last
}

// Pad adds n bytes to the environment of the process that a request asks for.
func (r *Request) Pad(n int) {
	switch {
	case r.GoTest != nil:
		r.GoTest.Env = append(slices.Clone(r.GoTest.Env), Padding(n))
	case r.Harness != nil:
		r.Harness.Env = append(slices.Clone(r.Harness.Env), Padding(n))
	}
}

// Sources of a metric, if it is not looked for in a file.
const (
	Stdout = "stdout"
	Stderr = "stderr"
)

// Metric is a number that a command prints or writes: one of Regex, JSON and
// Bench locates it in the text.
type Metric struct {
	Name  string  `json:"name"`
	From  string  `json:"from"`            // stdout, stderr or the absolute path of a file
	Regex string  `json:"regex,omitempty"` // of a line: its group, or all of it, is the number
	JSON  string  `json:"json,omitempty"`  // path of the number
	Bench string  `json:"bench,omitempty"` // unit of a value in the Go benchmark format, such as ns/op
	Of    string  `json:"of,omitempty"`    // name on the line that Bench is looked for in; empty: any
	Scale float64 `json:"scale"`           // SI base units in one printed unit
}

// LargestValue of a metric, in its base unit: its square, and the sum of the
// squares of a million runs, still fit the numbers of JSON.
const LargestValue = 1e100

// KeptOutput is how much of an output is kept to be compared with the outputs of
// other cases, bytes.
const KeptOutput = 256 << 10

// Output is what all runs of a command have to print.
type Output struct {
	Of   string `json:"of,omitempty"`   // name of the case that printed it first, empty for the case itself
	Hash string `json:"hash"`           // sha256:…
	Size int    `json:"size"`           // bytes, negative if it is not known
	Text []byte `json:"text,omitempty"` // its beginning, at most KeptOutput; empty if it is no longer known
}

// Service asks for a program that runs while others are measured, until it gets
// its signal. What it prints goes to the host's own standard output. A host serves
// one service and measures nothing: when the host ends, however it ends, so does
// the service.
type Service struct {
	Argv []string `json:"argv"`
	Env  []string `json:"env,omitempty"` // NAME=value in addition to the host's own
	Dir  string   `json:"dir"`
	Stop string   `json:"stop"` // name of the signal that ends it
}
