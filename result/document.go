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
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
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
	// entries about cases of this run, in the order of their file
	Acceptances []Acceptance `json:"acceptances,omitempty"`
	Strict      bool         `json:"strict,omitempty"`   // everything undecided makes the run fail
	Orders      []Order      `json:"orders,omitempty"`   // how times grow with a size, in the order of the cases
	Division    *Division    `json:"division,omitempty"` // of a run on several machines
	Exit        int          `json:"exit"`               // exit status of the run, as in docs/ci.md
	Digest      string       `json:"digest,omitempty"`   // sha256:… of everything else, see Seal
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
	// least difference that two builds are assumed to have, if the file sets it
	Floor   *float64 `json:"floor,omitempty"`
	Planned *Planned `json:"planned,omitempty"` // what the run set out to judge
	Sources []Source `json:"sources,omitempty"` // texts of the suite file and of all files that it includes
}

// Commit is the state of the work tree of a suite file when a run began.
type Commit struct {
	Hash  string `json:"hash"`            // full
	Dirty bool   `json:"dirty,omitempty"` // the work tree had changes or files that no commit has
	// Changes is the hash of these changes, sha256:…, so that two dirty trees can be compared.
	Changes string `json:"changes,omitempty"`
}

func checkSchema(version string) error {
	switch version {
	case Schema:
		return nil
	case "":
		return fmt.Errorf("not a result document: it has no \"schema\"; expected %q", Schema)
	}
	return fmt.Errorf("unknown schema %q; this version of suite reads %q", version, Schema)
}

// Label is the name of a case in a sentence, with its suite if there are several.
func (d *Document) Label(c *Case) string {
	if len(d.Suites) > 1 {
		return c.Suite + ": " + c.Name
	}
	return c.Name
}

// Suite finds a suite by name; nil if there is none.
func (d *Document) Suite(name string) *Suite {
	for i := range d.Suites {
		if d.Suites[i].Name == name {
			return &d.Suites[i]
		}
	}
	return nil
}

// IsShard reports whether the document is one shard of several.
func (d *Document) IsShard() bool { return d.Division != nil && d.Division.Index > 0 }

// MachineOf is the machine that measured a case, and the seed of its draws. Both are empty if
// the shard of the case is missing.
func (d *Document) MachineOf(c *Case) (m Machine, seed string) {
	if d.Division != nil && len(d.Division.Machines) > 0 && c.Shard > 0 {
		for _, one := range d.Division.Machines {
			if one.Shard == c.Shard {
				return one.Machine, one.Seed
			}
		}
		return Machine{}, ""
	}
	return d.Machine, d.Seed
}

// IsPartial reports whether the document lacks cases that other shards have.
func (d *Document) IsPartial() bool {
	return d.Division != nil && d.Division.Count > max(1, len(d.Division.Machines))
}

// MostSource bounds the suite files in a document, in bytes for all files of a suite
// together. A file that lists 10,000 cases one by one is larger, and would be in
// every result.
const MostSource = 256 << 10

// Source is the text of a suite file at the time of the run. The first is the file
// that the user named; the files that it includes follow, in the order in which they
// were read.
type Source struct {
	File string `json:"file"` // path, as in the places of declarations
	Text string `json:"text,omitempty"`
	Left int64  `json:"left,omitempty"` // bytes of a text that was left out, because all together exceeded MostSource
}

// Planned is what a run set out to judge, recorded before the first sample. If a case
// or a gate is lost later, or a gate is made milder, the document no longer matches
// it.
type Planned struct {
	Cases  int    `json:"cases"`  // that the filter selected, without vanished ones
	Gates  int    `json:"gates"`  // of these cases, warnings included
	Digest string `json:"digest"` // sha256:… of names, expressions, severities and on_inconclusive, in order
}

// PlannedOf computes Planned from the cases of a suite. Cases that only the other
// tree has are no part of a plan. Samples and verdicts do not matter.
func PlannedOf(cases []Case, suite string) Planned {
	var p Planned
	sum := sha256.New()
	for i := range cases {
		c := &cases[i]
		if c.Suite != suite || c.IsVanished() {
			continue
		}
		p.Cases++
		p.Gates += len(c.Gates)
		fmt.Fprintf(sum, "%q\n", c.Name)
		for _, g := range c.Gates {
			fmt.Fprintf(sum, "\t%q %q %q %q\n", g.ID, g.Expr, g.Severity, g.OnInconclusive)
		}
	}
	p.Digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return p
}

// Seal sets the digest, which changes with any part of the document. It detects
// damage and careless edits, not fraud: whoever changes a document can compute a new
// digest.
func (d *Document) Seal() error {
	var err error
	d.Digest, err = d.Sum()
	return err
}

// Sum computes the digest from the JSON without white space, with keys in the order
// of Write and without the digest itself. Another layout has the same digest; any
// other text or number changes it.
func (d *Document) Sum() (string, error) {
	plain := *d
	plain.Digest = ""
	sum := sha256.New()
	err := compact(&plain, func(text []byte) {
		// an invalid byte of UTF-8 is written as an escape, and read as this character
		sum.Write(bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd")))
	})
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), err
}

// Sealed reports whether the digest of the document fits it.
func (d *Document) Sealed() bool {
	sum, err := d.Sum()
	return err == nil && sum == d.Digest
}
