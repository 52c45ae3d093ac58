package main

import (
	"fmt"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// sentinels gives plans their sentinels, and says where one is asked for and there is
// nothing that it could be a copy of.
func (e env) sentinels(plans []*spec.Plan) {
	for _, plan := range plans {
		if asked := plan.Errors.Sentinel; !placed(plan) && asked != nil && *asked {
			e.say("%s: no sentinel: none of its cases is compared with another", clean(plan.File))
		}
	}
}

// withoutSentinels has no plan compare code with itself, whatever its suite file says.
func withoutSentinels(plans []*spec.Plan) {
	off := false
	for _, plan := range plans {
		plan.Errors.Sentinel = &off
	}
}

// placed puts a sentinel into a plan that wants one, and says whether there was a case
// for it; of plans that want none it is true.
func placed(plan *spec.Plan) bool { return !plan.WantsSentinel() || plan.PlaceSentinel() }

// place puts sentinels into plans that are shown and not run.
func place(plans []*spec.Plan) {
	for _, plan := range plans {
		placed(plan)
	}
}

// sentinelText says what is compared with itself; empty where nothing is.
func sentinelText(plan *spec.Plan) string {
	if plan.Sentinel == nil {
		return ""
	}
	if asked := plan.Errors.Sentinel; asked == nil || !*asked {
		return fmt.Sprintf("\nsentinel: %s is compared with itself, in a tenth of the time at most\n", (&result.Sentinel{Case: result.Case{Name: plan.Sentinel.Name}}).Of())
	}
	return fmt.Sprintf("\nsentinel: %s is compared with itself, for at most %s on each side\n", (&result.Sentinel{Case: result.Case{Name: plan.Sentinel.Name}}).Of(), plan.Sentinel.Settings.MaxTime)
}
