package runner

import (
	"fmt"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/record"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
)

// resume takes over what belongs to the run as a whole, and notes in the document which
// of its numbers were measured when.
func (r *run) resume() {
	p := r.interrupted()
	if p == nil {
		return
	}
	r.before = p.At
	r.warnings = slices.Clone(p.Warnings)
	for _, c := range p.Calibrations {
		r.addCalibration(c)
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
		Message: fmt.Sprintf("the run was interrupted %s: %d of %d cases were taken over whole and %d in part; the "+
			"first part began at %s",
			times, finished, total, partly, p.Header.Started.Format(time.DateTime+" MST"))})
}

// suiteBegan is when the budget of a suite began.
func (r *run) suiteBegan(plan *spec.Plan) time.Duration {
	if p := r.interrupted(); p != nil {
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
	p := r.interrupted()
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
func (t *track) restore(had *record.InterruptedCase) {
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

// NewHeader describes a run that begins now.
func NewHeader(plans []*spec.Plan, o Options) record.Header {
	r := newRun(o)
	h := record.Header{Started: r.started.UTC(), Seed: o.Seed.String(), Tool: o.Tool, Machine: o.Machine,
		Hosts: []string{r.options.Binaries.Sum(o.Host[0])}}
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
