// Package result is the result document: what was run and on which machine, every raw
// sample, the summaries, the comparisons and the verdicts of one run.
//
// Gates, reports and suite compare take a [Document] and nothing else, so a saved one
// can be judged again, compared and rendered without timing anything. [Read] accepts
// only valid documents of this version; [Write] writes one with a stable layout, so
// that documents can be kept in a repository and compared line by line. The package
// measures nothing and decides no gate: it stores the verdicts, and
// [Document.Outcome] sums them up in an exit status and one line.
//
// All times are in seconds, memory is in bytes, shares are from 0 to 1, and counts
// are plain numbers. Keys of the JSON are in snake_case. Whatever was not measured is
// left out: no special number marks a missing one, and only columns of samples have
// gaps, as null. Words such as [Verdict], [Cause] and [Change] are constants that
// programs can depend on; the sentences next to them are for people and may change.
//
// docs/results.md describes every key with examples.
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
	Acceptances  []Acceptance  `json:"acceptances,omitempty"` // entries about cases of this run, in the order of their file
	Strict       bool          `json:"strict,omitempty"`      // everything undecided makes the run fail
	Orders       []Order       `json:"orders,omitempty"`      // how times grow with a size, in the order of the cases
	Division     *Division     `json:"division,omitempty"`    // of a run on several machines
	Exit         int           `json:"exit"`                  // exit status of the run, as in docs/ci.md
	Digest       string        `json:"digest,omitempty"`      // sha256:… of everything else, see Seal
}

// Tool is the program that wrote the document.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Go      string `json:"go"`
}

// CommandLine is the File of a suite whose commands were typed on the command line.
const CommandLine = "command line"

// Suite is one suite file of the run.
type Suite struct {
	Name           string    `json:"name"`
	Description    string    `json:"description,omitempty"`
	File           string    `json:"file"`
	Hash           string    `json:"hash"`               // sha256:… of the file and of all files that it includes
	OnInconclusive string    `json:"on_inconclusive"`    // auto, list or fail
	Report         string    `json:"report,omitempty"`   // raw, net or both
	Errors         *Errors   `json:"errors,omitempty"`   // of suites with comparative calls
	Commit         *Commit   `json:"commit,omitempty"`   // of its work tree
	Against        *Against  `json:"against,omitempty"`  // what --against named
	Sentinel       *Sentinel `json:"sentinel,omitempty"` // code compared with itself, in the same run
	// Sentinels replaces Sentinel in a merged document: the sentinels of its machines, in
	// the order of the shards. Not every machine needs to have one.
	Sentinels []*Sentinel `json:"sentinels,omitempty"`
	Floor     *float64    `json:"floor,omitempty"`   // least difference that two builds are assumed to have, if the file sets it
	Planned   *Planned    `json:"planned,omitempty"` // what the run set out to judge
	Sources   []Source    `json:"sources,omitempty"` // texts of the suite file and of all files that it includes
}

// Commit is the state of the work tree of a suite file when a run began.
type Commit struct {
	Hash  string `json:"hash"`            // full
	Dirty bool   `json:"dirty,omitempty"` // the work tree had changes or files that no commit has
	// Changes is the hash of these changes, sha256:…, so that two dirty trees can be compared.
	Changes string `json:"changes,omitempty"`
}

// Machine identifies the computer of the run.
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

// Calibration is the cost of timing in the hosts of one binary.
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
	Shard   int       `json:"shard,omitempty"` // in a merged document: the shard of the machine
}

// ClockInfo describes the clock that "time" was read from.
type ClockInfo struct {
	Name       string    `json:"name"`
	Resolution float64   `json:"resolution"` // seconds, smallest step seen
	Cost       float64   `json:"cost"`       // seconds between two readings in direct succession
	CostError  float64   `json:"cost_error"` // seconds, half of its 99% interval
	Skipped    []Skipped `json:"skipped,omitempty"`
}

// Skipped is a preferred subtimer that could not be used, and why.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// LoopCost is the cost of an empty loop, per batch and per iteration, in seconds,
// each with half of its 99% interval.
type LoopCost struct {
	Batch          float64 `json:"batch"`
	BatchError     float64 `json:"batch_error"`
	Iteration      float64 `json:"iteration"`
	IterationError float64 `json:"iteration_error"`
}

// Counter is the cycle counter that was read in addition to the clock.
type Counter struct {
	Name      string    `json:"name"`
	Unit      string    `json:"unit"`                // ticks or cycles
	Frequency Cost      `json:"frequency"`           // counts per second of wall time while calibrating
	Cost      Cost      `json:"cost"`                // counts between two readings in direct succession
	Direct    *LoopCost `json:"direct,omitempty"`    // in counts
	Indirect  *LoopCost `json:"indirect,omitempty"`  // in counts
	UserOnly  bool      `json:"user_only,omitempty"` // it excludes the kernel
}

// Spawn is the floor of commands: the time to start and reap a program that does
// nothing, and the peak memory that every child has at least.
type Spawn struct {
	Program string  `json:"program"`
	Time    float64 `json:"time"`           // seconds, the least of several runs
	Wait    float64 `json:"wait,omitempty"` // seconds that a run was ready and waited for a CPU, median
	RSS     float64 `json:"rss"`            // bytes: no child can report less
}

// Gate is a pass/fail expression with its verdict and evidence.
type Gate struct {
	ID             string     `json:"id"` // unique within its case
	Expr           string     `json:"expr"`
	Place          diag.Place `json:"place"`
	Severity       string     `json:"severity"`           // fail or warn
	OnInconclusive string     `json:"on_inconclusive"`    // auto, list or fail
	Compares       bool       `json:"compares,omitempty"` // it reads a base, or a mean over the cases that have one
	Reads          []Reading  `json:"reads,omitempty"`    // the numbers that it depends on, in the order of the expression
	Verdict        Verdict    `json:"verdict"`
	Form           Form       `json:"form"`
	Cause          Cause      `json:"cause,omitempty"`    // why, as a word for programs
	Reason         string     `json:"reason,omitempty"`   // why it is not a pass, in words and numbers
	Finding        *Finding   `json:"finding,omitempty"`  // of a failure: the number and its limit
	Accepted       *Accepted  `json:"accepted,omitempty"` // if people have accepted the failure
	Values         []Value    `json:"values,omitempty"`   // the numbers that decided, in the order of the expression
}

// Verdict is the result of judging a gate.
type Verdict string

// The verdicts of a gate.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive"
	Error        Verdict = "error"
	NotJudged    Verdict = "skipped"
)

// Form is the method by which a gate was decided.
type Form string

// The forms, from the strongest to the weakest; a gate has the weakest form of its
// parts. Exact values are compared without statistics. A comparison with a base is
// decided by its pairs, with the error that the suite allows (Errors). Headlines and
// ratios are decided by their 99% interval, and everything else by point values
// alone. A comparison with a saved result is unpaired, because the machine may have
// changed in between. A drift is decided by the commits of a history.
const (
	FormExact    Form = "exact"
	FormPairs    Form = "pairs"
	FormInterval Form = "interval"
	FormPoint    Form = "point"
	FormUnpaired Form = "unpaired"
	FormHistory  Form = "history"
)

// Value is a sub-expression of a gate and its value.
type Value struct {
	Text       string   `json:"text"` // as written: time.median
	Value      float64  `json:"value"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"`
	Unit       string   `json:"unit,omitempty"` // of the metric: s, B, 1/s, or empty for counts
	Note       string   `json:"note,omitempty"` // whose value it is, if Text does not show it: of batches of 100 iterations
}
