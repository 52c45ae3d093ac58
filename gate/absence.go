package gate

import (
	"errors"
	"fmt"

	"example.com/suite/result"
)

// absence is an error with a cause: why something that a gate reads has no value.
type absence struct {
	cause result.Cause
	text  string
	open  bool // a longer batch or another program would have it, so the gate is undecided and not wrong
}

func (a *absence) Error() string { return a.text }

func because(cause result.Cause, format string, args ...any) error {
	return &absence{cause: cause, text: fmt.Sprintf(format, args...)}
}

// causeOf is the cause of an error; an error without one is the expression's fault.
func causeOf(err error) result.Cause {
	var a *absence
	if errors.As(err, &a) {
		return a.cause
	}
	return result.CauseExpression
}

// without is the outcome of a leaf that has no value because of an error.
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

// decided is the outcome of a leaf whose numbers were compared with its limit. If
// they were too close to it, the cause is CauseNearLimit.
func decided(verdict result.Verdict, form result.Form, reason string) outcome {
	o := outcome{verdict: verdict, reasons: []string{reason}, form: form}
	if verdict == result.Inconclusive {
		o.cause = result.CauseNearLimit
	}
	return o
}
