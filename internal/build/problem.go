package build

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
)

// Problem is one thing that is wrong. Its file is relative to the suite's
// folder where it lies in the module that was built, else absolute; without a
// file the fault is in the suite file itself.
type Problem struct {
	diag.Problem
	Subject string // the pattern, flag, tag or variable of the request that is to blame; may be empty
}

// Error is everything that one build found wrong, at least one problem.
type Error struct{ Problems []Problem }

// Error gives all problems, those without a place without one.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = strings.TrimPrefix(p.Problem.Error(), ": ")
	}
	return strings.Join(lines, "\n")
}

// At gives the problems as those of a suite file: place says where the file
// names a subject, and is asked for problems that have no place of their own.
func (e *Error) At(place func(subject string) diag.Place) diag.Problems {
	var all diag.Problems
	for _, p := range e.Problems {
		if p.File == "" {
			p.Place = place(p.Subject)
		}
		all = append(all, p.Problem)
	}
	return all
}

// wrong is a problem of the suite file.
func wrong(subject, message, hint string) Problem {
	return Problem{diag.Problem{Message: message, Hint: hint}, subject}
}

// fault is one such problem as an error.
func fault(subject, message, hint string) *Error {
	return &Error{[]Problem{wrong(subject, message, hint)}}
}

// unwritable is a cache that cannot be used.
func unwritable(err error) error {
	return fault("", fmt.Sprintf("cannot keep what is built: %v", err), "set XDG_CACHE_HOME to a folder that can be written")
}
