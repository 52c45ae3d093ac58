package gate

import "example.com/suite/result"

// HoldIfAlike reports whether all gates of a case pass if the case and its base are
// the same, whatever they measure: gates that ask for no worse or no better numbers
// do. Gates with limits of their own have to be measured.
func (s *Compiled) HoldIfAlike(suite, name string) bool {
	for _, g := range s.gates[caseKey{suite, name}] {
		if g.rule.root.judge(alike{}, false).verdict != result.Pass {
			return false
		}
	}
	return true
}

// alike judges comparisons of two equal sides: neither is worse or better. Every
// other leaf is unknown.
type alike struct{}

func (alike) leaf(l *leaf, _ bool) outcome {
	if l.call == nil {
		return outcome{verdict: result.Inconclusive}
	}
	return outcome{verdict: result.Fail}
}
