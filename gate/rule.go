package gate

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// rule is an expression, compiled for one kind of case.
type rule struct {
	env      reflect.Type
	root     node
	mentions []mention // in the order of the expression, each text once
	cases    []reference
	kinds    []functionKind // in the order of the expression
	calls    []claim        // the same: what it compares at a tolerance
	versus   bool           // a part of it needs a base

	functions Functions
}

// newRule compiles a source, or reports all of its problems.
func newRule(s Source, names params) (*rule, diag.Problems) {
	b := &builder{source: s, rule: &rule{env: names.envType(), functions: names.functions}, functions: names.functions}
	program, err := b.compile(s.Expr, true)
	if err != nil {
		return nil, b.problems
	}
	b.program = program
	b.logic(program.Node())
	if len(b.problems) == 0 {
		b.sense(program.Node())
	}
	if len(b.problems) == 0 {
		b.rule.root = b.node(program.Node())
	}
	return b.rule, b.problems.Sort()
}

// gate is a source with its rule, which other gates may share.
type gate struct {
	Source
	rule *rule
}

// unknownCases checks the names in case("…"), which differ between suites.
func (s *Source) unknownCases(r *rule, names []string) (problems diag.Problems) {
	for _, ref := range r.cases {
		if slices.Contains(names, ref.name) {
			continue
		}
		hint := "names are those that suite list prints"
		if near, ok := diag.Nearest(ref.name, names); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		problems = append(problems, s.Expr.Problem(ref.at, fmt.Sprintf("unknown case %q", ref.name), hint))
	}
	return problems
}

// undeclared adds a problem for each mention of a metric that the mentioned case does
// not declare.
func (s *Source) undeclared(r *rule) (problems diag.Problems) {
	for _, m := range r.mentions {
		_, table := metrics[m.metric.Name]
		if m.other == nil || table || m.other.base && s.Base == "" {
			continue
		}
		name := s.nameOf(m.other)
		if s.Declared.has(m.metric.Name, name) {
			continue
		}
		owners := s.Declared.owners(m.metric.Name)
		problems = append(problems,
			s.Expr.Problem(m.at, fmt.Sprintf("case %q declares no metric %q", name, m.metric.Name),
				"cases that do: "+strings.Join(owners, ", ")))
	}
	return problems
}

// compares reports whether a gate reads a base, or a mean over all cases that have
// one.
func (r *rule) compares() bool {
	return r.versus || r.readsAll()
}

// readsAll reports whether a gate reads a mean over all cases of the suite.
func (r *rule) readsAll() bool {
	return slices.ContainsFunc(r.mentions, func(m mention) bool { return m.reading().Of == result.OfMean })
}

// reads lists the numbers that a rule depends on: what it mentions, in the order of the expression,
// and then what its functions read of other cases and of the history.
func (r *rule) reads() (list []result.Reading) {
	for _, m := range r.mentions {
		list = append(list, m.reading())
	}
	mentioned := len(list)
	for _, k := range kindsOf[reader](r) {
		list = append(list, k.reads())
	}
	slices.SortStableFunc(list[mentioned:], func(a, b result.Reading) int { return cmp.Compare(a.Of, b.Of) })
	return list
}

// reader is a function that depends on more than the numbers that the expression mentions.
type reader interface{ reads() result.Reading }

// kindsOf returns the functions of a rule that are of a kind, in the order of the expression.
func kindsOf[kind any](r *rule) (all []kind) {
	for _, k := range r.kinds {
		if is, ok := k.(kind); ok {
			all = append(all, is)
		}
	}
	return all
}
