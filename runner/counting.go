package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/callgrind"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/stats"
	"example.com/suite/timer"
)

// Instructions can be counted without a counter of the processor: valgrind executes the program, about fifty times as
// slowly, and counts exactly. Each run is a new process, because a process draws by chance what its hash tables and its
// addresses are. Runs are not timed, so several of them run at the same time.

const (
	// wantedInstructions of a run are the fewest: fewer, and what happens once in a run shows.
	wantedInstructions = 1e6
	// longIteration is the number of instructions from which on an iteration is counted when it is called for the first
	// time in a process: what a program does once is less than a hundredth of that.
	longIteration = 2e7
	// mostParts is how often a run may stop its clock: callgrind writes a file each time, which takes some 3 ms.
	mostParts = 64
	// mostCountedIterations of a run keep the search for its length short.
	mostCountedIterations = 1 << 20
	// countingShare is the part of max_time that the runs of a case may take if max_time is over.
	countingShare = 4
	// leastRunTime is what a single run may take.
	leastRunTime = 2 * time.Second
)

// counting counts the instructions of some cases of a window.
type counting struct {
	run *run
	rig *rig
	all []*countedCase
}

// countedCase is a case while its instructions are counted.
type countedCase struct {
	track      *track
	sides      []*countedSide
	iterations int           // of a run
	warms      bool          // each process runs one iteration before the run that counts
	until      time.Duration // what both sides may have spent
	decided    bool
	failed     *result.Failure // why it is not counted further
}

// countedSide is one side of a case, with the runs of it.
type countedSide struct {
	*side
	of    *countedCase
	limit time.Duration // of its next run
	known bool          // what its host knows of it is in the result
	runs  []float64     // instructions of one unit of work
}

// count counts the instructions of the cases of a window that ask for it, until more runs cannot decide their gates or
// their time is over. If samples have been taken, what goes wrong is a doubt and no failure of the case.
func (w *window) count(ctx context.Context) {
	c := &counting{run: w.run, rig: w.rig}
	for _, t := range w.rig.tracks {
		if !w.isCounted(t) {
			continue
		}
		one := &countedCase{track: t, iterations: 1, until: max(t.timeOfSides(w.rig.allowance), t.spent()+t.timeOfSides(0)/countingShare)}
		for _, s := range t.sides() {
			one.sides = append(one.sides, &countedSide{side: s, of: one})
		}
		c.all = append(c.all, one)
	}
	c.share()
	if len(c.all) == 0 || ctx.Err() != nil {
		return
	}
	c.run.progress(c.all[0].track, "count")
	c.size(ctx)
	for look := c.firstLook(); look > 0 && ctx.Err() == nil && !w.run.killed(); look = c.nextLook() {
		c.runUntil(ctx, look)
	}
	for _, one := range c.all {
		one.finish(ctx)
	}
}

// share lets a command that is the base of others be counted once for all of them. Functions and existing benchmarks
// have iterations, and the same number on both sides.
func (c *counting) share() {
	for _, one := range c.all {
		base := c.rig.ownTrack(one.track)
		if base == nil || !base.target.IsCommand() || base.target.IsGoTest() {
			continue
		}
		if at := slices.IndexFunc(c.all, func(o *countedCase) bool { return o.track == base }); at >= 0 {
			one.sides[1] = c.all[at].sides[0]
		}
	}
}

func (w *window) isCounted(t *track) bool {
	if t.guard || t.final || t.broken != nil || t.result.Status == result.Failed || w.run.killed() {
		return false
	}
	switch {
	case t.result.JudgedByInstructions():
		return !t.done
	case t.result.Samples.Len() == 0:
		return false
	}
	return t.target.Spec.Callgrind || w.wantsSecondOpinion(t)
}

// wantsSecondOpinion reports whether the instructions of a case are counted unasked: its gates on a comparison are
// undecided or fail, and the pairs do not have instructions. If there is no valgrind, that is the reason.
func (w *window) wantsSecondOpinion(t *track) bool {
	unsettled := w.run.options.Unsettled
	if unsettled == nil || t.base == nil || t.target.Spec.NoWitness || t.target.HasArrivals() || t.result.Clock == simulatedClock ||
		t.result.Samples.Column(result.Instructions) != nil || !unsettled(t.result) {
		return false
	}
	if _, err := callgrind.Argv("", callgrind.Processes); err != nil {
		t.lacksSecondOpinion(err.Error())
		return false
	}
	return true
}

// lacksSecondOpinion records why valgrind has not counted the instructions of both sides, after the reason why the pairs do not
// have them.
func (t *track) lacksSecondOpinion(why string) {
	p := t.result.Pairs
	if p.NoInstructions != "" {
		why = p.NoInstructions + "; " + why
	}
	p.NoInstructions = why
}

// simulatedClock is the clock of tests. Programs take no time by it.
const simulatedClock = "fake"

// firstLook is the number of runs of each side after which the gates are asked first.
func (c *counting) firstLook() int { return stats.NextLevelLook(0, result.RunsAlpha) }

// nextLook asks the gates, and returns the number of runs of each side after which they are asked again, 0 if none is
// open. Cases that are decided, or whose time is over, leave.
func (c *counting) nextLook() (next int) {
	for _, one := range c.all {
		if !one.goesOn() {
			continue
		}
		one.tell()
		taken := len(one.sides[0].runs)
		if taken == 0 || !c.isOpen(one, taken) {
			one.decided = true
			continue
		}
		look := min(stats.NextLevelLook(taken, result.RunsAlpha), stats.NextLevelLook(taken, one.track.alpha()))
		if next == 0 || look < next {
			next = look
		}
	}
	return next
}

// isOpen reports whether more runs than those that were taken could decide something. A second opinion has as many as an
// alarm needs at least.
func (c *counting) isOpen(one *countedCase, taken int) bool {
	t, steer := one.track, c.run.options.Steer
	if steer == nil || t.base == nil {
		return false
	}
	if t.result.JudgedByInstructions() || t.target.Spec.Callgrind {
		open, _ := steer.Open(t.result)
		return open > 0
	}
	return t.target.Spec.Settings.WhenUndecided == result.JudgeInstructions && taken < stats.NextLevelLook(0, t.alpha())
}

// goesOn reports whether a case has further runs.
func (one *countedCase) goesOn() bool { return one.failed == nil && !one.decided && one.left() > 0 }

// left is the time that the runs of a case may still take.
func (one *countedCase) left() time.Duration { return one.until - one.track.spent() }

// tell writes the runs so far into the result.
func (one *countedCase) tell() {
	for i, s := range one.sides {
		if len(s.runs) == 0 {
			continue
		}
		counted := &result.Counted{Runs: s.runs, Iterations: int64(one.iterations)}
		if i == 0 {
			one.track.result.Counted = counted
		} else {
			one.track.result.Pairs.Counted = counted
		}
	}
}

// finish ends the counting of a case.
func (one *countedCase) finish(ctx context.Context) {
	n := len(one.sides[0].runs)
	for _, s := range one.sides {
		n = min(n, len(s.runs))
	}
	t := one.track
	if t.result.JudgedByInstructions() {
		t.stop(stopOf(ctx))
	}
	if one.failed == nil && n == 0 && ctx.Err() == nil {
		one.failed = uncounted(errors.New("there was no time to count them"), "raise max_time")
	}
	switch {
	case one.failed == nil:
	case n == 0 && t.result.JudgedByInstructions():
		t.fail(one.failed)
	case !t.result.JudgedByInstructions() && !t.target.Spec.Callgrind: // nobody has asked for it
		t.lacksSecondOpinion(one.failed.Message)
	default:
		t.result.WarnLacking(result.WarnNoCounters, []string{result.Instructions}, one.failed.Message, one.failed.Hint)
	}
	if n == 0 {
		t.result.Counted = nil
		return
	}
	one.tell()
	for _, s := range one.sides {
		if s.of == one {
			s.series.Passed = append(s.series.Passed, summary.Counted(t.result, s.runs))
		}
	}
	if !t.result.JudgedByInstructions() && !t.target.Spec.Callgrind {
		return
	}
	t.result.Warn(result.WarnCallgrind, "instructions were counted by valgrind: they show what the code does, and nothing of caches, "+
		"branch prediction, the kernel and waiting", "")
}

func stopOf(ctx context.Context) result.Stop {
	if ctx.Err() != nil {
		return result.StopInterrupted
	}
	return result.StopCounted
}

// uncounted is the failure of a case that valgrind cannot count.
func uncounted(err error, hint string) *result.Failure {
	if errors.Is(err, callgrind.ErrMissing) {
		hint = "install the package valgrind, which Linux distributions have"
	}
	return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedUncounted, Message: "instructions: " + err.Error(), Hint: hint}
}

// size finds the iterations of a run of each case that has iterations, in one process for each program. One number of
// iterations for both sides: what a run does once is spread over all of them.
func (c *counting) size(ctx context.Context) {
	var jobs []*countingJob
	for _, one := range c.all {
		if own := one.sides[0]; !own.target.IsCommand() || own.target.IsGoTest() {
			jobs = addTo(jobs, own, 0)
		}
	}
	for _, j := range jobs {
		j.sizes = true
	}
	c.work(ctx, jobs)
}

// runUntil runs each side of all open cases until it has so many runs, in random order.
func (c *counting) runUntil(ctx context.Context, runs int) {
	var jobs []*countingJob
	for _, one := range c.all {
		if !one.goesOn() {
			continue
		}
		for _, s := range one.sides {
			for round := range runs - len(s.runs) {
				jobs = addTo(jobs, s, round)
			}
		}
	}
	draw := c.run.options.Seed.Draw("count", fmt.Sprint(len(jobs)), runs, 0)
	order := make([]*countingJob, len(jobs))
	for i, at := range draw.Perm(len(jobs)) {
		order[i] = jobs[at]
	}
	c.work(ctx, order)
}

// countingJob is one process, or of commands one run, in which sides are counted one after the other.
type countingJob struct {
	key   countingKey
	kind  hostKind
	sides []*countedSide
	sizes bool // the iterations of a run are searched for

	outcomes []countingOutcome // of the sides, in order
}

// countingKey is what sides that are counted in one process have in common.
type countingKey struct {
	round   int
	kind    hostKind
	base    bool
	program string // of existing benchmarks
	alone   *countedSide
}

// countingOutcome is what a job has found out about a side.
type countingOutcome struct {
	counted    bool
	count      float64 // of one iteration, if counted
	iterations int     // of a run, if the job has searched for them
	took       time.Duration
	prepared   *wire.Prepared // what the host knows of the side
	failed     *result.Failure
}

// addTo adds a side to the job that runs it in a round. A command has a job for each run.
func addTo(jobs []*countingJob, s *countedSide, round int) []*countingJob {
	key := countingKey{round: round, kind: s.kind(), base: s.target.IsBase()}
	switch {
	case s.target.IsGoTest():
		g := s.target.GoTest("")
		key.program = fmt.Sprintf("%q %q %q", g.Command.Argv, g.Command.Env, g.Command.Dir)
	case s.target.IsCommand():
		key.alone = s
	}
	at := slices.IndexFunc(jobs, func(j *countingJob) bool { return j.key == key })
	if at >= 0 && slices.Contains(jobs[at].sides, s) { // the base of several cases
		return jobs
	}
	if at < 0 {
		at = len(jobs)
		jobs = append(jobs, &countingJob{key: key, kind: key.kind})
	}
	jobs[at].sides = append(jobs[at].sides, s)
	return jobs
}

// work does jobs, as many at a time as there are CPUs, and takes over what they find out.
func (c *counting) work(ctx context.Context, jobs []*countingJob) {
	queue, finished := make(chan *countingJob, len(jobs)), make(chan *countingJob)
	for _, j := range jobs {
		for _, s := range j.sides {
			s.limit = max(s.of.left(), leastRunTime)
		}
		queue <- j
	}
	close(queue)
	workers := min(runtime.GOMAXPROCS(0), len(jobs))
	for range workers {
		go func() {
			for j := range queue {
				j.do(ctx, c.run, workers)
				finished <- j
			}
		}()
	}
	for range jobs {
		j := <-finished
		c.takeOver(ctx, j)
		c.run.progress(j.sides[0].of.track, "count")
	}
}

// takeOver writes what a job has found out where it belongs.
func (c *counting) takeOver(ctx context.Context, j *countingJob) {
	for i, o := range j.outcomes {
		s := j.sides[i]
		s.series.Used += o.took
		c.run.spent += o.took
		s.of.track.result.Seconds += o.took.Seconds()
		if o.prepared != nil && !s.known && s.remote == nil {
			s.known = true
			c.rig.adopt(s.side, o.prepared)
		}
		switch {
		case ctx.Err() != nil:
			return
		case o.failed != nil:
			if s.of.failed == nil {
				s.of.failed = s.target.AsBase(o.failed)
			}
			continue
		case j.sizes:
			s.of.iterations, s.of.warms = o.iterations, !o.counted
		}
		if o.counted {
			s.runs = append(s.runs, o.count/s.series.Units(1))
		}
	}
}

// do counts the sides of a job, beside so many others. A side that fails costs the others their process, and no more.
func (j *countingJob) do(ctx context.Context, r *run, workers int) {
	for len(j.outcomes) < len(j.sides) && ctx.Err() == nil && !r.killed() {
		p, err := j.start(ctx, r)
		if err != nil {
			for len(j.outcomes) < len(j.sides) {
				j.outcomes = append(j.outcomes, countingOutcome{failed: uncounted(err, "")})
			}
			return
		}
		for len(j.outcomes) < len(j.sides) && !p.host.Lost && ctx.Err() == nil {
			began := time.Now()
			o := p.side(ctx, j.sides[len(j.outcomes)], j.sizes)
			o.took = time.Since(began) / time.Duration(workers)
			j.outcomes = append(j.outcomes, o)
		}
		p.end()
	}
}

// countingProcess is a host that counts.
type countingProcess struct {
	host   *client.Client
	scope  callgrind.Scope
	folder string
	argv   []string // that counts
}

// start starts the host of a job: of functions the process that is counted, of all others one that starts such
// processes.
func (j *countingJob) start(ctx context.Context, r *run) (p *countingProcess, err error) {
	first := j.sides[0]
	p = &countingProcess{scope: callgrind.Marked}
	if first.target.IsCommand() && !first.target.IsGoTest() {
		p.scope = callgrind.Processes
	}
	if p.folder, err = os.MkdirTemp("", "suite-count-*"); err != nil {
		return nil, fmt.Errorf("%w (%s)", err, scratch.Hint())
	}
	if p.argv, err = callgrind.Argv(p.folder, p.scope); err != nil {
		p.end()
		return nil, err
	}
	argv, env := r.program(j.kind), []string(nil)
	if !first.target.IsCommand() {
		if !timer.CanDump {
			p.end()
			return nil, errors.New("functions can be counted on linux/amd64 alone")
		}
		argv, env = slices.Concat(p.argv, argv), callgrind.Environ(os.Environ())
	}
	if p.host, err = client.Launch(argv, j.kind.folder(), env, r.options.Debug, nil); err != nil {
		p.end()
		return nil, err
	}
	p.host.Enter(r.options.Processes)
	_, failure := p.host.Call(ctx, &wire.Request{Op: "hello", Clock: []string{"wall"}, Kind: j.kind.kind}, time.Minute)
	if failure != nil {
		p.end()
		return nil, errors.New(failure.Message)
	}
	return p, nil
}

func (p *countingProcess) end() {
	if p.host != nil {
		p.host.Quit()
	}
	os.RemoveAll(p.folder)
}

// side counts a side once, or searches for its iterations.
func (p *countingProcess) side(ctx context.Context, s *countedSide, sizes bool) (o countingOutcome) {
	limit := s.limit
	response, failure := p.host.Call(ctx, s.countingRequest(), limit+client.Grace)
	if failure != nil {
		return countingOutcome{failed: failure}
	}
	o.prepared = response.Prepared
	ask := func(n int) (count callgrind.Count, did int, failure *result.Failure) {
		request := &wire.Request{Op: "count", ID: o.prepared.ID, N: n, Limit: int64(limit)}
		if s.target.IsCommand() {
			request.Wrap, request.WrapEnv = p.argv, callgrind.Environ(append(os.Environ(), s.target.Spec.Env...))
		}
		response, failure := p.host.Call(ctx, request, limit+4*client.Grace)
		if failure != nil {
			s.target.Explain(failure, n)
			return count, 0, failure
		}
		count, err := callgrind.Take(p.folder, p.scope)
		if err != nil {
			return count, 0, uncounted(err, "")
		}
		return count, response.Sized.N, nil
	}
	if sizes {
		o.iterations, o.failed = searchIterations(func(n int) (callgrind.Count, int, *result.Failure) {
			count, did, failure := ask(n)
			o.count = count.Instructions / float64(max(did, 1))
			return count, did, failure
		})
		// The only iteration of a search is a run like others.
		o.counted = o.failed == nil && o.iterations == 1 && o.count >= longIteration
		return o
	}
	if s.target.IsGoTest() && s.of.warms { // functions have a batch before
		if _, _, o.failed = ask(1); o.failed != nil {
			return o
		}
	}
	count, n, failure := ask(s.of.iterations)
	o.count, o.counted, o.failed = count.Instructions/float64(max(n, 1)), failure == nil, failure
	return o
}

// searchIterations finds how many iterations have the wanted instructions.
func searchIterations(ask func(n int) (callgrind.Count, int, *result.Failure)) (int, *result.Failure) {
	n := 1
	for range 4 {
		count, did, failure := ask(n)
		if failure != nil {
			return 0, failure
		}
		if did < n { // it has no more inputs
			return did, nil
		}
		each, parts := count.Instructions/float64(n), float64(count.Parts)/float64(n)
		if count.Instructions >= wantedInstructions/2 || n >= mostCountedIterations {
			return n, nil
		}
		next := int(min(wantedInstructions/max(each, 1), mostCountedIterations, 100*float64(n)))
		if count.Parts > mostParts/4 {
			next = min(next, int(mostParts/parts))
		}
		if next <= n {
			return n, nil
		}
		n = next
	}
	return n, nil
}

// countingRequest prepares a side for being counted.
func (s *countedSide) countingRequest() *wire.Request {
	r := s.request()
	switch {
	case r.Function != nil:
		r.Function.Counters, r.Function.Witness, r.Function.Latency = nil, false, false
	case r.Command != nil:
		r.Command.Counters, r.Command.Witness = nil, false
	case r.GoTest != nil:
		r.GoTest = s.target.CountedGoTest()
	}
	return r
}
