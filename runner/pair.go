package runner

import (
	"context"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// pairWith makes the base of a case: a side of its own, in addition to the track that
// the base has as a case. What is run (function, program, environment, threads) is the
// base's, and how it is measured the case's, so that both sides are alike. Its setup
// and cleanup hooks belong to the window's own track of the base.
func (t *track) pairWith(plan *spec.Plan, base *spec.Case) {
	b, own := *base, base.Settings
	b.Settings, b.Counters, b.Pegs, b.PegPoints = t.spec.Settings, t.spec.Counters, t.spec.Pegs, t.spec.PegPoints
	b.Settings.Timeout, b.Settings.Thread, b.Settings.Parallel, b.Settings.Quorum = own.Timeout, own.Thread, own.Parallel, own.Quorum
	t.base = newSide(t, plan, &b)
	t.paired, t.base.paired = true, true
	t.result.Pairs = &result.Pairs{Base: base.Name, First: []int{}, Samples: noSamples()}
}

// sides are those that take the time of a case: its own, and its base's.
func (t *track) sides() []*side {
	if t.base == nil {
		return []*side{t.side}
	}
	return []*side{t.side, t.base}
}

// spent is what both sides have taken.
func (t *track) spent() (sum time.Duration) {
	for _, s := range t.sides() {
		sum += s.Used
	}
	return sum
}

// charged shares out time that belongs to no batch.
func (t *track) charged(d time.Duration) {
	sides := t.sides()
	for _, s := range sides {
		s.Used += d / time.Duration(len(sides))
	}
}

// asBase puts the name of the base before the message of a failure of the base.
func (t *side) asBase(f *result.Failure) *result.Failure {
	if f != nil && t.isBase() {
		f.Message = t.baseName() + ": " + f.Message
	}
	return f
}

// pairs takes a block of pairs after one that is thrown away.
func (w *window) pairs(ctx context.Context, t *track) {
	began := w.busy()
	failure := w.renew(ctx, t)
	if !t.isRelaunched() && t.Blocks > 0 {
		t.pacing.start = append(t.pacing.start, w.busy()-began)
	}
	if failure == nil {
		failure = w.agree(ctx, t)
	}
	if failure != nil {
		t.failOrStop(ctx, failure)
		return
	}
	request, discard := w.pairRequest(t)
	at := w.elapsed()
	t.stale = true
	ask := w.callPairs
	if t.isApart() {
		ask = w.callApart
	}
	response, failure := ask(ctx, t, request)
	if response != nil && response.Readings != nil {
		before := t.result.Samples.Len()
		t.takePairs(request, response.Readings, discard, at)
		if t.drawn && t.result.Samples.Len() > before {
			w.drawing.note(t)
		}
		w.hosts.raiseFloor(t, response.Readings.Peak)
		if failure == nil && len(response.Readings.ID) == 0 {
			failure = t.remote.stalled(response.Readings.Stopped)
		}
	}
	if failure != nil {
		t.failOrStop(ctx, failure)
	}
}

// agree runs each side once, without a warm-up, to record the output that later runs
// must match, unless the host knows it already. In a pair nobody could tell which of
// two outputs is whose.
func (w *window) agree(ctx context.Context, t *track) *result.Failure {
	for _, s := range t.sides() {
		if !s.spec.SameOutput || s.expects == s.remote {
			continue
		}
		response, failure := w.call(ctx, s, s.remote, s.batches(1, s.left(w.allowance)))
		if failure != nil {
			return s.asBase(failure)
		}
		s.Used += time.Duration(response.Readings.Elapsed)
		s.countRuns(response.Readings)
	}
	return nil
}
