package runner

import (
	"fmt"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/target"
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

// outputs are what the commands of a run have printed that all have to print
// the same. What each of them has to print is what the first of them did.
type outputs map[target.OutputKey]*wire.Output

// unknownSize is the size of an output of which only the hash is known.
const unknownSize = -1

// expect sends a host what a command has to print, as soon as it is known, and only
// once: a text of 256 KiB in each request would cost a millisecond.
func (o outputs) expect(s *side, request *wire.Request, to *remote) {
	first := o[s.target.OutputKey()]
	if !s.target.Spec.SameOutput || first == nil {
		return
	}
	known := *first
	if known.Of == s.result.Name {
		known.Of = ""
	}
	switch {
	case request.Command != nil:
		request.Command.Expect = &known
	case request.Op == "run" && s.expects != to:
		request.Expect = &known
	default:
		return
	}
	s.expects, s.result.Output = to, first.Hash
}

// take takes over what the first run of a command has printed.
func (o outputs) take(s *side, response *wire.Response, from *remote) {
	if response == nil || response.Output == nil || !s.target.Spec.SameOutput || o[s.target.OutputKey()] != nil {
		return
	}
	first := *response.Output
	first.Text = first.Text[:min(len(first.Text), wire.KeptOutput)]
	if first.Hash == "" {
		return
	}
	first.Of = s.result.Name
	o[s.target.OutputKey()] = &first
	s.expects, s.result.Output = from, first.Hash
}

// recall takes over the output of a case that was measured before the run was
// interrupted. Only its hash is known.
func (o outputs) recall(s *side) {
	if key := s.target.OutputKey(); s.target.Spec.SameOutput && s.result.Output != "" && o[key] == nil {
		o[key] = &wire.Output{Of: s.result.Name, Hash: s.result.Output, Size: unknownSize}
	}
}

// drop forgets the output of a case that no other has to print.
func (o outputs) drop(s *side) {
	if s.target.Spec.OutputName == "" {
		delete(o, s.target.OutputKey())
	}
}
