package runner

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/target"
	"example.com/suite/timer"
)

// Instructions can be counted without a counter of the processor: callgrind simulates the
// program, about a hundred times as slowly. That is done once, after the samples and never
// between them.

// simulator is the program that simulates others.
const simulator = "valgrind"

// How long a simulation may take: to start a host, and for each second that the same work
// takes without it.
const (
	simulatedStart = time.Minute
	simulatedSlow  = 200
)

// simulatedBatch is how long a batch lasts without simulation, at most.
const simulatedBatch = 20 * time.Millisecond

// wantsCallgrind reports whether the instructions of a case are to be simulated.
func (p *passes) wantsCallgrind(ctx context.Context, t *track) bool {
	return t.target.Spec.Callgrind && !t.guard && !t.final && t.result.Status != result.Failed && t.result.Samples.Len() > 0 && ctx.Err() == nil && !p.run.killed()
}

// callgrind counts the instructions of a case in a simulated run, and of its base if that is in
// another tree: a base in this tree is a case and has its own. What goes wrong is a doubt and
// no failure, for the samples have been taken.
func (p *passes) callgrind(ctx context.Context, t *track) {
	if !p.wantsCallgrind(ctx, t) {
		return
	}
	defer p.rig.clock(t)()
	p.run.progress(t, "simulate")
	sides := []*side{t.own}
	if t.base != nil && t.base.target.Tree != "" {
		sides = t.sides()
	}
	for _, s := range sides {
		count, err := p.simulate(ctx, s)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			t.result.WarnLacking(result.WarnNoCounters, []string{target.Instructions}, s.target.OfBase()+"instructions: "+err.Error(), "")
			return
		}
		s.series.Passed = append(s.series.Passed, summary.Once(target.Instructions, count))
	}
	t.result.Warn(result.WarnCallgrind, "instructions are those of one run that callgrind simulated: they show what the code does, without caches, without branch prediction, and with threads one after the other", "")
}

// simulate returns the instructions of one unit of work.
func (p *passes) simulate(ctx context.Context, s *side) (float64, error) {
	valgrind, err := exec.LookPath(simulator)
	if err != nil {
		return 0, errors.New("valgrind is not installed")
	}
	folder, err := os.MkdirTemp("", "suite-callgrind-*")
	if err != nil {
		return 0, fmt.Errorf("%w (%s)", err, scratch.Hint())
	}
	defer os.RemoveAll(folder)
	argv := []string{valgrind, "--tool=callgrind", "-q", "--vgdb=no"}
	if s.target.IsCommand() {
		return p.simulateCommand(ctx, s, append(argv, "--trace-children=yes", "--callgrind-out-file="+filepath.Join(folder, "out.%p")), folder)
	}
	return p.simulateFunction(ctx, s, append(argv, "--callgrind-out-file="+filepath.Join(folder, "out")), folder)
}

// simulateCommand runs the command in its own host, and adds up the instructions of all of its
// processes.
func (p *passes) simulateCommand(ctx context.Context, s *side, argv []string, folder string) (float64, error) {
	if failure := p.rig.ready(ctx, s.of); failure != nil {
		return 0, errors.New(failure.Message)
	}
	limit := time.Duration(s.target.Spec.Settings.Timeout) + simulatedSlow*s.series.Batch
	request := &wire.Request{Op: "simulate", ID: s.series.ID, Wrap: argv, WrapEnv: []string{calm(append(os.Environ(), s.target.Spec.Env...))}, Limit: int64(limit)}
	s.remote.user = s
	if _, failure := s.remote.Call(ctx, request, limit+4*time.Duration(s.target.Spec.Settings.Timeout)+client.Grace); failure != nil {
		return 0, errors.New(failure.Message)
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, file := range files {
		count, err := callgrindTotal(filepath.Join(folder, file.Name()))
		if err != nil {
			return 0, err
		}
		sum += count
	}
	if sum == 0 {
		return 0, errors.New("callgrind has counted nothing: is the program one that changes its user, or written for another processor?")
	}
	return sum / s.series.Units(1), nil
}

// simulateFunction starts a host of its own in callgrind, and runs two batches there of which
// one has twice the iterations. See host.function.simulate.
func (p *passes) simulateFunction(ctx context.Context, s *side, argv []string, folder string) (float64, error) {
	if !timer.CanDump {
		return 0, errors.New("functions can be simulated on linux/amd64 alone")
	}
	kind := s.kind()
	host, err := client.Launch(append(argv, p.run.program(kind)...), kind.folder(), []string{calm(os.Environ())}, p.run.options.Debug, nil)
	if err != nil {
		return 0, err
	}
	defer host.Kill()
	host.Enter(p.run.options.Processes)
	n := max(1, int(float64(s.series.N)*min(1, float64(simulatedBatch)/float64(max(s.series.Sized, 1)))))
	limit := simulatedStart + simulatedSlow*simulatedBatch + simulatedSlow*s.series.Sized/time.Duration(max(s.series.N, 1))
	ask := func(request *wire.Request) (*wire.Response, error) {
		response, failure := host.Call(ctx, request, limit)
		if failure != nil {
			return nil, errors.New(failure.Message)
		}
		return response, nil
	}
	if _, err := ask(&wire.Request{Op: "hello", Clock: []string{"wall"}, Kind: wire.KindGo}); err != nil {
		return 0, err
	}
	prepare := s.request()
	prepare.Function.Counters, prepare.Function.Witness = nil, false
	prepared, err := ask(prepare)
	if err != nil {
		return 0, err
	}
	simulated, err := ask(&wire.Request{Op: "simulate", ID: prepared.Prepared.ID, N: n})
	if err != nil {
		return 0, err
	}
	once, err := callgrindTotal(filepath.Join(folder, "out.2"))
	if err != nil {
		return 0, err
	}
	twice, err := callgrindTotal(filepath.Join(folder, "out.4"))
	if err != nil {
		return 0, err
	}
	return max(twice-once, 0) / s.series.Units(simulated.Sized.N), nil
}

// calm is the variable of the environment without which callgrind ends at the first signal by
// which a Go program preempts its goroutines, as versions to 3.19 at least do.
func calm(environ []string) string {
	const name, off = "GODEBUG=", "asyncpreemptoff=1"
	for _, entry := range slices.Backward(environ) { // of several the last counts
		if value, ok := strings.CutPrefix(entry, name); ok && value != "" {
			return entry + "," + off
		}
	}
	return name + off
}

// callgrindTotal reads the total of an output of callgrind: its line "totals: 1234".
func callgrindTotal(path string) (float64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, fmt.Errorf("callgrind has not written what it counted: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	total := ""
	for lines.Scan() {
		for _, key := range []string{"summary:", "totals:"} {
			if text, ok := strings.CutPrefix(lines.Text(), key); ok {
				total = cmp.Or(strings.TrimSpace(text), total)
			}
		}
	}
	first, _, _ := strings.Cut(total, " ") // of several events, Ir comes first
	count, err := strconv.ParseFloat(first, 64)
	if err != nil || lines.Err() != nil {
		return 0, errors.New("callgrind has written no total")
	}
	return count, nil
}
