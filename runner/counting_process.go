package runner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/result"
	"example.com/suite/runner/callgrind"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// What a run in which valgrind counts is made of.
const (
	// wantedInstructions of a run are the fewest: fewer, and what happens once in a run shows.
	wantedInstructions = 2e6
	// wantedOfHarness is the same of benchmarks of other harnesses. What is counted of them is the difference of two
	// processes, whose starts differ, or what an interpreter executes, of which some 100,000 are for the end of a run.
	wantedOfHarness = 1e7
	// mostInstructions of a run are the most for which its iterations become more, because two runs of one process
	// differ by more than agreeing.
	mostInstructions = 4e7
	agreeing         = 0.002
	// longIteration is the number of instructions from which on an iteration is counted when it is called for the first
	// time in a process: what a program does once is less than a hundredth of that.
	longIteration = 2e7
	// mostParts is how often a run may stop its clock: callgrind writes a file each time, which takes some 3 ms.
	mostParts = 64
	// mostCountedIterations of a run keep the search for its length short.
	mostCountedIterations = 1 << 20
)

// countingJob is one process, or of commands one run, in which sides are counted one after the other.
type countingJob struct {
	key   countingKey
	kind  hostKind
	sides []*countedSide
	sizes bool // the iterations of a run are searched for

	linked string // the file that its process runs from if its places are drawn; "": it is linked first
}

// countingKey is what sides that are counted in one process have in common.
type countingKey struct {
	round   int
	kind    hostKind
	base    bool
	drawn   bool
	program string // of existing benchmarks
	alone   *countedSide
}

// countingOutcome is what a job has found out about a side.
type countingOutcome struct {
	side       *countedSide
	counted    bool
	count      float64 // of one iteration, if counted
	functions  map[string]float64
	iterations int // of a run, if the job has searched for them
	took       time.Duration
	prepared   *wire.Prepared // what the host knows of the side
	failed     *result.Failure
}

// addTo adds a side to the job that runs it in a round. A command has a job for each run.
func addTo(jobs []*countingJob, s *countedSide, round int) []*countingJob {
	key := countingKey{round: round, kind: s.kind(), base: s.target.IsBase(), drawn: s.of.drawn}
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
	queue, found := make(chan *countingJob, len(jobs)), make(chan countingOutcome)
	for _, j := range jobs {
		for _, s := range j.sides {
			s.limit = max(s.of.left(), leastRunTime).Truncate(10 * time.Millisecond) // it is in messages
		}
		queue <- j
	}
	close(queue)
	workers := min(runtime.GOMAXPROCS(0), len(jobs))
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for j := range queue {
				j.do(ctx, c.run, workers, found)
			}
		})
	}
	go func() {
		all.Wait()
		close(found)
	}()
	for o := range found {
		c.takeOver(ctx, o)
		c.run.progress(o.side.of.track, "count")
	}
}

// takeOver writes what was found out about a side where it belongs. After an interrupt too, as long as it is no failure.
func (c *counting) takeOver(ctx context.Context, o countingOutcome) {
	s := o.side
	s.series.Used += o.took
	c.run.spent += o.took
	s.of.track.result.Seconds += o.took.Seconds()
	if o.prepared != nil && !s.known && s.remote == nil {
		s.known = true
		c.rig.adopt(s.side, o.prepared)
	}
	if o.failed != nil {
		if ctx.Err() == nil && s.of.failed == nil {
			s.of.failed, s.of.track.counts.isOver = s.target.AsBase(o.failed), true
		}
		return
	}
	if o.iterations > 0 {
		s.of.iterations, s.of.warms = o.iterations, !o.counted
	}
	if o.counted {
		units := s.series.Units(1)
		s.runs = append(s.runs, o.count/units)
		s.of.track.counts.taken++
		for name := range o.functions {
			o.functions[name] /= units
		}
		s.functions = o.functions
	}
}

// do counts the sides of a job, at the same time as so many others. A side that fails costs the others their process,
// and no more.
func (j *countingJob) do(ctx context.Context, r *run, workers int, found chan<- countingOutcome) {
	for left := j.sides; len(left) > 0 && ctx.Err() == nil && !r.killed(); {
		p, err := j.start(ctx, r)
		if err != nil {
			for _, s := range left {
				found <- countingOutcome{side: s, failed: uncounted(err, "")}
			}
			return
		}
		for len(left) > 0 && !p.host.Lost && ctx.Err() == nil {
			s := left[0]
			left = left[1:]
			if s.of.gaveUp.Load() {
				continue
			}
			began := time.Now()
			o := p.side(ctx, s, j.sizes)
			switch {
			case o.failed == nil:
			case s.of.gaveUp.Swap(true): // another job finds out why
				o.failed = nil
			default:
				o.failed = j.unableOr(ctx, r, s, o.failed)
			}
			o.side, o.took = s, time.Since(began)/time.Duration(workers)
			found <- o
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
	seed   uint32   // of hashes of Python, the same for both sides in a round

	file    drawnFile // that it runs from, if its places are drawn
	padding int       // of its environment, which moves its heap, or the stack of a command
}

// start starts the host of a job: of functions the process that is counted, of all others one that starts such
// processes.
func (j *countingJob) start(ctx context.Context, r *run) (p *countingProcess, err error) {
	first := j.sides[0]
	p = &countingProcess{scope: callgrind.Marked,
		seed: r.options.Seed.Draw("hashes", "", j.key.round, 0).Uint32()}
	switch {
	case first.target.MarksItself():
		p.scope = callgrind.Sections
	case !first.target.IsCommand():
		p.scope = callgrind.Requested
	case !first.target.IsGoTest():
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
	if j.key.drawn {
		if p.file.path = j.linked; j.linked == "" {
			p.file, err = r.linkDrawn(ctx, first, j.key.round)
		}
		if err != nil {
			p.end()
			return nil, err
		}
		p.padding = j.drawPadding(r, fmt.Sprint(j.key.base))
	}
	if j.key.alone != nil {
		// The stack is below the environment and the arguments, and a text at the end of a page of it takes other
		// instructions. No two runs have it at the same place, so no side has it at a worse one.
		c := first.of.track.result
		p.padding = j.drawPadding(r, fmt.Sprintf("%q %q %t", c.Suite, c.Name, first == first.of.sides[0]))
	}
	if !first.target.IsCommand() {
		if !timer.CanDump {
			p.end()
			return nil, errors.New("functions can be counted on linux/amd64 alone")
		}
		env = callgrind.Environ(os.Environ(), p.seed)
		if j.key.drawn {
			argv = slices.Concat([]string{p.file.path}, argv[1:])
			env = append(env, wire.Padding(p.padding))
		}
		argv = slices.Concat(p.argv, argv)
	}
	if err = p.launch(ctx, r, j.kind, argv, env); err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}

// drawPadding draws by how many bytes the environment of a side is longer in the round of the job.
func (j *countingJob) drawPadding(r *run, of string) int {
	return r.options.Seed.Draw("padding of a count", of, 0, j.key.round).IntN(wire.MostPadding)
}

func (p *countingProcess) launch(ctx context.Context, r *run, kind hostKind, argv, env []string) (err error) {
	if p.host, err = client.Launch(argv, kind.folder(), env, r.options.Debug, nil); err != nil {
		return err
	}
	p.host.Enter(r.options.Processes)
	_, failure := p.host.Call(ctx, &wire.Request{Op: "hello", Clock: []string{"wall"}, Kind: kind.kind}, time.Minute)
	if failure != nil {
		return errors.New(failure.Message)
	}
	return nil
}

// unableOr returns why a side is not counted that has failed while valgrind ran it: its failure without valgrind if it
// fails there, too, and otherwise that valgrind cannot run it.
func (j *countingJob) unableOr(ctx context.Context, r *run, s *countedSide, failed *result.Failure) *result.Failure {
	why, hint := "with valgrind it fails, and without it does not: ", "judge it by its time"
	switch {
	case failed.Cause == result.FailedUncounted, ctx.Err() != nil, r.killed():
		return failed
	case failed.Cause == result.FailedTimeout:
		why, hint = "", "raise max_time if it ends without valgrind, which executes a program about fifty "+
			"times as slowly"
	case s.of.track.result.Samples.Len() == 0: // else it has run
		failure := j.withoutValgrind(ctx, r, s)
		switch {
		case ctx.Err() != nil:
			return failed
		case failure != nil:
			return failure
		case callgrind.HasCrashed(failed.Detail):
			return uncounted(errors.New("valgrind crashes, as it does if a Go program starts processes"), hint)
		}
	}
	unable := uncounted(errors.New(why+failed.Message), hint)
	unable.Detail = failed.Detail
	return unable
}

// withoutValgrind runs a side once, and returns its failure.
func (j *countingJob) withoutValgrind(ctx context.Context, r *run, s *countedSide) *result.Failure {
	var p countingProcess
	defer p.end()
	if err := p.launch(ctx, r, j.kind, r.program(j.kind), nil); err != nil {
		return uncounted(err, "")
	}
	response, failure := p.host.Call(ctx, s.request(), s.limit+client.Grace)
	if failure == nil {
		once := &wire.Request{Op: "once", ID: response.Prepared.ID, N: 1, Goal: 1, Limit: int64(s.limit)}
		_, failure = p.host.Call(ctx, once, s.limit+client.Grace)
	}
	if failure != nil {
		s.target.Explain(failure, 1)
	}
	return failure
}

func (p *countingProcess) end() {
	if p.host != nil {
		p.host.Quit()
	}
	if p.folder != "" {
		os.RemoveAll(p.folder)
	}
	p.file.remove()
}

// side counts a side once, or searches for its iterations.
func (p *countingProcess) side(ctx context.Context, s *countedSide, sizes bool) (o countingOutcome) {
	limit, prepare := s.limit, s.countingRequest(p)
	if prepare.GoTest != nil && !prepare.GoTest.Stays {
		why := errors.New("each of its samples is a process, or this release of Go is not known")
		return countingOutcome{failed: uncounted(why, "")}
	}
	response, failure := p.host.Call(ctx, prepare, limit+client.Grace)
	if failure != nil {
		return countingOutcome{failed: failure}
	}
	o.prepared = response.Prepared
	run := func(n, times int) (count callgrind.Count, did int, failure *result.Failure) {
		request := &wire.Request{Op: "count", ID: o.prepared.ID, N: n, Runs: times, Limit: int64(limit)}
		if s.target.IsCommand() {
			request.Wrap = p.argv
			request.WrapEnv = callgrind.Environ(append(os.Environ(), s.target.Spec.Env...), p.seed)
			if !s.target.IsGoTest() {
				request.WrapEnv = append(request.WrapEnv, wire.Padding(p.padding))
			}
		}
		response, failure := p.host.Call(ctx, request, limit+4*client.Grace)
		if failure != nil {
			s.target.Explain(failure, n)
			return count, 0, p.discarded(failure)
		}
		count, err := callgrind.Take(p.folder, p.scope)
		if err != nil {
			return count, 0, p.discarded(uncounted(err, ""))
		}
		return count, response.Sized.N, nil
	}
	ask := func(n int) (callgrind.Count, int, *result.Failure) { return run(n, 1) }
	search := countingSearch{wanted: wantedInstructions, most: mostInstructions}
	if s.target.IsHarnessed() { // each run is a process
		search = countingSearch{wanted: wantedOfHarness}
	}
	if s.target.IsHarnessed() && p.scope == callgrind.Processes {
		ask = func(n int) (callgrind.Count, int, *result.Failure) { return inOneOfTwo(n, run) }
	}
	if sizes {
		last := 0
		o.iterations, o.failed = search.iterations(func(n int) (callgrind.Count, int, *result.Failure) {
			count, did, failure := ask(n)
			o.take(count, did)
			last = n
			return count, did, failure
		})
		// The only iteration of a search is a run like others, and so is the last run of what has its own warm-up.
		o.counted = o.failed == nil && (o.iterations == 1 && o.count >= longIteration ||
			p.scope == callgrind.Sections && last == o.iterations)
		return o
	}
	if s.target.IsGoTest() && s.of.warms { // functions have a batch before
		if _, _, o.failed = ask(1); o.failed != nil {
			return o
		}
	}
	count, n, failure := ask(s.of.iterations)
	o.take(count, n)
	o.counted, o.failed = failure == nil, failure
	return o
}

// discarded removes what a failed run has written. If that is not possible the process is given up: its later runs would
// be counted together with the failed one.
func (p *countingProcess) discarded(failure *result.Failure) *result.Failure {
	if callgrind.Discard(p.folder, p.scope) != nil {
		p.host.Lost = true
	}
	return failure
}

// inOneOfTwo counts n iterations of a process that is counted as a whole: what one that runs them twice has more than
// one that runs them once. Its start and what it prepares are in both.
func inOneOfTwo(
	n int, run func(n, times int) (callgrind.Count, int, *result.Failure),
) (callgrind.Count, int, *result.Failure) {
	once, _, failure := run(n, 1)
	if failure != nil {
		return once, 0, failure
	}
	twice, did, failure := run(n, 2)
	return twice.Without(once), did, failure
}

// take takes over what was counted in n iterations.
func (o *countingOutcome) take(count callgrind.Count, n int) {
	o.count, o.functions = count.Instructions/float64(max(n, 1)), count.Functions
	for name := range o.functions {
		o.functions[name] /= float64(max(n, 1))
	}
}

// countingSearch finds the number of iterations of a run.
type countingSearch struct {
	wanted float64 // instructions of a run
	most   float64 // the most, if runs with fewer do not agree
}

// iterations finds how many iterations have the wanted instructions, and goes on to more until two runs of them agree.
// What happens now and then, such as a cache that is filled by chance or memory that is taken from the system, shows
// less in a longer run. Nothing that the search has counted is a run of a verdict, so how long it goes on is no
// information about the sides.
func (c countingSearch) iterations(ask func(n int) (callgrind.Count, int, *result.Failure)) (int, *result.Failure) {
	n, before := 1, -1.0 // instructions of the run before, if it had as many iterations
	for range 8 {
		count, did, failure := ask(n)
		if failure != nil {
			return 0, failure
		}
		if did < n { // it has no more inputs
			return did, nil
		}
		next := 0
		switch isLong := count.Instructions >= c.wanted/2 || n >= mostCountedIterations; {
		case !isLong:
			next = int(min(c.wanted/max(count.Instructions/float64(n), 1), 100*float64(n)))
		case n == 1 && count.Instructions >= longIteration, count.Instructions > c.most/2:
			return n, nil
		case before < 0:
			before = count.Instructions
			continue
		case math.Abs(count.Instructions-before) > agreeing*before:
			next = int(min(4*float64(n), c.most/count.Instructions*float64(n)))
		}
		next = min(next, mostCountedIterations)
		if count.Parts > mostParts/4 {
			next = min(next, mostParts*n/count.Parts)
		}
		if next <= n {
			return n, nil
		}
		n, before = next, -1
	}
	return n, nil
}

// countingRequest prepares a side for being counted in a process.
func (s *countedSide) countingRequest(p *countingProcess) *wire.Request {
	r := s.request()
	switch {
	case r.Function != nil:
		r.Function.Counters, r.Function.Witness, r.Function.Latency = nil, false, false
	case r.Command != nil:
		r.Command.Counters, r.Command.Witness = nil, false
	case r.GoTest != nil:
		r.GoTest = s.target.CountedGoTest(p.file.path)
		if p.file.path != "" {
			r.Pad(p.padding)
		}
	}
	return r
}
