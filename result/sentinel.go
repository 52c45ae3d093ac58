package result

import (
	"strings"

	"example.com/suite/internal/defaults"
)

// SentinelSuffix ends the name of a sentinel's case. The name without it is the case that
// the sentinel is a copy of.
const SentinelSuffix = "@sentinel"

// Sentinel is a case that a run has compared with itself: if the two sides differ, this
// machine cannot judge. It is not a case of the suite, and no report counts it.
type Sentinel struct {
	Case      Case    `json:"case"`            // with its pairs; only time is compared
	Builds    int     `json:"builds"`          // of the program: 2 if the same source was linked twice
	Tolerance float64 `json:"tolerance"`       // smallest of the suite's comparative calls: beyond it the machine is unfit
	Floor     float64 `json:"floor,omitempty"` // relative difference that two builds of the same source can have here; 0: one build
	Unfit     string  `json:"unfit,omitempty"` // why no comparison of the run can be trusted, empty if all can
}

// SentinelAlpha is the chance, in each direction, that a sentinel is called different from
// itself, however often its pairs are judged. A suite with ten calls has the same Alpha.
const SentinelAlpha = 0.001

// Of is the name of the case that the sentinel is a copy of.
func (n *Sentinel) Of() string { return strings.TrimSuffix(n.Case.Name, SentinelSuffix) }

// Unfit returns one reason for each suite whose sentinel was called different from
// itself: no comparison of the run can be trusted then.
func (d *Document) Unfit() (reasons []string) {
	for i := range d.Suites {
		if n := d.Suites[i].Sentinel; n != nil && n.Unfit != "" {
			reasons = append(reasons, n.Unfit)
		}
	}
	return reasons
}

// FloorOfBuilds is the relative difference that two builds of the same source may
// have in this run if they are not linked anew for each launch: the difference that
// the sentinel's builds had, and at least the floor of the suite file, by default 2%.
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

// FloorOf is the smallest relative difference with which a gate of the case may fail:
// two builds of the same source can differ by less. It is 0 if both sides are one
// program. If every launch had a random layout, it is the floor of the suite file, by
// default 0, because the layout of a single build then decides nothing.
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
