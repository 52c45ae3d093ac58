package spec

import (
	"slices"
	"strings"

	"example.com/suite/result"
)

// PlaceSentinel adds a sentinel to a plan that wants one: a copy of a case, measured
// against itself in the same way as the case is measured against its base. The case is the
// first function that is compared with another tree, or else the first command or existing
// benchmark that is; if no tree is compared, the first case with a base. The copy has no
// gates and no hooks: the hooks of the case run for both.
// PlaceSentinel returns false if no case can be copied.
func (p *Plan) PlaceSentinel() bool {
	p.Sentinel, p.Builds = nil, 0
	c := p.guarded()
	if c == nil || !p.WantsSentinel() {
		return false
	}
	s := *c
	s.Name = p.sentinelName(c)
	s.Gates = nil
	s.Counterpart = nil
	s.Other = nil
	s.Setup = nil
	s.Cleanup = nil
	s.Base = c.Name
	s.Pegs, s.PegPoints = false, nil
	s.Settings.Arrivals, s.Settings.Poisson = 0, false // its time is judged, and waiting would leave little of it
	if c.Other != nil && c.Kind == result.KindGo {
		side := s
		side.Name = c.NameInFile()
		side.Base = ""
		s.Base = ""
		s.Other = &Other{Plan: p, Name: "itself", Case: side}
	}
	p.Sentinel, p.Builds = &s, 1
	return true
}

// sentinelFiles returns what the case of the sentinel reads in both trees, see Other. It is nil if the
// sentinel cannot read them from a copy of the other tree: it is a function, or hooks make files
// in the tree after it was copied.
func (p *Plan) sentinelFiles() [][2]string {
	c := p.guarded()
	if p.Sentinel == nil || c == nil || c.Other == nil || c.Kind != result.KindCommand && c.Kind != result.KindShell {
		return nil
	}
	if there := &c.Other.Case; there.Setup != nil || there.Prepare != nil || there.Conclude != nil {
		return nil
	}
	return c.Other.Files
}

// WantsTwin reports whether SplitSentinel can use a copy of the other tree.
func (p *Plan) WantsTwin() bool { return len(p.sentinelFiles()) > 0 }

// SplitSentinel makes the sentinel of a command compare its base, in the tree root, with the same
// in twin, a copy of root. Both sides then read files of their own, as the sides of the case do, so
// that the sentinel also sees what the places of files do.
func (p *Plan) SplitSentinel(root, twin string) {
	files := p.sentinelFiles()
	if len(files) == 0 {
		return
	}
	c, was := p.guarded(), p.Sentinel
	s := c.Other.Case
	s.Name, s.Settings, s.Timer, s.Place = was.Name, was.Settings, was.Timer, was.Place
	s.Counters, s.NoWitness, s.Callgrind = was.Counters, was.NoWitness, was.Callgrind
	s.Base, s.Gates, s.Counterpart, s.Cleanup = "", nil, nil, nil
	s.Pegs, s.PegPoints = false, nil
	there := func(text string) string { return strings.ReplaceAll(text, root, twin) }
	side := s
	side.Name, side.Other = c.NameInFile(), nil
	side.Argv, side.Env, side.Inputs = slices.Clone(s.Argv), slices.Clone(s.Env), slices.Clone(s.Inputs)
	for _, texts := range [][]string{side.Argv, side.Env, side.Inputs} {
		for i := range texts {
			texts[i] = there(texts[i])
		}
	}
	side.Shell, side.Cwd, side.Stdin, side.Stdout = there(s.Shell), there(s.Cwd), there(s.Stdin), there(s.Stdout)
	s.Other = &Other{Plan: c.Other.Plan, Name: "itself", Case: side}
	for _, pair := range files {
		s.Other.Files = append(s.Other.Files, [2]string{pair[1], there(pair[1])})
	}
	p.Sentinel = &s
}

// guarded finds the case that the sentinel is a copy of. It is nil if no case can be
// copied.
func (p *Plan) guarded() *Case {
	inTrees, based := -1, -1
	for i := range p.Cases {
		c := &p.Cases[i]
		switch {
		// cannot be paired
		case len(c.Missing) > 0 || len(c.Services) > 0 || c.JudgedByInstructions() || c.Settings.Sampling == once ||
			c.Settings.Keep == summary:
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

// Samples are filed by name, so the sentinel's name must differ from the names of all
// cases.
func (p *Plan) sentinelName(c *Case) string {
	name := c.Name + result.SentinelSuffix
	for slices.ContainsFunc(p.Cases, func(c Case) bool { return c.Name == name }) {
		name += result.SentinelSuffix
	}
	return name
}
