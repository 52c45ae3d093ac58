package runner

import (
	"fmt"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
)

// enough explains why a case is finished, or is empty while it is not.
func (w *window) enough(t *track) result.Stop {
	s, n := &t.target.Spec.Settings, t.result.Samples.Count()
	open, decided := w.gates(t)
	t.open = open
	switch {
	case n >= t.mostSamples():
		return result.StopSamplesMax
	case n > 0 && t.spent()+t.nextTime() > t.timeOfSides(w.rig.allowance):
		return w.timeUp(t)
	case t.drawn && !w.rig.drawing.isComplete():
		return ""
	case t.isRelaunched():
		return t.enoughLaunches(open, decided)
	case n < t.leastSamples(), t.isQueued():
		return ""
	case decided > 0 && open == 0:
		return result.StopDecided
	case s.Precision > 0 && t.own.precision() <= s.Precision && open == 0:
		return result.StopPrecision
	case t.own.series.Sampled >= time.Duration(s.TargetTime) && open == 0:
		return result.StopTargetTime
	}
	return ""
}

// dearSamples is how many times its target_time an existing benchmark may take until fewer samples are enough.
const dearSamples = 5

// leastSamples is how many samples a case has at least. Ten samples of an existing benchmark that prepares a large
// document for each take 2 s or more: if nobody has set samples.min, as many are enough as an interval takes.
func (t *track) leastSamples() int {
	c := t.target.Spec
	isDear := t.target.Stays() && c.Origins["samples.min"] == spec.FromBuiltin &&
		t.spent() >= dearSamples*time.Duration(c.Settings.TargetTime)
	if isDear {
		return min(c.Settings.SamplesMin, runsAlone)
	}
	return c.Settings.SamplesMin
}

// The case's own time or the budget may end it.
func (w *window) timeUp(t *track) result.Stop {
	if t.target.MaxTime(w.rig.allowance) < t.target.OwnTime() {
		return result.StopBudget
	}
	return result.StopMaxTime
}

func (w *window) gates(t *track) (open, decided int) {
	if w.run.options.Steer == nil || len(t.target.Spec.Gates) == 0 && !t.guard {
		return 0, 0
	}
	return w.run.options.Steer.Open(t.result)
}

// own makes a function that charges a case, at each call, with the time since the last
// call that no host reported: in that time suite itself worked for the case. A host
// reports 60 µs for a block of ten batches of 40 ns; with its message and answer the
// block takes 220 µs, so without this such a case lasts four times its max_time.
func (w *window) own(t *track) (charge func()) {
	since, reported := w.run.busy(), t.reported
	return func() {
		now := w.run.busy()
		t.charged(max(now-since-(t.reported-reported), 0))
		since, reported = now, t.reported
	}
}

// shareOut divides the remaining time of the window among the sides of the cases that go
// on, so that what decided cases did not use serves the others.
func (w *window) shareOut() {
	if w.allotted == 0 {
		return
	}
	var spent, open time.Duration
	going := 0
	for _, t := range w.rig.tracks {
		spent += t.spent()
		if !t.done {
			open += t.spent()
			going += len(t.sides())
		}
	}
	if going > 0 {
		w.rig.allowance = max((max(w.allotted-spent, 0)+open)/time.Duration(going), 1)
	}
}

// allotted is the time that the sides of a window may take together, 0 for any. A budget
// is shared out evenly, so that it shortens all cases and drops none. If a verdict needs more
// than an even share, the cases of the first windows get twice what a verdict takes at least,
// and later ones what is left: some verdicts are worth more than none.
func allotted(plan *spec.Plan, gone time.Duration, tracks []*track, left int) time.Duration {
	if plan.Budget == 0 {
		return 0
	}
	rest := max(time.Duration(plan.Budget)-gone, 1)
	even := rest * time.Duration(sides(tracks)) / time.Duration(max(left, 1))
	var needed time.Duration
	for _, t := range tracks {
		needed += 2 * forecast.LeastTime(t.target.Spec, t.alpha())
	}
	return min(max(even, needed, time.Duration(sides(tracks))), rest)
}

// sides is how many tracks cases have: one with a base has two.
func sides(tracks []*track) (n int) {
	for _, t := range tracks {
		if !t.final {
			n += len(t.sides())
		}
	}
	return n
}

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
	f := &result.Failure{Phase: result.PhaseRun, Cause: result.FailedTimeout, Detail: s.series.Said,
		Message: fmt.Sprintf("killed after the timeout of %v", limit)}
	if s.series.Runs > 1 {
		f.Message = fmt.Sprintf("%d of %d runs were killed after the timeout of %v",
			s.series.Killed, s.series.Runs, limit)
	}
	if s.result.Samples.Count() == 0 {
		f.Phase = result.PhaseWarmup
	}
	s.target.Explain(f, s.series.N)
	switch {
	case s.series.Folds != nil:
		f.Hint = "a summary of samples has no place for runs that did not finish: samples: {keep: samples}, or " +
			"raise timeout"
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
	return done || s.series.Used >= s.target.MaxTime(allowance) ||
		s.series.Runs+s.target.Spec.Settings.SamplesMax-n < leastRuns
}
