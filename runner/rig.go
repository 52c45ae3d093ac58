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

// rig is what the cases of a window are measured with: hosts, the files that they run from,
// and services. It makes cases ready, again after each loss of a host, and asks their hosts.
// It decides neither who is measured nor for how long.
type rig struct {
	*run
	plan      *spec.Plan
	number    int // of the window in its suite
	round     int // from 0, over all parts of a run
	tracks    []*track
	allowance time.Duration // of each side now, 0: any
	hosts     hosts
	drawing   drawing
	services  services
}

func newRig(r *run, plan *spec.Plan, number int) *rig {
	return &rig{run: r, plan: plan, number: number, hosts: newHosts(r, plan), drawing: drawing{run: r, suite: plan.Suite}, services: services{run: r}}
}

// clock adds the wall time of a step to its case.
func (g *rig) clock(t *track) func() {
	start := g.Now()
	return func() { t.result.Seconds += g.Now().Sub(start).Seconds() }
}

// basesFirst orders the cases of a window so that every base comes before its
// candidates, which need what its setup makes.
func (g *rig) basesFirst() (order []*track) {
	seen := map[*track]bool{}
	var visit func(t *track)
	visit = func(t *track) {
		if seen[t] {
			return
		}
		seen[t] = true
		if base := g.ownTrack(t); base != nil {
			visit(base)
		}
		order = append(order, t)
	}
	for _, t := range g.tracks {
		visit(t)
	}
	return order
}

// ownTrack is the track that the base of a case has as a case, nil if there is none.
func (g *rig) ownTrack(t *track) *track {
	if t.base == nil || t.base.tree != "" {
		return nil
	}
	i := slices.IndexFunc(g.tracks, func(o *track) bool { return o.spec.Name == t.base.spec.Name })
	if i < 0 {
		return nil
	}
	return g.tracks[i]
}

// setUp runs the setup hook of a case, starts its services, and sees that what its
// base needs is there.
func (g *rig) setUp(ctx context.Context, t *track) *result.Failure {
	if base := g.ownTrack(t); base != nil && base.broken != nil {
		failure := *base.broken
		return t.base.asBase(&failure)
	}
	for _, s := range g.hooked(t) {
		if failure := g.setup(ctx, s); failure != nil {
			return s.asBase(failure)
		}
	}
	for _, s := range t.sides() {
		if failure := g.services.serve(ctx, s); failure != nil {
			return s.asBase(failure)
		}
	}
	return nil
}

// prepare makes sure that a side is prepared in a living host. After a crash
// this is a new one, a new launch of every case that goes on.
func (g *rig) prepare(ctx context.Context, t *side) *result.Failure {
	remote, failure := g.host(ctx, t)
	if failure != nil {
		return failure
	}
	if t.remote == remote {
		return nil
	}
	g.progress(t.of, "prepare") // again: the host may have been calibrated meanwhile
	if t.isGoTest() && t.of.drawn {
		t.file = g.drawing.fresh(ctx, t)
	}
	response, failure := g.call(ctx, t, remote, t.request())
	if failure != nil {
		return failure
	}
	if t.isGoTest() {
		response.Prepared.Program = t.spec.GoTest.Program // and not the file of a launch
	}
	if t.resumed {
		if failure := g.changed(t, response.Prepared); failure != nil {
			return failure
		}
		t.resumed = false
	}
	t.forgetQueue()
	t.enter(remote)
	t.id = response.Prepared.ID
	if cost := response.Prepared.Iteration; cost != nil {
		t.iteration = *cost
	}
	t.charge(g.costs(t.kind())) // this host may have found new costs
	if t.N > 0 {
		t.addEmpty(t.Events)
		return g.rewarm(ctx, t)
	}
	g.adopt(t, response.Prepared)
	return g.size(ctx, t)
}

// adopt takes over what the host found out about a case.
func (g *rig) adopt(t *side, p *wire.Prepared) {
	t.result.Identity.Program = p.Program
	t.result.Identity.Binary = g.binaryOf(t, p)
	if !t.plan.Traced { // its result is not kept, so no later run asks what it has read
		t.result.Identity.Files = g.Binaries.Named(t.naming(p.Program))
	}
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
	t.withoutWitness(p.NoWitness)
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
		t.result.Warn(result.WarnUnreadParameter, fmt.Sprintf("parameter %q is set, and %s never reads it", name, t.spec.Function), "")
	}
	t.charge(g.costs(t.kind()))
}

// The program of a case is its own, or its host's.
func (g *rig) binaryOf(t *side, p *wire.Prepared) string {
	return g.Binaries.Sum(cmp.Or(p.Program, g.program(t.kind())[0]))
}

// size warms up and fixes the iterations of a batch.
func (g *rig) size(ctx context.Context, t *side) *result.Failure {
	limit := t.maxTime(g.allowance)
	if !t.isCommand() || t.isGoTest() {
		// Half of the timeout for the search leaves the other half for a body
		// that turns out to be long.
		limit = min(limit, time.Duration(t.spec.Settings.Timeout)/2)
	}
	response, failure := g.call(ctx, t, t.remote, &wire.Request{Op: "size", ID: t.id, Limit: int64(limit)})
	if failure != nil {
		return failure
	}
	s := response.Sized
	t.N, t.Thread, t.Mixed, t.collected = s.N, s.Thread, s.GCMixed, s.GCShare
	t.Sized = time.Duration(s.Time)
	t.Batch = t.span(t.Sized)
	t.Used += time.Duration(s.Elapsed)
	t.leaks(s.Leaked, s.Left)
	if t.isCommand() {
		t.Runs, t.Killed, t.Said = s.Batches, s.Killed, s.Said
	}
	t.Events = s.Empty
	t.Part = s.Part
	if t.hasInputs() {
		t.result.Inputs = &result.Inputs{Size: s.InputSize}
	}
	t.charge(g.costs(t.kind())) // once more: what a step of the clock hides goes by n
	t.addEmpty(t.Events)
	t.offThread(g.costs(t.kind()))
	t.result.Iterations, t.result.Thread = int64(s.N), s.Thread
	if failure := t.tooShortForLatency(); failure != nil {
		return failure
	}
	return t.pauses()
}

// offThread warns if nothing can be counted, because counters and the cycles of a
// performance counter belong to one thread and the loop runs on several.
func (t *side) offThread(c *calibration) {
	if t.wantsWitness() && t.Thread != "locked" && !t.isCommand() {
		t.withoutWitness("counters belong to one thread, and the loop runs on several")
	}
	counted := t.spec.Counters != nil || c != nil && c.hello.Unit == timer.Cycles
	if !counted || t.Thread == "locked" || t.isCommand() {
		return
	}
	hint := "thread: locked"
	if t.spec.Settings.Parallel > 1 {
		hint = "" // nothing brings its goroutines onto one thread
	}
	t.result.WarnLacking(result.WarnNoCounters, metricsOf(t.spec.Counters), "counters belong to one thread, and the loop runs on several", hint)
}

// rewarmBatches are thrown away at the start of a later launch.
const rewarmBatches = 3

func (g *rig) rewarm(ctx context.Context, t *side) *result.Failure {
	if t.isGoTest() || t.of.isApart() && t.Batch > t.warmup() {
		return nil // it is its own warm-up, as in a block; each run of a benchmark is a process
	}
	request := t.batches(rewarmBatches, t.warmup())
	t.warm(request.Batches)
	response, failure := g.call(ctx, t, t.remote, request)
	if failure == nil {
		t.Used += time.Duration(response.Readings.Elapsed)
		t.of.answered(response.Readings)
		t.leaks(response.Readings.Leaked, response.Readings.Left)
		t.countRuns(response.Readings)
	}
	return failure
}

// batches asks for so many batches, none begun after limit.
func (t *series) batches(count int, limit time.Duration) *wire.Request {
	request := &wire.Request{Op: "run", Limit: int64(limit), Brief: !t.isCommand() && t.tooShortFor("cpu") && t.tooShortFor("thread_cpu")}
	for range count {
		request.Batches = append(request.Batches, t.batchOf(t.N))
	}
	return request
}

// call asks the host of a case, with a deadline from its settings. A function has its
// timeout for the request. A command has it for each run and hook, which the host
// checks, so the deadline here only ends a host that hangs.
func (g *rig) call(ctx context.Context, t *side, r *remote, request *wire.Request) (*wire.Response, *result.Failure) {
	timeout := time.Duration(t.spec.Settings.Timeout)
	if t.isCommand() {
		timeout = time.Duration(request.Limit) + 4*timeout + client.Grace
	}
	r.user = t
	g.outputs.expect(t, request, r)
	response, failure := r.Call(ctx, request, timeout)
	g.outputs.take(t, response, r)
	if failure != nil {
		failure.Batch = g.absolute(t, failure.Batch)
		t.explain(failure)
	}
	return response, failure
}

// absolute counts a batch of the running request over the whole case.
func (g *rig) absolute(t *side, batch int) int {
	if batch == 0 {
		return 0
	}
	return t.result.Samples.Count() + batch
}

// ready makes sure that a case, and its base, are prepared in a living host.
func (g *rig) ready(ctx context.Context, t *track) *result.Failure {
	sized := t.N > 0 && (t.base == nil || t.base.N > 0)
	for range launchTries {
		for _, s := range g.setUpOrder(t) {
			if failure := g.prepare(ctx, s); failure != nil {
				return s.asBase(failure)
			}
		}
		switch {
		case t.base != nil && !g.bothLive(t): // a host has died meanwhile
		case t.base != nil && !sized:
			return g.even(t)
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
func (g *rig) even(t *track) *result.Failure {
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
		s.charge(g.costs(s.kind())) // once more: what a step of the clock hides goes by n
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

// setUpOrder is the order in which the sides of a case are set up: with a base a coin
// decides, for each block anew. The first side gets other memory than the second, and
// for code with 1 MiB of its own that alone moved the time by 3 % here, the same in
// every pair of a setup.
func (g *rig) setUpOrder(t *track) []*side {
	sides := t.sides()
	if t.base != nil && g.Seed.Draw("set-up", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name), t.result.Launches, t.Blocks).IntN(2) == 0 {
		slices.Reverse(sides)
	}
	return sides
}

// renew ends the setups that pairs of Go functions were taken with and makes new ones,
// so that each block is an observation of its own: what a setup has drawn by chance
// affects all of its pairs. Commands have a process for each run.
func (g *rig) renew(ctx context.Context, t *track) *result.Failure {
	if t.isCommand() || t.isRelaunched() || !t.stale { // of two trees the next launch has new ones
		return nil
	}
	t.stale = false
	for _, s := range t.sides() {
		if g.finish(ctx, s); t.done {
			return t.result.Failure
		}
		s.enter(nil)
	}
	return g.ready(ctx, t)
}

// finish ends a side of a case. It does so after an interrupt too.
func (g *rig) finish(ctx context.Context, s *side) {
	if s.remote == nil || s.remote.Lost {
		return
	}
	_, failure := g.call(context.WithoutCancel(ctx), s, s.remote, &wire.Request{Op: "finish", ID: s.id})
	if failure != nil && !g.Processes.Killed() {
		s.of.fail(s.asBase(failure))
	}
}
