package runner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// window is up to windowSize cases that take turns, with hosts of their own.
type window struct {
	*run
	plan      *spec.Plan
	number    int
	round     int // from 0, over all parts of a run
	tracks    []*track
	hosts     hosts
	services  services
	last      bool          // of its suite
	allotted  time.Duration // to all of its sides together, 0: any
	allowance time.Duration // of each side now, 0: any
	drawing   drawing
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
	after := passes{window: w}
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

// clock adds the wall time of a step to its case.
func (w *window) clock(t *track) func() {
	start := w.Now()
	return func() { t.result.Seconds += w.Now().Sub(start).Seconds() }
}

// failOrStop records a failure, unless it only comes from an interrupt.
func (t *track) failOrStop(ctx context.Context, failure *result.Failure) {
	if ctx.Err() != nil {
		t.stop(result.StopInterrupted)
		return
	}
	t.fail(failure)
}

func (t *track) stop(why result.Stop) {
	t.result.Stop, t.done = why, true
}

// setUp runs the setup hook of a case, starts its services, and sees that what its
// base needs is there.
func (w *window) setUp(ctx context.Context, t *track) *result.Failure {
	if base := w.ownTrack(t); base != nil && base.broken != nil {
		failure := *base.broken
		return t.base.asBase(&failure)
	}
	for _, s := range w.hooked(t) {
		if failure := w.setup(ctx, s); failure != nil {
			return s.asBase(failure)
		}
	}
	for _, s := range t.sides() {
		if failure := w.services.serve(ctx, s); failure != nil {
			return s.asBase(failure)
		}
	}
	return nil
}

// prepare makes sure that a side is prepared in a living host. After a crash
// this is a new one, a new launch of every case that goes on.
func (w *window) prepare(ctx context.Context, t *side) *result.Failure {
	remote, failure := w.host(ctx, t)
	if failure != nil {
		return failure
	}
	if t.remote == remote {
		return nil
	}
	w.progress(t.of, "prepare") // again: the host may have been calibrated meanwhile
	if t.isGoTest() && t.of.drawn {
		t.file = w.drawing.fresh(ctx, t)
	}
	response, failure := w.call(ctx, t, remote, t.request())
	if failure != nil {
		return failure
	}
	if t.isGoTest() {
		response.Prepared.Program = t.spec.GoTest.Program // and not the file of a launch
	}
	if t.resumed {
		if failure := w.changed(t, response.Prepared); failure != nil {
			return failure
		}
		t.resumed = false
	}
	t.remote, t.id = remote, response.Prepared.ID
	t.charge(w.costs(t.kind())) // this host may have found new costs
	if t.N > 0 {
		t.addEmpty(t.Events)
		return w.rewarm(ctx, t)
	}
	w.adopt(t, response.Prepared)
	return w.size(ctx, t)
}

// adopt takes over what the host found out about a case.
func (w *window) adopt(t *side, p *wire.Prepared) {
	t.result.Identity.Program = p.Program
	t.result.Identity.Binary = w.binaryOf(t, p)
	if !t.isCommand() {
		t.result.Loop = "direct"
		switch {
		case p.Trial:
			t.result.Loop = "trial"
		case p.Inputs:
			t.result.Loop = "inputs"
		case p.Indirect:
			t.result.Loop = "indirect"
		}
	}
	t.without(p.Skipped)
	t.userOnly(p.UserOnly)
	t.unpinned(p.Unpinned)
	if p.Work > 0 && !t.spec.WorkSet {
		t.result.Work = p.Work
	}
	if p.Unit != "" && !t.spec.UnitSet {
		t.result.Unit = p.Unit
	}
	for _, name := range p.Unread {
		if slices.Contains(t.spec.Expanded, name) {
			continue
		}
		t.warn(result.WarnUnreadParameter, fmt.Sprintf("parameter %q is set, and %s never reads it", name, t.spec.Function), "")
	}
	t.charge(w.costs(t.kind()))
}

// The program of a case is its own, or its host's.
func (w *window) binaryOf(t *side, p *wire.Prepared) string {
	return w.Binaries.Sum(cmp.Or(p.Program, w.program(t.kind())[0]))
}

// size warms up and fixes the iterations of a batch.
func (w *window) size(ctx context.Context, t *side) *result.Failure {
	limit := t.maxTime(w.allowance)
	if !t.isCommand() || t.isGoTest() {
		// Half of the timeout for the search leaves the other half for a body
		// that turns out to be long.
		limit = min(limit, time.Duration(t.spec.Settings.Timeout)/2)
	}
	response, failure := w.call(ctx, t, t.remote, &wire.Request{Op: "size", ID: t.id, Limit: int64(limit)})
	if failure != nil {
		return failure
	}
	s := response.Sized
	t.N, t.Thread, t.Mixed, t.collected = s.N, s.Thread, s.GCMixed, s.GCShare
	t.Sized, t.Batch = time.Duration(s.Time), time.Duration(s.Time)
	t.Used = time.Duration(s.Elapsed)
	t.leaks(s.Leaked, s.Left)
	if t.isCommand() {
		t.Runs, t.Killed, t.Said = s.Batches, s.Killed, s.Said
	}
	t.Events = s.Empty
	t.Part = s.Part
	if t.hasInputs() {
		t.result.Inputs = &result.Inputs{Size: s.InputSize}
	}
	t.charge(w.costs(t.kind())) // once more: what a step of the clock hides goes by n
	t.addEmpty(t.Events)
	t.offThread(w.costs(t.kind()))
	t.result.Iterations, t.result.Thread = int64(s.N), s.Thread
	return t.pauses()
}

// offThread warns if nothing can be counted, because counters and the cycles of a
// performance counter belong to one thread and the loop runs on several.
func (t *side) offThread(c *calibration) {
	counted := t.spec.Counters != nil || c != nil && c.hello.Unit == timer.Cycles
	if !counted || t.Thread == "locked" || t.isCommand() {
		return
	}
	hint := "thread: locked"
	if t.spec.Settings.Parallel > 1 {
		hint = "" // nothing brings its goroutines onto one thread
	}
	t.lacks(result.WarnNoCounters, metricsOf(t.spec.Counters), "counters belong to one thread, and the loop runs on several", hint)
}

// rewarmBatches are thrown away at the start of a later launch.
const rewarmBatches = 3

func (w *window) rewarm(ctx context.Context, t *side) *result.Failure {
	if t.isGoTest() || t.of.isApart() && t.Batch > t.warmup() {
		return nil // it is its own warm-up, as in a block; each run of a benchmark is a process
	}
	response, failure := w.call(ctx, t, t.remote, t.batches(rewarmBatches, t.warmup()))
	if failure == nil {
		t.Used += time.Duration(response.Readings.Elapsed)
		t.of.answered(response.Readings)
		t.leaks(response.Readings.Leaked, response.Readings.Left)
		t.countRuns(response.Readings)
	}
	return failure
}

// batches asks for so many batches, none begun after limit.
func (t *side) batches(count int, limit time.Duration) *wire.Request {
	request := &wire.Request{Op: "run", Limit: int64(limit)}
	for range count {
		request.Batches = append(request.Batches, t.batchOf(t.N))
	}
	return request
}

// call asks the host of a case, with a deadline from its settings. A function has its
// timeout for the request. A command has it for each run and hook, which the host
// checks, so the deadline here only ends a host that hangs.
func (w *window) call(ctx context.Context, t *side, r *remote, request *wire.Request) (*wire.Response, *result.Failure) {
	timeout := time.Duration(t.spec.Settings.Timeout)
	if t.isCommand() {
		timeout = time.Duration(request.Limit) + 4*timeout + client.Grace
	}
	r.user = t
	w.outputs.expect(t, request, r)
	response, failure := r.Call(ctx, request, timeout)
	w.outputs.take(t, response, r)
	if failure != nil {
		failure.Batch = w.absolute(t, failure.Batch)
		failure.Hint = t.hint(failure)
	}
	return response, failure
}

// absolute counts a batch of the running request over the whole case.
func (w *window) absolute(t *side, batch int) int {
	if batch == 0 {
		return 0
	}
	return t.result.Samples.Count() + batch
}

// host finds the running host of a track, or starts one. If a host died while idle, the
// case that ran in it last fails.
func (w *window) host(ctx context.Context, t *side) (*remote, *result.Failure) {
	kind := t.kind()
	if r := w.hosts.running[kind]; r != nil && !r.Lost {
		failure := r.Died()
		switch {
		case failure == nil:
			return r, nil
		case r.user != nil && r.user.of == t.of, w.Processes.Killed():
			return nil, failure
		case r.user != nil:
			r.user.of.fail(r.user.asBase(failure))
		}
	}
	if broken := w.broken[kind]; len(broken) >= launchTries {
		failure := *broken[0]
		return nil, &failure
	}
	switch {
	case t.of.isApart():
		return w.launchBoth(ctx, t)
	case kind.side == pairHost:
		defer w.launching(t.of)()
		return w.launchOne(ctx, t, w.launchEnv()[0])
	}
	return w.launchOne(ctx, t, nil)
}

// launchOne starts the host of a track, and keeps the failure if it cannot.
func (w *window) launchOne(ctx context.Context, t *side, env []string) (*remote, *result.Failure) {
	kind := t.kind()
	argv := w.program(kind)
	if t.of.drawn && !t.isCommand() {
		argv = append([]string{w.drawing.fresh(ctx, t)}, argv[1:]...)
	}
	r, failure := w.hosts.launch(ctx, kind, argv, env)
	if failure != nil && ctx.Err() == nil {
		broken := *failure
		w.broken[kind] = append(w.broken[kind], &broken)
	}
	return r, failure
}

// launchTries of a host that fail are enough for all cases of a suite: a
// program that is no host takes up to 7 s each time.
const launchTries = 2

// finish ends a side of a case. It does so after an interrupt too.
func (w *window) finish(ctx context.Context, s *side) {
	if s.remote == nil || s.remote.Lost {
		return
	}
	_, failure := w.call(context.WithoutCancel(ctx), s, s.remote, &wire.Request{Op: "finish", ID: s.id})
	if failure != nil && !w.Processes.Killed() {
		s.of.fail(s.asBase(failure))
	}
}
