package runner

import (
	"context"
	"slices"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// Again is a case of a finished run that is made ready once more, for passes that must not
// come before the last sample. Its hosts are processes of their own, and nothing that is
// done with them changes the document.
type Again struct {
	rig *rig
	t   *track
}

// NewAgain takes the options of the run that measured the case. Its journal, its observer
// and its linker are not used.
func NewAgain(plan *spec.Plan, c *spec.Case, o Options) *Again {
	o.Journal, o.Observe, o.Finished, o.Link, o.Steer, o.Unsettled = nil, nil, nil, nil, nil, nil
	tracks := []*track{newTrack(plan, c)}
	if i := indexOfCase(plan, c.Base); i >= 0 && c.Base != "" {
		tracks = append([]*track{newTrack(plan, &plan.Cases[i])}, tracks...)
	}
	pairUp(plan, tracks)
	g := newRig(newRun(o), plan, 0)
	g.tracks = tracks
	return &Again{g, tracks[len(tracks)-1]}
}

func indexOfCase(plan *spec.Plan, name string) int {
	for i := range plan.Cases {
		if plan.Cases[i].Name == name {
			return i
		}
	}
	return -1
}

// HasBase reports whether there is a base that can be run.
func (a *Again) HasBase() bool { return a.t.base != nil }

// SetUp runs the setup hooks of both sides and starts their services.
func (a *Again) SetUp(ctx context.Context) *result.Failure {
	for _, t := range a.rig.tracks {
		if failure := a.rig.setUp(ctx, t); failure != nil {
			return failure
		}
	}
	return nil
}

// CleanUp ends the services and runs the cleanup hooks of what was set up. It returns the
// first failure.
func (a *Again) CleanUp() *result.Failure {
	a.rig.services.end()
	for _, t := range a.rig.tracks {
		a.rig.cleanups(t)
	}
	for _, t := range a.rig.tracks {
		if t.result.Failure != nil {
			return t.result.Failure
		}
	}
	return nil
}

// Rerun is one side of a case.
type Rerun struct {
	a    *Again
	side *side
}

// Side is the case, or its base, which must be there.
func (a *Again) Side(base bool) Rerun {
	if base {
		return Rerun{a, a.t.base}
	}
	return Rerun{a, a.t.own}
}

// Request prepares the side in a host.
func (r Rerun) Request() *wire.Request { return r.side.request() }

// Program is the path of the program that contains the measured code: the host of a
// function, a test binary, or the first word of a command.
func (r Rerun) Program() string {
	switch {
	case r.side.target.IsGoTest():
		return r.side.target.Spec.GoTest.Program
	case r.side.target.IsCommand():
		return r.side.target.Argv()[0]
	}
	return r.a.rig.run.program(r.side.kind())[0]
}

// Launch starts a host for the side, which has been greeted.
func (r Rerun) Launch(ctx context.Context, env []string) (*client.Client, *result.Failure) {
	kind := r.side.kind()
	return r.start(ctx, kind, r.a.rig.run.program(kind), env)
}

// LaunchIn starts a host for the side, as Launch does, in another program whose argv its own follows.
func (r Rerun) LaunchIn(ctx context.Context, wrap []string) (*client.Client, *result.Failure) {
	kind := r.side.kind()
	return r.start(ctx, kind, append(slices.Clip(wrap), r.a.rig.run.program(kind)...), nil)
}

func (r Rerun) start(ctx context.Context, kind hostKind, argv, env []string) (*client.Client, *result.Failure) {
	c, err := client.Launch(argv, kind.folder(), env, r.a.rig.run.options.Debug, nil)
	if err != nil {
		return nil, &result.Failure{Phase: result.PhaseStart, Cause: result.FailedMissing,
			Message: "the host process could not be started: " + err.Error()}
	}
	c.Enter(r.a.rig.run.options.Processes)
	request := &wire.Request{Op: "hello", Kind: kind.kind, Clock: words(kind.clock), Cycle: words(kind.cycle)}
	response, failure := c.Call(ctx, request, client.Grace)
	if failure == nil && (response.Hello.Version != wire.Version ||
		response.Hello.Hash != r.a.rig.run.options.HostHash) {
		failure = &result.Failure{Phase: result.PhaseStart, Cause: result.FailedProtocol,
			Message: "the host was built from another version of suite"}
	}
	if failure != nil {
		c.Kill()
		return nil, failure
	}
	return c, nil
}
