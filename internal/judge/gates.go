package judge

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/suite/gate"
	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Gates are the compiled gates of plans, from the loading of their suite files until a run.
// Each expression is compiled once. The zero value has no plans and is ready to use.
type Gates struct {
	compiler gate.Compiler
	suites   map[string]*gate.Compiled
}

// Compile compiles every gate of a plan, also of cases that a filter leaves out later, and
// counts the comparative calls in them. If whole is false the file has other problems, and
// a case may be missing because of them: then gates that name other cases are left alone.
//
// Call Compile again if the cases of a plan have got other gates or bases, as --against
// changes them.
func (g *Gates) Compile(plan *spec.Plan, whole bool) diag.Problems {
	maskReasons(plan)
	known, open := splitOpen(plan)
	whole = whole && len(open.Cases) == 0
	compiled, problems := g.compiler.Compile(sources(known, whole), caseNames(plan))
	plan.Calls = compiled.Errors(plan.Suite).Calls
	if g.suites == nil {
		g.suites = map[string]*gate.Compiled{}
	}
	// Each case with a base has a comparison of its time, also in a suite without gates.
	g.suites[plan.Suite] = compiled.Share(plan.Suite, plan.Errors.Family, plan.Calls)
	if plan.BothWays {
		errors := result.Errors{Family: plan.Errors.Family, Calls: plan.Calls}
		g.suites[plan.Suite] = compiled.Divided(plan.Suite, errors)
	}
	return append(problems, g.openProblems(sources(open, whole))...)
}

// HoldIfAlike reports whether all gates of a case pass if the case and its base are the
// same, whatever they measure. The gates are compiled as they are in the plan now: some of
// them may have been added after Compile.
func (g *Gates) HoldIfAlike(plan *spec.Plan) func(name string) bool {
	compiled, _ := g.compiler.Compile(sources(plan, true), caseNames(plan)) // Compile reports its problems
	return func(name string) bool { return compiled.HoldIfAlike(plan.Suite, name) }
}

// Reads returns the numbers that the gates of a case read. The gates of its suite must have
// been compiled.
func (g *Gates) Reads(suite, name string) []result.Reading { return g.suites[suite].Reads(suite, name) }

// Judge returns the judge of a run of plans whose gates have been compiled. Their cases may
// be fewer now, and the errors stay divided among the calls of all cases. Only cases that
// have gates in the plan are judged: a filter takes the gates of cases that others need.
func (g *Gates) Judge(plans []*spec.Plan) *Judge {
	var sets []*gate.Compiled
	judged := map[[2]string]bool{}
	for _, plan := range plans {
		compiled, known := g.suites[plan.Suite]
		if !known {
			panic(fmt.Sprintf("judge: the gates of suite %q have not been compiled", plan.Suite))
		}
		sets = append(sets, compiled)
		for i := range plan.Cases {
			judged[[2]string{plan.Suite, plan.Cases[i].Name}] = len(plan.Cases[i].Gates) > 0
		}
	}
	gates := gate.Join(sets...).Only(func(suite, name string) bool { return judged[[2]string{suite, name}] })
	for _, plan := range plans {
		if plan.Partial {
			gates = gates.Partial(plan.Suite)
		}
	}
	return &Judge{plans: plans, gates: gates, watch: gates.Watch(sentinels(plans)...), hidden: secrets(plans)}
}

// ReadByFaulty returns the names of the cases that faulty gates of a plan read, their own case
// among them.
func (g *Gates) ReadByFaulty(plan *spec.Plan) map[string]bool {
	names := map[string]bool{}
	all := caseNames(plan)
	byCase := map[string][]gate.Source{}
	for _, s := range sources(plan, true) {
		byCase[s.Case] = append(byCase[s.Case], s)
	}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if _, problems := g.compiler.Compile(byCase[c.Name], all); len(problems) > 0 {
			names[c.Name] = true
			names[c.Base] = true
			LookedAt(c, names)
		}
	}
	return names
}

// splitOpen divides a plan into its known cases and its open cases, which represent benchmarks
// that only a run finds, or are functions that were not asked what they report. Cases are
// large, so they are copied only if there are open ones.
func splitOpen(plan *spec.Plan) (known, open *spec.Plan) {
	a, b := *plan, *plan
	b.Cases = nil
	isOpen := func(c spec.Case) bool { return c.IsOpen() || plan.Unasked && c.Kind == result.KindGo }
	if !slices.ContainsFunc(plan.Cases, isOpen) {
		return &a, &b
	}
	a.Cases = nil
	for i := range plan.Cases {
		c := plan.Cases[i]
		if isOpen(c) {
			b.Cases = append(b.Cases, c)
		} else {
			a.Cases = append(a.Cases, c)
		}
	}
	return &a, &b
}

// openProblems finds the problems of gates of open cases. An unknown name that is used as a
// metric is no problem, because the benchmarks may report a metric of that name.
func (g *Gates) openProblems(all []gate.Source) (problems diag.Problems) {
	_, found := g.compiler.Compile(all, nil)
	for _, p := range found {
		if p.Unknown == "" || !isUsedAsMetric(p) {
			problems = append(problems, p)
		}
	}
	return problems
}

// isUsedAsMetric reports whether the unknown name of a problem has a statistic after it,
// or is an argument. ns and op in ns/op < 200 are neither.
func isUsedAsMetric(p diag.Problem) bool {
	rest := []rune(p.Source)
	end := p.Caret + utf8.RuneCountInString(p.Unknown)
	if end > len(rest) {
		return true // the source is cut
	}
	after := strings.TrimSpace(string(rest[end:]))
	return after != "" && strings.Contains(".,)", after[:1])
}
