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

// causeOf returns the cause of an error. One without a cause is the expression's.
func causeOf(err error) result.Cause {
	var a *absence
	if errors.As(err, &a) {
		return a.cause
	}
	return result.CauseExpression
}

// without is the outcome of a leaf that an error leaves without a value.
func without(err error) outcome {
	var a *absence
	if errors.As(err, &a) && a.open {
		return undecided(a.cause, result.FormPoint, a.text)
	}
	return broken(err)
}

// broken is the outcome of a leaf that cannot be evaluated.
func broken(err error) outcome {
	return outcome{verdict: result.Error, cause: causeOf(err), reasons: []string{message(err)}, form: result.FormExact}
}

func undecided(cause result.Cause, form result.Form, reason string) outcome {
	return outcome{verdict: result.Inconclusive, cause: cause, reasons: []string{reason}, form: form}
}

// decided is the outcome of a leaf whose numbers were compared with its limit, which they
// may be too near to.
func decided(verdict result.Verdict, form result.Form, reason string) outcome {
	o := outcome{verdict: verdict, reasons: []string{reason}, form: form}
	if verdict == result.Inconclusive {
		o.cause = result.CauseNearLimit
	}
	return o
}
