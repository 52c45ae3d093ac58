package gate

import (
	"fmt"

	"example.com/suite/result"
)

// basis is what a case is compared with: another case of its suite, or the same case in another
// tree or in a saved result. name is its name in reports.
type basis struct {
	name  string // empty: nothing
	tree  bool
	saved bool // the case in a result of an earlier run
}

// basisOf returns the basis of a case's pairs, the zero basis if it has no pairs.
func basisOf(c *result.Case) basis {
	if c.Pairs == nil {
		return basis{}
	}
	return basis{name: c.Pairs.BaseName(), tree: c.Pairs.Tree != ""}
}

// findBase finds the base as a subject of its own.
func (all *cases) findBase(s *subject, base basis) (*subject, error) {
	switch {
	case base.name == "":
		return nil, because(result.CauseNoBase, "the case has no base")
	case base.tree:
		return s.inTree(base.name)
	case base.saved:
		return s.inResult(base.name)
	}
	b := all.byKey[caseKey{s.Suite, base.name}]
	switch {
	case b == nil || b.Status == result.NotRun:
		return nil, because(result.CauseNotRun, "base %q was not measured in this run", base.name)
	case b.Status != result.Measured:
		return nil, because(result.CauseNotMeasured, "base %q could not be measured", base.name)
	}
	return b, nil
}

// inTree returns the other tree's side of the pairs as a case. The settings are the same on both
// sides.
func (s *subject) inTree(asked string) (*subject, error) {
	p := s.Pairs
	if p == nil || p.Tree == "" {
		return nil, because(result.CauseNoPairs, "no pairs were taken with %s", asked)
	}
	if s.other == nil {
		c := *s.Case
		c.Name = p.Base
		c.Samples = p.Samples
		c.Metrics = p.Metrics
		c.Pairs = nil
		c.Gates = nil
		c.Comparisons = nil
		c.SetOverhead(p.Overhead)
		if p.Identity != nil {
			c.Identity = *p.Identity
		}
		s.other = &subject{Case: &c}
	}
	return s.other, nil
}

func (b basis) text() string {
	if b.tree || b.saved {
		return b.name
	}
	return fmt.Sprintf("base %q", b.name)
}
