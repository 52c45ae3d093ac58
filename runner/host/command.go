package host

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// command is a prepared program: every path is resolved before anything is
// timed.
type command struct {
	spec   wire.Command
	kit    *kit
	path   string // of argv[0]
	env    []string
	stderr *os.File     // a file without a name; failures quote its tail
	input  *os.File     // contains Input, nil for none
	round  int          // number of the run, from 1
	events timer.Events // open during a run, nil if none were asked for

	counts, ended []timer.Count

	finds     []func([]byte) (float64, error) // extract the numbers, in the order of Metrics
	texts     texts                           // that the last run wrote
	reference reference
	said      string // last words of the last run that the timeout ended
}

// run is everything that is kept of one run.
type run struct {
	spawn.Run
	void    int // runs before it that were declared void
	metrics []string
	events  []int64   // in the order of metrics
	share   float64   // of their time that they were on the hardware
	values  []float64 // of the metrics that it printed
	shared  bool      // goroutines of a benchmark share its iterations
}

func prepareCommand(spec wire.Command, k *kit) (c *command, p *wire.Prepared, failure *wire.Failure) {
	c = &command{spec: spec, kit: k, env: environment(spec.Env, spec.Dir), round: spec.Runs}
	c.path, failure = c.resolve()
	if failure != nil {
		return nil, nil, failure
	}
	c.finds, failure = finders(k.machine.Extract, c.spec.Metrics)
	if failure != nil {
		return nil, nil, failure
	}
	var err error
	if len(c.spec.Prepare) == 0 { // else Prepare may be what makes its files
		err = c.check()
	}
	if err == nil {
		c.stderr, err = scratchFile()
	}
	if err == nil {
		err = c.keepInput()
		if err != nil {
			scratch.Discard(c.stderr)
		}
	}
	if err != nil {
		return nil, nil, &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedMissing, Message: err.Error()}
	}
	if failure := c.expect(c.spec.Expect); failure != nil {
		c.close()
		return nil, nil, failure
	}
	p = &wire.Prepared{Program: c.path}
	if c.spec.Pin == spawn.Pinned {
		p.Unpinned = k.starter.Unpinned()
	}
	p.Skipped, p.UserOnly = k.missing(spec.Counters, timer.Children)
	if spec.Witness {
		c.spec.Counters, p.NoWitness = k.witnessed(spec.Counters, timer.Children)
	}
	return c, p, nil
}

// environment adds more to this process's environment. Of two values with one name the
// last counts, as with os/exec: C programs would take the first.
func environment(more []string, dir string) []string {
	hook := exec.Cmd{Env: append(append(os.Environ(), "PWD="+dir), more...)}
	return wire.WithoutPegs(hook.Environ())
}

// resolve finds the program once, because a search of PATH inside the timed
// region costs up to ten failing execve calls.
func (c *command) resolve() (string, *wire.Failure) {
	if info, err := os.Stat(c.spec.Dir); err != nil || !info.IsDir() {
		return "", &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedMissing,
			Message: fmt.Sprintf("working folder %q does not exist", c.spec.Dir)}
	}
	name := c.spec.Argv[0]
	if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
		name = filepath.Join(c.spec.Dir, name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedMissing,
			Message: missing(c.spec.Argv[0], err)}
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return "", &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedMissing, Message: err.Error()}
	}
	return path, nil
}

func missing(name string, err error) string {
	switch {
	case errors.Is(err, syscall.EISDIR):
		return fmt.Sprintf("program %q is a folder", name)
	case errors.Is(err, os.ErrPermission):
		return fmt.Sprintf("program %q is not executable", name)
	case strings.ContainsRune(name, filepath.Separator):
		return fmt.Sprintf("program %q does not exist", name)
	}
	return fmt.Sprintf("program %q is not found in PATH", name)
}

func (c *command) close() *wire.Failure {
	scratch.Discard(c.stderr)
	c.dropInput()
	c.reference.close()
	return nil
}

// isWarm reports whether a warm-up of so many runs is over. It has at least one run, but
// none if no warm-up is wanted.
func (c *command) isWarm(runs int, elapsed, limit int64) bool {
	switch {
	case c.spec.WarmupBatches > 0:
		return runs >= c.spec.WarmupBatches || runs > 0 && elapsed >= limit
	case c.spec.Warmup > 0:
		return runs > 0 && elapsed >= min(c.spec.Warmup, limit)
	}
	return true
}

// isSuccess reports whether an exit status means success.
func (c *command) isSuccess(status int) bool {
	return !slices.Contains(c.spec.Reject, status) && (c.spec.AnyExit || slices.Contains(c.spec.ExitCodes, status))
}

// size warms up. A sample is always one run.
func (c *command) size(k *kit, limit int64) (*wire.Sized, *wire.Failure) {
	start := k.now()
	sized := &wire.Sized{N: 1, Thread: "free"}
	for !c.isWarm(sized.Batches, k.now()-start, limit) && !k.stop.Load() {
		r, failure := c.counting(wire.PhaseWarmup)
		if failure != nil {
			failure.Batch = sized.Batches + 1
			return nil, failure
		}
		sized.Time = r.Wall
		sized.Batches++
		sized.Leaked, sized.Left = sized.Leaked+r.Leaked, named(sized.Left, r.Left)
		if r.TimedOut {
			sized.Killed, sized.Said = sized.Killed+1, c.said
		}
	}
	sized.Elapsed = k.now() - start
	return sized, nil
}

// count opens the events that are asked for, of the program that is started next,
// and returns what closes them again. They serve one run: exec enables them, and
// if the child gets the CPU before exec, the kernel lends it the events of its
// parent, which cannot be used again. Three of six runs counted nothing.
func (c *command) count(k *kit) (end func()) {
	if len(c.spec.Counters) == 0 {
		return func() {}
	}
	c.events, _ = k.machine.Events(c.spec.Counters, k.starter.Scope())
	if c.events == nil {
		return func() {}
	}
	c.counts, c.ended = make([]timer.Count, len(c.events.Metrics())), make([]timer.Count, len(c.events.Metrics()))
	return func() { c.events.Close(); c.events = nil }
}

// counting makes runs until one counts: a run whose exit status declares it void
// is left out, and the result has the number of those.
func (c *command) counting(phase wire.Phase) (r run, failure *wire.Failure) {
	for void := 0; ; void++ {
		r, failure = c.attempt(phase)
		if failure != nil || !slices.Contains(c.spec.Reject, r.Exit) || r.Signal != "" || r.TimedOut {
			r.void = void
			return r, failure
		}
		if void >= most(1, c.spec.Quorum) || c.kit.stop.Load() {
			rejected := overruled{"runs", 0, void + 1}
			return r, newFailure(phase, wire.FailedRejected, rejected.String(), scratch.Tail(c.stderr))
		}
	}
}

// addRun appends one run to the columns. If the suite chose a clock of CPU time,
// `time` of a command is its user and system time.
func (c *command) addRun(out *wire.Readings, id int, r run, ofCPU bool) {
	out.ID, out.N = append(out.ID, id), append(out.N, 1)
	if r.TimedOut {
		addKilled(out, &r, c.spec.Timeout)
	}
	time := r.Wall
	if ofCPU {
		time = r.CPU()
	}
	out.Put("time", time)
	out.Put("cpu", r.CPU())
	out.Put("exit_code", int64(r.Exit))
	for _, m := range spawn.Metrics {
		out.Put(m.Name, *m.Field(&r.Run))
	}
	if len(c.spec.Reject) > 0 {
		out.Put("void", int64(r.void))
	}
	for i, x := range r.values {
		out.PutValue(c.spec.Metrics[i].Name, x)
	}
	out.PutStop(r.Stopped)
	for i, metric := range r.metrics {
		out.Put(metric, r.events[i])
	}
	out.KeepShare(r.share)
	out.Leaked, out.Left = out.Leaked+r.Leaked, named(out.Left, r.Left)
}

// addKilled records that the timeout has ended the run of the last row. Its time is known
// to be at least the timeout, whenever its end was noticed, and so is everything else that
// it had used by then. It has no exit status.
func addKilled(out *wire.Readings, r *run, timeout int64) {
	out.Killed = append(out.Killed, len(out.ID)-1)
	r.Wall, r.Exit = timeout, -1
}

// attempt makes one run with its hooks.
func (c *command) attempt(phase wire.Phase) (r run, failure *wire.Failure) {
	c.round++
	before, failure := c.hook(wire.PhasePrepare, c.spec.Prepare)
	if failure != nil {
		return r, failure
	}
	r, failure = c.run(phase)
	behind, late := c.hook(wire.PhaseConclude, c.spec.Conclude)
	if failure == nil {
		failure = late
	}
	r.Leaked, r.Left = r.Leaked+before.Leaked+behind.Leaked, named(named(before.Left, r.Left), behind.Left)
	return r, failure
}

// run makes one run. Only spawn is timed.
func (c *command) run(phase wire.Phase) (r run, failure *wire.Failure) {
	stdin, stdout, err := c.open()
	if err != nil {
		return r, &wire.Failure{Phase: phase, Cause: wire.FailedMissing, Message: err.Error()}
	}
	defer c.release(stdin)
	defer c.shut(stdout)
	if err := truncate(c.stderr); err != nil {
		return r, &wire.Failure{Phase: phase, Cause: wire.FailedError, Message: err.Error()}
	}
	defer c.count(c.kit)()
	files := filesBefore(c.spec.Metrics)
	known := c.events != nil && c.events.Read(c.counts)
	r, err = c.spawn(c.path, c.spec.Argv, stdin, stdout)
	if err != nil {
		return r, notStarted(wire.PhaseStart, c.spec.Argv[0], err)
	}
	c.counted(&r, known)
	if r.TimedOut {
		c.said = scratch.Tail(c.stderr) // conclude writes there too
		r.Leaked, r.Left = 0, nil       // it had no time to end them
		return r, nil
	}
	allowed := append(c.spec.Reject, c.spec.ExitCodes...)
	if c.spec.AnyExit {
		allowed = []int{r.Exit}
	}
	failure = c.judge(phase, r, allowed)
	if failure == nil && c.isSuccess(r.Exit) {
		failure = c.look(&r, stdout, files)
	}
	return r, failure
}

// counted stores how far the events counted during a run. The counts of a process
// are complete once it has ended.
func (c *command) counted(r *run, known bool) {
	r.share = 1
	if c.events == nil {
		return
	}
	r.metrics, r.events = c.events.Metrics(), make([]int64, len(c.counts))
	ok := c.events.Read(c.ended) && known
	for i := range r.events {
		r.events[i] = timer.Absent
		if ok {
			r.events[i], _ = c.ended[i].Since(c.counts[i])
			r.share = min(r.share, c.ended[i].Share(c.counts[i]))
		}
	}
}

// spawn starts a program with the command's folder, environment and settings, and waits
// until it ends.
func (c *command) spawn(path string, argv []string, stdin, stdout *os.File) (r run, err error) {
	job := &spawn.Job{Path: path, Argv: argv, Env: c.env, Dir: c.spec.Dir,
		Stdin: stdin, Stdout: stdout, Stderr: c.stderr, Timeout: time.Duration(c.spec.Timeout), Pin: c.spec.Pin}
	known := false
	if c.kit.machine.Known != nil {
		r.Run, known = c.kit.machine.Known(job)
	}
	if !known {
		r.Run, err = c.kit.starter.Run(job)
	}
	if c.kit.machine.Ran != nil {
		c.kit.machine.Ran(job, &r.Run)
	}
	r.Left = plain(r.Left, c.env)
	return r, err
}

func notStarted(phase wire.Phase, name string, err error) *wire.Failure {
	if err == spawn.ErrLost {
		return &wire.Failure{Phase: phase, Cause: wire.FailedError, Message: fmt.Sprintf("run of %q: %v", name, err)}
	}
	f := &wire.Failure{Phase: phase, Cause: wire.FailedMissing,
		Message: fmt.Sprintf("%q could not be started: %v", name, err)}
	if errors.Is(err, syscall.ENOEXEC) {
		f.Message += ": a script has to begin with #! and its interpreter"
	}
	return f
}

// judge turns a run that ended in a way it should not into a failure.
func (c *command) judge(phase wire.Phase, r run, allowed []int) *wire.Failure {
	f := &wire.Failure{Phase: phase}
	switch {
	case r.TimedOut:
		f.Cause, f.Message = wire.FailedTimeout, fmt.Sprintf("killed after the timeout of %v",
			time.Duration(c.spec.Timeout))
	case r.Signal != "":
		f.Cause = wire.FailedSignal
		f.Signal = r.Signal
		f.Message = "ended by signal " + r.Signal
	case !slices.Contains(allowed, r.Exit):
		exit := r.Exit
		f.Cause = wire.FailedExit
		f.Exit = &exit
		f.Message = fmt.Sprintf("exit status %d", r.Exit)
	default:
		return nil
	}
	f.Detail = scratch.Tail(c.stderr)
	f.Message += scratch.Lost(c.stderr)
	return f
}

// hook runs a command before or after the measured one, on any CPU. Of its run
// only the processes that outlived it are reported. It is not timed, has no input,
// and what it writes is kept for a failure only.
func (c *command) hook(phase wire.Phase, argv []string) (r run, failure *wire.Failure) {
	if len(argv) == 0 {
		return r, nil
	}
	hook := *c
	hook.spec.Argv = argv
	hook.spec.Pin = ""
	hook.env = c.hookEnv()
	path, failure := hook.resolve()
	if failure != nil {
		failure.Phase = phase
		return r, failure
	}
	null, err := os.Open(os.DevNull)
	if err == nil {
		defer null.Close()
		err = truncate(c.stderr)
	}
	if err != nil {
		return r, &wire.Failure{Phase: phase, Cause: wire.FailedError, Message: err.Error()}
	}
	r, err = hook.spawn(path, argv, null, c.stderr)
	if err != nil {
		return r, notStarted(phase, argv[0], err)
	}
	return r, hook.judge(phase, r, []int{0})
}

func (c *command) startBlock(int, bool) ([]folder, *wire.Failure) { return c.watched(), nil }

func (c *command) single(k *kit, b wire.Batch, pad int, out *wire.Readings) *wire.Failure {
	defer c.padded(pad)()
	r, failure := c.counting(wire.PhaseRun)
	if failure != nil {
		return failure
	}
	c.addRun(out, b.ID, r, k.wall != nil) // every clock but the wall clock reads CPU time
	if r.TimedOut {
		out.Said = c.said
	}
	return nil
}

// with sets variables, NAME=value, for the next run of a command, and returns what restores its environment. One that
// is there already is replaced: C programs would take the first of two.
func (c *command) with(variables ...string) (end func()) {
	env := c.env
	for _, v := range variables {
		name, _, _ := strings.Cut(v, "=")
		c.env = slices.DeleteFunc(slices.Clone(c.env), func(old string) bool {
			return strings.HasPrefix(old, name+"=")
		})
		c.env = append(c.env, v)
	}
	return func() { c.env = env }
}

// padded sets the variable for the next run of a command, and returns what removes it
// again.
func (c *command) padded(n int) (end func()) {
	if n <= 0 {
		return func() {}
	}
	env := c.env
	c.env = append(env[:len(env):len(env)], wire.Padding(n))
	return func() { c.env = env }
}
