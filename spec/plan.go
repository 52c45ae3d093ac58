package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Plan is what a run will do: its cases in the order of the file, with everything resolved.
type Plan struct {
	Suite       string `json:"suite"`
	Description string `json:"description,omitempty"`
	File        string `json:"file"` // as it was given to Load
	Dir         string `json:"dir"`  // absolute; relative paths of the file start here
	Hash        string `json:"hash"`
	Partial     bool   `json:"-"` // other machines measure the rest of its cases
	Traced      bool   `json:"-"` // it is run to record what its cases look at
	Together    bool   `json:"-"` // then its cases share a process, as when they are measured
	Built       bool   `json:"-"` // its build command has run while it was prepared
	// no function was asked what it reports, so gates may name metrics that nothing declares
	Unasked bool `json:"-"`
	// absolute folder in which its hosts start; empty: the current folder
	HostDir     string     `json:"-"`
	Packages    *Packages  `json:"packages,omitempty"` // nil: the functions of suite itself
	Build       *Hook      `json:"build,omitempty"`
	Timer       TimerPrefs `json:"timer"`            // of cases without a timer of their own
	Budget      Duration   `json:"budget,omitempty"` // 0: none
	BudgetPlace diag.Place `json:"-"`
	Errors      Errors     `json:"errors"`
	// comparative calls of its gates, before any filter; package gate counts them
	Calls int `json:"calls,omitempty"`
	// whether others are concluded from either answer of its gates, see AskBothWays
	BothWays       bool            `json:"-"`
	OnInconclusive string          `json:"on_inconclusive"`
	Report         string          `json:"report"`
	Unaffected     Unaffected      `json:"unaffected"`
	Removed        []Removed       `json:"removed,omitempty"` // names of earlier cases that may be gone
	Sources        []result.Source `json:"-"`                 // texts of its files
	// NAME=value of each variable in Sources, as it is written there
	Given   []string        `json:"-"`
	Cases   []Case          `json:"cases"`
	Against *result.Against `json:"against,omitempty"` // what the cases are compared with, besides their bases
	// the same definitions in the tree of Against; nil if no tree is compared
	Other    *Plan  `json:"other,omitempty"`
	Gone     []Case `json:"-"`                  // cases of the base that are in Against.Vanished
	Sentinel *Case  `json:"sentinel,omitempty"` // a case that is compared with itself, see PlaceSentinel; nil: none
	Builds   int    `json:"builds,omitempty"`   // builds of the sentinel's program that take part: 1
}

// TimerPrefs are subtimers in order of preference. Neither list is empty.
type TimerPrefs struct {
	Clock []string `json:"clock"`
	Cycle []string `json:"cycle"`
}

// Names lists the names of the cases, in their order.
func (p *Plan) Names() []string {
	names := make([]string, len(p.Cases))
	for i := range p.Cases {
		names[i] = p.Cases[i].Name
	}
	return names
}

// String formats the timer on one line: clock=wall cycle=null.
func (t TimerPrefs) String() string {
	return "clock=" + strings.Join(t.Clock, ",") + " cycle=" + strings.Join(t.Cycle, ",")
}

// Errors are the risks that a suite takes, and what is checked before its measurements
// count.
type Errors struct {
	Family float64 `json:"family"` // chance that at least one failed gate is false, 0 to 1
	// whether every run compares code with itself; nil: if trees are compared
	Sentinel *bool `json:"sentinel,omitempty"`
	// difference that two builds of one source are assumed to have at least; nil: defaults.Floor
	Floor *float64 `json:"floor,omitempty"`
}

// LeastDifference is the least relative difference that two builds of one source, or
// two runs of one program, are taken to have.
func (e *Errors) LeastDifference() float64 {
	if e.Floor != nil {
		return *e.Floor
	}
	return defaults.Floor
}

// text lists only what differs from the defaults, so it is often "".
func (e *Errors) text() string {
	var said []string
	if e.Family != defaults.Family {
		said = append(said, "family "+units.Exact(e.Family))
	}
	if e.Sentinel != nil {
		said = append(said, fmt.Sprintf("sentinel %t", *e.Sentinel))
	}
	if e.Floor != nil {
		said = append(said, "floor "+units.Exact(*e.Floor))
	}
	return strings.Join(said, ", ")
}

// Removed is the name of a case that a suite no longer has, or the beginning of such names.
type Removed struct {
	Name  string     `json:"name"`
	Place diag.Place `json:"-"`
}

// covers reports whether name is the removed name or is below it, after a slash.
func (r *Removed) covers(name string) bool {
	return name == r.Name || strings.HasPrefix(name, r.Name+"/")
}

// WantsSentinel reports whether the run is to compare code with itself as well. If the
// suite file does not set it, it does so whenever trees are compared.
func (p *Plan) WantsSentinel() bool {
	if p.Errors.Sentinel != nil {
		return *p.Errors.Sentinel
	}
	return p.Against != nil && p.Against.Kind != result.AgainstResult
}
