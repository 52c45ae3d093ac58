package sides

import (
	"fmt"

	"example.com/suite/result"
)

// Basis is what a case is compared with: another case of its suite, or the same case in another
// tree or in a saved result. name is its name in reports.
type Basis struct {
	Name  string // empty: nothing
	Tree  bool
	Saved bool // the case in a result of an earlier run
}

// BasisOf returns the basis of a case's pairs, the zero basis if it has no pairs.
func BasisOf(c *result.Case) Basis {
	if c.Pairs == nil {
		return Basis{}
	}
	return Basis{Name: c.Pairs.BaseName(), Tree: c.Pairs.Tree != ""}
}

// FindBase finds the base as a subject of its own.
func (all *Cases) FindBase(s *Subject, base Basis) (*Subject, error) {
	switch {
	case base.Name == "":
		return nil, Because(result.CauseNoBase, "the case has no base")
	case base.Tree:
		return s.inTree(base.Name)
	case base.Saved:
		return s.InResult(base.Name)
	}
	b := all.ByKey[Key{s.Suite, base.Name}]
	switch {
	case b == nil || b.Status == result.NotRun:
		return nil, Because(result.CauseNotRun, "base %q was not measured in this run", base.Name)
	case b.Status != result.Measured:
		return nil, Because(result.CauseNotMeasured, "base %q could not be measured", base.Name)
	}
	return b, nil
}

// inTree returns the other tree's side of the pairs as a case. The settings are the same on both
// sides.
func (s *Subject) inTree(asked string) (*Subject, error) {
	p := s.Pairs
	if p == nil || p.Tree == "" {
		return nil, Because(result.CauseNoPairs, "no pairs were taken with %s", asked)
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
		s.other = &Subject{Case: &c}
	}
	return s.other, nil
}

func (b Basis) text() string {
	if b.Tree || b.Saved {
		return b.Name
	}
	return fmt.Sprintf("base %q", b.Name)
}
