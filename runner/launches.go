package runner

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// endBoth ends the hosts of a case and its base, and what is prepared in them.
func (g *rig) endBoth(ctx context.Context, t *track) {
	kinds := g.bothKinds(t)
	for _, o := range g.tracks {
		if o == t || o.isApart() && g.bothKinds(o) == kinds || kinds[0].side == pairHost && o.own.kind() == kinds[0] {
			g.leave(ctx, o)
		}
	}
	if t.target.IsCommand() { // their host starts the files of all launches
		return
	}
	for _, kind := range kinds {
		g.hosts.quit(kind)
	}
}

// leave finishes both sides of a case in hosts that end.
func (g *rig) leave(ctx context.Context, t *track) {
	for _, s := range t.sides() {
		if !t.final && !g.run.killed() {
			g.finish(ctx, s)
		}
		s.enter(nil)
		s.series.SampledIn = nil
	}
}

func (g *rig) bothKinds(t *track) [2]hostKind {
	return [2]hostKind{t.own.kind(), t.base.kind()}
}

// launchBoth starts the two hosts of a case and its base, in the order of a coin, and
// returns the host of the given side. If the other side's host cannot be started, the
// failure is reported when the other side is run.
func (g *rig) launchBoth(ctx context.Context, s *side) (own *remote, failure *result.Failure) {
	t := s.of
	defer g.launching(t)()
	g.endBoth(ctx, t)
	kinds, env := g.bothKinds(t), g.launchEnv()
	sides := [2]*side{t.own, t.base}
	order := []int{0, 1}
	if g.drawLaunch("hosts") == 0 {
		slices.Reverse(order)
	}
	var both [2]*remote
	for _, i := range order {
		r, why := g.launchOne(ctx, sides[i], env[i])
		if both[i] = r; kinds[i] == s.kind() {
			own, failure = r, why
		}
	}
	if both[0] != nil && both[1] != nil && both[0].procs != both[1].procs {
		return nil, &result.Failure{Phase: result.PhaseStart, Cause: result.FailedCheck,
			Hint: "does an init function of one of them set it?",
			Message: fmt.Sprintf("GOMAXPROCS is %d in the host of the case and %d in the base's host: they cannot "+
				"be compared", both[0].procs, both[1].procs)}
	}
	return own, failure
}

// launching is called at the beginning of a launch, and done at its end. The hosts serve
// all open cases of the window that run in the same two programs, so each of these cases pays
// its share of the start.
func (g *rig) launching(t *track) (done func()) {
	since := g.run.busy()
	return func() {
		took := g.run.busy() - since
		t.reported += took
		served := g.servedWith(t)
		for _, o := range served {
			o.charged(took / time.Duration(len(served)))
		}
	}
}

// servedWith are the open cases that run in the hosts of a case, the case included.
func (g *rig) servedWith(t *track) []*track {
	served := []*track{t}
	for _, o := range g.tracks {
		if o != t && !o.done && o.base != nil && g.bothKinds(o) == g.bothKinds(t) {
			served = append(served, o)
		}
	}
	return served
}

// launchEnv has padding that is drawn for each of the two hosts of a launch, and the
// same number of processors for both.
func (g *rig) launchEnv() (env [2][]string) {
	for i, purpose := range []string{"padding of the case", "padding of the base"} {
		env[i] = []string{fmt.Sprintf("GOMAXPROCS=%d", runtime.GOMAXPROCS(0)),
			wire.Padding(g.drawLaunchBelow(purpose, wire.MostPadding))}
	}
	return env
}

// drawLaunch throws the coin of a launch.
func (g *rig) drawLaunch(purpose string) int { return g.drawLaunchBelow(purpose, 2) }

// drawLaunchBelow draws a number of a launch, which is known by its window and round.
func (g *rig) drawLaunchBelow(purpose string, n int) int {
	return g.run.options.Seed.Draw(purpose, fmt.Sprintf("%q", g.plan.Suite), g.number, g.round).IntN(n)
}

// bothLive reports whether both sides of a case are prepared in hosts that live.
func (g *rig) bothLive(t *track) bool {
	for _, s := range t.sides() {
		if s.remote == nil || s.remote.Lost || s.remote != g.hosts.running[s.kind()] {
			return false
		}
	}
	return true
}

// host finds the running host of a track, or starts one. If a host died while idle, the
// case that ran in it last fails.
func (g *rig) host(ctx context.Context, s *side) (*remote, *result.Failure) {
	kind := s.kind()
	if r := g.hosts.running[kind]; r != nil && !r.Lost {
		failure := r.Died()
		switch {
		case failure == nil:
			return r, nil
		case r.user != nil && r.user.of == s.of, g.run.killed():
			return nil, failure
		case r.user != nil:
			r.user.of.fail(r.user.target.AsBase(failure))
		}
	}
	if broken := g.run.broken[kind]; len(broken) >= launchTries {
		failure := *broken[0]
		return nil, &failure
	}
	switch {
	case s.of.isApart():
		return g.launchBoth(ctx, s)
	case kind.side == pairHost:
		defer g.launching(s.of)()
		return g.launchOne(ctx, s, g.launchEnv()[0])
	}
	return g.launchOne(ctx, s, nil)
}

// launchOne starts the host of a track, and keeps the failure if it cannot.
func (g *rig) launchOne(ctx context.Context, s *side, env []string) (*remote, *result.Failure) {
	kind := s.kind()
	argv := g.run.program(kind)
	if s.of.drawn && !s.target.IsCommand() {
		argv = append([]string{g.drawing.fresh(ctx, s)}, argv[1:]...)
	}
	r, failure := g.hosts.launch(ctx, kind, argv, env)
	if failure != nil && ctx.Err() == nil {
		broken := *failure
		g.run.broken[kind] = append(g.run.broken[kind], &broken)
	}
	return r, failure
}

// launchTries of a host that fail are enough for all cases of a suite: a
// program that is no host takes up to 7 s each time.
const launchTries = 2
