package runner

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
)

// resume takes over what belongs to the run as a whole, and notes in the document which
// of its numbers were measured when.
func (r *run) resume() {
	p := r.past()
	if p == nil {
		return
	}
	r.before = p.at
	r.warnings = slices.Clone(p.warnings)
	for _, c := range p.calibrations {
		r.tell(c)
	}
	finished, partly := p.count()
	total := 0
	for _, s := range p.header.Suites {
		total += len(s.Cases)
	}
	times := "once"
	if n := len(p.parts); n > 1 {
		times = fmt.Sprintf("%d times", n)
	}
	r.warnings = append(r.warnings, result.Warning{Code: result.WarnResumed,
		Message: fmt.Sprintf("the run was interrupted %s: %d of %d cases were taken over whole and %d in part; the first part began at %s",
			times, finished, total, partly, p.header.Started.Format(time.DateTime+" MST"))})
}

// past is what was measured before the run was interrupted, nil for nothing.
func (r *run) past() *past {
	if r.options.Journal == nil {
		return nil
	}
	return r.options.Journal.past
}

// begun is when the run began, in its first part.
func (r *run) begun() time.Time {
	if p := r.past(); p != nil {
		return p.header.Started
	}
	return r.started.UTC()
}

// elapsed is the time since the start of the run, without that between its
// parts; busy is the same without the time in which it was stopped.
func (r *run) elapsed() time.Duration { return r.before + r.options.Now().Sub(r.started) }

func (r *run) busy() time.Duration { return r.elapsed() - r.options.Processes.Lost() }

// killed reports whether everything that the run has started was killed.
func (r *run) killed() bool { return r.options.Processes.Killed() }

// suiteBegan is when the budget of a suite began.
func (r *run) suiteBegan(plan *spec.Plan) time.Duration {
	if p := r.past(); p != nil {
		if at, known := p.suites[plan.Suite]; known {
			return at
		}
	}
	at := r.busy()
	r.record(&record{At: at, Suite: plan.Suite}, false)
	return at
}

// takeOver restores the cases of a suite from the journal, and reports whether none is
// left to measure.
func (r *run) takeOver(plan *spec.Plan, tracks []*track) (complete bool) {
	for _, t := range tracks {
		for _, s := range t.sides() {
			s.series.Keeps = r.options.Journal != nil
		}
	}
	p := r.past()
	if p == nil {
		return !slices.ContainsFunc(tracks, func(t *track) bool { return !t.final })
	}
	for _, c := range p.calibrations {
		if c.Suite == plan.Suite {
			r.calibrated[c.hosts(plan)] = &sample.Calibration{Hello: c.Hello, Costs: c.Costs}
		}
	}
	complete = true
	for _, t := range tracks {
		if had := p.cases[keyOf(t.result)]; had != nil && had.fits(t) {
			t.restore(had)
			for _, s := range t.sides() {
				r.outputs.recall(s)
			}
		}
		r.spent += t.spent()
		complete = complete && t.final
	}
	return complete
}

// restore restores a case as it was after its last block. It goes on in a new launch,
// with the iterations, the thread and the loop that were found then.
func (t *track) restore(had *pastCase) {
	place := t.result.Place // may be written otherwise
	if had.final != nil {
		*t.result = *had.final
		t.result.Place, t.final, t.done = place, true, true
		return
	}
	*t.result = had.last.Case
	t.result.Place, t.result.Samples = place, had.samples
	t.own.series.Folds = had.folds
	t.own.series.Restore(&had.last.Track, had.loops, had.counts)
	t.own.resumed = true
	failed := t.result.Status == result.Failed
	t.own.series.SetUp = had.last.Track.SetUp && failed // its clean-up is all that is left to do
	t.done, t.keptFailure = failed || t.result.Stop != "", failed
	t.restoreBase(had)
}

// fits reports whether a case with a base has its side too; one without is measured anew.
func (c *pastCase) fits(t *track) bool {
	return c.final != nil || (t.base == nil) == (c.base == nil)
}

// restoreBase restores the base's side from the journal.
func (t *track) restoreBase(had *pastCase) {
	b := t.base
	if b == nil || had.base == nil {
		return
	}
	*b.result = had.base.last.Case
	b.result.Samples = had.base.samples
	b.series.Restore(&had.base.last.Track, nil, nil)
	b.resumed = true
	b.series.SetUp = t.own.series.SetUp && had.base.last.Track.SetUp
	p := t.result.Pairs
	p.First, p.Samples, p.Latency = append([]int{}, had.base.first...), b.result.Samples, b.result.Latency
}

// hosts is the kind of the hosts in a plan that a calibration belongs to.
func (c *calibrationRecord) hosts(plan *spec.Plan) hostKind {
	if c.Other && plan.Other != nil {
		plan = plan.Other
	}
	return hostKind{plan: plan, kind: c.Kind, clock: c.Clock, cycle: c.Cycle}
}

// keep writes what a step has added to the journal: a block of one case, and failures
// of any case. A case that an interrupt has ended goes on another time, so that end is
// not written.
func (w *window) keep(ctx context.Context) {
	if w.run.options.Journal == nil {
		return
	}
	for _, t := range w.rig.tracks {
		failed := t.result.Status == result.Failed && (t.keptFailure || ctx.Err() == nil)
		if t.final || !t.own.series.HasFresh() && failed == t.keptFailure {
			continue
		}
		w.run.record(&record{At: w.run.busy(), Block: blockOf(&t.own.series, t.baseSeries(), failed)}, failed)
		t.keptFailure = failed
	}
}

// blockOf is a case after a block, or after its failure. base is nil without one.
func blockOf(own, base *sample.Series, failed bool) *blockRecord {
	c := *own.Result
	c.Samples, c.Latency, c.Gates, c.Status = result.Samples{}, nil, nil, result.NotRun
	switch {
	case failed:
		c.Status = result.Failed
	case c.Stop == result.StopInterrupted:
		c.Stop, c.Failure = "", nil
	default:
		c.Failure = nil
	}
	c.Pairs = c.Pairs.Frame()
	fresh := own.Flush()
	return &blockRecord{Base: baseOf(base), Case: c, Samples: fresh.Samples, Loops: fresh.Loops, Counts: fresh.Counts, Latency: fresh.Latency, Track: own.Recorded}
}

// baseOf is what the last block has brought to the base's side, nil without a base.
func baseOf(base *sample.Series) *baseRecord {
	if base == nil {
		return nil
	}
	c := *base.Result
	c.Samples, c.Latency = result.Samples{}, nil
	fresh := base.Flush()
	return &baseRecord{Case: c, First: fresh.First, Samples: fresh.Samples, Latency: fresh.Latency, Track: base.Recorded}
}

// keepCase writes a case that is finished into the journal. One after an
// interrupt may lack allocations, and one that could not be cleaned up is tried
// again.
func (w *window) keepCase(ctx context.Context, t *track) {
	if ctx.Err() == nil {
		w.run.record(&record{At: w.run.busy(), Case: t.result}, true)
	}
}

// record writes a line into the journal. Where that fails the run ends as if it
// had been interrupted: what it measured is still there to be reported, and what
// it would go on to measure could be lost.
func (r *run) record(line *record, must bool) {
	if r.options.Journal == nil || r.options.Journal.err != nil {
		return
	}
	if err := r.options.Journal.append(line, must); err != nil {
		r.warnings = append(r.warnings, result.Warning{Code: result.WarnJournal, Message: err.Error(), Hint: "the run ended there; with more room --resume goes on"})
		r.cancel(err)
	}
}

// changed explains why a case cannot go on in this host, nil if it can: its samples
// would be of two programs, or of two clocks.
func (g *rig) changed(s *side, p *wire.Prepared) *result.Failure {
	then, c := s.result, g.run.costs(s.kind())
	was := func(what, before, now string) *result.Failure {
		return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCheck, Message: fmt.Sprintf("%s was %s before the run was interrupted, and is %s", what, cmp.Or(before, "none"), cmp.Or(now, "none")),
			Hint: "run without --resume"}
	}
	switch id := then.Identity; {
	case id.Program != p.Program:
		return was("the program", id.Program, p.Program)
	case id.Binary != g.binaryOf(s, p):
		return was("the content of the program", id.Binary, g.binaryOf(s, p))
	case c != nil && c.Hello.Clock != then.Clock:
		return was("the clock", then.Clock, c.Hello.Clock)
	case c != nil && c.Hello.Counter != then.Counter:
		return was("the cycle counter", then.Counter, c.Hello.Counter)
	}
	if why := g.run.options.Binaries.OtherFile(then.Identity.Files, s.target.Plan.Dir, false); why != "" {
		return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCheck, Message: why + " since the run was interrupted", Hint: "run without --resume"}
	}
	return nil
}

// dropChanged forgets the cases that name files which are no longer what they were, and the
// cases that are compared with one of those. A case that is finished is of one program, but
// the others of its run would be of another one.
func (p *past) dropChanged() {
	dirs := map[string]string{}
	for _, s := range p.header.Suites {
		dirs[s.Name] = filepath.Dir(s.File)
	}
	var hashes binary.Hashes
	why := map[caseKey]string{}
	for _, key := range p.order {
		if reason := hashes.OtherFile(p.cases[key].result().Identity.Files, dirs[key.suite], true); reason != "" {
			why[key] = reason + " since the run was interrupted"
		}
	}
	for more := len(why) > 0; more; {
		more = false
		for _, key := range p.order {
			pairs := p.cases[key].result().Pairs
			if why[key] != "" || pairs == nil || pairs.Tree != "" || why[caseKey{key.suite, pairs.Base}] == "" {
				continue
			}
			why[key], more = "so is its base, "+pairs.Base, true
		}
	}
	p.order = slices.DeleteFunc(p.order, func(key caseKey) bool {
		if why[key] == "" {
			return false
		}
		delete(p.cases, key)
		p.warnings = append(p.warnings, result.Warning{Code: result.WarnResumed, Message: fmt.Sprintf("case %s was measured again from its first sample: %s", key.name, why[key])})
		return true
	})
}

// count is how many cases are finished, with those that failed and those that
// have all of their samples, and how many have some blocks.
func (p *past) count() (finished, partly int) {
	names := p.header.names()
	for key, c := range p.cases {
		if !names[key] {
			continue // a sentinel is none of the cases
		}
		if r := c.result(); c.final != nil || r.Status == result.Failed || r.Stop != "" {
			finished++
		} else {
			partly++
		}
	}
	return finished, partly
}

// result is the case as far as it is known.
func (c *pastCase) result() *result.Case {
	if c.final != nil {
		return c.final
	}
	return &c.last.Case
}
