// Package gate turns expressions and results into verdicts. A [Compiler] checks the
// gates of all cases before anything is measured and reports every faulty one with
// its place. [Watch] reports during a run which gates are still open.
// [Assessed.Judge] then fills in verdict, form, reason and the values that decided.
// The package knows nothing of renderers, clocks or sampling. Package sides has the numbers that
// gates compare.
//
// An expression is split at and, or, not and ?: into leaves. Each leaf is decided by
// its form:
//
//   - metric.median OP limit: the median's 99 % interval.
//   - ratio(metric) OP limit: the 99 % interval of the ratio of pairs.
//   - worse and better: the pairs, with an error that Share spreads over all calls.
//   - exact metrics, or none: the values.
//   - every other leaf: point values, and the gate is marked as decided by them.
//
// Leaves are joined by Kleene's logic: an undecided leaf counts only if it could
// change the outcome.
package gate

import (
	"fmt"
	"maps"
	"runtime"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Compiled are the gates of some suites, and how the errors of each suite are divided
// among its calls. Watch steers a run with them, and Assess and Judge decide them after
// it. A Compiled never changes: Share, On and Only return a changed copy.
type Compiled struct {
	host   func(shard int) Host
	gates  map[sides.Key][]*gate
	errors map[string]result.Errors // by suite

	functions []*function
	partial   map[string]bool // suites of which other machines have measured the rest
}

// On returns the same gates for samples of other machines, which host.os and the like then
// refer to: host returns the machine of a shard. Compile sets this machine.
func (s *Compiled) On(host func(shard int) Host) *Compiled {
	c := *s
	c.host = host
	return &c
}

// Only returns the gates of the cases for which keep is true. The errors stay divided
// among the calls of all cases: the certainty of a verdict must not depend on which other
// cases are run.
func (s *Compiled) Only(keep func(suite, name string) bool) *Compiled {
	c := *s
	c.gates = map[sides.Key][]*gate{}
	for key, gates := range s.gates {
		if keep(key.Suite, key.Name) {
			c.gates[key] = gates
		}
	}
	return &c
}

// Partial returns the same gates for samples of a part of a suite. Gates that read all cases
// of the suite are then not judged.
func (s *Compiled) Partial(suite string) *Compiled {
	c := *s
	c.partial = maps.Clone(s.partial)
	if c.partial == nil {
		c.partial = map[string]bool{}
	}
	c.partial[suite] = true
	return &c
}

// Reads returns the numbers that the gates of a case depend on.
func (s *Compiled) Reads(suite, name string) (all []result.Reading) {
	for _, g := range s.gates[sides.Key{Suite: suite, Name: name}] {
		all = append(all, g.rule.reads()...)
	}
	return all
}

// Join returns the gates of all sets. Each set must have suites of its own.
func Join(sets ...*Compiled) *Compiled {
	all := &Compiled{
		host:      thisMachine,
		gates:     map[sides.Key][]*gate{},
		errors:    map[string]result.Errors{},
		functions: functions,
	}
	for _, s := range sets {
		maps.Copy(all.gates, s.gates)
		maps.Copy(all.errors, s.errors)
	}
	return all
}

func thisMachine(int) Host {
	return Host{runtime.GOOS, runtime.GOARCH, float64(runtime.NumCPU())}
}

// Compile compiles sources with a new Compiler.
func Compile(sources []Source, names map[string][]string) (*Compiled, diag.Problems) {
	return new(Compiler).Compile(sources, names)
}

// Compiler compiles each expression once, however many sources have it: sources with the
// same text, kind, parameters and metrics share what was compiled, in one call of Compile
// or in several. The zero value is ready to use.
type Compiler struct {
	rules map[ruleKey]*rule
}

// Compile checks every source. It returns the gates of the valid ones, and the
// problems of the others, sorted. names contains the names of all cases of each suite,
// for case("…").
func (c *Compiler) Compile(sources []Source, names map[string][]string) (*Compiled, diag.Problems) {
	set := &Compiled{host: thisMachine, gates: map[sides.Key][]*gate{}, functions: functions}
	var problems diag.Problems
	for _, s := range sources {
		rule, found := c.compile(s, names[s.Suite])
		problems = append(problems, found...)
		if len(found) > 0 {
			continue
		}
		key := sides.Key{Suite: s.Suite, Name: s.Case}
		set.gates[key] = append(set.gates[key], &gate{s, rule})
	}
	set.errors = set.shares(sources)
	return set, problems.Sort()
}

type ruleKey struct {
	text    string
	kind    result.Kind
	params  string
	metrics string
	pegs    string

	declared string // of the whole suite
}

// compile returns the rule of a source, or its problems. cases are the names of all cases
// of its suite.
func (c *Compiler) compile(s Source, cases []string) (*rule, diag.Problems) {
	names := newParams(s, compiling())
	key := ruleKey{s.Expr.Value, s.Kind, names.signature, fmt.Sprintf("%q %t", s.Metrics, s.Callgrind),
		fmt.Sprintf("%t %q", s.Pegs, s.Points), s.signature()}
	r, known := c.rules[key]
	if !known {
		var problems diag.Problems
		r, problems = newRule(s, names)
		if len(problems) > 0 {
			return nil, problems
		}
		if c.rules == nil {
			c.rules = map[ruleKey]*rule{}
		}
		c.rules[key] = r
	}
	problems := s.unknownCases(r, cases)
	if len(problems) > 0 {
		return r, problems
	}
	return r, s.undeclared(r)
}
