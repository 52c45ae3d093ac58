package main

import (
	"path/filepath"
	"slices"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// sameProgram notes that both trees gave the same Go programs: what a comparison of
// their functions then finds is not the code.
func (c *comparing) sameProgram(plan *spec.Plan) {
	some := false
	for i := range plan.Cases {
		one := &plan.Cases[i]
		ours, theirs := c.program(plan, one), ""
		if one.Other != nil {
			theirs = c.program(plan.Other, &one.Other.Case)
		}
		if ours == "" || theirs == "" {
			continue
		}
		if some = true; ours != theirs {
			return
		}
	}
	const note = "the Go programs of both trees are the same, byte for byte"
	if some && !slices.Contains(plan.Against.Notes, note) {
		plan.Against.Notes = append(plan.Against.Notes, note)
		c.say("--against %s: %s", plan.Against.Asked, note)
	}
}

// program is the name of the one that holds a function, which is made of its
// content; empty for a case that has none.
func (c *comparing) program(plan *spec.Plan, one *spec.Case) string {
	switch {
	case one.GoTest != nil:
		return filepath.Base(one.GoTest.Program)
	case one.Kind == result.KindGo && plan.Packages != nil:
		return filepath.Base(c.loading.hosts.Argv(plan)[0])
	}
	return ""
}
