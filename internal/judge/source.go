package judge

import (
	"slices"
	"strings"

	"example.com/suite/gate"
	"example.com/suite/internal/lazy"
	"example.com/suite/result"
	"example.com/suite/runner/target"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// sources returns the gates of a plan in the form that package gate compiles, in order. If
// whole is false, it leaves out gates that name other cases.
func sources(plan *spec.Plan, whole bool) []gate.Source {
	n := 0
	for i := range plan.Cases {
		n += len(plan.Cases[i].Gates)
	}
	all := make([]gate.Source, 0, n)
	declared := declaredMetrics(plan)
	for i := range plan.Cases {
		c := &plan.Cases[i]
		for _, g := range c.Gates {
			if !whole && strings.Contains(g.Expr.Value, "case(") {
				continue
			}
			base := basisOf(plan, c, g.ID)
			all = append(all, gate.Source{
				Suite: plan.Suite, Case: c.Name, Kind: c.Kind, Params: target.Params(c.Params),
				ID: g.ID, Expr: g.Expr, Severity: g.Severity, OnInconclusive: g.OnInconclusive,
				Metrics: optIn(c), Callgrind: c.Callgrind,
				ByInstructions: c.Settings.WhenUndecided == result.JudgeInstructions, Declared: declared,
				Pegs: c.Pegs, Points: c.PegPoints,
				Base: base.name, Tree: base.tree, Unpaired: base.saved, Unmatched: base.unmatched,
				UnmatchedCause: base.cause, Unaffected: base.unaffected,
				Errors: plan.Errors.Family,
			})
		}
	}
	return all
}

// declaredMetrics returns the metrics that the cases of a plan declare, nil if there are none.
func declaredMetrics(plan *spec.Plan) gate.Declared {
	var all gate.Declared
	for i := range plan.Cases {
		c := &plan.Cases[i]
		list := target.Declared(c)
		if list == nil {
			continue
		}
		if all == nil {
			all = gate.Declared{}
		}
		all[c.Name] = list
	}
	return all
}

// optIn lists the metrics that a case asks for and will have if the machine can count them.
// The cycle counter of a timer counts only the thread that measures, so commands have none of
// its metrics.
func optIn(c *spec.Case) []string {
	metrics := append([]string{}, c.Counters...)
	if c.Callgrind {
		metrics = append(metrics, "instructions")
	}
	if c.Settings.Latency {
		metrics = append(metrics, result.Percentiles()...)
	}
	if c.Kind != result.KindGo || len(c.Timer.Cycle) == 0 {
		return metrics
	}
	for _, s := range timer.Subtimers() {
		for _, name := range c.Timer.Cycle {
			if s.Kind == timer.KindCycle && s.Unit != "" && s.Is(name) {
				metrics = append(metrics, string(s.Unit))
			}
		}
	}
	slices.Sort(metrics)
	return slices.Compact(metrics)
}

// caseNames lists the names of all cases of a plan, by suite, because gates may name other
// cases.
func caseNames(plan *spec.Plan) map[string][]string {
	var names []string
	for i := range plan.Cases {
		names = append(names, plan.Cases[i].Name)
	}
	return map[string][]string{plan.Suite: names}
}

// basis is what the gates of a case compare it with.
type basis struct {
	name      string // another case, or the other tree as the user calls it
	tree      bool
	saved     bool         // the case in a saved result
	unmatched string       // why the case is not compared with the other tree
	cause     result.Cause // the same as a word

	unaffected string // why the case cannot differ from the other tree's
}

// basisOf returns the basis for the gate called id. The base that the suite file names goes
// first: the comparison with the other tree is then a case of its own, or only AgainstGate,
// which explains why the case is not compared.
func basisOf(plan *spec.Plan, c *spec.Case, id string) basis {
	switch {
	case c.Base != "" && id != spec.AgainstGate:
		return basis{name: c.Base}
	case c.Other != nil:
		return basis{name: c.Other.Name, tree: true}
	case c.Counterpart == nil || plan.Against == nil:
		return basis{}
	}
	saved := plan.Against.Kind == result.AgainstResult
	b := basis{name: plan.Against.Asked, tree: !saved, saved: saved}
	b.unmatched, b.cause = c.Counterpart.Unmatched(), c.Counterpart.Cause()
	if c.Counterpart.IsUnaffected() {
		b.unaffected = c.Counterpart.Reason
	}
	return b
}

// caseCall matches case("name") in a gate; its argument is always a literal.
var caseCall = lazy.Regexp(`\bcase\s*\(\s*(?:"([^"]*)"|'([^']*)')\s*\)`)

// LookedAt adds to names the cases that the gates of c refer to.
func LookedAt(c *spec.Case, names map[string]bool) {
	for _, g := range c.Gates {
		for _, m := range caseCall().FindAllStringSubmatch(g.Expr.Value, -1) {
			names[m[1]+m[2]] = true
		}
	}
}
