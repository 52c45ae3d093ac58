package gate

import (
	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// HoldIfAlike reports whether all gates of a case pass if the case and its base are the same,
// whatever is measured. That is so if they ask only that a metric is not worse, or not better.
// A gate with a limit, such as time.median < 2ms, depends on the measurement.
func (s *Compiled) HoldIfAlike(suite, name string) bool {
	for _, g := range s.gates[sides.Key{Suite: suite, Name: name}] {
		if decide(g.rule.root, alike{}, false).verdict != result.Pass {
			return false
		}
	}
	return true
}

// alike judges leaves for two equal sides: calls of worse and better are false, and every other
// leaf is undecided.
type alike struct{}

func (alike) leaf(l *leaf, _ bool) outcome {
	if _, call := l.kind.(tolerant); call {
		return outcome{verdict: result.Fail}
	}
	return outcome{verdict: result.Inconclusive}
}
