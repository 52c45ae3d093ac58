package result

import "strings"

// DefaultFloor is what two builds of one source are taken to differ by at least,
// where nobody measured or said otherwise: code of a gate of 0% that had moved by 1%
// with its layout alone failed in 86 of 100 comparisons, and at 2% in none.
const DefaultFloor = 0.02

// SentinelSuffix ends the name of the case of a sentinel; what stands before it is the
// case that it is a copy of.
const SentinelSuffix = "@sentinel"

// Sentinel is code that a run has compared with itself, to see whether this
// machine can judge: design.md §8.13. Its case stands for itself, is no case of the
// suite and is counted nowhere.
type Sentinel struct {
	Case      Case    `json:"case"`            // with its pairs; its one comparison is that of time
	Builds    int     `json:"builds"`          // of the program that took part: 2 where the same source was linked twice
	Tolerance float64 `json:"tolerance"`       // smallest of the suite's comparative calls: beyond it the machine is unfit
	Floor     float64 `json:"floor,omitempty"` // relative difference that two builds of the same source can have here; 0: one build
	Unfit     string  `json:"unfit,omitempty"` // why no comparison of the run is believed, empty where all are
}

// SentinelAlpha is the chance that code which is compared with itself is called
// different, each way, however long it is looked at (design.md §8.13). It is that of
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

// FloorOfBuilds is the relative difference that a gate on two programs has to allow
// to be believed where it fails: what two builds of one source were seen to differ by
// in the run, and at least what the suite file says, 2% where it says nothing.
func (s *Suite) FloorOfBuilds() float64 {
	least := DefaultFloor
	if s.Floor != nil {
		least = *s.Floor
	}
	if s.Sentinel != nil {
		least = max(least, s.Sentinel.Floor)
	}
	return least
}

// TwoPrograms says that a case was compared with another build of its program, of
// which nothing but the layout has to differ for one to be faster. Programs that are
// the same, bit by bit, are one. Of a command only the program that it starts is known,
// such as a shell, and not what that starts in either tree: it is taken for two.
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
