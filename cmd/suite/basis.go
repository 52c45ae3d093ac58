package main

import (
	"example.com/suite/result"
	"example.com/suite/spec"
)

// basis is what the gates of a case compare it with.
type basis struct {
	name      string // another case, or the other tree as the user calls it
	tree      bool
	saved     bool         // the case in a saved result
	unmatched string       // why it is not compared with the other tree
	cause     result.Cause // the same as a word

	unaffected string // why it cannot differ from it
}

// basisOf prefers, for the gate called id, the base that the suite file names: the
// comparison with the other tree of such a case is a case of its own, or only the
// gate that says why there is none.
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
