package again

import (
	"example.com/suite/gate"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// basis returns the gate with its basis filled in: the base that the suite file names,
// except for the gate of --against; else the other tree or the saved result. A case
// with pairs can have a gate on a saved result as well.
func basis(doc *result.Document, c *result.Case, g gate.Source) gate.Source {
	s := doc.Suite(c.Suite)
	switch {
	case c.Pairs != nil && c.Pairs.Tree != "":
		g.Base, g.Tree = c.Pairs.Tree, true
		return g
	case c.Pairs != nil && g.ID != spec.AgainstGate:
		g.Base = c.Pairs.Base
		return g
	case s == nil || s.Against == nil || c.Counterpart == nil:
		return g
	}
	g.Base, g.Unpaired = s.Against.Asked, s.Against.Kind == result.AgainstResult
	g.Tree, g.Unmatched = !g.Unpaired, c.Counterpart.Unmatched()
	g.UnmatchedCause = c.Counterpart.Cause()
	if c.Counterpart.IsUnaffected() {
		g.Unaffected = c.Counterpart.Reason
	}
	return g
}
