package runner

import (
	"context"
	"fmt"
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

// ready makes sure that a case, and its base, are prepared in a living host.
func (w *window) ready(ctx context.Context, t *track) *result.Failure {
	sized := t.N > 0 && (t.base == nil || t.base.N > 0)
	for range launchTries {
		for _, s := range w.setUpOrder(t) {
			if failure := w.prepare(ctx, s); failure != nil {
				return s.asBase(failure)
			}
		}
		switch {
		case t.base != nil && !w.bothLive(t): // a host has died meanwhile
		case t.base != nil && !sized:
			return w.even(t)
		default:
			return nil
		}
	}
	return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCrash, Message: "the host of the case and its base died again and again"}
}

// even sets one batch size for both sides, the smaller one, and one way to run. Each
// side spreads the cost of two clock readings over its n, so unequal n would bias the
// ratio. If one loop runs better off its thread, both do, because a side that is alone
// on a locked thread would be measured differently.
func (w *window) even(t *track) *result.Failure {
	b := t.base
	if t.result.Unit != b.result.Unit {
		return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCheck, Message: fmt.Sprintf("its unit is %s, and the unit of %s is %s: they cannot be compared", t.result.Unit, b.baseName(), b.result.Unit),
			Hint: "declare the same unit, and the number of units in one iteration"}
	}
	n, thread := min(t.N, b.N), t.Thread
	if b.Thread == "free" {
		thread = b.Thread
	}
	for _, s := range t.sides() {
		s.Mixed = s.Mixed || n < s.N && s.collected > 0
		s.Sized, s.Batch = scale(s.Sized, n, s.N), scale(s.Batch, n, s.N)
		s.N, s.Thread = n, thread
		s.charge(w.costs(s.kind())) // once more: what a step of the clock hides goes by n
		s.addEmpty(s.Events)
		s.result.Iterations, s.result.Thread = int64(n), thread
	}
	t.evenParts()
	for _, s := range t.sides() {
		if failure := s.pauses(); failure != nil {
			return s.asBase(failure)
		}
	}
	t.result.Pairs.Iterations = int64(n)
	if b.tree != "" {
		t.result.Pairs.Identity = &b.result.Identity
	}
	return nil
}

func scale(d time.Duration, n, of int) time.Duration {
	return time.Duration(float64(d) * float64(n) / float64(max(of, 1)))
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
