package result

import "example.com/suite/internal/diag"

// Case is one measured case of a suite.
type Case struct {
	Suite       string     `json:"suite"`
	Name        string     `json:"name"` // unique within its suite
	Description string     `json:"description,omitempty"`
	Tags        []string   `json:"tags,omitempty"`
	Kind        Kind       `json:"kind"`
	Params      []Param    `json:"params,omitempty"` // in the order of the suite file
	Identity    Identity   `json:"identity"`
	Unit        string     `json:"unit"` // op, byte or a name of the suite's own
	Work        float64    `json:"work"` // units done by one iteration
	Settings    Settings   `json:"settings"`
	Status      Status     `json:"status"`
	Failure     *Failure   `json:"failure,omitempty"` // set where status is error
	Stop        string     `json:"stop,omitempty"`    // why sampling ended: target_time, precision, decided, max_time, samples.max, budget, interrupted
	Seconds     float64    `json:"seconds"`           // wall time spent on the case, set-up and warm-up included
	Iterations  int64      `json:"iterations"`        // per batch, fixed after sizing; 1 for commands
	Loop        string     `json:"loop,omitempty"`    // direct or indirect
	Thread      string     `json:"thread,omitempty"`  // locked or free, as decided
	ClockCost   float64    `json:"clock_cost"`        // seconds, subtracted from time and wall of every batch
	LoopCost    float64    `json:"loop_cost"`         // seconds per unit of work, stated and not subtracted
	LoopError   float64    `json:"loop_error"`        // seconds per unit of work
	Samples     Samples    `json:"samples"`
	Metrics     []Summary  `json:"metrics,omitempty"` // in the order of the metric table
	Launches    int        `json:"launches"`          // processes that samples came from
	Stolen      *float64   `json:"stolen,omitempty"`  // share of the sampled time spent waiting for a CPU, 0 to 1
	Gates       []Gate     `json:"gates,omitempty"`
	Warnings    []Warning  `json:"warnings,omitempty"`
	Place       diag.Place `json:"place"`
}

// Kind is what the body of a case is.
type Kind string

// The kinds of body.
const (
	KindGo      Kind = "go"
	KindCommand Kind = "command"
	KindShell   Kind = "shell"
)

// Status says whether a case could be measured.
type Status string

// A case is measured, could not be measured, or was not reached.
const (
	Measured Status = "measured"
	Failed   Status = "error"
	NotRun   Status = "not_run"
)

// Param keeps its spelling and, where it is one, its number.
type Param struct {
	Name   string   `json:"name"`
	Text   string   `json:"text"`
	Number *float64 `json:"number,omitempty"` // SI base units
}

// Identity is what makes two results comparable.
type Identity struct {
	Function string   `json:"function,omitempty"`
	Argv     []string `json:"argv,omitempty"`
	Shell    string   `json:"shell,omitempty"`
	Program  string   `json:"program,omitempty"` // resolved path of argv[0]
	Binary   string   `json:"binary,omitempty"`  // sha256:… of the program or host
}

// Settings are those that the case really had; seconds and counts.
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
}

// Failure is why a case could not be measured.
type Failure struct {
	Phase   string  `json:"phase"`             // start, setup, prepare, warmup, run, conclude, cleanup, finish
	Cause   string  `json:"cause"`             // crash, panic, error, exit, signal, timeout, missing, protocol, check
	Message string  `json:"message"`           // one line
	Detail  string  `json:"detail,omitempty"`  // last lines of standard error, or panic and stack
	Batch   int     `json:"batch,omitempty"`   // 1-based, where one was running
	Exit    *int    `json:"exit,omitempty"`    // exit status
	Signal  string  `json:"signal,omitempty"`  // name of the signal that ended it
	Hint    string  `json:"hint,omitempty"`    // what to try
	Elapsed float64 `json:"elapsed,omitempty"` // seconds until it was noticed
}

// Samples are the raw numbers, one row per batch in the order they were taken.
// Columns are named after metrics and are net of the clock cost and per unit of
// work where the metric is; every column has as many rows as Block.
type Samples struct {
	Launch    []int                `json:"launch"`    // from 0
	Block     []int                `json:"block"`     // from 0, counted over the whole case
	At        []float64            `json:"at"`        // seconds since the start of the run
	Columns   map[string][]float64 `json:"columns"`   //
	Disturbed []Disturbed          `json:"disturbed"` // ascending by Index
}

// Len is the number of samples.
func (s *Samples) Len() int { return len(s.Block) }

// Disturbed marks one sample and says why, design.md §8.6.
type Disturbed struct {
	Index int    `json:"index"`
	Cause string `json:"cause"` // "preempted 1 times", "waited 31 ms for a CPU"
}

// Summary describes one metric of one case. Absent numbers are nil.
type Summary struct {
	Metric       string   `json:"metric"`
	Unit         string   `json:"unit"` // s, B, 1/s, or empty for counts
	Exact        bool     `json:"exact"`
	N            int      `json:"n"`      // samples summarised: undisturbed ones where they are at least half
	Blocks       int      `json:"blocks"` // blocks (or launches) that the interval rests on
	Median       float64  `json:"median"` // the headline
	Low          *float64 `json:"low,omitempty"`
	High         *float64 `json:"high,omitempty"`
	Confidence   float64  `json:"confidence,omitempty"` // of Low and High, at least
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
	Bound        *float64 `json:"bound,omitempty"` // set where the value is below resolution: it is less than this
}

// Summary finds the summary of a metric, nil where the case has none.
func (c *Case) Summary(metric string) *Summary {
	for i := range c.Metrics {
		if c.Metrics[i].Metric == metric {
			return &c.Metrics[i]
		}
	}
	return nil
}
