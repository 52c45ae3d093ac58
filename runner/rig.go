package runner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
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
	return &rig{run: r, plan: plan, number: number, hosts: newHosts(r, plan),
		drawing: drawing{run: r, suite: plan.Suite}, services: services{run: r}}
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
	if t.base == nil || t.base.target.Tree != "" {
		return nil
	}
	i := slices.IndexFunc(g.tracks, func(o *track) bool { return o.target.Spec.Name == t.base.target.Spec.Name })
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
		return t.base.target.AsBase(&failure)
	}
	for _, s := range g.hooked(t) {
		if failure := g.setup(ctx, s); failure != nil {
			return s.target.AsBase(failure)
		}
	}
	for _, s := range t.sides() {
		if failure := g.services.serve(ctx, s); failure != nil {
			return s.target.AsBase(failure)
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
	if s.target.IsGoTest() && s.of.drawn {
		s.file = g.drawing.shared(ctx, s)
	}
	request := s.request()
	if s.target.Stays() {
		purpose := map[bool]string{false: "padding of the case", true: "padding of the base"}[s.target.IsBase()]
		request.Pad(g.drawLaunchBelow(purpose, wire.MostPadding))
	}
	response, failure := g.call(ctx, s, remote, request)
	if failure != nil {
		return failure
	}
	if s.target.IsGoTest() {
		response.Prepared.Program = s.target.Spec.GoTest.Program // and not the file of a launch
	}
	if s.resumed {
		if failure := g.changed(s, response.Prepared); failure != nil {
			return failure
		}
		s.resumed = false
	}
	s.series.ForgetQueue()
	s.enter(remote)
	s.series.ID = response.Prepared.ID
	if cost := response.Prepared.Iteration; cost != nil {
		s.series.Overhead.Iteration = *cost
	}
	s.series.Charge(g.run.costs(s.kind())) // this host may have found new costs
	if s.series.N > 0 {
		s.series.AddEmpty(s.series.Events)
		return g.rewarm(ctx, s)
	}
	g.adopt(s, response.Prepared)
	return g.size(ctx, s)
}

// adopt takes over what the host found out about a case.
func (g *rig) adopt(s *side, p *wire.Prepared) {
	s.result.Identity.Program = p.Program
	s.result.Identity.Binary = g.binaryOf(s, p)
	if !s.target.Plan.Traced { // its result is not kept, so no later run asks what it has read
		s.result.Identity.Files = g.run.options.Binaries.Named(s.target.Naming(p.Program))
	}
	if !s.target.IsCommand() {
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
	without(s.result, p.Skipped)
	s.withoutWitness(p.NoWitness)
	userOnly(s.result, p.UserOnly)
	unpinned(s.result, p.Unpinned)
	if p.Work > 0 && !s.target.Spec.WorkSet {
		s.result.Work = p.Work
	}
	if p.Unit != "" && !s.target.Spec.UnitSet {
		s.result.Unit = p.Unit
	}
	for _, name := range p.Unread {
		if slices.Contains(s.target.Spec.Expanded, name) {
			continue
		}
		s.result.Warn(result.WarnUnreadParameter,
			fmt.Sprintf("parameter %q is set, and %s never reads it", name, s.target.Spec.Function), "")
	}
	s.series.Charge(g.run.costs(s.kind()))
}

// The program of a case is its own, or its host's.
func (g *rig) binaryOf(s *side, p *wire.Prepared) string {
	return g.run.options.Binaries.Sum(cmp.Or(p.Program, g.run.program(s.kind())[0]))
}

// size warms up and fixes the iterations of a batch.
func (g *rig) size(ctx context.Context, s *side) *result.Failure {
	limit := s.target.MaxTime(g.allowance)
	if !s.target.IsCommand() || s.target.TimesItself() {
		// Half of the timeout for the search leaves the other half for a body
		// that turns out to be long.
		limit = min(limit, time.Duration(s.target.Spec.Settings.Timeout)/2)
	}
	response, failure := g.call(ctx, s, s.remote, &wire.Request{Op: "size", ID: s.series.ID, Limit: int64(limit)})
	if failure != nil {
		return failure
	}
	s.series.Size(response.Sized, g.run.costs(s.kind()))
	s.offThread(g.run.costs(s.kind()))
	return s.series.Unsuited()
}

// offThread warns if nothing can be counted, because counters and the cycles of a
// performance counter belong to one thread and the loop runs on several.
func (s *side) offThread(c *sample.Calibration) {
	if s.target.WantsWitness() && s.series.Thread != "locked" && !s.target.IsCommand() {
		s.withoutWitness("counters belong to one thread, and the loop runs on several")
	}
	counted := s.target.Spec.Counters != nil || c != nil && c.Hello.Unit == timer.Cycles
	if !counted || s.series.Thread == "locked" || s.target.IsCommand() {
		return
	}
	hint := "thread: locked"
	if s.target.Spec.Settings.Parallel > 1 {
		hint = "" // nothing brings its goroutines onto one thread
	}
	s.result.WarnLacking(result.WarnNoCounters, metricsOf(s.target.Spec.Counters),
		"counters belong to one thread, and the loop runs on several", hint)
}

// rewarmBatches are thrown away at the start of a later launch.
const rewarmBatches = 3

func (g *rig) rewarm(ctx context.Context, s *side) *result.Failure {
	if s.target.TimesItself() && !s.target.Stays() || s.of.isApart() && s.series.Batch > s.target.Warmup() {
		return nil // it is its own warm-up, as in a block; each run of a benchmark is a process
	}
	request := s.series.Batches(rewarmBatches, s.target.Warmup())
	s.series.Warm(request.Batches)
	response, failure := g.call(ctx, s, s.remote, request)
	if failure == nil {
		s.series.Used += time.Duration(response.Readings.Elapsed)
		s.of.answered(response.Readings)
		s.series.Leaks(response.Readings.Leaked, response.Readings.Left)
		s.series.CountRuns(response.Readings)
	}
	return failure
}

// call asks the host of a case, with a deadline from its settings. A function has its
// timeout for the request. A command has it for each run and hook, which the host
// checks, so the deadline here only ends a host that hangs.
func (g *rig) call(ctx context.Context, s *side, r *remote, request *wire.Request) (*wire.Response, *result.Failure) {
	timeout := time.Duration(s.target.Spec.Settings.Timeout)
	if s.target.IsCommand() {
		timeout = time.Duration(request.Limit) + 4*timeout + client.Grace
	}
	r.user = s
	g.run.outputs.expect(s, request, r)
	response, failure := r.Call(ctx, request, timeout)
	g.run.outputs.take(s, response, r)
	if failure != nil {
		failure.Batch = g.absolute(s, failure.Batch)
		s.target.Explain(failure, s.series.N)
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
	for range launchTries {
		sized := t.own.series.N > 0 && (t.base == nil || t.base.series.N > 0)
		failure := g.prepareAll(ctx, t)
		switch {
		case failure != nil && g.isolate(ctx, t, failure):
			continue
		case failure != nil:
			return failure
		case t.base != nil && !g.bothLive(t): // a host has died meanwhile
		case t.base != nil && !sized:
			return g.even(t)
		default:
			return nil
		}
	}
	return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCrash,
		Message: "the host of the case and its base died again and again"}
}

func (g *rig) prepareAll(ctx context.Context, t *track) *result.Failure {
	for _, s := range g.setUpOrder(t) {
		if failure := g.prepare(ctx, s); failure != nil {
			return s.target.AsBase(failure)
		}
	}
	return nil
}

// isolate gives each further sample of an existing benchmark a process, on both sides, if the failure is that it does
// not run again in one process as before. It is made ready anew.
func (g *rig) isolate(ctx context.Context, t *track, failure *result.Failure) bool {
	if failure.Cause != result.FailureCause(wire.FailedRepeat) || t.target.Alone {
		return false
	}
	g.leave(ctx, t)
	for _, s := range t.sides() {
		s.target.Alone, s.result.Settings.Isolate, s.series.N = true, result.IsolateSample, 0
	}
	t.result.WarnOnce(result.WarnIsolated, "each sample is a process: "+failure.Message,
		"isolate: process asks for that from the beginning")
	return true
}

// even makes both sides alike, whose units have to be the same.
func (g *rig) even(t *track) *result.Failure {
	b := t.base
	if t.result.Unit != b.result.Unit {
		return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCheck,
			Message: fmt.Sprintf("its unit is %s, and the unit of %s is %s: they cannot be compared", t.result.Unit,
				b.target.BaseName(), b.result.Unit),
			Hint: "declare the same unit, and the number of units in one iteration"}
	}
	return sample.Even(&t.own.series, &b.series,
		[2]*sample.Calibration{g.run.costs(t.own.kind()), g.run.costs(b.kind())})
}

// setUpOrder is the order in which the sides of a case are set up: with a base a coin
// decides, for each block anew. The first side gets other memory than the second, and
// for code with 1 MiB of its own that alone moved the time by 3 % here, the same in
// every pair of a setup.
func (g *rig) setUpOrder(t *track) []*side {
	sides := t.sides()
	if t.base != nil && g.run.options.Seed.Draw("set-up", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name),
		t.result.Launches, t.own.series.Blocks).IntN(2) == 0 {
		slices.Reverse(sides)
	}
	return sides
}

// renew ends the setups that pairs of Go functions were taken with and makes new ones,
// so that each block is an observation of its own: what a setup has drawn by chance
// affects all of its pairs. Commands have a process for each run.
func (g *rig) renew(ctx context.Context, t *track) *result.Failure {
	if t.target.IsCommand() || t.isRelaunched() || !t.stale { // of two trees the next launch has new ones
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
	_, failure := g.call(context.WithoutCancel(ctx), s, s.remote, &wire.Request{Op: "finish", ID: s.series.ID})
	if failure != nil && !g.run.killed() {
		s.of.fail(s.target.AsBase(failure))
	}
}

// changed explains why a case cannot go on in this host, nil if it can: its samples
// would be of two programs, or of two clocks.
func (g *rig) changed(s *side, p *wire.Prepared) *result.Failure {
	then, c := s.result, g.run.costs(s.kind())
	was := func(what, before, now string) *result.Failure {
		return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCheck,
			Message: fmt.Sprintf("%s was %s before the run was interrupted, and is %s", what,
				cmp.Or(before, "none"), cmp.Or(now, "none")),
			Hint: "run without --resume"}
	}
	switch id := then.Identity; {
	case id.Program != p.Program:
		return was("the program", id.Program, p.Program)
	case id.Binary != g.binaryOf(s, p):
		return was("the content of the program", id.Binary, g.binaryOf(s, p))
	case c != nil && c.Hello.Clock != then.Clock:
		return was("the clock", then.Clock, c.Hello.Clock)
	case c != nil && c.Hello.Counter != then.Counter:
		return was("the cycle counter", then.Counter, c.Hello.Counter)
	}
	if why := g.run.options.Binaries.OtherFile(then.Identity.Files, s.target.Plan.Dir, false); why != "" {
		return &result.Failure{Phase: result.PhaseSetup, Cause: result.FailedCheck,
			Message: why + " since the run was interrupted", Hint: "run without --resume"}
	}
	return nil
}

// withoutWitness records why the instructions of both sides are not counted: the reason of the first side that has
// one.
func (s *side) withoutWitness(why string) {
	pairs := s.of.result.Pairs
	if why != "" && pairs != nil && pairs.NoInstructions == "" {
		pairs.NoInstructions = why
	}
}

// without warns of the counters that were asked for and are missing.
func without(c *result.Case, skipped []timer.Skipped) {
	reasons, names := []string{}, map[string][]string{}
	for _, one := range skipped {
		if names[one.Reason] == nil {
			reasons = append(reasons, one.Reason)
		}
		names[one.Reason] = append(names[one.Reason], one.Name)
	}
	for _, reason := range reasons {
		c.WarnLacking(result.WarnNoCounters, metricsOf(names[reason]),
			strings.Join(names[reason], ", ")+": "+reason, "")
	}
}

// metricsOf names the metrics that counters fill: branch_misses of branch-misses.
func metricsOf(counters []string) []string {
	metrics := slices.Clone(counters)
	for i := range metrics {
		metrics[i] = strings.ReplaceAll(metrics[i], "-", "_")
	}
	return metrics
}

// userOnly warns of counts that leave out the kernel: they must not be compared with
// the counts of a machine that includes it.
func userOnly(c *result.Case, names []string) {
	if len(names) > 0 {
		c.WarnLacking(result.WarnUserOnly, metricsOf(names),
			strings.Join(names, ", ")+": without what happened in the kernel, which this system does not "+
				"let be counted",
			"as root, or with kernel.perf_event_paranoid at 1 or below")
	}
}

// unpinned warns that runs use any CPU although the suite file asks for one CPU.
func unpinned(c *result.Case, why string) {
	if why != "" {
		c.Warn(result.WarnNotPinned, "pin: on: its runs are on any CPU: "+why, "")
	}
}
