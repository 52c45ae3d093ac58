package gate

import (
	"errors"
	"fmt"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// absence is the error for something that a gate reads and that has no value, with the reason
// as a cause and in words.
type absence struct {
	cause result.Cause
	text  string
	open  bool // a longer batch or another program would have a value, so the gate is undecided and not wrong
}

func (a *absence) Error() string { return a.text }

func because(cause result.Cause, format string, args ...any) error {
	return &absence{cause: cause, text: fmt.Sprintf(format, args...)}
}

// causeOf returns the cause of an error. If it has none, the expression is at fault.
func causeOf(err error) result.Cause {
	var a *absence
	if errors.As(err, &a) {
		return a.cause
	}
	return result.CauseExpression
}

// message returns the text of an error without its place, which the gate already has.
func message(err error) string {
	var p diag.Problem
	if errors.As(err, &p) {
		return p.Message
	}
	return err.Error()
}
