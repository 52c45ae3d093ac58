package runner

import (
	"context"
	"math"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/forecast"
	"example.com/suite/runner/host/wire"
	"example.com/suite/stats"
	"example.com/suite/timer"
)

// blockSize is the number of samples that a case takes in a row. A block also ends when it has lasted a tenth of the target time, so
// that a slow case still has blocks enough for an interval.
const (
	blockSize  = 10
	blockShare = 10
)

// rounds lets the cases take turns, block by block, in an order drawn for each
// round, so that drift of the machine hits all of them alike.
func (w *window) rounds(ctx context.Context) {
	for first := true; ; w.round++ {
		if !first {
			w.nextLaunch(ctx)
		}
		first = false
		w.shareOut()
		waiting := w.waiting()
		if len(waiting) == 1 && waiting[0].guard && !waiting[0].isAsked() && ctx.Err() == nil {
			waiting[0].stop(result.StopShare)
			waiting = nil
		}
		if len(waiting) == 0 {
			return
		}
		draw := w.Seed.Draw("order", w.plan.Suite, w.number, w.round)
		for _, i := range draw.Perm(len(waiting)) {
			if waiting[i].guard && ctx.Err() == nil && !w.hasTurn(waiting[i]) {
				continue
			}
			waiting[i].Round = w.round + 1
			if !w.services.attend(ctx, waiting[i]) {
				w.turn(ctx, waiting[i])
				w.services.attend(ctx, waiting[i])
			}
			charge := w.own(waiting[i])
			w.keep(ctx)
			charge()
		}
	}
}

func (w *window) waiting() (open []*track) {
	for _, t := range w.tracks {
		if !t.done {
			open = append(open, t)
		}
	}
	return open
}

// turn measures one block of a case and decides whether it goes on.
func (w *window) turn(ctx context.Context, t *track) {
	defer w.clock(t)()
	if ctx.Err() != nil {
		t.stop(result.StopInterrupted)
		return
	}
	before, charge := t.spent(), w.own(t)
	began := w.busy()
	if failure := w.ready(ctx, t); failure != nil {
		t.failOrStop(ctx, failure)
		return
	}
	if t.isRelaunched() && t.result.Launches > 0 {
		charge() // set-ups of a later launch are part of what it costs
		t.pacing.start = append(t.pacing.start, w.busy()-began+w.drawing.share(w.tracks))
	} else {
		charge = w.own(t)
	}
	if t.spec.Settings.Sampling == "once" {
		w.pass(ctx, t)
	} else {
		if t.base != nil {
			w.pairs(ctx, t)
		} else {
			w.block(ctx, t)
		}
		charge()
		if why := w.enough(t); why != "" && !t.done {
			t.stop(why)
		}
	}
	if failure := w.overtime(t); failure != nil && ctx.Err() == nil {
		t.fail(failure)
	}
	charge()
	w.account(t, t.spent()-before)
}

// account moves the progress of the run.
func (w *window) account(t *track, spent time.Duration) {
	w.spent += spent
	if t.done {
		for _, s := range t.sides() {
			w.spent += max(forecast.CaseTime(&s.spec.Settings)-s.Used, 0) // it took less than expected
		}
	}
	w.progress(t, "measure")
}

// block takes up to blockSize samples after one batch that is thrown away.
func (w *window) block(ctx context.Context, t *track) {
	left := t.left(w.allowance)
	count := t.blockLength(left)
	discard := t.discards(count, left)
	if t.spec.Settings.WarmupBatches > 0 && len(w.tracks) == 1 {
		discard = 0 // nobody else uses the caches, and a run more than was asked for would surprise
	}
	request := t.withReference(t.batches(count+discard, left))
	at := w.elapsed()
	response, failure := w.call(ctx, t.side, t.remote, request)
	if response != nil && response.Readings != nil {
		t.take(response.Readings, discard, at)
		w.hosts.raiseFloor(t, response.Readings.Peak)
		if failure == nil && len(response.Readings.ID) == 0 {
			failure = t.remote.stalled(response.Readings.Stopped)
		}
	}
	if failure != nil {
		t.failOrStop(ctx, failure)
	}
}

// pass takes one satisfactory pass as mLib does: a batch as long as the whole
// target time, found by way of shorter ones.
func (w *window) pass(ctx context.Context, t *track) {
	s := &t.spec.Settings
	limit := t.left(w.allowance)
	request := &wire.Request{Op: "once", ID: t.id, N: t.N, Goal: min(int64(s.TargetTime), int64(limit)), Limit: int64(limit)}
	at := w.elapsed()
	response, failure := w.call(ctx, t.side, t.remote, request)
	if failure == nil && t.again < client.SteadyTries && (t.remote.Stopped > 0 || len(response.Readings.Stops) > 0) {
		t.again++ // one pass is all there is, so it has to be a good one
		t.answered(response.Readings)
		attribute(response.Readings, t.remote.Stopped)
		t.Used += time.Duration(response.Readings.Elapsed)
		return
	}
	if failure == nil && len(response.Readings.ID) == 1 && ctx.Err() != nil && t.unsatisfied(response.Readings, request.Goal) {
		t.stop(result.StopInterrupted)
		return
	}
	if failure == nil && len(response.Readings.ID) == 1 {
		t.N, t.Sized = response.Readings.N[0], time.Duration(response.Readings.Columns["time"][0])
		t.result.Iterations = int64(t.N)
		t.take(response.Readings, 0, at)
		t.stop(result.StopOnce)
		if failure := t.pauses(); failure != nil {
			t.fail(failure)
		}
		return
	}
	if failure == nil {
		failure = t.remote.stalled(response.Readings.Stopped)
	}
	t.failOrStop(ctx, failure)
}

// unsatisfied reports whether a pass is one of those on the way, which an interrupt
// made the last: it is no result.
func (t *side) unsatisfied(r *wire.Readings, goal int64) bool {
	s := &t.spec.Settings
	fixed := t.isCommand() || s.Batch > 0 || s.Coalesce == 0
	return r.Stopped && !fixed && !timer.Reached(r.Columns["time"][0], goal)
}

// stalled ends a host that no longer runs batches, and returns why as a failure.
func (r *remote) stalled(stopped bool) *result.Failure {
	if !stopped {
		return r.Breach("run", "no batch was run")
	}
	r.Kill()
	return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedSignal, Signal: "SIGINT", Message: "the host process was interrupted",
		Hint: "does the benchmark send SIGINT to its own process?"}
}

// left is how long the next request may begin batches: within the time of the
// case, and not beyond half of the timeout of a request, so that ten batches
// that are each short enough do not exceed it together.
func (t *side) left(allowance time.Duration) time.Duration {
	left := t.maxTime(allowance) - t.Used
	if !t.isCommand() {
		left = min(left, time.Duration(t.spec.Settings.Timeout)/2)
	}
	return max(left, 1)
}

// blockLength is how many samples a block has: blockSize, fewer if they would last too
// long, never more than the case may still have.
func (t *side) blockLength(left time.Duration) int {
	s := &t.spec.Settings
	count := min(t.blockSize(), s.SamplesMax-t.result.Samples.Count())
	if t.Batch > 0 {
		share := time.Duration(s.TargetTime) / blockShare
		count = min(count, int(max(share/t.Batch, 1)), int(max(left/t.Batch, 1)))
	}
	return max(count, 1)
}

// discards is 1 if the first batch of a block is thrown away, because other cases have
// used the caches meanwhile. A batch longer than the warm-up is its own warm-up, and
// without a warm-up nothing is thrown away.
func (t *side) discards(count int, left time.Duration) int {
	warmup := t.warmup()
	if warmup == 0 || t.Batch > warmup || time.Duration(count+1)*t.Batch > left {
		return 0
	}
	return 1
}

// enough explains why a case is finished, or is empty while it is not.
func (w *window) enough(t *track) result.Stop {
	s, n := &t.spec.Settings, t.result.Samples.Count()
	open, decided := w.gates(t)
	t.open = open
	limit := t.maxTime(w.allowance)
	switch {
	case n >= t.mostSamples():
		return result.StopSamplesMax
	case n > 0 && slices.ContainsFunc(t.sides(), func(s *side) bool { return s.Used+s.Batch > limit }):
		return w.timeUp(t)
	case t.drawn && !w.drawing.isComplete():
		return ""
	case t.isRelaunched():
		return t.enoughLaunches(open, decided)
	case n < s.SamplesMin:
		return ""
	case decided > 0 && open == 0:
		return result.StopDecided
	case s.Precision > 0 && t.precision() <= s.Precision && open == 0:
		return result.StopPrecision
	case t.Sampled >= time.Duration(s.TargetTime) && open == 0:
		return result.StopTargetTime
	}
	return ""
}

// The case's own time or the budget may end it.
func (w *window) timeUp(t *track) result.Stop {
	if t.maxTime(w.allowance) < time.Duration(t.spec.Settings.MaxTime) {
		return result.StopBudget
	}
	return result.StopMaxTime
}

func (w *window) gates(t *track) (open, decided int) {
	if w.Steer == nil || len(t.spec.Gates) == 0 && !t.guard {
		return 0, 0
	}
	return w.Steer.Open(t.result)
}

// precision is half the interval of the headline divided by the headline, 1 if there is
// no interval yet.
func (t *side) precision() float64 {
	xs, ends, blocks := t.result.Samples.Ends("time")
	low, high, err := stats.Censored{Low: xs, High: ends}.BlockInterval(blocks, t.spec.Settings.Confidence)
	middle := stats.Median(xs)
	if err != nil || middle <= 0 || math.IsInf(high, 1) {
		return 1
	}
	return (high - low) / 2 / middle
}
