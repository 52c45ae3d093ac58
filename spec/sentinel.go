package spec

import (
	"slices"

	"example.com/suite/result"
)

// WantsSentinel says whether code is to be compared with itself beside the cases: as
// the suite file says, else where another tree is compared with.
func (p *Plan) WantsSentinel() bool {
	if p.Errors.Sentinel != nil {
		return *p.Errors.Sentinel
	}
	return p.Against != nil && p.Against.Kind != result.AgainstResult
}

// PlaceSentinel gives a plan that wants one its sentinel: the first of the functions
// that are compared with another tree, else the first of its commands and existing
// benchmarks; where no tree is compared with, the first case with a base. It is
// compared as that one is, with itself: functions of two trees in a host of each side,
// commands and functions beside a base as with a base. It has no gates, and what its
// hooks make the case itself has made. It is false where there is no such case.
func (p *Plan) PlaceSentinel() bool {
	p.Sentinel, p.Builds = nil, 0
	c := p.guarded()
	if c == nil || !p.WantsSentinel() {
		return false
	}
	s := *c
	s.Name, s.Gates, s.Counterpart, s.Other = p.sentinelName(c), nil, nil, nil
	s.Setup, s.Cleanup, s.Base = nil, nil, c.Name
	s.Pegs, s.PegPoints = false, nil
	if c.Other != nil && c.Kind == result.KindGo {
		side := s
		side.Name, side.Base, s.Base = c.Asked(), "", ""
		s.Other = &Other{Plan: p, Name: "itself", Case: side}
	}
	p.Sentinel, p.Builds = &s, 1
	return true
}

// guarded is the case whose copy the sentinel is, nil where none can be.
func (p *Plan) guarded() *Case {
	inTrees, based := -1, -1
	for i := range p.Cases {
		c := &p.Cases[i]
		switch {
		case len(c.Services) > 0 || c.Settings.Sampling == once || c.Settings.Keep == summary: // none of these has pairs with itself
		case c.Other != nil && (inTrees < 0 || c.Kind == result.KindGo && p.Cases[inTrees].Kind != result.KindGo):
			inTrees = i
		case c.Base != "" && based < 0:
			based = i
		}
	}
	if inTrees < 0 {
		inTrees = based
	}
	if inTrees < 0 {
		return nil
	}
	return &p.Cases[inTrees]
}

// sentinelName is one that no case has, for what is measured is filed by it.
func (p *Plan) sentinelName(c *Case) string {
	name := c.Name + result.SentinelSuffix
	for slices.ContainsFunc(p.Cases, func(c Case) bool { return c.Name == name }) {
		name += result.SentinelSuffix
	}
	return name
}
