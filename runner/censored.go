package runner

import (
	"fmt"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// leastRuns are enough to tell a command that sometimes hangs from one that always
// does.
const leastRuns = 5

// countRuns counts the runs of a request, and those that the timeout has ended.
func (t *side) countRuns(r *wire.Readings) {
	for i := range r.ID {
		t.countRun(batch{r, i})
	}
}

func (t *side) countRun(b batch) {
	if !t.isCommand() {
		return
	}
	t.Runs++
	if b.wasKilled() {
		t.Killed++
		t.Said = b.of.Said
	}
}

// overtime is the failure of a command of which the timeout killed too many runs for a
// measurement, nil if it was or may still be measured.
func (w *window) overtime(t *track) *result.Failure {
	for _, s := range t.sides() {
		if failure := w.overtimeOf(s, t.done); failure != nil {
			return s.asBase(failure)
		}
	}
	return nil
}

func (w *window) overtimeOf(t *side, done bool) *result.Failure {
	if t.Killed == 0 || t.result.Status == result.Failed || !t.hangs(w.allowance, done) {
		return nil
	}
	limit := time.Duration(t.spec.Settings.Timeout)
	f := &result.Failure{Phase: result.PhaseRun, Cause: result.FailedTimeout, Detail: t.Said, Message: fmt.Sprintf("killed after the timeout of %v", limit)}
	if t.Runs > 1 {
		f.Message = fmt.Sprintf("%d of %d runs were killed after the timeout of %v", t.Killed, t.Runs, limit)
	}
	if t.result.Samples.Count() == 0 {
		f.Phase = result.PhaseWarmup
	}
	f.Hint = t.hint(f)
	switch {
	case t.folds != nil:
		f.Hint = "a summary of samples has no place for runs that did not finish: samples: {keep: samples}, or raise timeout"
	case t.Runs < leastRuns && t.Killed < t.Runs:
		f.Hint += fmt.Sprintf("; a case of which some runs are killed needs %d of them: raise max_time", leastRuns)
	}
	return f
}

// hangs reports whether at least half of the runs of a command were killed. Fewer than
// leastRuns do not decide that, unless there will be no more because the case is done, so
// that a program that always hangs does not take longer than it must.
func (t *side) hangs(allowance time.Duration, done bool) bool {
	n, censored := t.result.Samples.Len(), len(t.result.Samples.Censored)
	switch {
	case t.folds != nil:
		return true
	case t.Runs >= leastRuns:
		return 2*t.Killed >= t.Runs || done && censored > 0 && 2*censored >= n
	}
	return done || t.Used >= t.maxTime(allowance) || t.Runs+t.spec.Settings.SamplesMax-n < leastRuns
}
