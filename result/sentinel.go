package result

import (
	"strings"

	"example.com/suite/internal/defaults"
)

// SentinelSuffix ends the name of the case of a sentinel; what stands before it is the
// case that it is a copy of.
const SentinelSuffix = "@sentinel"

// Sentinel is code that a run has compared with itself, to see whether this
// machine can judge. Its case stands for itself, is no case of the
// suite and is counted nowhere.
type Sentinel struct {
	Case      Case    `json:"case"`            // with its pairs; its one comparison is that of time
	Builds    int     `json:"builds"`          // of the program that took part: 2 where the same source was linked twice
	Tolerance float64 `json:"tolerance"`       // smallest of the suite's comparative calls: beyond it the machine is unfit
	Floor     float64 `json:"floor,omitempty"` // relative difference that two builds of the same source can have here; 0: one build
	Unfit     string  `json:"unfit,omitempty"` // why no comparison of the run is believed, empty where all are
}

// SentinelAlpha is the chance that code which is compared with itself is called
// different, each way, however long it is looked at. It is that of
// a call in a suite of ten.
const SentinelAlpha = 0.001

// Of is the name of the case that it is a copy of.
func (n *Sentinel) Of() string { return strings.TrimSuffix(n.Case.Name, SentinelSuffix) }

// Unfit says why no comparison of the run is believed, a reason for each suite whose
// sentinel was called different from itself; nil where all are.
func (d *Document) Unfit() (reasons []string) {
	for i := range d.Suites {
		if n := d.Suites[i].Sentinel; n != nil && n.Unfit != "" {
			reasons = append(reasons, n.Unfit)
		}
	}
	return reasons
}

// FloorOfBuilds returns the relative difference that two builds of one source are taken to
// have in this run if they are not linked anew for each launch: what they were seen to
// differ by, and at least what the suite file says, 2% if it says nothing.
func (s *Suite) FloorOfBuilds() float64 {
	least := defaults.Floor
	if s.Floor != nil {
		least = *s.Floor
	}
	if s.Sentinel != nil {
		least = max(least, s.Sentinel.Floor)
	}
	return least
}

// FloorOf returns the relative difference that a gate of a case has to allow to be believed
// if it fails. It is 0 for sides that are one program, and for programs whose layout was
// drawn for each launch: what a build decides is then no part of the evidence. What the
// suite file says holds for these too.
func (s *Suite) FloorOf(c *Case) float64 {
	switch {
	case !c.TwoPrograms():
		return 0
	case !c.Pairs.AreDrawn():
		return s.FloorOfBuilds()
	case s.Floor != nil:
		return *s.Floor
	}
	return 0
}

// TwoPrograms reports whether a case was compared with another build of its program.
// Programs that are the same, bit by bit, are one. Of a command only the program that it
// starts is known, such as a shell, and not what that starts in either tree: it is taken
// for two.
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
