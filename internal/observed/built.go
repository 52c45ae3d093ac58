package observed

import (
	"context"
	"slices"
	"time"

	"example.com/suite/internal/observe"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/spec"
)

// coarse is how much earlier than the clock the time of a change may be.
const coarse = 20 * time.Millisecond

// builds are when the commands ran that have built both trees of a plan.
type builds struct {
	began  time.Time   // the first one of this run
	before time.Time   // no build of an earlier run whose outputs are in one of the trees; zero: there are no such outputs
	spans  []tree.Span // of all of them
}

// Build runs the build commands of a plan and of its other tree, so that what they make can be compared. trees are
// those that suite has checked out, with what is known of earlier builds: a program may have been installed then. A
// build that fails is left to the run, which reports it.
func (o *Observer) Build(ctx context.Context, plan *spec.Plan, trees ...*tree.Tree) {
	now := tree.Span{From: time.Now()}
	o.builds, o.stale, o.sizes = builds{began: now.From}, "", nil
	for _, one := range trees {
		known := one.Builds()
		o.builds.spans = append(o.builds.spans, known.Spans...)
		if since := known.Since; !since.IsZero() && (o.builds.before.IsZero() || since.Before(o.builds.before)) {
			o.builds.before = since
		}
	}
	for _, plan := range []*spec.Plan{plan, plan.Other} {
		if plan.Built {
			continue
		}
		var failure *result.Failure
		plan.Built, failure = runner.Build(ctx, plan, o.Processes)
		if failure != nil {
			return
		}
	}
	now.To = time.Now()
	for _, one := range trees {
		_ = one.Ran(now) // if it fails, a file that was installed now is taken for one that the system has replaced
	}
}

// Stale returns a file outside of both trees that a case has used since the last call of Build, and that has changed
// after outputs of an earlier run were built, and not while a build ran; "" if there is none. What was built before may
// depend on what the file was, so both trees are only comparable if those outputs are built anew.
func (o *Observer) Stale() string { return o.stale }

// touched returns a file outside of both trees that a case of a plan with a build used, and that has changed while a
// build ran: the build has made it, and both sides use the same. Compilers keep caches, so files that were only read
// are no reason to refuse a comparison. stale is as Stale returns it.
func (b *builds) touched(r *observe.Record, base, here string, known []string) (why *result.Evidence, stale string) {
	roots := []string{real(base), real(here), "/proc", "/sys", "/dev"}
	for _, a := range r.Files {
		if a.Use&observe.Written != 0 || a.Use&(observe.Read|observe.Exec) == 0 || !isOutside(a.Path, roots, known) {
			continue
		}
		at, dated := changed(a.Path)
		switch {
		case dated && !b.mayHaveMade(at):
			if stale == "" && !b.before.IsZero() && !at.Before(b.before.Add(-coarse)) {
				stale = a.Path
			}
		case a.Use&observe.Exec != 0:
			return &result.Evidence{Cause: result.EvidenceExecutesInstalled, Subject: a.Path}, stale
		case why == nil:
			why = &result.Evidence{Cause: result.EvidenceReadsBuilt, Subject: a.Path}
		}
	}
	return why, stale
}

// mayHaveMade reports whether a file that has changed at a time may come from a build. All that has changed since this
// run began to build is in doubt. A change in the future is older than the day on which the clock was set back, unless
// that has happened in this run.
func (b *builds) mayHaveMade(at time.Time) bool {
	now := time.Now()
	isSetBack := now.Round(0).Sub(b.began.Round(0)) < now.Sub(b.began)-coarse // without and with the monotonic clock
	if at.After(now.Add(coarse)) && !isSetBack {
		return false
	}
	return !at.Before(b.began.Add(-coarse)) || slices.ContainsFunc(b.spans, func(s tree.Span) bool {
		return !at.Before(s.From.Add(-coarse)) && !at.After(s.To.Add(coarse))
	})
}
