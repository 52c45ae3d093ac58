package main

import (
	"fmt"
	"slices"

	"example.com/suite/gate"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// calls is the number of comparative calls that share the error of a suite.
func calls(set *gate.Set, suite string) int {
	if e := set.Errors(suite); e != nil {
		return e.Calls
	}
	return 0
}

// share spreads the error of each suite over all calls of its file, also those of
// cases that a filter has left out: what is run of a suite must not decide how
// certain its verdicts are.
func share(gates *gate.Set, plans []*spec.Plan) map[string]result.Errors {
	shared := map[string]result.Errors{}
	for _, plan := range plans {
		shared[plan.Suite] = gates.Share(plan.Suite, plan.Errors.Family, plan.Calls)
	}
	return shared
}

// record keeps how the errors were shared out, for suite verify, where a suite has
// comparative calls or cases with a base.
func record(shared map[string]result.Errors, doc *result.Document) {
	for i := range doc.Suites {
		s := &doc.Suites[i]
		paired := func(c result.Case) bool { return c.Suite == s.Name && c.Pairs != nil }
		if e := shared[s.Name]; e.Calls > 0 || slices.ContainsFunc(doc.Cases, paired) {
			s.Errors = &e
		}
	}
}

// errorsText says what verdicts on comparisons take; empty where there are none.
func errorsText(plan *spec.Plan) string {
	if plan.Calls == 0 {
		return ""
	}
	alpha := plan.Errors.Family / float64(plan.Calls)
	text := fmt.Sprintf("\n%s, sharing the %.3g%% chance of a false alarm: α = %.3g%% for each, either way\n",
		count(plan.Calls, "comparative call"), 100*plan.Errors.Family, 100*alpha)
	least, median, most, ok := gate.Pairs(alpha)
	text += fmt.Sprintf("  a verdict takes %d set-ups or launches (Go functions) or pairs (commands) where all agree", least)
	if ok {
		text += fmt.Sprintf(";\n  where four in five do, %d in half of the cases and at most %d in nine of ten", median, most)
	}
	return text + "\n" + launchesText(plan, alpha) + expectedText(plan)
}

// launchesText says how often the programs of two trees are started; empty where none
// is.
func launchesText(plan *spec.Plan, alpha float64) string {
	if !slices.ContainsFunc(plan.Cases, func(c spec.Case) bool { return c.Kind == result.KindGo && c.Other != nil }) {
		return ""
	}
	return fmt.Sprintf("  Go functions of two trees are compared in at least %d launches of a host of each\n", stats.FirstVerdict(alpha))
}

// expectedText says how long that takes.
func expectedText(plan *spec.Plan) string {
	usual, most := runner.Expected(plan)
	return fmt.Sprintf("  measuring takes about %s, and up to %s where verdicts are hard to reach\n", usual, most)
}
