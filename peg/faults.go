//go:build !nopeg

package peg

import (
	"fmt"
	"slices"
)

// allProblems are those with points, then those with what was hit. The caller holds all
// locks.
func (r *registry) allProblems() []string {
	problems := slices.Clone(r.problems)
	if r.unlisted > 0 {
		problems = append(problems, fmt.Sprintf("points could not be made %s more", times(r.unlisted)))
	}
	for _, name := range r.wanted {
		if r.names[name] == nil {
			problems = append(problems, fmt.Sprintf("no point is called %q", name))
		}
	}
	for _, name := range r.sortedNames() {
		problems = append(problems, r.names[name].problems(r)...)
	}
	problems = append(problems, r.mixed()...)
	if n := r.late.Load(); n > 0 {
		problems = append(problems, fmt.Sprintf("lanes that were closed were hit %s, which does not count", times(n)))
	}
	return problems
}

// mixed names the lanes of which two users have set the log back.
func (r *registry) mixed() (problems []string) {
	for _, t := range r.tracks {
		problem := fmt.Sprintf("lane %q was hit by several goroutines at once: hits are lost, arcs mean nothing",
			t.name)
		if t.mixed > 0 && !slices.Contains(problems, problem) {
			problems = append(problems, problem)
		}
	}
	return problems
}

// problems of one point.
func (p *Point) problems(r *registry) (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	open, stray := r.loose(p)
	switch start := r.names[p.from]; {
	case p.from == "" || p.live.Load() == 0:
	case start == nil:
		say("point %q is measured from %q, and no point is called so", p.name, p.from)
	case start.live.Load() == 0:
		say("point %q is measured from %q, which is off", p.name, p.from)
	}
	if open > 0 {
		say("span %q was left open %s", p.name, times(open))
	}
	if stray > 0 {
		say("span %q was ended %s when it was not open", p.name, times(stray))
	}
	return problems
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// loose counts the spans of a point that were left open, and ends of none.
func (r *registry) loose(p *Point) (open, stray uint64) {
	for _, t := range r.tracks {
		if int(p.number) < len(t.ledger.places) {
			open += t.ledger.places[p.number].open
			stray += t.ledger.places[p.number].stray
		}
	}
	return open, stray
}
