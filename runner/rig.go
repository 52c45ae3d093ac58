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
	run       *run
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
	start := g.run.options.Now()
	return func() { t.result.Seconds += g.run.options.Now().Sub(start).Seconds() }
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
	if t.base == nil || t.base.target.tree != "" {
		return nil
	}
	i := slices.IndexFunc(g.tracks, func(o *track) bool { return o.target.spec.Name == t.base.target.spec.Name })
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
		return t.base.target.asBase(&failure)
	}
	for _, s := range g.hooked(t) {
		if failure := g.setup(ctx, s); failure != nil {
			return s.target.asBase(failure)
		}
	}
	for _, s := range t.sides() {
		if failure := g.services.serve(ctx, s); failure != nil {
			return s.target.asBase(failure)
		}
	}
	return nil
}

// prepare makes sure that a side is prepared in a living host. After a crash
// this is a new one, a new launch of every case that goes on.
func (g *rig) prepare(ctx context.Context, s *side) *result.Failure {
	remote, failure := g.host(ctx, s)
	if failure != nil {
		return failure
	}
	if s.remote == remote {
		return nil
	}
	g.run.progress(s.of, "prepare") // again: the host may have been calibrated meanwhile
	if s.target.isGoTest() && s.of.drawn {
		s.file = g.drawing.fresh(ctx, s)
	}
	response, failure := g.call(ctx, s, remote, s.request())
	if failure != nil {
		return failure
	}
	if s.target.isGoTest() {
		response.Prepared.Program = s.target.spec.GoTest.Program // and not the file of a launch
	}
	if s.resumed {
		if failure := g.changed(s, response.Prepared); failure != nil {
			return failure
		}
		s.resumed = false
	}
	s.series.forgetQueue()
	s.enter(remote)
	s.series.id = response.Prepared.ID
	if cost := response.Prepared.Iteration; cost != nil {
		s.series.overhead.iteration = *cost
	}
	s.series.charge(g.run.costs(s.kind())) // this host may have found new costs
	if s.series.N > 0 {
		s.series.addEmpty(s.series.Events)
		return g.rewarm(ctx, s)
	}
	g.adopt(s, response.Prepared)
	return g.size(ctx, s)
}

// adopt takes over what the host found out about a case.
func (g *rig) adopt(s *side, p *wire.Prepared) {
	s.result.Identity.Program = p.Program
	s.result.Identity.Binary = g.binaryOf(s, p)
	if !s.target.plan.Traced { // its result is not kept, so no later run asks what it has read
		s.result.Identity.Files = g.run.options.Binaries.Named(s.series.naming(p.Program))
	}
	if !s.target.isCommand() {
		s.result.Loop = "direct"
		switch {
		case p.Trial:
			s.result.Loop = "trial"
		case p.Inputs:
			s.result.Loop = "inputs"
		case p.Indirect:
			s.result.Loop = "indirect"
		}
	}
	s.series.without(p.Skipped)
	s.withoutWitness(p.NoWitness)
	s.series.userOnly(p.UserOnly)
	s.series.unpinned(p.Unpinned)
	if p.Work > 0 && !s.target.spec.WorkSet {
		s.result.Work = p.Work
	}
	if p.Unit != "" && !s.target.spec.UnitSet {
		s.result.Unit = p.Unit
	}
	for _, name := range p.Unread {
		if slices.Contains(s.target.spec.Expanded, name) {
			continue
		}
		s.result.Warn(result.WarnUnreadParameter, fmt.Sprintf("parameter %q is set, and %s never reads it", name, s.target.spec.Function), "")
	}
	s.series.charge(g.run.costs(s.kind()))
}

// The program of a case is its own, or its host's.
func (g *rig) binaryOf(s *side, p *wire.Prepared) string {
	return g.run.options.Binaries.Sum(cmp.Or(p.Program, g.run.program(s.kind())[0]))
}

// size warms up and fixes the iterations of a batch.
func (g *rig) size(ctx context.Context, s *side) *result.Failure {
	limit := s.target.maxTime(g.allowance)
	if !s.target.isCommand() || s.target.isGoTest() {
		// Half of the timeout for the search leaves the other half for a body
		// that turns out to be long.
		limit = min(limit, time.Duration(s.target.spec.Settings.Timeout)/2)
	}
	response, failure := g.call(ctx, s, s.remote, &wire.Request{Op: "size", ID: s.series.id, Limit: int64(limit)})
	if failure != nil {
		return failure
	}
	found := response.Sized
	s.series.N, s.series.Thread, s.series.Mixed, s.series.collected = found.N, found.Thread, found.GCMixed, found.GCShare
	s.series.Sized = time.Duration(found.Time)
	s.series.Batch = s.series.span(s.series.Sized)
	s.series.Used += time.Duration(found.Elapsed)
	s.series.leaks(found.Leaked, found.Left)
	if s.target.isCommand() {
		s.series.Runs, s.series.Killed, s.series.Said = found.Batches, found.Killed, found.Said
	}
	s.series.Events = found.Empty
	s.series.Part = found.Part
	if s.series.hasInputs() {
		s.result.Inputs = &result.Inputs{Size: found.InputSize}
	}
	s.series.charge(g.run.costs(s.kind())) // once more: what a step of the clock hides goes by n
	s.series.addEmpty(s.series.Events)
	s.offThread(g.run.costs(s.kind()))
	s.result.Iterations, s.result.Thread = int64(found.N), found.Thread
	if failure := s.series.tooShortForLatency(); failure != nil {
		return failure
	}
	return s.series.pauses()
}

// offThread warns if nothing can be counted, because counters and the cycles of a
// performance counter belong to one thread and the loop runs on several.
func (s *side) offThread(c *calibration) {
	if s.target.wantsWitness() && s.series.Thread != "locked" && !s.target.isCommand() {
		s.withoutWitness("counters belong to one thread, and the loop runs on several")
	}
	counted := s.target.spec.Counters != nil || c != nil && c.hello.Unit == timer.Cycles
	if !counted || s.series.Thread == "locked" || s.target.isCommand() {
		return
	}
	hint := "thread: locked"
	if s.target.spec.Settings.Parallel > 1 {
		hint = "" // nothing brings its goroutines onto one thread
	}
	s.result.WarnLacking(result.WarnNoCounters, metricsOf(s.target.spec.Counters), "counters belong to one thread, and the loop runs on several", hint)
}

// rewarmBatches are thrown away at the start of a later launch.
const rewarmBatches = 3

func (g *rig) rewarm(ctx context.Context, s *side) *result.Failure {
	if s.target.isGoTest() || s.of.isApart() && s.series.Batch > s.target.warmup() {
		return nil // it is its own warm-up, as in a block; each run of a benchmark is a process
	}
	request := s.series.batches(rewarmBatches, s.target.warmup())
	s.series.warm(request.Batches)
	response, failure := g.call(ctx, s, s.remote, request)
	if failure == nil {
		s.series.Used += time.Duration(response.Readings.Elapsed)
		s.of.answered(response.Readings)
		s.series.leaks(response.Readings.Leaked, response.Readings.Left)
		s.series.countRuns(response.Readings)
	}
	return failure
}

// batches asks for so many batches, none begun after limit.
func (s *series) batches(count int, limit time.Duration) *wire.Request {
	request := &wire.Request{Op: "run", Limit: int64(limit), Brief: !s.target.isCommand() && s.tooShortFor("cpu") && s.tooShortFor("thread_cpu")}
	for range count {
		request.Batches = append(request.Batches, s.batchOf(s.N))
	}
	return request
}

// call asks the host of a case, with a deadline from its settings. A function has its
// timeout for the request. A command has it for each run and hook, which the host
// checks, so the deadline here only ends a host that hangs.
func (g *rig) call(ctx context.Context, s *side, r *remote, request *wire.Request) (*wire.Response, *result.Failure) {
	timeout := time.Duration(s.target.spec.Settings.Timeout)
	if s.target.isCommand() {
		timeout = time.Duration(request.Limit) + 4*timeout + client.Grace
	}
	r.user = s
	g.run.outputs.expect(s, request, r)
	response, failure := r.Call(ctx, request, timeout)
	g.run.outputs.take(s, response, r)
	if failure != nil {
		failure.Batch = g.absolute(s, failure.Batch)
		s.explain(failure)
	}
	return response, failure
}

// absolute counts a batch of the running request over the whole case.
func (g *rig) absolute(s *side, batch int) int {
	if batch == 0 {
		return 0
	}
	return s.result.Samples.Count() + batch
}

// ready makes sure that a case, and its base, are prepared in a living host.
func (g *rig) ready(ctx context.Context, t *track) *result.Failure {
	sized := t.own.series.N > 0 && (t.base == nil || t.base.series.N > 0)
	for range launchTries {
		for _, s := range g.setUpOrder(t) {
			if failure := g.prepare(ctx, s); failure != nil {
				return s.target.asBase(failure)
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
		return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCheck, Message: fmt.Sprintf("its unit is %s, and the unit of %s is %s: they cannot be compared", t.result.Unit, b.target.baseName(), b.result.Unit),
			Hint: "declare the same unit, and the number of units in one iteration"}
	}
	n, thread := min(t.own.series.N, b.series.N), t.own.series.Thread
	if b.series.Thread == "free" {
		thread = b.series.Thread
	}
	for _, s := range t.sides() {
		s.series.Mixed = s.series.Mixed || n < s.series.N && s.series.collected > 0
		s.series.Sized, s.series.Batch = scale(s.series.Sized, n, s.series.N), scale(s.series.Batch, n, s.series.N)
		s.series.N, s.series.Thread = n, thread
		s.series.charge(g.run.costs(s.kind())) // once more: what a step of the clock hides goes by n
		s.series.addEmpty(s.series.Events)
		s.result.Iterations, s.result.Thread = int64(n), thread
	}
	t.evenParts()
	for _, s := range t.sides() {
		if failure := s.series.pauses(); failure != nil {
			return s.target.asBase(failure)
		}
	}
	t.result.Pairs.Iterations = int64(n)
	if b.target.tree != "" {
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
	if t.base != nil && g.run.options.Seed.Draw("set-up", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name), t.result.Launches, t.own.series.Blocks).IntN(2) == 0 {
		slices.Reverse(sides)
	}
	return sides
}

// renew ends the setups that pairs of Go functions were taken with and makes new ones,
// so that each block is an observation of its own: what a setup has drawn by chance
// affects all of its pairs. Commands have a process for each run.
func (g *rig) renew(ctx context.Context, t *track) *result.Failure {
	if t.target.isCommand() || t.isRelaunched() || !t.stale { // of two trees the next launch has new ones
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
	_, failure := g.call(context.WithoutCancel(ctx), s, s.remote, &wire.Request{Op: "finish", ID: s.series.id})
	if failure != nil && !g.run.killed() {
		s.of.fail(s.target.asBase(failure))
	}
}
