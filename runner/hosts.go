package runner

import (
	"context"

	"example.com/suite/result"
	"example.com/suite/runner/client"
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

// launch starts a host and calibrates it.
func (h *hosts) launch(ctx context.Context, kind hostKind, argv, env []string) (*remote, *result.Failure) {
	c, err := client.Launch(argv, kind.folder(), env, h.run.options.Debug, nil)
	if err != nil {
		return nil, &result.Failure{Phase: result.PhaseStart, Cause: result.FailedMissing,
			Message: "the host process could not be started: " + err.Error()}
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
