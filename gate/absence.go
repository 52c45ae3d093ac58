package gate

import (
	"errors"
	"fmt"

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

// without returns the outcome of a leaf that has no value because of an error.
func without(err error) outcome {
	var a *absence
	if errors.As(err, &a) && a.open {
		return undecided(a.cause, result.FormPoint, a.text)
	}
	return broken(err)
}

func broken(err error) outcome {
	return outcome{verdict: result.Error, cause: causeOf(err), reasons: []string{message(err)}, form: result.FormExact}
}

func undecided(cause result.Cause, form result.Form, reason string) outcome {
	return outcome{verdict: result.Inconclusive, cause: cause, reasons: []string{reason}, form: form}
}

// decided returns the outcome of a leaf whose numbers were compared with its limit. If they
// were too close to the limit for a verdict, the cause is CauseNearLimit.
func decided(verdict result.Verdict, form result.Form, reason string) outcome {
	o := outcome{verdict: verdict, reasons: []string{reason}, form: form}
	if verdict == result.Inconclusive {
		o.cause = result.CauseNearLimit
	}
	return o
}
