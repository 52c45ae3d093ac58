package runner

import (
	"context"
	"strings"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
)

// hosts are the hosts of a window. It starts and calibrates them; who needs which is the
// window's matter.
type hosts struct {
	run     *run
	plan    *spec.Plan
	running map[hostKind]*remote
	started []*remote // all, also those that are gone
}

func newHosts(r *run, plan *spec.Plan) hosts {
	return hosts{run: r, plan: plan, running: map[hostKind]*remote{}}
}

// remote is a host that cases are measured in.
type remote struct {
	*client.Client
	user  *side // whose code ran last in it
	procs int   // GOMAXPROCS
}

// hostKind is the key of hosts, and of what is known of them: a host has one timer.
type hostKind struct {
	plan         *spec.Plan
	kind         string
	clock, cycle string // preferences, joined by commas
	side         int    // of cases whose sides have a host each
}

// timing is the same without the side: what timing costs does not depend on it.
func (k hostKind) timing() hostKind {
	k.side = oneHost
	return k
}

// costs are what timing costs in hosts of a kind, nil while nobody knows.
func (r *run) costs(k hostKind) *sample.Calibration { return r.calibrated[k.timing()] }

func joined(words []string) string { return strings.Join(words, ",") }

// Sides of a hostKind.
const (
	oneHost   = iota // of cases with one side, or with both sides in one host
	caseHost         // of cases whose sides have a host each: the case
	baseHost         // and its base
	guardHost        // of a sentinel
	ownHost
	pairHost // of cases that share one with their base, and get a new one for each launch
)

// hostSide returns which of the hosts of its kind a side runs in.
func (s *side) hostSide() int {
	switch {
	case !s.of.isApart() && s.of.drawn && !s.target.IsCommand():
		return pairHost
	case !s.of.isApart():
		return oneHost
	case s.of.guard && !s.target.IsBase():
		return guardHost
	case s.of.guard:
		return ownHost
	case s.target.IsBase():
		return baseHost
	}
	return caseHost
}

// kind is the kind of the hosts that a side runs in. One host starts all commands of a
// plan, also the other tree's.
func (s *side) kind() hostKind {
	k := hostKind{plan: s.target.Plan, kind: s.target.WireKind(), clock: joined(s.target.Spec.Timer.Clock), cycle: joined(s.target.Spec.Timer.Cycle), side: s.hostSide()}
	if s.target.IsCommand() {
		k.plan = s.of.target.Plan
	}
	return k
}

// program is the argv of a host. Programs are always started by suite itself.
func (r *run) program(kind hostKind) []string {
	if kind.kind == wire.KindGo && r.options.HostOf != nil {
		if argv := r.options.HostOf(kind.plan); argv != nil {
			return argv
		}
	}
	return r.options.Host
}

// folder is the one that a host starts in, empty for the current one: functions read
// files of their own tree.
func (k hostKind) folder() string {
	if k.kind != wire.KindGo || k.plan == nil {
		return ""
	}
	return k.plan.HostDir
}

// launch starts a host and calibrates it.
func (h *hosts) launch(ctx context.Context, kind hostKind, argv, env []string) (*remote, *result.Failure) {
	c, err := client.Launch(argv, kind.folder(), env, h.run.options.Debug, nil)
	if err != nil {
		return nil, &result.Failure{Phase: result.PhaseStart, Cause: result.FailedMissing, Message: "the host process could not be started: " + err.Error()}
	}
	r := &remote{Client: c}
	r.Enter(h.run.options.Processes)
	h.started = append(h.started, r)
	if failure := h.greet(ctx, r, kind); failure != nil {
		r.Kill()
		return nil, failure
	}
	h.running[kind] = r
	return r, nil
}

// quit ends the running host of a kind, if there is one.
func (h *hosts) quit(kind hostKind) {
	if r := h.running[kind]; r != nil {
		r.Quit()
		delete(h.running, kind)
	}
}

// end ends all hosts. After the last window of a suite, the costs of timing are measured
// once more.
func (h *hosts) end(ctx context.Context, last bool) {
	for kind, r := range h.running {
		if last && ctx.Err() == nil && h.isRechecked(kind) {
			h.recheck(ctx, kind, r)
		}
		r.Quit()
	}
	for _, r := range h.started {
		r.DropMark()
	}
}

// isRechecked reports whether a host is the one of its timer in this tree in which the
// costs of timing are checked for changes.
func (h *hosts) isRechecked(kind hostKind) bool {
	return kind.side == oneHost || kind.side == caseHost && h.running[kind.timing()] == nil
}
