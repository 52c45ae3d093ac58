// Package spec reads suite files. It takes bytes and gives a checked Suite or
// every problem with its place; Suite.Plan expands it into cases in order,
// with unique names and everything resolved. It knows no clocks and starts no
// processes.
package spec

import (
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// Plan is what a run will do: cases in file order, everything resolved.
type Plan struct {
	Suite          string          `json:"suite"`
	Description    string          `json:"description,omitempty"`
	File           string          `json:"file"` // as given
	Dir            string          `json:"dir"`  // absolute; relative paths of the file start here
	Hash           string          `json:"hash"`
	HostDir        string          `json:"-"`                  // absolute folder that the host of its functions starts in; empty: the current one
	Packages       *Packages       `json:"packages,omitempty"` // nil: the functions of suite itself
	Build          *Hook           `json:"build,omitempty"`
	Timer          TimerPrefs      `json:"timer"`            // of cases that say nothing else
	Budget         Duration        `json:"budget,omitempty"` // 0: none
	BudgetPlace    diag.Place      `json:"-"`
	Errors         Errors          `json:"errors"`
	Calls          int             `json:"calls,omitempty"` // comparative calls of its gates, before any filter; whoever reads gates counts them
	OnInconclusive string          `json:"on_inconclusive"`
	Report         string          `json:"report"`
	Removed        []Removed       `json:"removed,omitempty"` // names of earlier cases that may be gone
	Sources        []result.Source `json:"-"`                 // texts of its files
	Given          []string        `json:"-"`                 // NAME=value of each variable in them, as it is written there, of all cases
	Cases          []Case          `json:"cases"`
	Against        *result.Against `json:"against,omitempty"`  // what the cases are compared with, besides their bases
	Other          *Plan           `json:"other,omitempty"`    // the same definitions in the other tree, as Against says; nil without one
	Gone           []Case          `json:"-"`                  // cases of the base that Against says have vanished
	Sentinel       *Case           `json:"sentinel,omitempty"` // code that is compared with itself; nil: none is
	Builds         int             `json:"builds,omitempty"`   // of the program of the sentinel that take part: 1
}

// TimerPrefs are subtimers in order of preference; neither list is empty.
type TimerPrefs struct {
	Clock []string `json:"clock"`
	Cycle []string `json:"cycle"`
}

// Hook is a command that is run and not measured.
type Hook struct {
	Argv  []string   `json:"argv"`
	Place diag.Place `json:"-"`
}

// Case is one case as it will be measured.
type Case struct {
	Name        string              `json:"name"`
	Description string              `json:"description,omitempty"`
	Tags        []string            `json:"tags,omitempty"`
	Kind        result.Kind         `json:"kind"`
	Function    string              `json:"function,omitempty"` // kind go
	Argv        []string            `json:"argv,omitempty"`     // kind command
	Shell       string              `json:"shell,omitempty"`    // kind shell
	GoTest      *GoTest             `json:"gotest,omitempty"`   // kind gotest
	Params      []Param             `json:"params,omitempty"`
	Unit        string              `json:"unit"`
	Work        float64             `json:"work"`
	WorkSet     bool                `json:"-"` // the file gave work; else a Go function may say its own
	UnitSet     bool                `json:"-"`
	Settings    Settings            `json:"settings"`
	Origins     map[string]Origin   `json:"origins"`              // by key, of timer and every setting
	Env         []string            `json:"env,omitempty"`        // NAME=value, added to suite's own
	Cwd         string              `json:"cwd"`                  // absolute
	Stdin       string              `json:"stdin,omitempty"`      // absolute path, empty: the null device
	StdinText   string              `json:"stdin_text,omitempty"` // that it reads, where Stdin is empty
	Stdout      string              `json:"stdout,omitempty"`     // absolute path, empty: the null device
	Inputs      []string            `json:"inputs,omitempty"`     // patterns of the files that it depends on, absolute, with slashes; nil: not said
	ExitCodes   []int               `json:"exit_codes,omitempty"`
	Reject      []int               `json:"reject,omitempty"`      // exit statuses that declare a run void
	Metrics     []Metric            `json:"metrics,omitempty"`     // that the program prints
	SameOutput  bool                `json:"same_output,omitempty"` // all runs have to print the same
	OutputName  string              `json:"output_name,omitempty"` // and those of all cases with this name; empty: of the case alone
	Counters    []string            `json:"counters,omitempty"`    // metrics of the events to count, in the order of the metric table
	Pegs        bool                `json:"pegs,omitempty"`        // arcs between its pegs are measured, in a pass of their own
	PegPoints   []string            `json:"peg_points,omitempty"`  // between these points alone; nil: all
	Timer       TimerPrefs          `json:"timer"`
	Setup       *Hook               `json:"setup,omitempty"`
	Prepare     *Hook               `json:"prepare,omitempty"`
	Conclude    *Hook               `json:"conclude,omitempty"`
	Cleanup     *Hook               `json:"cleanup,omitempty"`
	Services    []Service           `json:"services,omitempty"`
	Expanded    []string            `json:"-"`                     // parameters that go: and work: name in ${…}
	Base        string              `json:"base,omitempty"`        // name of the case that it is paired with
	Other       *Other              `json:"other,omitempty"`       // what it is paired with, where that is no case of the plan
	Counterpart *result.Counterpart `json:"counterpart,omitempty"` // with Plan.Against alone
	Was         []string            `json:"was,omitempty"`         // earlier names
	Gates       []Gate              `json:"gates,omitempty"`
	Place       diag.Place          `json:"place"`

	within     string // what the name has of its existing benchmark
	base       lang.Text
	baseOrigin Origin
	tolerance  diag.Place  // where it was given, if it was
	was        []lang.Text // beside Was
}

// Other is a case of another plan that a case is paired with: the same case in
// another tree, or, of a sentinel, in this one.
type Other struct {
	Plan *Plan  `json:"-"`    // its host and its folders are those that measure Case
	Name string `json:"name"` // that reports give it: the tree as it was asked for
	Case Case   `json:"case"`
}

// Origin says where a setting came from.
type Origin string

// A setting stands in the benchmark, in defaults, on the command line, or is
// built in. A timer may stand at the top of the file, or in TimerVariable.
const (
	FromBuiltin     Origin = "built-in"
	FromSuite       Origin = "suite"
	FromDefaults    Origin = "defaults"
	FromBenchmark   Origin = "benchmark"
	FromEnvironment Origin = "environment"
	FromFlag        Origin = "flag"
)

// Param is a parameter of a case in the order of the file.
type Param struct {
	Name  string     `json:"name"`
	Value lang.Value `json:"value"`
}

// Gate is a pass/fail expression, with every ${…} in it expanded.
type Gate struct {
	ID             string    `json:"id"` // unique within the case; the expression where no name was given
	Expr           lang.Text `json:"expr"`
	Severity       string    `json:"severity"`        // fail or warn
	OnInconclusive string    `json:"on_inconclusive"` // auto, list or fail
}

// Duration prints as people write it: 100ms.
type Duration time.Duration

// Settings steer the measurement of one case.
type Settings struct {
	Batch      int64     `json:"batch"` // 0: auto
	Warmup     Duration  `json:"warmup"`
	SampleTime Duration  `json:"sample_time"`
	Benchtime  Benchtime `json:"benchtime"` // of existing benchmarks, in place of Batch and SampleTime
	TargetTime Duration  `json:"target_time"`
	MaxTime    Duration  `json:"max_time"`
	Timeout    Duration  `json:"timeout"`
	SamplesMin int       `json:"samples_min"`
	SamplesMax int       `json:"samples_max"`
	Precision  float64   `json:"precision"` // half the interval over the median; 0: off
	Coalesce   float64   `json:"coalesce"`  // shortest batch, in clock costs; 0: batches of one iteration
	GC         string    `json:"gc"`        // on, between, off
	Thread     string    `json:"thread"`    // auto, locked, free
	Parallel   int       `json:"parallel"`  // goroutines that run the loop; 0 or 1: one
	Pin        string    `json:"pin"`       // auto, on, off; commands only
	Confidence float64   `json:"confidence"`
	Sampling   string    `json:"sampling"`  // many, once
	Keep       string    `json:"keep"`      // samples, summary
	Quorum     float64   `json:"quorum"`    // share of iterations that have to count
	Tolerance  float64   `json:"tolerance"` // relative change against the base that is too small to care about
}
