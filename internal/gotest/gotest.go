// Package gotest finds the benchmarks in a test binary. It takes binaries that package
// build made, and returns names, the units that each benchmark prints, and the reasons why
// benchmarks were skipped. It writes nothing, measures nothing and knows nothing of suite
// files.
package gotest

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/build"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/lazy"
)

// Benchmark is a benchmark in a binary.
type Benchmark struct {
	Test  *build.Test
	Name  string   // as it is printed, without GOMAXPROCS: BenchmarkParse/small
	Units []string // that it prints, in the order of the line; nil if it has printed no line
	Top   bool     // it was not run, so it may have sub-benchmarks
	// Broken is set if its function failed, crashed or printed no result, so that it may have other sub-benchmarks.
	// While a process crashes, package testing may still print a result.
	Broken bool
}

// Options select benchmarks and control how they are listed.
type Options struct {
	Match benchname.Match
	Env   []string      // NAME=value, added to the environment of this process
	Limit time.Duration // of one start of a binary
	Procs int           // GOMAXPROCS, at least 1
	Deep  bool          // run each benchmark once to find its sub-benchmarks
	// LeavesOut reports whether nobody wants the benchmarks of a function, which is then not among them. It may be nil.
	LeavesOut func(function string) bool
}

// Note is a benchmark that is left out, and why.
type Note struct{ Name, Reason string }

// Error is why a binary does not list its benchmarks.
type Error struct {
	Test          *build.Test
	Message, Hint string
	Detail        string // last lines of what it printed; may be empty
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Test.Package, e.Message) }

// Listing is what a binary contains.
type Listing struct {
	Found []Benchmark // that Match picks, in the order of declaration
	Names []string    // of all benchmarks, picked or not
	Notes []Note      // skipped benchmarks
	Left  bool        // Options.LeavesOut has left out a function
}

// List finds the benchmarks of a binary. A benchmark that fails is among them:
// measuring it shows why. If Deep is not set, none is run, and List finds the functions
// that are picked or may have picked sub-benchmarks. A binary that cannot be listed is
// an *Error; if the context ends, the error is its cause.
func List(ctx context.Context, t *build.Test, o Options) (*Listing, error) {
	tops, err := top(ctx, t, o)
	if err != nil {
		return nil, err
	}
	l := &Listing{}
	var picked []string
	for i, name := range tops {
		if slices.Contains(tops[:i], name) {
			continue
		}
		l.Names = append(l.Names, name)
		switch {
		case !o.Match.Reaches(name):
		case o.LeavesOut != nil && o.LeavesOut(name):
			l.Left = true
		case isTwice(name, tops) && isTwice(name, t.Functions):
			l.Notes = append(l.Notes,
				Note{name, fmt.Sprintf("both %s and its external tests have a benchmark of this name, and "+
					"go test cannot run one without the other; rename one", t.Name)})
		default:
			picked = append(picked, name)
		}
	}
	if !o.Deep {
		for _, name := range picked {
			l.Found = append(l.Found, Benchmark{Test: t, Name: name, Top: true})
		}
		return l, nil
	}
	readings, err := together(ctx, t, picked, o)
	if err != nil {
		return nil, err
	}
	for _, name := range picked {
		r := readings[name]
		if r == nil {
			if r, err = alone(ctx, t, name, o); err != nil {
				return nil, err
			}
		}
		l.Found = append(l.Found, r.found...)
		l.Names = append(l.Names, r.seen...)
		l.Notes = append(l.Notes, r.notes...)
	}
	return l, nil
}

func isTwice(name string, all []string) bool {
	first := slices.Index(all, name)
	return first >= 0 && slices.Contains(all[first+1:], name)
}

// top lists the benchmark functions. If both packages of a folder have one of the same name, it comes twice.
func top(ctx context.Context, t *build.Test, o Options) (names []string, err error) {
	out, err := t.Run(ctx, o.Limit, o.Env, "-test.list=^"+benchname.Prefix)
	if err != nil {
		return nil, err
	}
	if out.Err != nil {
		return nil, listError(t, out, o.Limit)
	}
	for line := range strings.Lines(out.Stdout) {
		if name := listed(strings.TrimSpace(line), t.Functions); name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, &Error{t, "the test binary lists no benchmark", "does TestMain end without m.Run()?", out.Last()}
	}
	return names, nil
}

// listed is the function at the end of a line, the longest if several are, "" if none is: an initialiser or TestMain
// may have printed the beginning of the line.
func listed(line string, functions []string) (name string) {
	for _, f := range functions {
		if strings.HasSuffix(line, f) && len(f) > len(name) {
			name = f
		}
	}
	return name
}

func listError(t *build.Test, out build.Output, limit time.Duration) error {
	e := &Error{Test: t, Message: fmt.Sprintf("the test binary does not list its benchmarks: %v", out.Err),
		Detail: out.Last(), Hint: "its init functions and TestMain run before: go test -list ."}
	if out.Err == build.ErrSlow {
		e.Message = fmt.Sprintf("the test binary does not list its benchmarks within %v", limit)
	}
	return e
}

// run runs functions with one iteration of each of their benchmarks. With -test.v, package testing prints which
// benchmark begins and which are skipped, and keeps its lines whole if a body prints.
func run(ctx context.Context, t *build.Test, functions string, o Options) (build.Output, error) {
	return t.Run(ctx, o.Limit, o.Env, "-test.run=^$", "-test.bench="+functions, "-test.benchtime=1x", "-test.count=1",
		"-test.benchmem", "-test.v=true", fmt.Sprintf("-test.cpu=%d", o.Procs))
}

// together runs functions in one process, as go test does, so that it is started and prepares its inputs once. It
// returns those that ended with benchmarks and without a failure: all others are to be run alone, because they may have
// suffered from the ones before. If the process crashed, these are all: while it crashes, other benchmarks still begin
// and end.
func together(ctx context.Context, t *build.Test, functions []string, o Options) (map[string]*reading, error) {
	if len(functions) < 2 {
		return nil, nil
	}
	out, err := run(ctx, t, "^("+strings.Join(functions, "|")+")$", o)
	if err != nil {
		return nil, err
	}
	var exit *exec.ExitError
	// of package testing, but also of log.Fatal in the last one
	failed := errors.As(out.Err, &exit) && exit.ExitCode() == 1
	if out.Err != nil && !failed {
		return nil, nil
	}
	texts, last := apart(out.Stdout, functions)
	if failed {
		delete(texts, last)
	}
	readings := map[string]*reading{}
	for name, text := range texts {
		if r, err := read(t, name, text, o); err == nil && !r.failed && len(r.seen)+len(r.notes) > 0 {
			readings[name] = r
		}
	}
	return readings, nil
}

// beginning matches the line that package testing prints as a function begins: its name. A body may have printed
// the beginning of the line.
var beginning = lazy.Regexp(`(?m)(Benchmark[^/\s]*)$`)

// apart returns what each function of a run has printed, and the function that began last.
func apart(text string, functions []string) (texts map[string]string, last string) {
	texts = map[string]string{}
	from := 0
	for _, at := range beginning().FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if !slices.Contains(functions, name) {
			continue
		}
		if last != "" {
			texts[last] += text[from:at[0]]
		}
		last, from = name, at[1]
	}
	if last != "" {
		texts[last] += text[from:]
	}
	return texts, last
}

// alone runs one function in a process of its own.
func alone(ctx context.Context, t *build.Test, name string, o Options) (*reading, error) {
	out, err := run(ctx, t, benchname.Only(name), o)
	if err != nil {
		return nil, err
	}
	r, err := read(t, name, out.Stdout, o)
	if err != nil {
		return nil, err
	}
	printed := len(r.seen)+len(r.notes) > 0
	if !r.failed && (out.Err != nil || !printed) {
		r.add(name, nil) // it broke off or printed no line: measuring it shows why
	}
	for i := range r.found {
		r.found[i].Broken = out.Err != nil || !printed
	}
	return r, nil
}

// read finds the benchmarks in what a function printed.
func read(t *build.Test, name, text string, o Options) (*reading, error) {
	lines, err := extract.Benchmarks(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	r := &reading{test: t, match: o.Match, top: name}
	for i := range lines {
		r.line(&lines[i], o.Procs)
	}
	r.outcomes(text)
	return r, nil
}

// reading is what one function printed.
type reading struct {
	test   *build.Test
	match  benchname.Match
	top    string // the function that ran
	found  []Benchmark
	seen   []string // names of all benchmarks with a result
	notes  []Note
	failed bool
}

// line adds a result. Lines with other names are output of the benchmark.
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

// add keeps a benchmark that is picked. A benchmark that broke off is kept if anything
// below it may be picked.
func (r *reading) add(name string, units []string) {
	picked := r.match.Picks(name) || units == nil && r.match.Reaches(name)
	if picked && !slices.ContainsFunc(r.found, func(b Benchmark) bool { return b.Name == name }) {
		r.found = append(r.found, Benchmark{Test: r.test, Name: name, Units: units})
	}
}

// outcome matches the line with which package testing reports a benchmark without a result.
// What the benchmark logged comes before it, indented.
var outcome = lazy.Regexp(`^--- (FAIL|SKIP): (Benchmark\S*)\s*$`)

// outcomes adds what failed and what was skipped. If a benchmark failed because of a
// sub-benchmark, only the sub-benchmark counts.
func (r *reading) outcomes(text string) {
	var failures []string
	logged := ""
	for line := range strings.Lines(text) {
		m := outcome().FindStringSubmatch(line)
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
