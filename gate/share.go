package gate

import (
	"maps"

	"example.com/suite/internal/defaults"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// Share divides the chance of a false alarm among a suite's comparative calls
// (Bonferroni): however the calls depend on each other, the chance that any of them
// is a false alarm is at most family. It returns the gates with that division. A family
// outside (0, 1) is replaced by the default.
//
// Compile divides the errors among the calls that it sees. Share is for callers that know
// of other calls, such as the calls of cases that were not run.
func (s *Compiled) Share(suite string, family float64, calls int) *Compiled {
	c := *s
	c.errors = maps.Clone(s.errors)
	c.errors[suite] = share(family, calls)
	return &c
}

func share(family float64, calls int) result.Errors {
	if !(family > 0 && family < 1) {
		family = defaults.Family
	}
	e := result.Errors{Family: family, Calls: calls, Alpha: family / float64(max(1, calls))}
	if e.Alpha < result.WithinAlpha {
		e.Within = result.WithinAlpha
	}
	return e
}

// Divided returns the gates with a division of errors that a document states, which may be one of an earlier version.
func (s *Compiled) Divided(suite string, e result.Errors) *Compiled {
	c := *s
	c.errors = maps.Clone(s.errors)
	within := e.Within
	e = share(e.Family, e.Calls)
	e.Within = within
	c.errors[suite] = e
	return &c
}

// Errors returns the division for a suite. Its Calls are 0 if the suite has no
// comparative calls.
func (s *Compiled) Errors(suite string) result.Errors { return s.errors[suite] }

// risks are how likely the two answers to a comparative call are false, each way: that the change is beyond the
// tolerance, and that it is not, which is no alarm.
type risks struct{ alpha, within float64 }

func evenly(alpha float64) risks { return risks{alpha, alpha} }

// risks returns those of a suite. A suite without gates has the default, because each case with a base has a
// comparison of its time all the same.
func (s *Compiled) risks(suite string) risks {
	if e, known := s.errors[suite]; known {
		return risks{e.Alpha, max(e.Alpha, e.Within)}
	}
	return evenly(defaults.Family)
}

// shares divides the errors of each suite among its calls. Calls of a case that ask the same are one.
func (s *Compiled) shares(sources []Source) map[string]result.Errors {
	family, calls := map[string]float64{}, map[string]int{}
	for _, source := range sources {
		family[source.Suite] = source.Errors
	}
	for key, gates := range s.gates {
		questions := map[question]int{}
		for _, g := range gates {
			maps.Copy(questions, g.questions())
		}
		for _, n := range questions {
			calls[key.Suite] += n
		}
	}
	errors := map[string]result.Errors{}
	for suite := range family {
		errors[suite] = share(family[suite], calls[suite])
	}
	return errors
}

// sharing is a function that takes shares of the suite's errors in the gates of some sources: how many, and what it
// asks, which is the same text for functions that always give the same answer.
type sharing interface {
	shares(s *Source) int
	question() string
}

// question is what a case is asked about a base. However many gates ask it, they get one answer, which is wrong
// for all of them at once: together they take the shares of one.
type question struct {
	text, base string
	tree       bool
}

// questions returns what a gate asks that can turn a suite red by a false alarm, and the shares that each takes.
func (g *gate) questions() map[question]int {
	questions := map[question]int{}
	if g.Severity != "fail" {
		return questions
	}
	for _, k := range kindsOf[sharing](g.rule) {
		if n := k.shares(&g.Source); n > 0 {
			questions[question{k.question(), g.Base, g.Tree}] = n
		}
	}
	return questions
}

// Pairs returns how many observations (blocks or launches of Go functions, pairs of commands) a
// verdict needs at an error of alpha each way. least is the number if all of them agree.
// For a change that four in five observations show, median is the median number needed,
// and most is enough in nine of ten cases. ok is false if these exceed 10,000.
func Pairs(alpha float64) (least, median, most int, ok bool) {
	const share, budget = 0.8, 10_000
	least = stats.FirstVerdict(alpha)
	median, ok = stats.PairsToVerdict(budget, alpha, share, 0.5)
	most, within := stats.PairsToVerdict(budget, alpha, share, 0.9)
	return least, median, most, ok && within
}
