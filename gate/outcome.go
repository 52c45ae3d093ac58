package gate

import (
	"errors"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// outcome is the verdict on a part of a gate, with its reasons.
type outcome struct {
	verdict result.Verdict
	cause   result.Cause // why the part is undecided or an error
	reasons []string
	notes   []string // shown with every verdict
	form    result.Form
	leaf    *leaf // the leaf that decided, the first of several
	second  bool  // instructions have decided what the time did not
	negated bool  // whether an odd number of nots enclose that leaf
}

// givenUp is a verdict of live only: more samples are unlikely to help. During
// sampling, NotJudged is ignored, and Inconclusive means that the gate is still open.
const givenUp result.Verdict = "given up"

// hopeless is a share of the limit, a quarter of the usual tolerance of 3 %. If
// the 99 % interval is narrower than this and still contains the limit, sampling
// gives up.
const hopeless = 0.0075

// then adds the condition's notes to a branch, and weakens its form to the
// condition's.
func (o outcome) then(branch outcome) outcome {
	branch.form, branch.notes = weaker(o.form, branch.form), append(o.notes, branch.notes...)
	return branch
}

// weaker returns the form that promises less.
func weaker(a, b result.Form) result.Form {
	for _, f := range []result.Form{
		result.FormUnpaired, result.FormPoint, result.FormHistory, result.FormInterval,
		result.FormRuns, result.FormPairs,
	} {
		if a == f || b == f {
			return f
		}
	}
	return result.FormExact
}

// without returns the outcome of a leaf that has no value because of an error.
func without(err error) outcome {
	var a *sides.Absence
	if errors.As(err, &a) && a.Open {
		return undecided(a.Cause, result.FormPoint, a.Text)
	}
	return broken(err)
}

func broken(err error) outcome {
	return outcome{
		verdict: result.Error,
		cause:   sides.CauseOf(err),
		reasons: []string{sides.Message(err)},
		form:    result.FormExact,
	}
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

// open returns the outcome as undecided, for another reason.
func (o outcome) open(cause result.Cause, why string) outcome {
	o.verdict, o.cause = result.Inconclusive, cause
	o.reasons = append([]string{why}, o.reasons...)
	return o
}

func truth(holds bool) result.Verdict {
	if holds {
		return result.Pass
	}
	return result.Fail
}
