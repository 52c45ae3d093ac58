package runner

import (
	"fmt"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/disjoint"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// groups lists the cases that take turns, as indices in the order of the plan. A base
// and its candidates share a window, so that drift affects both alike. A window has at
// most windowSize cases, more only if so many are connected by bases, or if no times are taken.
func groups(plan *spec.Plan) (all [][]int) {
	var current []int
	most := windowSize
	switch has := func(f func(spec.Case) bool) bool { return slices.ContainsFunc(plan.Cases, f) }; {
	case plan.Traced && !has(func(c spec.Case) bool { return c.GoTest == nil }):
		most = len(plan.Cases)
	case !has(func(c spec.Case) bool { return !c.JudgedByInstructions() }):
		most = countedWindow
	}
	for _, group := range components(plan) {
		if len(current) > 0 && len(current)+len(group) > most {
			all, current = append(all, current), nil
		}
		current = append(current, group...)
	}
	if len(current) > 0 {
		all = append(all, current)
	}
	for _, w := range all {
		slices.Sort(w)
	}
	return all
}

// components are the cases that hang together by their bases, in the order of the
// first of each.
func components(plan *spec.Plan) [][]int {
	index := make(map[string]int, len(plan.Cases))
	for i := range plan.Cases {
		index[plan.Cases[i].Name] = i
	}
	sets := disjoint.New(len(plan.Cases))
	for i := range plan.Cases {
		if base, ok := index[plan.Cases[i].Base]; ok {
			sets.Join(i, base)
		}
	}
	return sets.Groups()
}

// hasPairs reports whether cases of a plan have a base.
func hasPairs(plan *spec.Plan) bool {
	return plan != nil && slices.ContainsFunc(plan.Cases, func(c spec.Case) bool { return c.Base != "" })
}

// comparesTrees reports whether cases of a plan have a side in its other tree.
func comparesTrees(plan *spec.Plan) bool {
	return slices.ContainsFunc(plan.Cases, func(c spec.Case) bool {
		return c.Other != nil && c.Other.Plan == plan.Other
	})
}

// vanished lists the cases that the other tree has and this one lacks. They are errors,
// unless the suite file lists them as removed.
func vanished(plan *spec.Plan) (all []result.Case) {
	if plan.Against == nil {
		return nil
	}
	for _, name := range plan.Against.Vanished {
		c := result.Case{Suite: plan.Suite, Name: name, Kind: result.KindCommand, Status: result.Failed,
			Place: diag.Place{File: plan.File, Line: 1, Col: 1}, Samples: result.NoSamples(),
			Failure: &result.Failure{Phase: result.PhaseStart, Cause: result.FailedVanished,
				Message: fmt.Sprintf("%s has case %q, and it is gone", plan.Against.Asked, name),
				Hint:    plan.GoneHint(name)}}
		if at := slices.IndexFunc(plan.Gone, func(gone spec.Case) bool { return gone.Name == name }); at >= 0 {
			c.Kind, c.Tags = plan.Gone[at].Kind, plan.Gone[at].Tags
		}
		all = append(all, c)
	}
	return all
}
