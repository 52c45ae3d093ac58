package host

import (
	"math"

	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
)

// programSizer finds the iterations of a sample of a benchmark that is in another program, and warms the benchmark up.
type programSizer struct {
	sizer
	kit          *kit
	start        int64 // by its clock
	sized        *wire.Sized
	failure      *wire.Failure // of a sample, after which none is taken
	perIteration float64       // ns, the least that was seen; 0: none
	overhead     int64         // ns that a sample takes in addition to its iterations, the least; 0: none
	tries        []tried       // all samples so far
}

// newProgramSizer begins to size. The function takes one sample of n iterations and returns ns per iteration.
func newProgramSizer(
	k *kit, sample func(wire.Phase, int) (run, float64, *wire.Failure), goal, warmup, limit int64,
) *programSizer {
	// starting takes as long for any n
	s := &programSizer{sizer: sizer{goal: goal, warmup: warmup, limit: limit, inside: true}, kit: k, start: k.now(),
		sized: &wire.Sized{Thread: "free"}}
	s.elapsed = func() int64 {
		if s.failure != nil || k.stop.Load() {
			return limit // nothing more is tried
		}
		return k.now() - s.start
	}
	s.time = func(n int) int64 {
		r, ns, failure := sample(wire.PhaseWarmup, n)
		s.sized.Batches++
		s.sized.Leaked, s.sized.Left = s.sized.Leaked+r.Leaked, named(s.sized.Left, r.Left)
		if failure != nil {
			s.failure, failure.Batch = failure, s.sized.Batches
			return math.MaxInt64 / 2
		}
		if s.perIteration == 0 || ns < s.perIteration {
			s.perIteration = ns
		}
		s.tries = append(s.tries, tried{n: n, cpu: float64(r.User + r.System), wall: float64(total(ns, n)),
			shared: r.shared})
		if overhead := r.Wall - total(ns, n); s.overhead == 0 || overhead < s.overhead {
			s.overhead = max(overhead, 1)
		}
		return total(ns, n)
	}
	return s
}

// search finds the iterations of a sample.
func (s *programSizer) search() { s.sized.N, s.sized.Time, s.sized.Cut = s.find() }

// amortize makes samples longer if what they begin with takes much of their CPU time, but not beyond most, ns. It
// reports whether it does.
func (s *programSizer) amortize(most int64) (begins bool) {
	a := amortizer{goal: float64(s.goal), most: float64(most), tries: &s.tries}
	a.within = func(n, wanted int) int {
		if s.elapsed() >= s.limit {
			return n
		}
		room := max(s.room(), min(beginLeast*s.took, beginLongest*most)) // what is prepared takes as long for any n
		more := float64(room) / max(s.tries[len(s.tries)-1].wall, 1) * float64(n)
		return int(min(float64(wanted), float64(n)+more))
	}
	a.try = func(n int) (cpu, wall float64) {
		if s.failure == nil {
			s.try(n)
		}
		if s.failure != nil {
			return 0, 1 // and there is no time left
		}
		last := &s.tries[len(s.tries)-1]
		return last.cpu, last.wall
	}
	n, begins := a.longer(s.sized.N)
	if n > s.sized.N {
		s.sized.N, s.sized.Time = n, total(s.perIteration, n)
	}
	return begins
}

// state warms up with samples of n iterations, which the suite file states or the harness finds.
func (s *programSizer) state(n int) {
	s.sized.N, s.sized.Time = n, s.try(n)
	for s.elapsed() < min(s.warmup, s.limit) {
		s.sized.Time = s.try(n)
	}
}

// end takes the samples that are left of a warm-up of so many.
func (s *programSizer) end(batches int) (*wire.Sized, *wire.Failure) {
	s.repeat(s.sized, batches-1)
	s.sized.N = min(s.sized.N, mostIterations)
	s.sized.Elapsed = s.kit.now() - s.start
	return s.sized, s.failure
}

// isFirst reports whether the one iteration of a sample, which took t, takes longer than those that follow it: it is
// the first call of the benchmark in its process, which may read a corpus for all. With two iterations package testing
// throws the first call away. That is not tried if it would take more than a quarter of the time that is left.
func (s *programSizer) isFirst(t int64) bool {
	const iterations = 3 // of a process with two
	return iterations*s.took <= (s.limit-s.elapsed())/4 && float64(s.try(2)) < 1.5*float64(t)
}

// mostIterations is the limit of package testing for its own searches.
const mostIterations = 1_000_000_000

// total is the time of n iterations.
func total(nsPerOp float64, n int) int64 {
	return int64(min(max(math.Round(nsPerOp*float64(n)), 0), math.MaxInt64/4))
}

// addSample appends a sample to the columns. The time and the values of its metrics are the benchmark's own; all
// else is of the whole process, with what it does before and after.
func addSample(
	out *wire.Readings, b wire.Batch, r *run, nsPerIteration float64, metrics []wire.Metric, values []float64,
) {
	out.ID, out.N = append(out.ID, b.ID), append(out.N, b.N)
	out.Put("time", total(nsPerIteration, b.N))
	for _, m := range spawn.Metrics {
		if !m.OfTree {
			out.Put(m.Name, *m.Field(&r.Run))
		}
	}
	out.PutValue("time", scaled(nsPerIteration, 1e-9))
	for i, x := range values {
		out.PutValue(metrics[i].Name, x)
	}
	out.PutStop(r.Stopped)
	out.Leaked, out.Left = out.Leaked+r.Leaked, named(out.Left, r.Left)
}
