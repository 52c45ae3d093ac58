package runner

import (
	"fmt"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// leastRuns are enough to tell a command that sometimes hangs from one that always
// does.
const leastRuns = 5

// countRuns counts the runs of a request, and those that the timeout has ended.
func (t *series) countRuns(r *wire.Readings) {
	for i := range r.ID {
		t.countRun(batch{r, i})
	}
}

func (t *series) countRun(b batch) {
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
	t.explain(f)
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
func (t *series) hangs(allowance time.Duration, done bool) bool {
	n, censored := t.result.Samples.Len(), len(t.result.Samples.Censored)
	switch {
	case t.folds != nil:
		return true
	case t.Runs >= leastRuns:
		return 2*t.Killed >= t.Runs || done && censored > 0 && 2*censored >= n
	}
	return done || t.Used >= t.maxTime(allowance) || t.Runs+t.spec.Settings.SamplesMax-n < leastRuns
}

// mostLeft names of processes that outlive a case are enough to find the code that
// starts them.
const mostLeft = 4

// leaks adds processes that outlived runs. names are the command lines of the first.
func (t *recorded) leaks(count int, names []string) {
	t.Leaked += count
	for _, name := range names {
		if len(t.Left) < mostLeft && !slices.Contains(t.Left, name) {
			t.Left = append(t.Left, name)
		}
	}
}

// remain adds up the files that stayed after a block, by folder.
func (t *recorded) remain(r *wire.Readings) {
	t.Looked += len(r.ID)
	for _, more := range r.Remains {
		i := slices.IndexFunc(t.Remains, func(had wire.Remains) bool { return had.Dir == more.Dir })
		if i < 0 {
			t.Remains = append(t.Remains, more)
			continue
		}
		had := &t.Remains[i]
		had.Count += more.Count
		had.Names = append(had.Names, more.Names[:min(len(more.Names), max(mostLeft-len(had.Names), 0))]...)
	}
}

// outputs are what the commands of a run have printed that all have to print
// the same. What each of them has to print is what the first of them did.
type outputs map[outputKey]*wire.Output

// outputKey is the key of an output, of one case or shared by several. The output of a
// case in another tree has its own key, because a change may be meant to change it.
type outputKey struct{ suite, tree, shared, alone string }

// unknownSize is the size of an output of which only the hash is known.
const unknownSize = -1

// expect sends a host what a command has to print, as soon as it is known, and only
// once: a text of 256 KiB in each request would cost a millisecond.
func (o outputs) expect(t *side, request *wire.Request, to *remote) {
	first := o[t.outputKey()]
	if !t.spec.SameOutput || first == nil {
		return
	}
	known := *first
	if known.Of == t.result.Name {
		known.Of = ""
	}
	switch {
	case request.Command != nil:
		request.Command.Expect = &known
	case request.Op == "run" && t.expects != to:
		request.Expect = &known
	default:
		return
	}
	t.expects, t.result.Output = to, first.Hash
}

// take takes over what the first run of a command has printed.
func (o outputs) take(t *side, response *wire.Response, from *remote) {
	if response == nil || response.Output == nil || !t.spec.SameOutput || o[t.outputKey()] != nil {
		return
	}
	first := *response.Output
	first.Text = first.Text[:min(len(first.Text), wire.KeptOutput)]
	if first.Hash == "" {
		return
	}
	first.Of = t.result.Name
	o[t.outputKey()] = &first
	t.expects, t.result.Output = from, first.Hash
}

// recall takes over the output of a case that was measured before the run was
// interrupted. Only its hash is known.
func (o outputs) recall(t *side) {
	if key := t.outputKey(); t.spec.SameOutput && t.result.Output != "" && o[key] == nil {
		o[key] = &wire.Output{Of: t.result.Name, Hash: t.result.Output, Size: unknownSize}
	}
}

// drop forgets the output of a case that no other has to print.
func (o outputs) drop(t *side) {
	if t.spec.OutputName == "" {
		delete(o, t.outputKey())
	}
}
