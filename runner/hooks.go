package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/executable"
	"example.com/suite/internal/orphan"
	"example.com/suite/internal/scratch"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
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
	if s.target.spec.Setup == nil {
		return nil
	}
	return runHook(ctx, result.PhaseSetup, g.hook(s, s.target.spec.Setup))
}

// cleanup runs the cleanup hook of every case whose setup was begun, also after a
// failure and an interrupt, but not if everything was killed.
func (g *rig) cleanup(s *side) {
	if s.target.spec.Cleanup == nil || !s.series.SetUp {
		return
	}
	defer g.clock(s.of)()
	var failure *result.Failure
	if !g.run.killed() {
		failure = runHook(context.Background(), result.PhaseCleanup, g.hook(s, s.target.spec.Cleanup))
	}
	switch {
	case g.run.killed():
		s.of.result.Warn(result.WarnNoCleanup, "its cleanup did not finish, because the run was killed", "clean up by hand: "+process.CommandLine(s.target.spec.Cwd, s.target.spec.Cleanup.Argv))
	case failure != nil:
		s.of.fail(s.target.asBase(failure))
	}
}

// hooked are the sides of a case whose setup and cleanup hooks run for it, in the order
// in which they are set up. A base in this tree has a track that sees to that.
func (g *rig) hooked(t *track) []*side {
	if t.base != nil && t.base.target.tree != "" {
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
	return hook{h.Argv, s.target.hookEnv(s.series.Runs), s.target.spec.Cwd, time.Duration(s.target.spec.Settings.Timeout), g.run.options.Processes}
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
	cmd.Dir, cmd.Env, cmd.SysProcAttr = h.dir, wire.WithoutPegs(slices.Concat(os.Environ(), []string{"PWD=" + h.dir}, h.env)), process.OwnSession()
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
		f.Cause, f.Message = result.FailedTimeout, fmt.Sprintf("%s was killed after the timeout of %v", phase, h.timeout)
	case errors.As(err, &exit) && process.SignalName(exit.ProcessState) != "":
		f.Cause, f.Signal = "signal", process.SignalName(exit.ProcessState)
		f.Message = fmt.Sprintf("%s was ended by signal %s", phase, f.Signal)
	case errors.As(err, &exit):
		status := exit.ExitCode()
		f.Cause, f.Exit, f.Message = "exit", &status, fmt.Sprintf("%s ended with %v", phase, exit)
		f.Hint = "run it by hand: " + process.CommandLine(h.dir, h.argv)
	default:
		explainStart(f, h.argv, h.dir)
	}
	return f
}

// explain adds to a failure what to try. If a program could not be started, the message
// becomes the reason: the system reports a script without an interpreter as missing.
func (s *side) explain(f *result.Failure) {
	if s.target.isCommand() && f.Cause == result.FailedMissing {
		explainStart(f, s.argvOf(f.Phase), s.target.spec.Cwd)
	}
	f.Hint = s.hint(f)
}

// argvOf returns the command that ran in a phase.
func (s *side) argvOf(phase result.Phase) []string {
	switch phase {
	case result.PhasePrepare:
		return hookArgv(s.target.spec.Prepare)
	case result.PhaseConclude:
		return hookArgv(s.target.spec.Conclude)
	}
	return s.target.argv()
}

// explainStart replaces the message of a command that could not be started by the reason, if
// one is found.
func explainStart(f *result.Failure, argv []string, dir string) {
	if len(argv) == 0 {
		return
	}
	if fault := executable.Check(argv[0], dir); fault != nil {
		f.Message, f.Hint = fault.Message, fault.Hint
	}
}

// hint suggests what to try when a case could not be measured.
func (s *side) hint(f *result.Failure) string {
	switch {
	case f.Hint != "":
		return f.Hint
	case strings.HasPrefix(f.Message, scratch.NoFile):
		return scratch.Hint()
	case s.target.isCommand() && f.Cause == result.FailedMissing && f.Phase == result.PhaseSetup && !strings.HasPrefix(f.Message, "program "):
		return "" // a folder or a file: its path is enough
	case s.target.isCommand() && f.Cause == result.FailedMissing && f.Phase == result.PhaseSetup:
		return "is it installed, and is it in PATH or relative to " + s.target.spec.Cwd + "?"
	case s.target.isCommand() && f.Cause == result.FailedMissing && (f.Phase == result.PhasePrepare || f.Phase == result.PhaseConclude):
		return "is it installed, and is it in PATH or relative to " + s.target.spec.Cwd + "? A line for a shell is written sh -c '…'"
	case s.target.isCommand() && (f.Phase == result.PhasePrepare || f.Phase == result.PhaseConclude):
		return "run it by hand: " + process.CommandLine(s.target.spec.Cwd, s.argvOf(f.Phase))
	case s.target.isGoTest() && f.Cause == result.FailedTimeout:
		return "raise timeout, or run it by hand: " + s.target.byHand(s.series.N)
	case s.target.isGoTest():
		return "run it by hand: " + s.target.byHand(s.series.N)
	case s.target.isCommand() && f.Cause == result.FailedExit:
		return s.exitHint(f)
	case s.target.isCommand() && f.Cause == result.FailedTimeout:
		return "raise timeout, or run it by hand: " + process.CommandLine(s.target.spec.Cwd, s.target.argv())
	case s.target.isCommand():
		return "run it by hand: " + process.CommandLine(s.target.spec.Cwd, s.target.argv())
	}
	return ""
}

// exitHint suggests what to try after an exit status that does not mean success.
func (s *side) exitHint(f *result.Failure) string {
	if name := s.notThere(); name != "" {
		how := "setup: or build:"
		if s.of.target.plan.File == result.CommandLine {
			how = "--setup or --build"
		}
		return fmt.Sprintf("%s is not in %s: git ignores it or does not know it, so let %s make it, or commit it", diag.Quote(name), s.target.tree, how)
	}
	if fault := s.notStarted(f); fault != nil {
		return fault.Message + ": " + fault.Hint
	}
	byHand := "run it by hand: " + process.CommandLine(s.target.spec.Cwd, s.target.argv())
	if f.Exit == nil {
		return byHand
	}
	codes := append(slices.Clone(s.target.spec.ExitCodes), *f.Exit)
	slices.Sort(codes)
	list := make([]string, len(codes))
	for i, code := range codes {
		list[i] = strconv.Itoa(code)
	}
	allow := "exit_codes: [" + strings.Join(list, ", ") + "]"
	if s.of.target.plan.File == result.CommandLine {
		allow = "--exit-codes " + strings.Join(list, ",")
	}
	return fmt.Sprintf("%s; if status %d means success too: %s", byHand, *f.Exit, allow)
}

// notStarted finds the program that a shell could not start. A shell ends with status 126 or
// 127 then, and the program is a word of its text.
func (s *side) notStarted(f *result.Failure) *executable.Fault {
	if f.Exit == nil || *f.Exit != 126 && *f.Exit != 127 {
		return nil
	}
	for _, text := range s.target.argv()[1:] {
		for _, word := range strings.Fields(text) {
			if !strings.ContainsRune(word, filepath.Separator) {
				continue
			}
			if fault := executable.Check(word, s.target.spec.Cwd); fault != nil {
				return fault
			}
		}
	}
	return nil
}

// notThere returns the first argument of a command that names a file here, and none in
// the other tree in which the command has failed. It is empty for a side of this tree.
func (s *side) notThere() string {
	if s.target.tree == "" {
		return ""
	}
	for _, word := range s.target.argv() {
		if word == "" || filepath.IsAbs(word) || !filepath.IsLocal(word) {
			continue
		}
		_, here := os.Stat(filepath.Join(s.of.target.spec.Cwd, word))
		_, there := os.Stat(filepath.Join(s.target.spec.Cwd, word))
		if here == nil && errors.Is(there, fs.ErrNotExist) {
			return word
		}
	}
	return ""
}
