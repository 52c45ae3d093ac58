package runner

import (
	"fmt"
	"time"

	"example.com/suite/result"
)

// leastRuns are enough to tell a command that sometimes hangs from one that always
// does.
const leastRuns = 5

// overtime is the failure of a command of which the timeout killed too many runs for a
// measurement, nil if it was or may still be measured.
func (w *window) overtime(t *track) *result.Failure {
	for _, s := range t.sides() {
		if failure := w.overtimeOf(s, t.done); failure != nil {
			return s.target.AsBase(failure)
		}
	}
	return nil
}

func (w *window) overtimeOf(s *side, done bool) *result.Failure {
	if s.series.Killed == 0 || s.result.Status == result.Failed || !s.hangs(w.rig.allowance, done) {
		return nil
	}
	limit := time.Duration(s.target.Spec.Settings.Timeout)
	f := &result.Failure{Phase: result.PhaseRun, Cause: result.FailedTimeout, Detail: s.series.Said, Message: fmt.Sprintf("killed after the timeout of %v", limit)}
	if s.series.Runs > 1 {
		f.Message = fmt.Sprintf("%d of %d runs were killed after the timeout of %v", s.series.Killed, s.series.Runs, limit)
	}
	if s.result.Samples.Count() == 0 {
		f.Phase = result.PhaseWarmup
	}
	s.target.Explain(f, s.series.N)
	switch {
	case s.series.Folds != nil:
		f.Hint = "a summary of samples has no place for runs that did not finish: samples: {keep: samples}, or raise timeout"
	case s.series.Runs < leastRuns && s.series.Killed < s.series.Runs:
		f.Hint += fmt.Sprintf("; a case of which some runs are killed needs %d of them: raise max_time", leastRuns)
	}
	return f
}

// hangs reports whether at least half of the runs of a command were killed. Fewer than
// leastRuns do not decide that, unless there will be no more because the case is done, so
// that a program that always hangs does not take longer than it must.
func (s *side) hangs(allowance time.Duration, done bool) bool {
	n, censored := s.result.Samples.Len(), len(s.result.Samples.Censored)
	switch {
	case s.series.Folds != nil:
		return true
	case s.series.Runs >= leastRuns:
		return 2*s.series.Killed >= s.series.Runs || done && censored > 0 && 2*censored >= n
	}
	return done || s.series.Used >= s.target.MaxTime(allowance) || s.series.Runs+s.target.Spec.Settings.SamplesMax-n < leastRuns
}
