package runner

import (
	"time"

	"example.com/suite/spec"
)

// Expected is how long the cases of a plan are measured: where nothing is open at the
// end, and where all of them take their max_time. Building and starting what is
// measured comes on top.
func Expected(plan *spec.Plan) (usual, most time.Duration) {
	sides := func(c *spec.Case) time.Duration {
		if c.Base != "" || c.Other != nil {
			return 2
		}
		return 1
	}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		most += sides(c) * time.Duration(c.Settings.MaxTime)
	}
	if plan.Sentinel != nil {
		most += 2 * time.Duration(plan.Sentinel.Settings.MaxTime)
	}
	if plan.Budget > 0 {
		most = min(most, time.Duration(plan.Budget))
	}
	return min(expected(plan), most), most
}
