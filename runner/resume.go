package runner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/record"
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
	r.before = p.At
	r.warnings = slices.Clone(p.Warnings)
	for _, c := range p.Calibrations {
		r.tell(c)
	}
	finished, partly := p.Count()
	total := 0
	for _, s := range p.Header.Suites {
		total += len(s.Cases)
	}
	times := "once"
	if n := len(p.Parts); n > 1 {
		times = fmt.Sprintf("%d times", n)
	}
	r.warnings = append(r.warnings, result.Warning{Code: result.WarnResumed,
		Message: fmt.Sprintf("the run was interrupted %s: %d of %d cases were taken over whole and %d in part; the first part began at %s",
			times, finished, total, partly, p.Header.Started.Format(time.DateTime+" MST"))})
}

// past is what was measured before the run was interrupted, nil for nothing.
func (r *run) past() *record.Past {
	if r.options.Journal == nil {
		return nil
	}
	return r.options.Journal.Past
}

// begun is when the run began, in its first part.
func (r *run) begun() time.Time {
	if p := r.past(); p != nil {
		return p.Header.Started
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
		if at, known := p.Suites[plan.Suite]; known {
			return at
		}
	}
	at := r.busy()
	r.record(&record.Line{At: at, Suite: plan.Suite}, false)
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
	for _, c := range p.Calibrations {
		if c.Suite == plan.Suite {
			r.calibrated[hostsOf(c, plan)] = &sample.Calibration{Hello: c.Hello, Costs: c.Costs}
		}
	}
	complete = true
	for _, t := range tracks {
		if had := p.Cases[record.KeyOf(t.result)]; had != nil && had.Fits(t.base != nil) {
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
func (t *track) restore(had *record.PastCase) {
	if final := had.Restore(&t.own.series, t.baseSeries()); final {
		t.final, t.done = true, true
		return
	}
	failed := t.result.Status == result.Failed
	t.done, t.keptFailure = failed || t.result.Stop != "", failed
	for _, s := range t.sides() {
		s.resumed = true
		s.series.SetUp = s.series.SetUp && failed && t.own.series.SetUp // its clean-up is all that is left to do
	}
}

// hostsOf is the kind of the hosts in a plan that a calibration belongs to.
func hostsOf(c *record.Calibration, plan *spec.Plan) hostKind {
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
		w.run.record(&record.Line{At: w.run.busy(), Block: record.BlockOf(&t.own.series, t.baseSeries(), failed)}, failed)
		t.keptFailure = failed
	}
}

// keepCase writes a case that is finished into the journal. One after an
// interrupt may lack allocations, and one that could not be cleaned up is tried
// again.
func (w *window) keepCase(ctx context.Context, t *track) {
	if ctx.Err() == nil {
		w.run.record(&record.Line{At: w.run.busy(), Case: t.result}, true)
	}
}

// record writes a line into the journal. Where that fails the run ends as if it
// had been interrupted: what it measured is still there to be reported, and what
// it would go on to measure could be lost.
func (r *run) record(line *record.Line, must bool) {
	if r.options.Journal == nil || r.options.Journal.Err() != nil {
		return
	}
	if err := r.options.Journal.Append(line, must); err != nil {
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

// NewHeader describes a run that begins now.
func NewHeader(plans []*spec.Plan, o Options) record.Header {
	r := newRun(o)
	h := record.Header{Started: r.started.UTC(), Seed: o.Seed.String(), Tool: o.Tool, Machine: o.Machine, Hosts: []string{r.options.Binaries.Sum(o.Host[0])}}
	h.Machine.Load = ""
	for _, plan := range plans {
		h.Suites = append(h.Suites, record.SuiteOf(plan))
		for _, of := range []*spec.Plan{plan, plan.Other} {
			if of == nil || o.HostOf == nil {
				continue
			}
			if argv := o.HostOf(of); argv != nil {
				h.Hosts = append(h.Hosts, r.options.Binaries.Sum(argv[0]))
			}
		}
	}
	return h
}
