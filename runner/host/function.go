package host

import (
	"fmt"
	"slices"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// function is a prepared Go benchmark.
type function struct {
	spec    wire.Function
	c       *benchcase.Case
	loop    bench.Loop
	trial   func() bool // nil unless the loop was made by Try
	latency *latencies  // nil unless single iterations are timed
	open    bench.Loop  // begins iterations when they are due; nil unless the case has arrivals
	warming bool        // batches are thrown away: nothing is waited for
	inputs  *inputs     // nil unless the loop was made by Fresh or Reset
	locked  bool
	took    int64 // ns of a batch of the size that was found
	rows    []reading
	events  []int64 // of all rows

	counts []string      // events of its batches, while it is locked to its thread: Counters, and perhaps the witness
	own    *surroundings // as its code left them, nil before it ran
}

// prepareFunction runs the setup of a registered benchmark.
func prepareFunction(spec wire.Function, k *kit) (f *function, p *wire.Prepared, failure *wire.Failure) {
	byThread := timer.OneThread(k.timer.Clock.Name())
	setup, failure := findSetup(spec, k.timer.Clock.Name())
	if failure != nil {
		return nil, nil, failure
	}
	if byThread {
		spec.Thread = "locked"
	}
	f = &function{spec: spec, c: benchcase.New(spec.Name, spec.Params), locked: onThread(&spec)}
	f.inside(func() { failure = guard(wire.PhaseSetup, func() { f.loop = setup(f.c) }) })
	if failure == nil {
		failure = f.complete()
	}
	if failure == nil && f.c.Inputs != nil {
		f.inside(func() {
			failure = guard(wire.PhaseSetup, func() {
				f.inputs = newInputs(f.c.Inputs, max(spec.Parallel, 1), spec.GC == "on")
			})
		})
	}
	if failure != nil {
		f.close()
		return nil, nil, failure
	}
	f.c.OpenReports()
	work, unit := f.c.Work, f.c.Unit
	p = &wire.Prepared{Indirect: benchcase.Indirect(f.loop), Trial: f.trial != nil, Inputs: f.inputs != nil, Work: work,
		Unit: unit, Unread: f.c.Unread()}
	p.Skipped, p.UserOnly = k.missing(spec.Counters, timer.ThisThread)
	f.counts = spec.Counters
	if spec.Witness {
		f.counts, p.NoWitness = k.witnessed(spec.Counters, timer.ThisThread)
	}
	if failure = f.withLatencies(k, p); failure != nil {
		f.close()
		return nil, nil, failure
	}
	if spec.Parallel > 1 {
		f.loop = inParallel(f.loop, spec.Parallel)
	}
	return f, p, nil
}

// complete checks what the setup has made.
func (f *function) complete() *wire.Failure {
	f.trial = f.c.Trial
	switch {
	case f.loop == nil:
		return &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedError, Message: "the setup returned no loop"}
	case f.trial != nil && f.spec.Parallel > 1:
		return &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedError,
			Message: fmt.Sprintf("a loop made by Try times each iteration, so it runs on one goroutine, not on %d",
				f.spec.Parallel)}
	case f.trial != nil && f.c.Inputs != nil:
		return &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedError,
			Message: "a loop is made by Try, or by Fresh or Reset, not by both"}
	case f.c.Inputs != nil && f.c.Inputs.Alone && f.spec.Parallel > 1:
		return &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedError,
			Message: fmt.Sprintf("a loop made by Reset pauses before each iteration, so it runs on one "+
				"goroutine, not on %d", f.spec.Parallel)}
	}
	return nil
}

func findSetup(spec wire.Function, clock string) (benchcase.Setup, *wire.Failure) {
	setup, ok := benchcase.Find(spec.Function)
	switch {
	case !ok:
		return nil, &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedMissing,
			Message: fmt.Sprintf("no benchmark %q is registered in this program", spec.Function)}
	case timer.OneThread(clock) && !onThread(&spec):
		return nil, &wire.Failure{Phase: wire.PhaseSetup, Cause: wire.FailedError,
			Message: fmt.Sprintf("clock %s times one thread, and the loop runs on others: parallel %d, thread %s",
				clock, spec.Parallel, spec.Thread)}
	}
	return setup, nil
}

// onThread reports whether the loop of a function begins on the thread of the host.
func onThread(f *wire.Function) bool { return f.Thread != "free" && f.Parallel <= 1 }

func (f *function) close() (failure *wire.Failure) {
	f.c.CloseReports()
	f.inside(func() { failure = guard(wire.PhaseFinish, f.c.Close) })
	return failure
}

// on runs work where the case belongs, with a meter for it.
func (f *function) on(k *kit, work func(m *meter)) {
	m, end := f.metered(k)
	defer end()
	f.where(func() { work(m) })
}

// metered makes a meter for the case, and opens the events that it counts until end.
func (f *function) metered(k *kit) (m *meter, end func()) {
	m = &meter{loop: timer.Loop{Timer: k.timer}, wall: k.wall, sys: k.sys, thread: f.locked, long: f.spec.Long,
		brief: k.brief, trace: k.trace.of(f.spec.Name), reports: f.c}
	if f.locked {
		return m, m.count(k, f.counts)
	}
	if c := k.timer.Counter; c != nil && c.PerThread() {
		m.loop.Timer = timer.New(k.timer.Clock, nil) // it would count a thread that waits
	}
	return m, func() {}
}

// where runs work where the case belongs: here, on the locked thread, or on a
// goroutine that the scheduler may move.
func (f *function) where(work func()) {
	if f.locked {
		work()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	<-done
}

// size warms up and finds the iterations of a batch. If the loop turns out to be
// faster off the locked thread, n is searched for once more: goroutines that hand
// over to each other take 5 µs a step if one of them is locked, else 0.2 µs.
func (f *function) size(k *kit, limit int64) (sized *wire.Sized, failure *wire.Failure) {
	start := k.now()
	sized, seen, failure := f.search(k, f.spec.Warmup, limit)
	if failure != nil {
		return nil, failure
	}
	batches := seen.batches
	if f.spec.Thread == "auto" && f.locked && !f.countsThread(k) && seen.spreads() {
		f.locked = false
		if left := limit - (k.now() - start); left > limit/2 {
			sized, seen, failure = f.search(k, 0, left)
			if failure != nil {
				return nil, failure
			}
			batches += seen.batches
		}
	}
	sized.Thread = "free"
	if f.locked {
		sized.Thread = "locked"
	}
	f.spaced(k, sized, seen)
	f.took = f.span(sized.N, sized.Time)
	f.spec.Long = f.took > wire.LongBatch
	if f.inputs == nil {
		sized.Empty = f.ownCosts(k)
	} else if failure = f.arrange(k, sized); failure != nil {
		return nil, failure
	}
	sized.GCShare = seen.share()
	sized.Batches = batches
	sized.Elapsed = k.now() - start
	k.trace.of(f.spec.Name).sized(sized)
	return sized, nil
}

// countsThread reports whether a counter of the case belongs to one thread: a loop
// that left the thread would lose those counts.
func (f *function) countsThread(k *kit) bool {
	c := k.timer.Counter
	return len(f.spec.Counters) > 0 || c != nil && c.PerThread()
}

func (f *function) search(k *kit, warmup, limit int64) (sized *wire.Sized, seen *census, failure *wire.Failure) {
	seen = &census{}
	f.inside(func() {
		f.on(k, func(m *meter) {
			failure = guard(wire.PhaseWarmup, func() { sized = f.find(k, m, warmup, limit, seen) })
		})
	})
	return sized, seen, failure
}

func (f *function) find(k *kit, m *meter, warmup, limit int64, seen *census) *wire.Sized {
	policy := k.startGC(f.spec.GC)
	defer policy.end()
	m.warm = m.now() + min(warmup, limit)
	if f.spec.WarmupBatches > 0 {
		m.warm = m.now() + limit
	}
	s := &sizer{
		time:    func(n int) int64 { return f.warm(m, n, seen) },
		elapsed: k.stopwatch(),
		goal:    k.goal(f.spec.SampleTime, f.spec.Coalesce),
		warmup:  warmup,
		limit:   limit,
		apart:   f.inputs != nil,
	}
	if f.isFixed() {
		sized := f.fixed(s, max(f.spec.Batch, 1))
		s.repeat(sized, f.spec.WarmupBatches-1)
		return sized
	}
	n, t, cut := s.find()
	sized := &wire.Sized{N: n, Time: t, Cut: cut}
	if f.spec.GC == "on" && !cut && !f.spec.Spread {
		f.holdCollections(s, sized, seen)
	}
	s.repeat(sized, f.spec.WarmupBatches-1) // the last batch of the search was one
	return sized
}

// isFixed reports whether the iterations of a batch are known without a search:
// the suite file sets them, or a batch must not have more than one.
func (f *function) isFixed() bool { return f.spec.Batch > 0 || f.spec.Coalesce == 0 }

// warm runs one batch of the warm-up and adds it to the census.
func (f *function) warm(m *meter, n int, seen *census) int64 {
	var r reading
	r.events = seen.events(m)
	f.time(m, n, &r)
	m.trace.batch("warm-up", n, &r, m.unit())
	seen.add(n, &r)
	return max(r.time, 0)
}

// time runs one batch, with iterations one after the other.
func (f *function) time(m *meter, n int, r *reading) { f.run(m, f.loop, n, r) }

// sample runs one batch as samples are taken: iterations begin when they are due if the case
// has arrivals.
func (f *function) sample(m *meter, n int, r *reading) {
	if f.open == nil || f.warming {
		f.time(m, n, r)
		return
	}
	f.run(m, f.open, n, r)
	r.without(f.latency.idle())
}

// run runs one batch of a loop.
func (f *function) run(m *meter, loop bench.Loop, n int, r *reading) {
	if f.trial != nil {
		m.trial(f.trial, n, r, f.spec.Quorum)
		return
	}
	m.steady(r, func() {
		f.latency.begin()
		if f.inputs != nil {
			m.parts(f.inputs, loop, n, r)
		} else {
			m.batch(loop, n, r)
		}
	})
	r.latency = f.latency.taken()
}

// adopt takes over what a batch asks for: how many iterations have their inputs made
// together, which arrivals are drawn, and whether any are waited for.
func (f *function) adopt(b wire.Batch) {
	if f.inputs != nil && b.Part > 0 {
		f.inputs.part = b.Part
	}
	f.warming = b.Warm
	if f.open != nil {
		f.latency.arrivals.seed(b.Seed)
	}
}

// fixed warms up with a number of iterations that needs no search, see isFixed.
func (f *function) fixed(s *sizer, n int) *wire.Sized {
	t := s.time(n)
	for s.elapsed() < min(s.warmup, s.limit) {
		t = min(t, s.time(n))
	}
	return &wire.Sized{N: n, Time: t, Cut: s.elapsed() >= s.limit}
}

// batches times some batches of a run request. Except for the first, it begins
// none when limit ns have passed since start. Batches taken before a failure are
// returned with it.
func (f *function) batches(k *kit, m *meter, sizes []int, limit, start int64) (rows []reading, failure *wire.Failure) {
	policy := k.startGC(f.spec.GC)
	defer policy.end()
	return f.timed(k, m, policy, sizes, limit, start)
}

// timed is batches with the collector set already.
func (f *function) timed(
	k *kit, m *meter, policy *gcPolicy, sizes []int, limit, start int64,
) (rows []reading, failure *wire.Failure) {
	rows = f.blank(m, len(sizes))
	for i, n := range sizes {
		if k.stop.Load() || k.now()-start >= limit && i > 0 {
			break
		}
		rows = rows[:i+1]
		failure = guard(wire.PhaseRun, func() { f.sample(m, n, &rows[i]) })
		if failure == nil {
			failure = m.check(&rows[i])
		}
		if failure == nil {
			failure = policy.check(&rows[i])
		}
		if failure != nil {
			failure.Batch = i + 1
			return rows[:i], failure
		}
	}
	return rows, nil
}

// The rows are made before anything is timed.
func (f *function) blank(m *meter, count int) []reading {
	width := len(m.counts)
	if cap(f.rows) < count || len(f.events) < count*width {
		f.rows, f.events = make([]reading, count), make([]int64, count*width)
	}
	reports := len(f.c.Reported())
	for i := range f.rows[:count] {
		f.rows[i].events = f.events[i*width : (i+1)*width : (i+1)*width]
		f.rows[i].reported = slices.Grow(f.rows[i].reported[:0], reports)
	}
	return f.rows[:0]
}

// census is what the warm-up batches were like.
type census struct {
	batches, collected int
	counted            []int64 // room for the events of a batch
	time, gcs          int64
	// time of the batches in which the thread kept its CPU, and of the batches with other threads at work
	undisturbed, onOthers int64
	plain, waiting        int64 // time of the batches whose waits are the body's, and of the batches with waits
}

// events has room for the events of one batch.
func (c *census) events(m *meter) []int64 {
	if len(c.counted) != len(m.counts) {
		c.counted = make([]int64, len(m.counts))
	}
	return c.counted
}

func (c *census) add(n int, r *reading) {
	c.batches++
	c.time += r.time
	if r.involuntary <= 0 { // or it is not known
		c.undisturbed += r.time
		if r.threadCPU > 0 && r.cpu != timer.Absent && float64(r.cpu) > 1.05*float64(r.threadCPU) {
			c.onOthers += r.time
		}
	}
	if r.gcs <= 0 || n >= 100 { // a collection waits some ten times
		c.plain += r.time
		if waits := r.voluntary; waits > 0 && (waits >= int64(n) || r.gcs <= 0 && waits*100 >= int64(n)) {
			c.waiting += r.time
		}
	}
	if r.gcs > 0 {
		c.collected++
		c.gcs += r.gcs
	}
}

// spreads reports whether the body works on other threads or waits for them, so
// that locking it to one would slow it down and count too little. That must be
// seen in most of the time: a wait for a page of memory, or for a lock of the
// runtime, happens by chance. While this thread is preempted, or garbage is
// collected, other threads of the host work, and the collector makes it wait.
func (c *census) spreads() bool {
	return 2*c.onOthers > c.undisturbed && c.collected == 0 || 2*c.waiting > c.plain
}

func (c *census) share() float64 {
	if c.batches == 0 {
		return 0
	}
	return float64(c.collected) / float64(c.batches)
}

// ownCosts measures the cost of a batch of no iterations by column, for the columns in
// which this case differs from calibration. Events count a part of their own readings,
// which take CPU time; a counter of one thread is not read for a loop off it.
func (f *function) ownCosts(k *kit) (costs map[string]timer.Estimate) {
	f.on(k, func(m *meter) {
		switch {
		case m.loop.Timer != k.timer:
			costs = m.empty()
		case m.events != nil:
			rows := m.empties(len(m.counts))
			costs = map[string]timer.Estimate{
				"cpu":        estimate(rows, func(r *reading) int64 { return r.cpu }),
				"thread_cpu": estimate(rows, func(r *reading) int64 { return r.threadCPU }),
			}
			for i, metric := range m.events.Metrics() {
				costs[metric] = estimate(rows, func(r *reading) int64 { return r.events[i] })
			}
		}
	})
	return costs
}
