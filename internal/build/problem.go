package build

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
)

// Problem is one thing that is wrong. Its file is relative to the suite's folder if it is
// in the module that was built, otherwise absolute. Without a file, the fault is in the
// suite file itself.
type Problem struct {
	diag.Problem
	Subject string // the pattern, flag, tag or variable of the request that is wrong; may be empty
}

// Error is everything that is wrong with one build, at least one problem.
type Error struct{ Problems []Problem }

// Error lists all problems. A problem without a place is printed without one.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = strings.TrimPrefix(p.Problem.Error(), ": ")
	}
	return strings.Join(lines, "\n")
}

// At converts the problems into problems of a suite file. For a problem without a place
// it calls place, which finds the place of the subject in that file.
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

func wrong(subject, message, hint string) Problem {
	return Problem{diag.Problem{Code: diag.Build, Message: message, Hint: hint}, subject}
}

// fault is an error with one problem of the suite file.
func fault(subject, message, hint string) *Error {
	return &Error{[]Problem{wrong(subject, message, hint)}}
}

func unwritable(err error) error {
	return fault("", fmt.Sprintf("cannot store the built programs: %v", err),
		"set XDG_CACHE_HOME to a folder that can be written")
}
