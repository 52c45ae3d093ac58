package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/orphan"
	"example.com/suite/internal/scratch"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/runner/target"
	"example.com/suite/spec"
)

// Build runs the build command of a plan, if it has one, and reports whether that was done. A run
// does so itself, unless it has been done before, to find out what the cases look at.
func Build(ctx context.Context, plan *spec.Plan, processes *process.Set) (done bool, failure *result.Failure) {
	if plan.Build == nil || ctx.Err() != nil {
		return false, nil
	}
	failure = runHook(ctx, result.PhaseBuild, hook{argv: plan.Build.Argv, dir: plan.Dir, processes: processes})
	return failure == nil && ctx.Err() == nil, failure
}

// build runs the suite's build command before anything is measured.
func (r *run) build(ctx context.Context, plan *spec.Plan) *result.Failure {
	if plan.Build == nil {
		return nil
	}
	done, failure := plan.Built, (*result.Failure)(nil)
	if !done {
		r.progress(nil, "build")
		done, failure = Build(ctx, plan, r.options.Processes)
	}
	if done && r.options.Built != nil {
		r.options.Built(plan)
	}
	return failure
}

// buildAll builds the tree of a plan and the one that it is compared with.
func (r *run) buildAll(ctx context.Context, plan *spec.Plan) *result.Failure {
	failure := r.build(ctx, plan)
	if failure != nil || plan.Other == nil || !comparesTrees(plan) {
		return failure
	}
	if failure = r.build(ctx, plan.Other); failure != nil && plan.Against != nil {
		failure.Message = "in " + plan.Against.Asked + ": " + failure.Message
	}
	return failure
}

// setup runs the setup hook of a case. It belongs to the controller, not to a
// host, so that cleanup can run when a host has died.
func (g *rig) setup(ctx context.Context, s *side) *result.Failure {
	s.series.SetUp = true
	if s.target.Spec.Setup == nil {
		return nil
	}
	return runHook(ctx, result.PhaseSetup, g.hook(s, s.target.Spec.Setup))
}

// cleanup runs the cleanup hook of every case whose setup was begun, also after a
// failure and an interrupt, but not if everything was killed.
func (g *rig) cleanup(s *side) {
	if s.target.Spec.Cleanup == nil || !s.series.SetUp {
		return
	}
	defer g.clock(s.of)()
	var failure *result.Failure
	if !g.run.killed() {
		failure = runHook(context.Background(), result.PhaseCleanup, g.hook(s, s.target.Spec.Cleanup))
	}
	switch {
	case g.run.killed():
		s.of.result.Warn(result.WarnNoCleanup, "its cleanup did not finish, because the run was killed",
			"clean up by hand: "+process.CommandLine(s.target.Spec.Cwd, s.target.Spec.Cleanup.Argv))
	case failure != nil:
		s.of.fail(s.target.AsBase(failure))
	}
}

// hooked are the sides of a case whose setup and cleanup hooks run for it, in the order
// in which they are set up. A base in this tree has a track that sees to that.
func (g *rig) hooked(t *track) []*side {
	if t.base != nil && t.base.target.Tree != "" {
		return g.setUpOrder(t)
	}
	return []*side{t.own}
}

// cleanups runs the cleanup hooks of a case, and of its base in another tree.
func (g *rig) cleanups(t *track) {
	for _, s := range g.hooked(t) {
		g.cleanup(s)
	}
}

// hook is a command that is run and not measured.
type hook struct {
	argv, env []string
	dir       string
	timeout   time.Duration // 0: none
	processes *process.Set
}

func (g *rig) hook(s *side, h *spec.Hook) hook {
	return hook{h.Argv, s.target.HookEnv(s.series.Runs), s.target.Spec.Cwd,
		time.Duration(s.target.Spec.Settings.Timeout), g.run.options.Processes}
}

// runHook runs a command with no input, its output kept for a failure only. Output goes
// to a file and not through a pipe: runHook would wait for any background process that
// keeps the pipe open.
func runHook(ctx context.Context, phase result.Phase, h hook) *result.Failure {
	ctx, cancel := process.Within(ctx, h.timeout)
	defer cancel()
	output, err := scratch.New("suite-hook-*")
	if err != nil {
		return &result.Failure{Phase: phase, Cause: result.FailedError, Message: err.Error(), Hint: scratch.Hint()}
	}
	defer scratch.Discard(output)
	cmd := exec.CommandContext(ctx, h.argv[0], h.argv[1:]...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = h.dir, wire.WithoutPegs(slices.Concat(os.Environ(), []string{"PWD=" + h.dir},
		h.env)), process.OwnSession()
	cmd.Stdout, cmd.Stderr = output, output
	cmd.Cancel = func() error { process.KillTree(cmd.Process); return nil }
	if err = h.run(cmd); err == nil {
		return nil
	}
	f := hookFailure(ctx, phase, h, err)
	f.Detail = strings.TrimSpace(scratch.Tail(output))
	f.Message += scratch.Lost(output)
	return f
}

// run runs the command of a hook as one of the processes of the run.
func (h hook) run(cmd *exec.Cmd) error {
	defer orphan.Keep()()
	ended, err := orphan.Start(cmd)
	if err != nil {
		return err
	}
	defer ended()
	if h.processes != nil {
		defer h.processes.Add(cmd.Process, nil)()
	}
	return cmd.Wait()
}

func hookFailure(ctx context.Context, phase result.Phase, h hook, err error) *result.Failure {
	f := &result.Failure{Phase: phase, Cause: result.FailedMissing, Message: fmt.Sprintf("%s: %v", phase, err)}
	var exit *exec.ExitError
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		f.Cause, f.Message = result.FailedTimeout, fmt.Sprintf("%s was killed after the timeout of %v", phase,
			h.timeout)
	case errors.As(err, &exit) && process.SignalName(exit.ProcessState) != "":
		f.Cause, f.Signal = result.FailedSignal, process.SignalName(exit.ProcessState)
		f.Message = fmt.Sprintf("%s was ended by signal %s", phase, f.Signal)
	case errors.As(err, &exit):
		status := exit.ExitCode()
		f.Cause, f.Exit, f.Message = result.FailedExit, &status, fmt.Sprintf("%s ended with %v", phase, exit)
		f.Hint = "run it by hand: " + process.CommandLine(h.dir, h.argv)
	default:
		target.ExplainStart(f, h.argv, h.dir)
	}
	return f
}
