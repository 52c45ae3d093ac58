package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// Errors say how often a suite may be wrong, and what it takes for the machine
// to be believed.
type Errors struct {
	Family   float64  `json:"family"`             // chance that any red gate is false, 0 to 1
	Sentinel *bool    `json:"sentinel,omitempty"` // code is compared with itself in every run; nil: where trees are compared
	Floor    *float64 `json:"floor,omitempty"`    // least difference that two builds of one source are taken to have; nil: DefaultFloor
}

// DefaultFamily is the chance that any red gate of a suite is false.
const DefaultFamily = 0.01

// DefaultFloor is what two builds of one source are taken to differ by at least.
const DefaultFloor = result.DefaultFloor

// ErrorsKeys lists the keys of errors.
func ErrorsKeys() []string { return append([]string(nil), errorsKeys.Known...) }

var errorsKeys = yaml.KeySet{Known: []string{"family", "sentinel", "floor"}}

// leastFamily is a chance that nobody can tell from never; mostFamily is a coin.
const (
	leastFamily = 1e-6
	mostFamily  = 0.5
)

// mostFloor is a difference that no layout of code explains. It is below 1, so that
// who writes floor: 1 and means 1% is told.
const mostFloor = 0.5

// errors reads how often a suite may be wrong.
func (r *reader) errors(s *Suite, n yaml.Node) {
	for _, p := range r.Mapping(n, `"errors"`, "in errors", errorsKeys) {
		switch p.Name {
		case "family":
			if x, ok := r.share(p, leastFamily, mostFamily, "family: 1% is the chance that any red gate of the suite is false"); ok {
				s.errors.Family = x
			}
		case "floor":
			if x, ok := r.share(p, 0, mostFloor, "floor: 1% is what two builds of one source are taken to differ by at least"); ok {
				s.errors.Floor = &x
			}
		case "sentinel":
			s.errors.Sentinel = r.sentinel(p.Value)
		}
	}
}

// sentinel reads whether code is compared with itself, nil where that was not said.
func (r *reader) sentinel(n yaml.Node) *bool {
	if !r.IsA(n, yaml.Scalar, `"sentinel"`, "true or false") {
		return nil
	}
	if n.ShortTag() != "!!bool" {
		hint := "sentinel: true compares code with itself, to see whether this machine can judge"
		if said := switches[strings.ToLower(n.Value)]; said != "" {
			hint = "write " + said
		} else if n.Value == "true" || n.Value == "false" {
			hint = "leave out the quotes"
		}
		r.Fail(n, hint, `"sentinel" must be true or false, not %s`, diag.Quote(n.Value))
		return nil
	}
	on := strings.EqualFold(n.Value, "true")
	return &on
}

// share reads a percentage between two others.
func (r *reader) share(p yaml.Pair, least, most float64, hint string) (x float64, ok bool) {
	if !r.IsA(p.Value, yaml.Scalar, diag.Quote(p.Name), "one value") {
		return 0, false
	}
	x, err := lang.ParsePercent(p.Value.Value)
	if err == nil && !(x >= least && x <= most) {
		err = fmt.Errorf("%q is not between %s and %s", p.Value.Value, units.Exact(least), units.Exact(most))
	}
	if err != nil {
		r.Fail(p.Value, hint, "%s: %s", p.Name, diag.Clip(err.Error()))
	}
	return x, err == nil
}

// text is what differs from what holds by itself, empty where nothing does.
func (e *Errors) text() string {
	var said []string
	if e.Family != DefaultFamily {
		said = append(said, "family "+units.Exact(e.Family))
	}
	if e.Sentinel != nil {
		said = append(said, fmt.Sprintf("sentinel %t", *e.Sentinel))
	}
	if e.Floor != nil {
		said = append(said, "floor "+units.Exact(*e.Floor))
	}
	return strings.Join(said, ", ")
}

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
