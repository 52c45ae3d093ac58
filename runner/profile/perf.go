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
		return nil, &unable{Reason: result.ProfileNoTool, Text: "commands are profiled with perf record, and perf is not installed", Hint: "install perf (package linux-tools or linux-perf)"}
	}
	began := t.options.Now()
	argv, why := workingPerf(path)
	if why != "" {
		return nil, &unable{Reason: result.ProfileForbidden, Text: "the system does not allow perf record: " + why, Hint: "sysctl kernel.perf_event_paranoid=2, or less"}
	}
	if once := t.options.Now().Sub(began); 2*fewest*once > t.left() {
		return nil, &unable{Reason: result.ProfileNoTime, Text: fmt.Sprintf("perf record takes %s a run here, too long for the %s that profiling may take", units.ShortTime(once.Seconds()), units.ShortTime(t.Limit.Seconds())),
			Hint: "suite run --profile cpu --only " + t.Case.Name + " gives it more"}
	}
	t.options.Kinds = []result.ProfileKind{result.ProfileCPU}
	return func(ctx context.Context, base bool) *result.Failure { return t.perfRun(ctx, argv, base) }, nil
}

// workingPerf returns the argv of perf record without a file and a program, or why perf cannot
// record one. perf waits up to a second at its end for programs that were loaded into the kernel:
// it takes 0.1 s without them. Before version 5.1 it knows neither.
func workingPerf(path string) (argv []string, why string) {
	argv = []string{path, "record", "--quiet", "--event", "cpu-clock:u", "--freq", fmt.Sprint(perfRate), "--call-graph", "fp"}
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

// perfRun profiles one run of a command. The host starts perf in place of the command, with
// the command's environment, input and limits.
func (t *taking) perfRun(ctx context.Context, perf []string, base bool) *result.Failure {
	side := t.again.Side(base)
	folder, err := os.MkdirTemp("", "suite-perf-*")
	if err != nil {
		return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedMissing, Message: err.Error(), Hint: scratch.Hint()}
	}
	defer os.RemoveAll(folder)
	host, failure := side.Launch(ctx, "", []string{t.padding(base)})
	if failure != nil {
		return failure
	}
	defer host.Quit()
	request := side.Request()
	program, err := commandPath(request.Command)
	if err == nil {
		t.program[sideIndex(base)] = program
	}
	data := filepath.Join(folder, "data")
	request.Command.Argv = append(recording(perf, data), request.Command.Argv...)
	request.Command.Counters = nil
	request.Command.Metrics = nil
	request.Command.SameOutput = false
	timeout := time.Duration(t.Case.Settings.Timeout)
	prepared, failure := host.Call(ctx, request, 4*timeout+client.Grace)
	if failure != nil {
		return failure
	}
	once := &wire.Request{Op: "once", ID: prepared.Prepared.ID, N: 1, Limit: int64(timeout)}
	answer, failure := host.Call(ctx, once, 4*timeout+client.Grace)
	if failure != nil {
		return failure
	}
	if len(answer.Readings.ID) == 0 { // interrupted
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, perfTries)
	defer cancel()
	script, err := exec.CommandContext(limited, perf[0], "script", "--input", data, "--fields", "ip,sym,dso,period").Output()
	if err != nil {
		return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedError, Message: "perf script: " + err.Error()}
	}
	parsed, err := profiles.ReadPerf(script)
	if err != nil {
		return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedError, Message: err.Error()}
	}
	t.keep(base, result.ProfileCPU, profiles.Launch{Profile: parsed, Iterations: 1, Wall: float64(answer.Readings.Columns["time"][0]) * 1e-9})
	return nil
}

// commandPath finds the program of a command as its host does: relative to its folder.
func commandPath(c *wire.Command) (string, error) {
	if strings.ContainsRune(c.Argv[0], filepath.Separator) && !filepath.IsAbs(c.Argv[0]) {
		return filepath.Join(c.Dir, c.Argv[0]), nil
	}
	return exec.LookPath(c.Argv[0])
}
