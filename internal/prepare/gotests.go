package prepare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/build"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/gotest"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
)

// goTests is the answer to a query: the benchmarks that were found, or the problems.
type goTests struct {
	found    []spec.GoBenchmark
	problems diag.Problems
}

// GoTests builds test binaries and returns the benchmarks in them that a query finds.
// Each query is answered once.
func (h *Hosts) GoTests(p spec.Packages, q spec.GoTestQuery) ([]spec.GoBenchmark, diag.Problems) {
	if h.LeavesOut != nil && h.LeavesOut.LeavesOut(&q) {
		h.left = true
		return nil, nil
	}
	p.Patterns = []string{q.Pattern}
	p.Place = q.Place
	p.Places = maps.Clone(p.Places)
	if p.Places != nil {
		delete(p.Places, q.Pattern) // packages: may list the same pattern at another place
	}
	asked := []any{p, q.Dir, q.MatchText, q.Procs, q.Env, q.Limit}
	if h.LeavesOut != nil {
		asked = append(asked, q.Name)
	}
	text, _ := json.Marshal(asked) // words and numbers always can be
	key := string(text)
	answer, done := h.tests[key]
	if !done {
		answer = h.ask(&p, &q)
		h.tests[key] = answer
	}
	return answer.found, answer.problems
}

func (h *Hosts) ask(p *spec.Packages, q *spec.GoTestQuery) goTests {
	building := h.announce(slowBuild, "building tests of", q.Dir, p)
	tests, err := build.Tests(h.ctx, build.Request{Dir: q.Dir, Packages: p.Patterns, Tags: p.Tags, Flags: h.flags(p),
		Env: p.Env, Cache: h.Cache})
	building.Stop()
	if err != nil {
		return goTests{problems: h.goTestProblems(err, p)}
	}
	for _, t := range tests {
		h.linked[t.Path], h.bins[t.Path] = linker(t.Link), t
		h.folders[t.Path] = q.Dir
		if h.Binaries != nil {
			h.Binaries.Add(t.Path, "sha256:"+t.Hash)
		}
	}
	defer h.announce(slowList, "running once, to list sub-benchmarks, the benchmarks of", q.Dir, p).Stop()
	l, err := h.listAll(tests, q, gotest.Options{Match: q.Match, Env: q.Env, Limit: time.Duration(q.Limit),
		Procs: cmp.Or(q.Procs, runtime.GOMAXPROCS(0)), Deep: h.Deep})
	if err != nil {
		return goTests{problems: h.goTestProblems(err, p)}
	}
	for _, line := range skipLines(l.Notes) {
		h.Say("%s: %s", q.Place.File, line)
	}
	h.left = h.left || l.Left
	if len(l.Found) == 0 && !l.Left {
		return goTests{problems: diag.Problems{nothingFound(l, q)}}
	}
	return goTests{found: goBenchmarks(l.Found, q)}
}

// skipLines writes a line for each reason for which benchmarks are skipped. A corpus that git does not have makes dozens
// skip for the same.
func skipLines(notes []gotest.Note) (lines []string) {
	const few = 3
	names := map[string][]string{}
	var reasons []string
	for _, note := range notes {
		names[note.Reason] = append(names[note.Reason], note.Name)
		reasons = append(reasons, note.Reason)
	}
	for _, why := range units.Distinct(reasons) {
		verb := "is"
		if len(names[why]) > 1 {
			verb = "are"
		}
		lines = append(lines, fmt.Sprintf("%s %s skipped%s", units.List(names[why], few), verb, reason(why)))
	}
	return lines
}

// goTestName names a benchmark of a test binary: the folder of its package, and its name as it is printed.
type goTestName struct{ dir, name string }

// skipped returns why a benchmark was skipped when those of a package in this folder were listed. The benchmarks above
// it may have been skipped in its place.
func (h *Hosts) skipped(dir, name string) (reason string, is bool) {
	for ; name != "" && !is; name = name[:max(strings.LastIndexByte(name, '/'), 0)] {
		reason, is = h.skips[goTestName{dir, name}]
	}
	return reason, is
}

// goBenchmarks converts the benchmarks that were found for a plan. The metrics of a benchmark
// that failed are unknown. It gets the metrics of all the others, so that its gates compile.
func goBenchmarks(all []gotest.Benchmark, q *spec.GoTestQuery) (found []spec.GoBenchmark) {
	var units []string
	for i := range all {
		units = append(units, all[i].Units...)
	}
	slices.Sort(units)
	units = slices.Compact(units)
	for i := range all {
		b := &all[i]
		if b.Units == nil && !b.Top {
			b.Units = units
		}
		found = append(found, goBenchmark(b, q))
	}
	return found
}

// listAll joins the listings of all binaries, and keeps what they say of benchmarks that were skipped.
func (h *Hosts) listAll(tests []*build.Test, q *spec.GoTestQuery, o gotest.Options) (*gotest.Listing, error) {
	all := &gotest.Listing{}
	for _, t := range tests {
		if h.LeavesOut != nil {
			o.LeavesOut = func(function string) bool { return h.LeavesOut.LeavesOutFunction(q, t.Name, function) }
		}
		l, err := gotest.List(h.ctx, t, o)
		if err != nil {
			return nil, err
		}
		for _, note := range l.Notes {
			h.skips[goTestName{t.Dir, note.Name}] = note.Reason
		}
		all.Found = append(all.Found, l.Found...)
		all.Names = append(all.Names, l.Names...)
		all.Notes = append(all.Notes, l.Notes...)
		all.Left = all.Left || l.Left
	}
	return all, nil
}

func reason(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// nothingFound is the problem of a query that finds no benchmark: its pattern matches
// no name, or what it matches is skipped.
func nothingFound(l *gotest.Listing, q *spec.GoTestQuery) diag.Problem {
	if len(l.Notes) > 0 {
		return diag.Problem{Code: diag.UnknownName, Place: q.Place,
			Message: fmt.Sprintf("every benchmark of %q that is wanted is skipped: %s%s", q.Pattern, l.Notes[0].Name,
				reason(l.Notes[0].Reason))}
	}
	var names []string
	for _, name := range l.Names {
		names = append(names, benchname.Short(name))
	}
	hint := "there are: " + strings.Join(names[:min(len(names), 20)], ", ")
	word := strings.Trim(q.MatchText, "^$")
	if near, ok := diag.Nearest(word, names); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if short := benchname.Short(word); short != word {
		hint = fmt.Sprintf("names come without Benchmark: did you mean %q?", short)
	}
	return diag.Problem{Code: diag.UnknownName, Place: q.MatchPlace,
		Message: fmt.Sprintf("no benchmark of %q matches %q", q.Pattern, q.MatchText), Hint: hint}
}

func goBenchmark(b *gotest.Benchmark, q *spec.GoTestQuery) spec.GoBenchmark {
	g := spec.GoBenchmark{Within: b.Test.Name,
		GoTest: spec.GoTest{Pattern: q.Pattern, Package: b.Test.Package, Benchmark: b.Name,
			Dir: b.Test.Dir, Program: b.Test.Path, Serves: b.Test.Serves, Top: b.Top,
			Broken: b.Broken}}
	for _, m := range gotest.Metrics(b.Units) {
		if m.Declared != nil {
			g.Metrics = append(g.Metrics, spec.Metric{Declared: *m.Declared, From: "stdout",
				Bench: m.Unit, Scale: m.Scale})
		}
	}
	return g
}

// goTestProblems returns the problems of building or listing benchmarks with their places: in
// the Go files, or at the name of the packages in the suite file.
func (h *Hosts) goTestProblems(err error, p *spec.Packages) diag.Problems {
	var silent *gotest.Error
	var broken *build.Error
	switch {
	case errors.As(err, &broken):
		return hostProblems(err, p)
	case !errors.As(err, &silent):
		return diag.Problems{{Place: p.Place, Message: "gotest: " + err.Error()}}
	}
	return diag.Problems{{Place: p.Place, Message: withDetail(silent.Error(), silent.Detail), Hint: silent.Hint}}
}
