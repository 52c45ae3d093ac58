package runner

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/suite/internal/pagecache"
	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/record"
	"example.com/suite/runner/sample"
	"example.com/suite/timer"
)

// window is up to windowSize cases that take turns.
type window struct {
	run      *run
	rig      *rig
	last     bool          // of its suite
	allotted time.Duration // to all of its sides together, 0: any
}

func newWindow(g *rig) *window { return &window{run: g.run, rig: g} }

// measure takes the cases of the window from setup to clean-up.
func (w *window) measure(ctx context.Context) {
	w.rig.drawing.start(ctx, w.rig.tracks)
	for _, t := range w.rig.basesFirst() {
		w.begin(ctx, t)
		w.rig.services.attend(ctx, t)
		w.keep(ctx)
		w.rig.round = max(w.rig.round, t.own.series.Round)
	}
	w.rounds(ctx)
	w.count(ctx)
	after := passes{run: w.run, rig: w.rig}
	after.take(ctx)
	w.rig.services.end()
	w.rig.hosts.end(ctx, w.last)
	for _, t := range w.rig.tracks {
		if t.final && t.own.series.SetUp { // for its candidates
			w.rig.cleanup(t.own)
		}
		if !t.final {
			w.rig.cleanups(t)
			t.summarise()
			w.keepCase(ctx, t)
			w.run.announce(t, len(w.rig.tracks))
			w.run.rows.Keep(t.result)
		}
		w.run.outputs.drop(t.own)
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
	defer w.rig.clock(t)()
	w.run.progress(t, "prepare")
	if t.broken = w.rig.setUp(ctx, t); t.broken != nil && !before {
		t.failOrStop(ctx, t.broken)
	}
	if t.broken != nil || before || t.done {
		return // in the last case it has all of its samples
	}
	if t.result.JudgedByInstructions() {
		return // nothing is timed
	}
	failure := w.rig.ready(ctx, t)
	if failure == nil {
		failure = w.overtime(t)
	}
	if failure != nil {
		t.failOrStop(ctx, failure)
	}
}

// rounds lets the cases take turns, block by block, in an order drawn for each
// round, so that drift of the machine hits all of them alike.
func (w *window) rounds(ctx context.Context) {
	for first := true; ; w.rig.round++ {
		if !first {
			w.nextLaunch(ctx)
		}
		first = false
		w.shareOut()
		waiting := w.waiting()
		if len(waiting) == 1 && waiting[0].guard && !waiting[0].wantsSentinel() && ctx.Err() == nil {
			waiting[0].stop(result.StopShare)
			waiting = nil
		}
		if len(waiting) == 0 {
			return
		}
		order := w.run.options.Seed.Draw("order", w.rig.plan.Suite, w.rig.number, w.rig.round).Perm(len(waiting))
		if w.rig.plan.Traced { // no time counts, and benchmarks of a function in its order need one call of it
			slices.Sort(order)
		}
		for _, i := range order {
			if waiting[i].guard && ctx.Err() == nil && !w.hasTurn(waiting[i]) {
				continue
			}
			waiting[i].own.series.Round = w.rig.round + 1
			if !w.rig.services.attend(ctx, waiting[i]) {
				w.turn(ctx, waiting[i])
				w.rig.services.attend(ctx, waiting[i])
			}
			charge := w.own(waiting[i])
			w.keep(ctx)
			charge()
		}
	}
}

func (w *window) waiting() (open []*track) {
	for _, t := range w.rig.tracks {
		if !t.done && !t.result.JudgedByInstructions() {
			open = append(open, t)
		}
	}
	return open
}

// turn measures one block of a case and decides whether it goes on.
func (w *window) turn(ctx context.Context, t *track) {
	defer w.rig.clock(t)()
	if ctx.Err() != nil {
		t.stop(result.StopInterrupted)
		return
	}
	before, charge := t.spent(), w.own(t)
	w.place(ctx, t)
	charge()
	began := w.run.busy()
	if failure := w.rig.ready(ctx, t); failure != nil {
		t.failOrStop(ctx, failure)
		return
	}
	if t.isRelaunched() && t.result.Launches > 0 {
		charge() // set-ups of a later launch are part of what it costs
		t.pacing.start = append(t.pacing.start, w.run.busy()-began+w.rig.drawing.share(w.rig.tracks))
	} else {
		charge = w.own(t)
	}
	if t.target.Spec.Settings.Sampling == "once" {
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
	w.run.spent += spent
	w.run.progress(t, "measure")
}

// block takes up to blockSize samples after one batch that is thrown away.
func (w *window) block(ctx context.Context, t *track) {
	left := t.own.left(w.rig.allowance)
	count := t.own.blockLength(left)
	discard := t.own.discards(count, left)
	if t.target.Spec.Settings.WarmupBatches > 0 && len(w.rig.tracks) == 1 {
		discard = 0 // nobody else uses the caches, and a run more than was asked for would surprise
	}
	request := t.own.series.Batches(count+discard, left)
	t.own.series.Warm(request.Batches[:discard])
	request.Batches[discard].Seed = w.rig.arrivalSeed(t.own, 0)
	request = t.own.series.WithReference(request)
	at := w.run.elapsed()
	response, failure := w.rig.call(ctx, t.own, t.own.remote, request)
	if response != nil && response.Readings != nil {
		t.take(response.Readings, discard, at)
		w.rig.hosts.raiseFloor(t, response.Readings.Peak)
		if failure == nil && len(response.Readings.ID) == 0 {
			failure = t.own.remote.stalled(response.Readings.Stopped)
		}
	}
	if failure != nil && !w.rig.isolate(ctx, t, failure) {
		t.failOrStop(ctx, failure)
	}
}

// pass takes one satisfactory pass as mLib does: a batch as long as the whole
// target time, found by way of shorter ones.
func (w *window) pass(ctx context.Context, t *track) {
	s := &t.target.Spec.Settings
	limit := t.own.left(w.rig.allowance)
	request := &wire.Request{Op: "once", ID: t.own.series.ID, N: t.own.series.N,
		Goal: min(int64(s.TargetTime), int64(limit)), Limit: int64(limit)}
	at := w.run.elapsed()
	response, failure := w.rig.call(ctx, t.own, t.own.remote, request)
	if failure == nil && t.again < client.SteadyTries &&
		(t.own.remote.Stopped > 0 || len(response.Readings.Stops) > 0) {
		t.again++ // one pass is all there is, so it has to be a good one
		t.answered(response.Readings)
		sample.Attribute(response.Readings, t.own.remote.Stopped)
		t.own.series.Used += time.Duration(response.Readings.Elapsed)
		return
	}
	if failure == nil && len(response.Readings.ID) == 1 && ctx.Err() != nil &&
		t.own.unsatisfied(response.Readings, request.Goal) {
		t.stop(result.StopInterrupted)
		return
	}
	if failure == nil && len(response.Readings.ID) == 1 {
		t.own.series.N, t.own.series.Sized = response.Readings.N[0], time.Duration(response.Readings.Columns["time"][0])
		t.result.Iterations = int64(t.own.series.N)
		t.own.series.Charge(w.run.costs(t.own.kind())) // what a step of the clock hides goes by n
		t.own.series.AddEmpty(t.own.series.Events)
		t.take(response.Readings, 0, at)
		t.stop(result.StopOnce)
		if failure := t.own.series.Pauses(); failure != nil {
			t.fail(failure)
		}
		return
	}
	if failure == nil {
		failure = t.own.remote.stalled(response.Readings.Stopped)
	}
	t.failOrStop(ctx, failure)
}

// unsatisfied reports whether a pass is one of those on the way, which an interrupt
// made the last: it is no result.
func (s *side) unsatisfied(r *wire.Readings, goal int64) bool {
	set := &s.target.Spec.Settings
	fixed := s.target.IsCommand() || set.Batch > 0 || set.Coalesce == 0
	return r.Stopped && !fixed && !timer.Reached(r.Columns["time"][0], goal)
}

// place draws anew where the files that both sides read are in memory, in random order.
func (w *window) place(ctx context.Context, t *track) {
	if len(t.files) == 0 {
		return
	}
	began := w.run.busy()
	files := slices.Clone(t.files)
	draw := w.run.options.Seed.Draw("files", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name),
		t.result.Launches, t.own.series.Blocks)
	for i, at := range draw.Perm(len(files)) {
		files[i] = t.files[at]
	}
	stayed := pagecache.Place(ctx, files)
	if t.isPlaced() {
		t.pacing.start = append(t.pacing.start, w.run.busy()-began)
	}
	if len(stayed) == 0 || ctx.Err() != nil {
		return
	}
	slices.Sort(stayed)
	t.result.WarnOnce(result.WarnKeptFiles,
		fmt.Sprintf("%s and %d more that it reads stay where they are in memory, which may make one side faster",
			stayed[0], len(stayed)-1),
		"they are in use, or on a file system that lives in memory")
	if len(stayed) == len(files) {
		t.files = nil
		if t.own.series.Blocks == 0 {
			t.result.Pairs.Placed = 0
		}
	}
}

// nextLaunch ends the hosts of cases that are compared across two, if one of these
// cases is still open: what a process has drawn by chance (addresses, hash seeds)
// affects all of its pairs, so each round gets new processes. They are started when
// the first case needs them.
func (w *window) nextLaunch(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	for _, t := range w.waiting() {
		if t.isRelaunched() {
			w.rig.endBoth(ctx, t)
		}
	}
	w.rig.drawing.next(ctx, w.rig.tracks)
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
		w.run.record(&record.Line{At: w.run.busy(), Block: record.BlockOf(&t.own.series, t.baseSeries(), failed)},
			failed)
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
