package spec

import (
	"errors"

	"example.com/suite/internal/diag"
)

// problems keeps each problem once: a mistake in defaults would come with every
// benchmark.
type problems struct {
	found diag.Problems
	known map[diag.Problem]bool
}

func (ps *problems) add(more ...diag.Problem) {
	for _, p := range more {
		if ps.known == nil {
			ps.known = map[diag.Problem]bool{}
		}
		if !ps.known[p] && len(ps.found) < maxProblems {
			ps.known[p] = true
			ps.found = append(ps.found, p)
		}
	}
}

// addError adds the problem that an error of the language holds.
func (ps *problems) addError(err error) {
	var p diag.Problem
	if errors.As(err, &p) {
		ps.add(p)
	}
}
