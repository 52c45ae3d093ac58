package sides

import (
	"errors"
	"fmt"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Absence is the error for something that a gate reads and that has no value, with the reason
// as a cause and in words.
type Absence struct {
	Cause result.Cause
	Text  string
	Open  bool // a longer batch or another program would have a value, so the gate is undecided and not wrong
}

func (a *Absence) Error() string { return a.Text }

// Because returns an absence for a cause, in words.
func Because(cause result.Cause, format string, args ...any) error {
	return &Absence{Cause: cause, Text: fmt.Sprintf(format, args...)}
}

// CauseOf returns the cause of an error. If it has none, the expression is at fault.
func CauseOf(err error) result.Cause {
	var a *Absence
	if errors.As(err, &a) {
		return a.Cause
	}
	return result.CauseExpression
}

// Message returns the text of an error without its place, which the gate already has.
func Message(err error) string {
	var p diag.Problem
	if errors.As(err, &p) {
		return p.Message
	}
	return err.Error()
}
