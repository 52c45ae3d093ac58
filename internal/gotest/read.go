package gotest

import (
	"regexp"
	"slices"
	"strings"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/build"
	"example.com/suite/internal/extract"
)

// reading is what one start of a binary told.
type reading struct {
	test   *build.Test
	match  benchname.Match
	top    string // the function that ran
	found  []Benchmark
	seen   []string // names of all that have a result
	notes  []Note
	failed bool
}

// line takes in a result. Lines of other names are output of the benchmark.
func (r *reading) line(b *extract.Benchmark, procs int) {
	full := benchname.Prefix + b.Full
	name := strings.TrimSuffix(full, benchname.Procs("", procs))
	if !r.below(name) || benchname.Procs(name, procs) != full {
		return
	}
	r.seen = append(r.seen, name)
	var units []string
	for _, v := range b.Values {
		units = append(units, v.Unit)
	}
	r.add(name, units)
}

func (r *reading) below(name string) bool {
	return name == r.top || strings.HasPrefix(name, r.top+"/")
}

// add keeps a benchmark that is picked. One that is broken off is kept where
// anything below it may be.
func (r *reading) add(name string, units []string) {
	picked := r.match.Picks(name) || units == nil && r.match.Reaches(name)
	if picked && !slices.ContainsFunc(r.found, func(b Benchmark) bool { return b.Name == name }) {
		r.found = append(r.found, Benchmark{Test: r.test, Name: name, Units: units})
	}
}

// outcome is how testing tells of a benchmark that has no result. What was
// logged stands above it, indented.
var outcome = regexp.MustCompile(`^--- (FAIL|SKIP): (Benchmark\S*)\s*$`)

// outcomes takes in what failed and what was skipped. Of those that failed
// because of one below them only the lowest counts.
func (r *reading) outcomes(text string) {
	var failures []string
	logged := ""
	for line := range strings.Lines(text) {
		m := outcome.FindStringSubmatch(line)
		switch {
		case m == nil && strings.HasPrefix(line, "    "):
			logged = strings.TrimSpace(line)
		case m == nil:
			logged = ""
		case m[1] == "FAIL" && r.below(m[2]):
			failures = append(failures, m[2])
		case m[1] == "SKIP" && r.below(m[2]) && r.match.Reaches(m[2]):
			r.notes = append(r.notes, Note{m[2], logged})
		}
	}
	for _, name := range failures {
		r.failed = true
		lower := func(other string) bool { return strings.HasPrefix(other, name+"/") }
		if !slices.ContainsFunc(failures, lower) {
			r.add(name, nil)
		}
	}
}
