package profile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/internal/profiles"
	"example.com/suite/internal/scratch"
	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
)

// A test binary takes its CPU profile at 100 Hz whatever it is asked for, so its passes are
// longer than the launches of a function. Its profiles are of the whole process, with what package
// testing and the benchmark do before the loop.
const (
	goTestRate  = 100 // Hz
	goTestTime  = 500 * time.Millisecond
	goTestAlloc = 20 // the pass with allocations has this part of the iterations, at least one
	goTestWait  = 5  // likewise the pass with waits
)

// goTestPass is a run of the binary with some of its flags.
type goTestPass struct {
	kinds []result.ProfileKind
	flags []string // before the files
	part  int64    // of the iterations
}

// goTestPasses are the runs that profile a launch: recording each allocation would show in
// the other profiles.
func (t *taking) goTestPasses() (passes []goTestPass) {
	if t.wants(result.ProfileCPU) {
		passes = append(passes, goTestPass{kinds: []result.ProfileKind{result.ProfileCPU}, part: 1})
	}
	if t.wants(result.ProfileAlloc) {
		passes = append(passes, goTestPass{[]result.ProfileKind{result.ProfileAlloc},
			[]string{"-test.memprofilerate=1"}, goTestAlloc})
	}
	waits := goTestPass{part: goTestWait}
	if t.wants(result.ProfileMutex) {
		waits.kinds = append(waits.kinds, result.ProfileMutex)
		waits.flags = append(waits.flags, "-test.mutexprofilefraction=1")
	}
	if t.wants(result.ProfileBlock) {
		waits.kinds = append(waits.kinds, result.ProfileBlock)
		waits.flags = append(waits.flags, "-test.blockprofilerate=1")
	}
	if len(waits.kinds) > 0 {
		passes = append(passes, waits)
	}
	return passes
}

// goTestFlags are the flags of package testing that name a profile's file.
var goTestFlags = map[result.ProfileKind]string{
	result.ProfileCPU: "-test.cpuprofile", result.ProfileAlloc: "-test.memprofile",
	result.ProfileMutex: "-test.mutexprofile", result.ProfileBlock: "-test.blockprofile",
}

// goTest profiles one launch of an existing benchmark.
func (t *taking) goTest(ctx context.Context, base bool) *result.Failure {
	side := t.again.Side(base)
	t.program[sideIndex(base)] = side.Program()
	host, failure := side.Launch(ctx, []string{t.padding(base)})
	if failure != nil {
		return failure
	}
	defer host.Quit()
	folder, err := os.MkdirTemp("", "suite-profile-*")
	if err != nil {
		return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedMissing,
			Message: err.Error(), Hint: scratch.Hint()}
	}
	defer os.RemoveAll(folder)
	n := t.goTestIterations()
	for _, pass := range t.goTestPasses() {
		if failure := t.goTestRun(ctx, base, host, pass, max(n/pass.part, 1), folder); failure != nil {
			return failure
		}
	}
	return nil
}

// goTestIterations fill the time of a pass, or less if there is little time, judged by the
// fastest sample: the others may contain time without a processor, in which no profile is
// read.
func (t *taking) goTestIterations() int64 {
	s := t.Result.Summary("time")
	if s == nil || s.Min <= 0 {
		return max(t.Result.Iterations, 1)
	}
	n := min(goTestTime, t.Limit/passesInLimit).Seconds() / (s.Min * t.Result.Work)
	return int64(min(max(n, 1), 1e9))
}

func (t *taking) goTestRun(
	ctx context.Context, base bool, host *client.Client, pass goTestPass, n int64, folder string,
) *result.Failure {
	timeout := time.Duration(t.Case.Settings.Timeout)
	request := t.again.Side(base).Request()
	flags := slices.Clone(pass.flags)
	for _, kind := range pass.kinds {
		flags = append(flags, fmt.Sprintf("%s=%s", goTestFlags[kind], filepath.Join(folder, string(kind))))
	}
	request.GoTest.Stays = false // each pass has flags of its own
	request.GoTest.Argv = slices.Concat(request.GoTest.Argv, flags)
	prepared, failure := host.Call(ctx, request, timeout)
	if failure != nil {
		return failure
	}
	id := prepared.Prepared.ID
	limit := min(t.left(), timeout)
	answer, failure := host.Call(ctx, &wire.Request{Op: "once", ID: id, N: int(n), Limit: int64(limit)},
		timeout+client.Grace)
	if failure != nil {
		return failure
	}
	_, _ = host.Call(ctx, &wire.Request{Op: "finish", ID: id}, client.Grace)
	if len(answer.Readings.ID) == 0 { // interrupted
		return nil
	}
	took, cpu := answer.Readings.Columns["time"][0], int64(0)
	if column := answer.Readings.Columns["cpu"]; len(column) > 0 {
		cpu = max(column[0], 0)
	}
	for _, kind := range pass.kinds {
		data, err := os.ReadFile(filepath.Join(folder, string(kind)))
		if err != nil {
			return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedMissing,
				Message: fmt.Sprintf("the test binary wrote no %s profile: %v", kind, err)}
		}
		parsed, err := profiles.Read(data, nil)
		if err != nil {
			return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedError, Message: err.Error()}
		}
		t.keep(base, kind, profiles.Launch{Profile: parsed, Iterations: n, Wall: float64(took) * 1e-9,
			CPU: float64(cpu) * 1e-9})
	}
	return nil
}
