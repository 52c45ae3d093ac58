package host

import (
	"fmt"
	"math"

	"example.com/suite/bench"
	"example.com/suite/timer"
)

// function is a prepared Go benchmark.
type function struct {
	Function
	c      *bench.Case
	loop   bench.Loop
	locked bool
	rows   []reading
	own    *surroundings // that its code has made for itself, nil before it ran
}

// LongBatch is where design.md §8.6 stops judging samples by their switches and
// begins to look at the time spent waiting for a CPU, nanoseconds.
const LongBatch = 5_000_000

// prepareFunction runs the set-up of a registered benchmark. byThread says that
// the clock is that of one thread.
func prepareFunction(spec Function, byThread bool) (f *function, p *Prepared, failure *Failure) {
	setup, failure := findSetup(spec, byThread)
	if failure != nil {
		return nil, nil, failure
	}
	if byThread {
		spec.Thread = "locked"
	}
	f = &function{Function: spec, c: bench.NewCase(spec.Name, spec.Params), locked: spec.onThread()}
	f.inside(func() { failure = guard("setup", func() { f.loop = setup(f.c) }) })
	if failure == nil && f.loop == nil {
		failure = &Failure{Phase: "setup", Cause: "error", Message: "the set-up returned no loop"}
	}
	if failure != nil {
		f.close()
		return nil, nil, failure
	}
	work, unit := f.c.Declared()
	p = &Prepared{Indirect: bench.Indirect(f.loop), Work: work, Unit: unit, Unread: f.c.Unread()}
	if spec.Parallel > 1 {
		f.loop = inParallel(f.loop, spec.Parallel)
	}
	return f, p, nil
}

func findSetup(spec Function, byThread bool) (bench.Setup, *Failure) {
	setup, ok := bench.Find(spec.Function)
	switch {
	case !ok:
		return nil, &Failure{Phase: "setup", Cause: "missing",
			Message: fmt.Sprintf("no benchmark %q is registered in this program", spec.Function)}
	case byThread && !spec.onThread():
		return nil, &Failure{Phase: "setup", Cause: "error",
			Message: fmt.Sprintf("clock %s times one thread, and the loop runs on others: parallel %d, thread %s", timer.ThreadCPU, spec.Parallel, spec.Thread)}
	}
	return setup, nil
}

// onThread says that the loop begins on the thread of the host.
func (f *Function) onThread() bool { return f.Thread != "free" && f.Parallel <= 1 }

func (f *function) close() (failure *Failure) {
	f.inside(func() { failure = guard("finish", f.c.Close) })
	return failure
}

// on runs work where the case belongs: here, on the locked thread, or on a
// goroutine that the scheduler may move.
func (f *function) on(h *Host, work func(m *meter)) {
	m := &meter{clock: h.clock, wall: h.wall, sys: h.sys, thread: f.locked, long: f.Long}
	if f.locked {
		work(m)
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(m)
	}()
	<-done
}

// size warms up and finds the iterations of a batch. Where the loop turns out
// to be better off its thread n is found once more: goroutines that hand over to
// each other take 5 µs a step beside a locked one, and 0.2 µs otherwise.
func (f *function) size(h *Host, limit int64) (sized *Sized, failure *Failure) {
	start := h.now()
	sized, seen, failure := f.search(h, f.Warmup, limit)
	if failure != nil {
		return nil, failure
	}
	batches := seen.batches
	if f.Thread == "auto" && f.locked && seen.spreads() {
		f.locked = false
		if left := limit - (h.now() - start); left > limit/2 {
			if sized, seen, failure = f.search(h, 0, left); failure != nil {
				return nil, failure
			}
			batches += seen.batches
		}
	}
	sized.Thread = "free"
	if f.locked {
		sized.Thread = "locked"
	}
	f.Long = sized.Time > LongBatch
	sized.GCShare, sized.Batches, sized.Elapsed = seen.share(), batches, h.now()-start
	return sized, nil
}

func (f *function) search(h *Host, warmup, limit int64) (sized *Sized, seen *census, failure *Failure) {
	seen = &census{}
	f.inside(func() {
		f.on(h, func(m *meter) {
			failure = guard("warmup", func() { sized = f.find(h, m, warmup, limit, seen) })
		})
	})
	return sized, seen, failure
}

func (f *function) find(h *Host, m *meter, warmup, limit int64, seen *census) *Sized {
	policy := h.startGC(f.GC)
	defer policy.end()
	s := &sizer{
		time:    func(n int) int64 { return f.warm(m, n, seen) },
		elapsed: h.stopwatch(),
		goal:    h.goal(f.SampleTime, f.Coalesce),
		warmup:  warmup,
		limit:   limit,
	}
	if f.Batch > 0 {
		return f.fixed(s)
	}
	n, t, cut := s.find()
	sized := &Sized{N: n, Time: t, Cut: cut}
	if f.GC == "on" && !cut {
		f.holdCollections(s, sized, seen)
	}
	return sized
}

// stopwatch gives the time from now on; behind an interrupt all time is over.
func (h *Host) stopwatch() func() int64 {
	start := h.now()
	return func() int64 {
		if h.stop.Load() {
			return math.MaxInt64 / 2
		}
		return h.now() - start
	}
}

// warm runs one batch of the warm-up and remembers what it was like.
func (f *function) warm(m *meter, n int, seen *census) int64 {
	var r reading
	m.batch(f.loop, n, &r)
	seen.add(n, &r)
	return max(r.time, 0)
}

// fixed warms up with the number of iterations that the suite file asks for.
func (f *function) fixed(s *sizer) *Sized {
	t := s.time(f.Batch)
	for s.elapsed() < min(s.warmup, s.limit) {
		t = min(t, s.time(f.Batch))
	}
	return &Sized{N: f.Batch, Time: t, Cut: s.elapsed() >= s.limit}
}

// batches times some of a run request, none begun when limit ns have passed
// since start but the first. Those taken before a failure come along.
func (f *function) batches(h *Host, m *meter, sizes []int, limit, start int64) (rows []reading, failure *Failure) {
	if cap(f.rows) < len(sizes) {
		f.rows = make([]reading, len(sizes))
	}
	rows = f.rows[:0]
	policy := h.startGC(f.GC)
	defer policy.end()
	for i, n := range sizes {
		if h.stop.Load() || h.now()-start >= limit && i > 0 {
			break
		}
		rows = rows[:i+1]
		if failure = guard("run", func() { m.batch(f.loop, n, &rows[i]) }); failure != nil {
			failure.Batch = i + 1
			return rows[:i], failure
		}
		if failure = policy.check(&rows[i]); failure != nil {
			failure.Batch = i + 1
			return rows[:i], failure
		}
	}
	return rows, nil
}

// census is what the warm-up batches were like.
type census struct {
	batches, collected int
	iterations         int64
	voluntary          int64
	cpu, thread        int64
	time, gcs          int64
}

func (c *census) add(n int, r *reading) {
	c.batches++
	c.iterations += int64(n)
	c.time += r.time
	c.voluntary += max(r.voluntary, 0)
	if r.threadCPU != timer.Absent && r.cpu != timer.Absent {
		c.cpu, c.thread = c.cpu+r.cpu, c.thread+r.threadCPU
	}
	if r.gcs > 0 {
		c.collected++
		c.gcs += r.gcs
	}
}

// spreads says that the body works on other threads or waits for them, so that
// locking it to one would slow it down and count too little (design.md §8.9).
func (c *census) spreads() bool {
	elsewhere := c.thread > 0 && float64(c.cpu) > 1.05*float64(c.thread)
	return elsewhere && c.collected == 0 || c.voluntary*100 >= c.iterations && c.voluntary > 0
}

func (c *census) share() float64 {
	if c.batches == 0 {
		return 0
	}
	return float64(c.collected) / float64(c.batches)
}
