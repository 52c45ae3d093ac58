package main

import (
	"fmt"

	"example.com/suite/spec"
)

// vanished says before a run which of its cases are going to be errors, because the
// base has them and this tree has not.
func (e env) vanished(plans []*spec.Plan) (err error) {
	for _, plan := range plans {
		if plan.Against == nil {
			continue
		}
		for _, name := range plan.Against.Vanished {
			e.explain(hinted{fmt.Sprintf("%s: %s has case %q, and it is gone", plan.File, plan.Against.Asked, name),
				"list it under removed:, or say was: in the benchmark that has its place"})
			err = status(exitFail)
		}
	}
	return err
}
