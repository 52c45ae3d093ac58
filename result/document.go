// Package result holds the result document: what was run, on which machine,
// every raw sample, the summaries and the verdicts. It is the only thing that
// judges and renderers read. Numbers are SI base units (seconds, bytes,
// counts); keys are snake_case; what is absent is absent, and nothing is NaN.
package result

import (
	"time"

	"example.com/suite/internal/diag"
)

// Schema names the version of the document that this package writes.
const Schema = "suite-result/1"

// Document is one run of one or more suite files.
type Document struct {
	Schema       string        `json:"schema"`
	Tool         Tool          `json:"tool"`
	Suites       []Suite       `json:"suites"`
	Started      time.Time     `json:"started"`
	Seconds      float64       `json:"seconds"` // wall time of the whole run
	Seed         string        `json:"seed"`    // 32 hexadecimal digits
	Machine      Machine       `json:"machine"`
	Calibrations []Calibration `json:"calibrations,omitempty"`
	Cases        []Case        `json:"cases"`
	Warnings     []Warning     `json:"warnings,omitempty"`
	Interrupted  string        `json:"interrupted,omitempty"` // the signal that ended the run early
	Acceptances  []Acceptance  `json:"acceptances,omitempty"` // entries that speak of what was measured, in the order of their file
	Strict       bool          `json:"strict,omitempty"`      // what nobody has decided makes the run fail
	Orders       []Order       `json:"orders,omitempty"`      // how times grow with a size, in the order of the cases
	Exit         int           `json:"exit"`                  // exit status of the run, as in docs/ci.md
	Digest       string        `json:"digest,omitempty"`      // sha256:… of all the rest, see Seal
}

// Tool is the program that made the document.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Go      string `json:"go"`
}

// Suite is one suite file that took part.
type Suite struct {
	Name           string    `json:"name"`
	Description    string    `json:"description,omitempty"`
	File           string    `json:"file"`
	Hash           string    `json:"hash"`               // sha256:… of the file's bytes and of all it includes
	OnInconclusive string    `json:"on_inconclusive"`    // auto, list or fail
	Report         string    `json:"report,omitempty"`   // raw, net or both
	Errors         *Errors   `json:"errors,omitempty"`   // of suites with comparative calls
	Commit         *Commit   `json:"commit,omitempty"`   // that its work tree was at
	Against        *Against  `json:"against,omitempty"`  // what --against named
	Sentinel       *Sentinel `json:"sentinel,omitempty"` // code compared with itself, in the same run
	Floor          *float64  `json:"floor,omitempty"`    // least difference that two builds are taken to have, where the file says it
	Planned        *Planned  `json:"planned,omitempty"`  // what was to be judged
	Sources        []Source  `json:"sources,omitempty"`  // texts of the suite file and of all that it includes
}

// Commit is what the work tree of a suite file was at when a run began.
type Commit struct {
	Hash  string `json:"hash"`            // full
	Dirty bool   `json:"dirty,omitempty"` // the work tree had changes or files that no commit has
}

// Machine is the fingerprint of where the run took place.
type Machine struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Kernel     string `json:"kernel,omitempty"`
	CPU        string `json:"cpu,omitempty"` // model name
	CPUs       int    `json:"cpus"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	Memory     int64  `json:"memory,omitempty"` // bytes
	Virtual    string `json:"virtual,omitempty"`
	Load       string `json:"load,omitempty"` // load averages at the start
}

// Calibration is what timing costs in the hosts of one binary.
type Calibration struct {
	Suite      string    `json:"suite"`
	Host       string    `json:"host"`   // go or command
	Binary     string    `json:"binary"` // sha256:… of the host program
	Clock      ClockInfo `json:"clock"`
	Direct     *LoopCost `json:"direct,omitempty"`
	Indirect   *LoopCost `json:"indirect,omitempty"`
	SpawnFloor *Spawn    `json:"spawn_floor,omitempty"` // command hosts only
	Seconds    float64   `json:"seconds"`               // how long calibrating took
	Counter    *Counter  `json:"counter,omitempty"`     // cycle subtimer, absent for null
	// Skipped are the preferred cycle subtimers that could not be used.
	Skipped []Skipped `json:"skipped,omitempty"`
}

// ClockInfo is the clock that "time" was read from.
type ClockInfo struct {
	Name       string    `json:"name"`
	Resolution float64   `json:"resolution"` // seconds, smallest step seen
	Cost       float64   `json:"cost"`       // seconds between two readings with nothing between
	CostError  float64   `json:"cost_error"` // seconds, half of its 99% interval
	Skipped    []Skipped `json:"skipped,omitempty"`
}

// Skipped is a preferred subtimer that could not be used, and why.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// LoopCost is what an empty loop costs: per batch and per iteration, seconds,
// each with half of its 99% interval.
type LoopCost struct {
	Batch          float64 `json:"batch"`
	BatchError     float64 `json:"batch_error"`
	Iteration      float64 `json:"iteration"`
	IterationError float64 `json:"iteration_error"`
}

// Counter is the cycle counter that was read beside the clock.
type Counter struct {
	Name      string    `json:"name"`
	Unit      string    `json:"unit"`                // ticks or cycles
	Frequency Cost      `json:"frequency"`           // counts per second of wall time while calibrating
	Cost      Cost      `json:"cost"`                // counts between two readings with nothing between
	Direct    *LoopCost `json:"direct,omitempty"`    // in counts
	Indirect  *LoopCost `json:"indirect,omitempty"`  // in counts
	UserOnly  bool      `json:"user_only,omitempty"` // it leaves out what happens in the kernel
}

// Spawn is the floor of commands: what starting and reaping a program that
// does nothing costs, and the peak memory that every child is born with.
type Spawn struct {
	Program string  `json:"program"`
	Time    float64 `json:"time"` // seconds, median
	RSS     float64 `json:"rss"`  // bytes: no child can report less
}

// Gate is a pass/fail expression with its verdict and evidence.
type Gate struct {
	ID             string     `json:"id"` // unique within its case
	Expr           string     `json:"expr"`
	Place          diag.Place `json:"place"`
	Severity       string     `json:"severity"`           // fail or warn
	OnInconclusive string     `json:"on_inconclusive"`    // auto, list or fail
	Compares       bool       `json:"compares,omitempty"` // it needs a base, or a mean over those that have one
	Reads          []Reading  `json:"reads,omitempty"`    // the numbers that it hangs on, in the order of the expression
	Verdict        Verdict    `json:"verdict"`
	Form           Form       `json:"form"`
	Cause          Cause      `json:"cause,omitempty"`    // why, as a word of this list
	Reason         string     `json:"reason,omitempty"`   // why it is not a pass, in words and numbers
	Accepted       *Accepted  `json:"accepted,omitempty"` // of a failure that people have agreed to
	Values         []Value    `json:"values,omitempty"`   // what decided, in the order of the expression
}

// Verdict of a gate.
type Verdict string

// The verdicts of a gate.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive"
	Error        Verdict = "error"
	NotJudged    Verdict = "skipped"
)

// Form is how a gate was decided: see docs/gates.md.
type Form string

// Exact values are compared plainly, comparisons with a base by the evidence of
// their pairs, whose errors are those of the suite (Errors), headlines and ratios
// through their 99% interval, everything else on point values alone; what compares
// with a saved result is unpaired, however it is decided, for the machine may have
// changed in between. A gate has the weakest form of its parts, in this order.
const (
	FormExact    Form = "exact"
	FormPairs    Form = "pairs"
	FormInterval Form = "interval"
	FormPoint    Form = "point"
	FormUnpaired Form = "unpaired"
)

// Value is one sub-expression of a gate with what it came to.
type Value struct {
	Text       string   `json:"text"` // as written: time.median
	Value      float64  `json:"value"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"`
	Unit       string   `json:"unit,omitempty"` // of the metric: s, B, 1/s, or empty for counts
	Note       string   `json:"note,omitempty"` // what it is of, where that is not plain: of batches of 100 iterations
}
