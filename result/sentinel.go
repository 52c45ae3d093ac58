package result

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/defaults"
)

// SentinelSuffix ends the name of a sentinel's case. The name without it is the case that
// the sentinel is a copy of.
const SentinelSuffix = "@sentinel"

// Sentinel is a case that a run has compared with itself: if the two sides differ, this
// machine cannot judge. It is not a case of the suite, and no report counts it.
type Sentinel struct {
	Case      Case    `json:"case"`      // with its pairs; only time is compared
	Builds    int     `json:"builds"`    // of the program: 2 if the same source was linked twice
	Tolerance float64 `json:"tolerance"` // smallest of the suite's comparative calls: beyond it the machine is unfit
	// relative difference that two builds of the same source can have here; 0: one build
	Floor float64 `json:"floor,omitempty"`
	Unfit string  `json:"unfit,omitempty"` // why no comparison of the run can be trusted, empty if all can
	Shard int     `json:"shard,omitempty"` // in a merged document: the shard of the machine, whose cases it is about
}

// SentinelAlpha is the chance, in each direction, that a sentinel is called different from
// itself, however often its pairs are judged. A suite with ten calls has the same Alpha.
const SentinelAlpha = 0.001

// Of is the name of the case that the sentinel is a copy of.
func (n *Sentinel) Of() string { return strings.TrimSuffix(n.Case.Name, SentinelSuffix) }

// AllSentinels lists the sentinels of a suite: at most one, or in a merged document at
// most one of each machine.
func (s *Suite) AllSentinels() []*Sentinel {
	if s.Sentinel != nil {
		return []*Sentinel{s.Sentinel}
	}
	return s.Sentinels
}

// SentinelOf returns the sentinel of the machine that measured a case, nil if it had none.
func (s *Suite) SentinelOf(c *Case) *Sentinel {
	for _, n := range s.AllSentinels() {
		if n.Shard == c.Shard {
			return n
		}
	}
	return nil
}

// EditSentinels replaces each sentinel by a copy that edit has changed.
func (s *Suite) EditSentinels(edit func(n *Sentinel)) {
	if s.Sentinel != nil {
		copied := *s.Sentinel
		edit(&copied)
		s.Sentinel = &copied
	}
	s.Sentinels = slices.Clone(s.Sentinels)
	for i, n := range s.Sentinels {
		copied := *n
		edit(&copied)
		s.Sentinels[i] = &copied
	}
}

// Unfit returns one reason for each sentinel that was called different from itself: no
// comparison of its suite on its machine can be trusted then.
func (d *Document) Unfit() (reasons []string) {
	for i := range d.Suites {
		for _, n := range d.Suites[i].AllSentinels() {
			if n.Unfit != "" {
				reasons = append(reasons, n.UnfitText())
			}
		}
	}
	return reasons
}

// UnfitText is why the machine is unfit, after its shard if there are several machines.
func (n *Sentinel) UnfitText() string {
	if n.Shard == 0 {
		return n.Unfit
	}
	return fmt.Sprintf("shard %d: %s", n.Shard, n.Unfit)
}

// UnfitFor is why no comparison of a case can be trusted, empty if they can.
func (s *Suite) UnfitFor(c *Case) string {
	if n := s.SentinelOf(c); n != nil {
		return n.Unfit
	}
	return ""
}

// floorOfBuilds is the relative difference that two builds of the same source may
// have on the machine of a case if they are not linked anew for each launch: the
// difference that the sentinel's builds had, and at least the floor of the suite file, by
// default 2%.
func (s *Suite) floorOfBuilds(c *Case) float64 {
	least := defaults.Floor
	if s.Floor != nil {
		least = *s.Floor
	}
	if n := s.SentinelOf(c); n != nil {
		least = max(least, n.Floor)
	}
	return least
}

// FloorOf is the smallest relative difference with which a gate of the case may fail:
// two builds of the same source can differ by less. It is 0 if both sides are one
// program. If every launch had a random layout, it is the floor of the suite file, by
// default 0, because the layout of a single build then decides nothing.
func (s *Suite) FloorOf(c *Case) float64 {
	switch {
	case !c.TwoPrograms():
		return 0
	case !c.Pairs.AreDrawn():
		return s.floorOfBuilds(c)
	case s.Floor != nil:
		return *s.Floor
	}
	return 0
}

// TwoPrograms reports whether a case was compared with another build of its program. Two
// builds that are equal bit by bit are one program. A command of another tree always
// counts as another build, because what its program (a shell, say) starts is not known.
func (c *Case) TwoPrograms() bool {
	p := c.Pairs
	if p == nil || p.Tree == "" {
		return false
	}
	if c.Kind == KindCommand || c.Kind == KindShell {
		return true
	}
	return p.Identity == nil || p.Identity.Binary == "" || p.Identity.Binary != c.Identity.Binary
}
