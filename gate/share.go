package gate

import (
	"example.com/suite/internal/defaults"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// Share spreads the chance of a false alarm over comparative calls, Bonferroni's
// way: whatever they have to do with each other, the chance that any of them is
// false is at most family. Compile does it with the calls that it sees; who drops
// cases before Compile, by a filter, hands in the number of all that were planned.
// It returns what each call has. What Watch and Assess have returned before keeps what it had.
func (s *Compiled) Share(suite string, family float64, calls int) result.Errors {
	if !(family > 0 && family < 1) {
		family = defaults.Family
	}
	e := result.Errors{Family: family, Calls: calls, Alpha: family / float64(max(1, calls))}
	s.errors[suite] = e
	return e
}

// Errors is how the chance of a false alarm is shared out in a suite, nil where it
// has no comparative calls.
func (s *Compiled) Errors(suite string) *result.Errors {
	if e := s.errors[suite]; e.Calls > 0 {
		return &e
	}
	return nil
}

// alpha is that of every comparative call of a suite, each way; where there is none,
// that of the comparison of its time that each case with a base has all the same.
func (s *Compiled) alpha(suite string) float64 {
	if e, known := s.errors[suite]; known {
		return e.Alpha
	}
	return defaults.Family
}

// shareOut counts the calls of every suite, and spreads its errors over them.
func (s *Compiled) shareOut(sources []Source) {
	family, calls := map[string]float64{}, map[string]int{}
	for _, source := range sources {
		family[source.Suite] = source.Errors
	}
	for key, gates := range s.gates {
		for _, g := range gates {
			calls[key.suite] += g.calls()
		}
	}
	for suite := range family {
		s.Share(suite, family[suite], calls[suite])
	}
}

// calls counts the comparative calls on noisy metrics that can turn a suite red.
// Those of a case without a base are never judged.
func (g *gate) calls() (n int) {
	if g.Severity != "fail" || g.Base == "" || g.Unpaired || g.Unmatched != "" || g.Unaffected != "" {
		return 0
	}
	for _, c := range g.rule.calls {
		if c.metric.Sampled && !c.metric.Exact {
			n++
		}
	}
	return n
}

// Pairs tells what a verdict takes at an error of alpha each way, in pieces of evidence
// (set-ups of Go functions, pairs of commands): least, where all agree, and for a
// change of which four in five show that it is beyond the limit, the median of how
// many are needed and what nine in ten cases need at most. ok is false where these
// are beyond 10,000.
func Pairs(alpha float64) (least, median, most int, ok bool) {
	const share, budget = 0.8, 10_000
	least = stats.FirstVerdict(alpha)
	median, ok = stats.PairsToVerdict(budget, alpha, share, 0.5)
	most, within := stats.PairsToVerdict(budget, alpha, share, 0.9)
	return least, median, most, ok && within
}
