package runner

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// pairWithOther sets the side of a case in another tree. That side is the case as the
// other plan has it, with its folder, its program and its hooks.
func (t *track) pairWithOther(other *spec.Other) {
	b := other.Case
	b.Timer = t.spec.Timer
	t.pairWith(other.Plan, &b)
	t.base.tree = other.Name
	t.result.Pairs.Base, t.result.Pairs.Tree = nameThere(t.spec), other.Name
}

// nameThere is what a case is called in the other tree.
func nameThere(c *spec.Case) string {
	if c.Counterpart != nil {
		return cmp.Or(c.Counterpart.Name, c.Other.Case.Name)
	}
	return c.Other.Case.Name
}

// isApart reports whether the sides of a case live in two hosts, which take turns batch by
// batch: Go functions of two trees. Commands of two trees are started by one.
func (t *track) isApart() bool {
	return t.base != nil && t.base.tree != "" && !t.isCommand()
}

// vanished lists the cases that the other tree has and this one lacks. They are errors,
// unless the suite file lists them as removed.
func vanished(plan *spec.Plan) (all []result.Case) {
	if plan.Against == nil {
		return nil
	}
	for _, name := range plan.Against.Vanished {
		c := result.Case{Suite: plan.Suite, Name: name, Kind: result.KindCommand, Status: result.Failed, Samples: noSamples(),
			Failure: &result.Failure{Phase: result.PhaseStart, Cause: result.FailedVanished, Message: fmt.Sprintf("%s has case %q, and it is gone", plan.Against.Asked, name),
				Hint: "list it under removed:, or set was: in the benchmark that replaces it"}}
		if at := slices.IndexFunc(plan.Gone, func(gone spec.Case) bool { return gone.Name == name }); at >= 0 {
			c.Kind, c.Tags = plan.Gone[at].Kind, plan.Gone[at].Tags
		}
		all = append(all, c)
	}
	return all
}
