// Package plantext describes plans: their cases in a list, why each is measured, and the lines about
// their comparisons: how they share the chance of a false alarm, how many pairs a verdict takes, and
// how long measuring takes. The plan's own text describes its cases.
package plantext

import (
	"fmt"
	"slices"

	"example.com/suite/gate"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
	"example.com/suite/stats"
)

// Comparisons returns the lines of a plan about its comparisons, its comparison with a
// saved result and its sentinel. It is empty if the plan has none of them.
func Comparisons(plan *spec.Plan) string {
	return errorsText(plan) + tripwireText(plan) + sentinelText(plan)
}

// errorsText has the lines of a plan about its comparisons: how they share the chance
// of a false alarm, and how many pairs a verdict takes. It is empty if the plan
// compares nothing.
func errorsText(plan *spec.Plan) string {
	if plan.Calls == 0 {
		return ""
	}
	alpha := plan.Errors.Family / float64(plan.Calls)
	share := func(what string) string {
		return fmt.Sprintf("\n%s, sharing the %.3g%% chance of a false alarm: α = %.3g%% for each, either way\n",
			units.Plural(plan.Calls, what), 100*plan.Errors.Family, 100*alpha)
	}
	if !slices.ContainsFunc(plan.Cases, func(c spec.Case) bool { return c.Base != "" || c.Other != nil }) {
		return share("drift") // over the commits of a history, which takes no pairs
	}
	text := share("comparative call")
	least, median, most, ok := gate.Pairs(alpha)
	takes := fmt.Sprintf("a verdict takes %d", least)
	if pass := stats.FirstVerdict(forecast.Within(alpha)); pass < least {
		takes = fmt.Sprintf("a gate takes %d to pass, and %d to fail,", pass, least)
	}
	text += fmt.Sprintf("  %s blocks or launches (Go functions) or pairs (commands) if all agree", takes)
	if ok {
		text += fmt.Sprintf(";\n  if four in five do, %d in half of the cases and at most %d in nine of ten", median,
			most)
	}
	return text + "\n" + launchesText(plan, alpha) + expectedText(plan)
}

// launchesText is about the least number of launches that a comparison of Go functions
// in two trees takes. It is empty if the plan has no such case.
func launchesText(plan *spec.Plan, alpha float64) string {
	if !slices.ContainsFunc(plan.Cases, func(c spec.Case) bool { return c.Kind == result.KindGo && c.Other != nil }) {
		return ""
	}
	return fmt.Sprintf("  Go functions of two trees are compared in at least %d launches of a host of each\n",
		stats.FirstVerdict(forecast.Within(alpha)))
}

func expectedText(plan *spec.Plan) string {
	usual, most := forecast.Expected(plan)
	return fmt.Sprintf("  measuring takes about %s, and up to %s where verdicts are hard to reach\n", usual, most)
}

// tripwireText warns that the comparison with a saved result is a tripwire, and shows
// its floor. It is empty if the plan is not compared with one.
func tripwireText(plan *spec.Plan) string {
	if plan.Against == nil || plan.Against.Kind != result.AgainstResult {
		return ""
	}
	states := map[result.CounterpartState]int{}
	for i := range plan.Cases {
		if c := plan.Cases[i].Counterpart; c != nil {
			states[c.State]++
		}
	}
	return fmt.Sprintf("\n%s compared with %s, unpaired: a tripwire, which has no share in the chance of a false "+
		"alarm\n  and is red only beyond the limit and the floor of %s\n",
		units.PluralIs(states[result.CounterpartUnpaired], "case"), plan.Against.Asked,
		units.Format(plan.Errors.LeastDifference(), result.Percent))
}

// sentinelText is about the code that is compared with itself. It is empty if the plan
// has no sentinel.
func sentinelText(plan *spec.Plan) string {
	if plan.Sentinel == nil {
		return ""
	}
	if asked := plan.Errors.Sentinel; asked == nil || !*asked {
		return fmt.Sprintf("\nsentinel: %s is compared with itself, in a tenth of the time at most\n",
			(&result.Sentinel{Case: result.Case{Name: plan.Sentinel.Name}}).Of())
	}
	return fmt.Sprintf("\nsentinel: %s is compared with itself, for at most %s\n",
		(&result.Sentinel{Case: result.Case{Name: plan.Sentinel.Name}}).Of(), plan.Sentinel.Settings.MaxTime)
}
