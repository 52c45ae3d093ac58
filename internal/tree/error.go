package tree

import (
	"errors"
	"strings"
)

// Error says why there is no other tree, and what to do.
type Error struct {
	Message string // lower case, no full stop
	Hint    string // may be empty
	Err     error  // what the system said; may be nil

	kind kind
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

// kind tells errors apart that Open goes on after.
type kind int

const (
	other kind = iota
	noGit
	noRepository
	unknown // revision
)

func isKind(err error, k kind) bool {
	var e *Error
	return errors.As(err, &e) && e.kind == k
}

func fault(message, hint string) *Error { return &Error{Message: message, Hint: hint} }

// unwritable is a cache that cannot be used.
func unwritable(err error) *Error {
	return &Error{Message: "cannot keep the other tree: " + err.Error(), Hint: "SUITE_CACHE=FOLDER in the environment names a place that can be written", Err: err}
}

// some lists at most three of many names.
func some(names []string) string {
	if len(names) > 3 {
		names = append(names[:3:3], "…")
	}
	return strings.Join(names, ", ")
}
