package profile

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/profiles"
	"example.com/suite/internal/scratch"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
)

// perfRate of the readings of commands, Hz. It is no multiple of the kernel's tick, so that
// work that is done at each tick is not seen too often.
const perfRate = 997

// perfTries is how long perf may take for something else than a run.
const perfTries = 10 * time.Second

// perfEnds is how many times as long as for a try perf is taken to need for its end and for
// printing its record.
const perfEnds = 2

// Perf is the program that profiles commands. Tests replace it.
type Perf struct {
	Find func() (path string, err error) // nil: perf in PATH, on Linux
}

func (p Perf) find() (string, error) {
	if p.Find != nil {
		return p.Find()
	}
	if runtime.GOOS != "linux" {
		return "", fmt.Errorf("perf is a program for Linux")
	}
	return exec.LookPath("perf")
}

// perf finds the way to profile commands, or why there is none.
func (t *taking) perf() (taker, *unable) {
	if !t.wants(result.ProfileCPU) {
		return nil, &unable{Reason: result.ProfileNoTool, Text: "a command has a CPU profile, and no other"}
	}
	path, err := t.options.Perf.find()
	if err != nil {
		return nil, &unable{Reason: result.ProfileNoTool,
			Text: "commands are profiled with perf record, and perf is not installed",
			Hint: "install perf (package linux-tools or linux-perf)"}
	}
	began := t.options.Now()
	argv, why := workingPerf(path)
	if why != "" {
		return nil, &unable{Reason: result.ProfileForbidden, Text: "the system does not allow perf record: " + why,
			Hint: "sysctl kernel.perf_event_paranoid=2, or less"}
	}
	once := t.options.Now().Sub(began)
	if t.ending = perfEnds * once; t.ending > t.left() {
		return nil, &unable{Reason: result.ProfileNoTime,
			Text: fmt.Sprintf("perf record takes %s to end here, too long for the %s that profiling may take",
				units.ShortTime(once.Seconds()), units.ShortTime(t.Limit.Seconds())),
			Hint: "suite run --profile cpu --only " + t.Case.Name + " gives it more"}
	}
	t.options.Kinds = []result.ProfileKind{result.ProfileCPU}
	r := &recorder{t: t, perf: argv}
	t.end = r.end
	return r.launch, nil
}

// workingPerf returns the argv of perf record without a file and a program, or why perf cannot
// record one. perf waits up to a second at its end for programs that were loaded into the kernel:
// it takes 0.1 s without them. Before version 5.1 it knows neither. The clock of the record is the
// one of monotonic.
func workingPerf(path string) (argv []string, why string) {
	argv = []string{path, "record", "--quiet", "--clockid", "CLOCK_MONOTONIC", "--event", "cpu-clock:u", "--freq",
		fmt.Sprint(perfRate), "--call-graph", "fp"}
	quick := append(slices.Clip(argv), "--no-bpf-event")
	if tryPerf(quick) == "" {
		return quick, ""
	}
	return argv, tryPerf(argv)
}

// recording is perf record as workingPerf returns it, for a program whose argv follows. It reads the
// stacks of the program at the rate of a clock, which works on machines without hardware counters,
// and in user mode, which needs no rights.
func recording(perf []string, file string) []string {
	return append(slices.Clip(perf), "--output", file, "--")
}

// tryPerf returns why perf cannot record a program, empty if it can.
func tryPerf(perf []string) string {
	folder, err := os.MkdirTemp("", "suite-perf-*")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithTimeout(context.Background(), perfTries)
	defer cancel()
	args := append(recording(perf, filepath.Join(folder, "try")), perf[0], "--version")
	if said, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
		return strings.TrimSuffix(strings.TrimSpace(line+" ("+err.Error()+")"), " ()")
	}
	return ""
}

// recorder is perf record around one host, which runs the commands of both sides: perf takes up to
// 1.7 s to end on some machines, however little it has recorded.
type recorder struct {
	t      *taking
	perf   []string // see workingPerf
	folder string   // of what perf writes
	host   *client.Client
	spans  []profiles.Span // of the launches, in their order
	of     []launched
}

// launched is what is known of a launch before its readings.
type launched struct {
	base       bool
	iterations int64
	wall       float64 // seconds
}

// mostRuns of a command in a launch: each costs a few processes in the record.
const mostRuns = 100

// start starts the host in perf.
func (r *recorder) start(ctx context.Context) *result.Failure {
	folder, err := os.MkdirTemp("", "suite-perf-*")
	if err != nil {
		return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedMissing,
			Message: err.Error(), Hint: scratch.Hint()}
	}
	r.folder = folder
	host, failure := r.t.again.Side(false).LaunchIn(ctx, recording(r.perf, r.data()))
	r.host = host
	return failure
}

func (r *recorder) data() string { return filepath.Join(r.folder, "data") }

// launch runs the command of a side until a launch is as long as a function's, or once.
func (r *recorder) launch(ctx context.Context, base bool) *result.Failure {
	if r.host == nil {
		if failure := r.start(ctx); failure != nil {
			return failure
		}
	}
	t := r.t
	request := t.again.Side(base).Request()
	command, n := request.Command, 1
	if h := request.Harness; h != nil {
		command, n = &h.Command, max(int(t.Result.Iterations), 1)
	}
	program, err := commandPath(command)
	if err == nil {
		t.program[sideIndex(base)] = program
	}
	command.Env = append(slices.Clip(command.Env), t.padding(base))
	command.Counters = nil
	command.Metrics = nil
	command.SameOutput = false
	timeout := time.Duration(t.Case.Settings.Timeout)
	prepared, failure := r.host.Call(ctx, request, 4*timeout+client.Grace)
	if failure != nil {
		return failure
	}
	one := launched{base: base}
	span := profiles.Span{From: monotonic()}
	for runs := 0; runs < mostRuns && (runs == 0 || one.wall < t.options.Pass.Seconds()); runs++ {
		once := &wire.Request{Op: "once", ID: prepared.Prepared.ID, N: n, Limit: int64(timeout)}
		answer, failure := r.host.Call(ctx, once, 4*timeout+client.Grace)
		if failure != nil {
			return failure
		}
		if len(answer.Readings.ID) == 0 { // interrupted
			return nil
		}
		one.iterations += int64(n)
		one.wall += float64(answer.Readings.Columns["time"][0]) * 1e-9
	}
	span.To = monotonic()
	r.spans = append(r.spans, span)
	r.of = append(r.of, one)
	_, failure = r.host.Call(ctx, &wire.Request{Op: "finish", ID: prepared.Prepared.ID}, timeout+client.Grace)
	return failure
}

// end ends perf, and keeps the profiles of the launches.
func (r *recorder) end(ctx context.Context) *result.Failure {
	if r.folder == "" {
		return nil
	}
	defer os.RemoveAll(r.folder)
	if r.host == nil {
		return nil
	}
	r.host.Leave(ctx, perfTries)
	if ctx.Err() != nil || len(r.spans) == 0 {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, perfTries)
	defer cancel()
	script, err := exec.CommandContext(limited, r.perf[0], "script", "--input", r.data(), "--show-task-events", "--ns",
		"--fields", "pid,time,period,ip,sym,dso").Output()
	if err != nil {
		return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedError,
			Message: "perf script: " + err.Error()}
	}
	parsed, err := profiles.ReadPerf(script, r.spans)
	if err != nil {
		return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedError, Message: err.Error()}
	}
	for i, one := range r.of {
		r.t.keep(one.base, result.ProfileCPU,
			profiles.Launch{Profile: parsed[i], Iterations: one.iterations, Wall: one.wall})
	}
	return nil
}

// commandPath finds the program of a command as its host does: relative to its folder.
func commandPath(c *wire.Command) (string, error) {
	if strings.ContainsRune(c.Argv[0], filepath.Separator) && !filepath.IsAbs(c.Argv[0]) {
		return filepath.Join(c.Dir, c.Argv[0]), nil
	}
	return exec.LookPath(c.Argv[0])
}
