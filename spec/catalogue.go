package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
)

// Catalogue is what a plan is checked against: what there is on this machine.
type Catalogue struct {
	Functions []string // registered Go functions
	Clocks    []string // names of clock subtimers; nil: not checked
	Cycles    []string // names of cycle subtimers; nil: not checked
	Counters  []string // names of events to count, as kernel and as metric; nil: not checked
	// Registered gives the functions where a benchmark names one, in place of Functions;
	// nil: Functions are all.
	Registered func() []string
	// Build builds the host of a suite that has packages of its own, from its folder,
	// and gives the functions that it registers; nil: they are not checked.
	Build func(dir string, p Packages) (functions []string, problems diag.Problems)
	// GoTests gives the benchmarks of packages, built as p says; nil: they are not
	// known, and a benchmark is one case.
	GoTests func(p Packages, q GoTestQuery) (found []GoBenchmark, problems diag.Problems)
	// Folder gives the folder that relative paths in the files of a folder start from,
	// both absolute: that of another tree; nil: the folder itself.
	Folder  func(dir string) string
	Offline bool                        // functions are not known and not checked
	Env     func(string) (string, bool) // environment variables, TimerVariable among them; nil: there are none
}

// nearest answers a name that is not known.
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
