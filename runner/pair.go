package runner

import (
	"context"
	"time"

	"example.com/suite/result"
)

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
