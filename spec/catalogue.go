package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Catalogue is what there is on this machine: a plan is checked against it.
type Catalogue struct {
	Functions []string // registered Go functions
	Clocks    []string // names of clock subtimers; nil: not checked
	Cycles    []string // names of cycle subtimers; nil: not checked
	Counters  []string // names of events to count, as kernel and as metric; nil: not checked
	// Registered, if it is set, is asked for the functions in place of Functions, and only
	// if a benchmark names one.
	Registered func() []string
	// Build builds the host of a suite with packages of its own, starting from the suite's
	// folder, and returns the functions that the host registers. If it is nil, they are not
	// checked.
	Build func(dir string, p Packages) (functions []string, problems diag.Problems)
	// GoTests lists the benchmarks of packages, built as p describes. If it is nil,
	// they are not known, and a benchmark of gotest is one case.
	GoTests func(p Packages, q GoTestQuery) (found []GoBenchmark, problems diag.Problems)
	// Harness lists the benchmarks of a program; one without a name if it lacks what it requires. If it is nil, they
	// are not known, and a benchmark with a harness is one case.
	Harness func(q HarnessQuery) (found Listing, problems diag.Problems)
	// Reports runs the function of a case once and returns the metrics that its loop reports.
	// It is asked only for cases whose gates read a metric that nothing else declares. If it
	// is nil, nobody is asked.
	Reports func(p *Plan, c *Case) ([]result.Declared, error)
	// Folder maps the absolute folder of a file to the absolute folder that its relative
	// paths start from: the same folder in another tree. If it is nil, paths start from the
	// file's own folder.
	Folder func(dir string) string
	// Read reads a suite file, but not the files that it includes. If it is nil, LoadPlan
	// reads the file itself.
	Read    func(path string) ([]byte, error)
	Offline bool                        // functions are not known and not checked
	Env     func(string) (string, bool) // environment variables, SUITE_TIMER among them; nil: there are none
}

// GoTestQuery asks for the benchmarks of Go packages.
type GoTestQuery struct {
	Pattern string // of packages, relative to Dir
	Dir     string // absolute
	Match   benchname.Match
	Procs   int      // GOMAXPROCS while they are listed; 0: as suite itself has it
	Env     []string // NAME=value
	Limit   Duration // of one start of a binary
	Place   diag.Place
	Name    string   // beginning of the names of its cases; empty: the package within its module
	Tags    []string // of its cases
	// MatchText is the pattern of Match, or "" if all benchmarks are wanted, and MatchPlace
	// is its place in the suite file.
	MatchText  string
	MatchPlace diag.Place
}

// HarnessQuery asks a program for its benchmarks.
type HarnessQuery struct {
	Harness  string
	Argv     []string
	Env      []string // NAME=value
	Dir      string   // absolute, in which the program runs
	Build    *Hook    // of the suite, which makes the program; nil: none
	BuildDir string   // absolute, in which Build runs
	Limit    Duration // of one start of the program
	Requires []string // programs of this machine without which it is not asked
	Place    diag.Place
}

// Listing is the answer to a HarnessQuery.
type Listing struct {
	Names   []string // in the order of the program
	Program []string // is started in place of the command, which builds it; nil: the command is
	Module  string   // the path of a module of suite's own that the program loads, absolute; empty: it loads none
}

// GoBenchmark is one benchmark that a query found.
type GoBenchmark struct {
	GoTest
	Within  string   // the package within its module, or below the suite file if the module is: internal/parse
	Metrics []Metric // reported by its own code, in addition to the metrics of package testing
}

// Packages are the Go packages whose init functions register the benchmarks of a suite, and
// how the host with them is built. Words are as in the suite file; relative patterns start
// at its folder.
type Packages struct {
	Patterns []string   `json:"patterns"` // ./hashbench, ../other/..., example.com/x/y
	Tags     []string   `json:"tags,omitempty"`
	Flags    []string   `json:"flags,omitempty"` // of go build
	Env      []string   `json:"env,omitempty"`   // NAME=value, added to suite's own
	Place    diag.Place `json:"-"`
	// Places are the places of single words: patterns, tags, flags and names of variables.
	Places map[string]diag.Place `json:"-"`
}

// At is the place of a word, or of the whole list if the word has none.
func (p *Packages) At(word string) diag.Place {
	if at, ok := p.Places[word]; ok {
		return at
	}
	return p.Place
}

func (p *Packages) place(word string, at diag.Place) {
	if p.Places == nil {
		p.Places = map[string]diag.Place{}
	}
	p.Places[word] = at
}

func nearest(name string, known []string) string {
	if near, ok := diag.Nearest(name, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	switch n := len(known); {
	case n == 0:
		return "there are none"
	case n > 20:
		return fmt.Sprintf("known: %s and %d more", strings.Join(known[:20], ", "), n-20)
	}
	return "known: " + strings.Join(known, ", ")
}
