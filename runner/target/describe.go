package target

import (
	"slices"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/spec"
)

// Describe returns the case of a document before it is measured.
func (t *Target) Describe() *result.Case {
	c := t.Spec
	r := &result.Case{
		Suite: t.Plan.Suite, Name: c.Name, Description: c.Description, Tags: c.Tags, Kind: c.Kind,
		Params: Params(c.Params), Unit: c.Unit, Work: c.Work, Settings: settings(&c.Settings), Status: result.NotRun,
		Identity: result.Identity{Function: c.Function, Argv: c.Argv, Shell: c.Shell}, Place: c.Place,
		Counterpart: c.Counterpart,
		Declared:    Declared(c), Samples: result.NoSamples(),
	}
	switch {
	case len(c.Missing) > 0:
		r.Status, r.Missing = result.LeftOut, c.Missing
	case c.Other == nil && c.Counterpart.IsUnaffected():
		r.Status = result.Unaffected
	}
	r.Settings.Counters, r.Settings.Callgrind = c.Counters, c.Callgrind
	if c.Callgrind {
		r.Settings.Counters = append(slices.Clone(c.Counters), result.Instructions)
	}
	if r.Settings.WhenUndecided == spec.Inform {
		r.Settings.WhenUndecided = ""
	}
	if r.Settings.Judge == result.JudgeTime {
		r.Settings.Judge = ""
	}
	if !t.IsCommand() {
		r.Settings.Pin = "" // functions run in a host with others
	}
	if g := c.GoTest; t.IsGoTest() && g != nil {
		r.Identity.Package, r.Identity.Benchmark, r.Identity.Procs = g.Package, g.Benchmark, g.Procs
		b := c.Settings.Benchtime
		r.Settings.Batch, r.Settings.SampleTime, r.Settings.Pin = b.N, float64(b.Time)/1e9, ""
	} else if h := c.Harness; h != nil {
		r.Identity.Harness, r.Identity.Benchmark = h.Name, h.Benchmark
		b := c.Settings.Benchtime
		r.Settings.Batch, r.Settings.SampleTime = b.N, float64(b.Time)/1e9
	} else {
		r.Settings.Isolate = ""
	}
	return r
}

// Params turns the parameters of a plan into the document's.
func Params(ps []spec.Param) (all []result.Param) {
	for _, p := range ps {
		r := result.Param{Name: p.Name, Text: p.Value.Text}
		if p.Value.Kind == lang.Number {
			r.Number = &p.Value.Number
		}
		all = append(all, r)
	}
	return all
}

// Declared are the metrics that a case declares, as the document has them: the ones of the suite
// file, those that an existing benchmark prints, and those that a function was seen to report.
func Declared(c *spec.Case) (all []result.Declared) {
	for _, m := range c.Metrics {
		all = append(all, m.Declared)
	}
	return append(all, c.Reports...)
}

// A field that result.Settings shares with spec.Settings by name is copied, so that a
// new setting needs no code here.
func settings(s *spec.Settings) (stated result.Settings) {
	fill(&stated, s)
	return stated
}

// Naming is how the suite file names the files that a side reads. Its hooks and services make what
// it measures, so it has their files too.
func (t *Target) Naming(program string) binary.Naming {
	c := t.Spec
	n := binary.Naming{Dir: t.Plan.Dir, Cwd: c.Cwd, Words: slices.Clone(c.Env), Lines: []string{c.Shell},
		Patterns: c.Inputs, Program: program}
	if len(c.Argv) > 0 {
		n.Words = append(n.Words, c.Argv[1:]...)
	}
	for _, p := range c.Params {
		n.Words = append(n.Words, p.Value.Text)
	}
	for _, h := range []*spec.Hook{c.Setup, c.Prepare, c.Conclude, c.Cleanup} {
		n.Words = append(n.Words, hookArgv(h)...)
	}
	for _, service := range c.Services {
		n.Words = append(n.Words, slices.Concat(service.Argv, service.Env)...)
	}
	n.Words = append(n.Words, c.Stdin)
	return n
}

// NotOf reports whether a column does not describe a benchmark that times itself: the
// time and the CPU time of the whole process include its start, whatever they are
// divided by.
func (t *Target) NotOf(column string) bool {
	return t.TimesItself() && (column == "wall" || column == "cpu")
}

// Printed are the names of what it may print, if it declares these metrics.
func (t *Target) Printed(declared []result.Declared) (names []string) {
	for _, d := range declared {
		names = append(names, d.Name)
	}
	if t.IsGoTest() {
		for _, m := range byTesting {
			names = append(names, m.Name)
		}
	}
	return names
}
