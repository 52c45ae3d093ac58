package runner

import (
	"context"
	"time"

	"example.com/suite/result"
)

// window is up to windowSize cases that take turns.
type window struct {
	*rig
	last     bool          // of its suite
	allotted time.Duration // to all of its sides together, 0: any
}

// measure takes the cases of the window from setup to clean-up.
func (w *window) measure(ctx context.Context) {
	w.drawing.start(ctx, w.tracks, w.allowance > 0)
	for _, t := range w.basesFirst() {
		w.begin(ctx, t)
		w.services.attend(ctx, t)
		w.keep(ctx)
		w.round = max(w.round, t.Round)
	}
	w.rounds(ctx)
	after := passes{rig: w.rig}
	after.take(ctx)
	w.services.end()
	w.hosts.end(ctx, w.last)
	for _, t := range w.tracks {
		if t.final && t.SetUp { // for its candidates
			w.cleanup(t.side)
		}
		if !t.final {
			w.cleanups(t)
			t.summarise()
			w.keepCase(ctx, t)
			w.announce(t)
		}
		w.outputs.drop(t.side)
	}
}

// announce reports a finished case, unless it is one of the last.
func (w *window) announce(t *track) {
	isLast := w.done+len(w.tracks) >= w.total
	if w.Finished != nil && !t.guard && !isLast && t.result.Status != result.NotRun {
		w.Finished(t.result)
	}
}

// begin sets a case up, warms it up and finds its batch size.
func (w *window) begin(ctx context.Context, t *track) {
	if t.guard {
		return // its first turn makes it ready, if it gets one
	}
	before := t.final || t.result.Status == result.Failed // the run was interrupted
	if before && !w.isNeeded(t) {
		return
	}
	if ctx.Err() != nil {
		if !before {
			t.stop(result.StopInterrupted)
		}
		return
	}
	defer w.clock(t)()
	w.progress(t, "prepare")
	if t.broken = w.setUp(ctx, t); t.broken != nil && !before {
		t.failOrStop(ctx, t.broken)
	}
	if t.broken != nil || before || t.done {
		return // in the last case it has all of its samples
	}
	failure := w.ready(ctx, t)
	if failure == nil {
		failure = w.overtime(t)
	}
	if failure != nil {
		t.failOrStop(ctx, failure)
	}
}
