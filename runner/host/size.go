package host

import (
	"math"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// Limits of the search for n.
const (
	maxTries  = 12 // batches that may disagree before n is taken as it is
	slack     = math.Sqrt2
	gcLongest = 50_000_000 // ns: batches grow up to this length to contain a collection
)

// sizer finds the n whose batches last goal, and warms up on the way.
type sizer struct {
	time    func(n int) int64 // runs and times a batch of n
	elapsed func() int64      // ns since sizing began
	goal    int64
	warmup  int64 // ns of running before n is confirmed
	limit   int64 // ns: begin no batch after
	took    int64 // ns of wall time that the last batch took
	apart   bool  // took includes what is made for a batch while the clock is stopped
	inside  bool  // took excludes the start of the batch's process, which takes as long for any n
	fastest int64 // ns of the shortest batch so far, with the start of its process
	least   int   // iterations of a batch
}

// try runs a batch.
func (s *sizer) try(n int) int64 {
	start := s.elapsed()
	t := s.time(n)
	s.took = s.elapsed() - start
	if s.inside {
		s.took = s.beyond(s.took, t)
	}
	return t
}

// beyond is what a batch of time t took in addition to the start of its process. A
// tenth of the fastest start is ignored, because starts vary that much.
func (s *sizer) beyond(wall, t int64) int64 {
	if s.fastest == 0 || wall < s.fastest {
		s.fastest = wall
	}
	return max(t, wall-s.fastest-s.fastest/10)
}

// next is the n to try after a batch of n that took t: towards goal, and never more
// than there is room for.
func (s *sizer) next(n int, t int64) int {
	return s.within(n, max(follow(n, t, s.goal), s.least))
}

// within limits wanted to what there is room for after a batch of n, but not below n.
func (s *sizer) within(n, wanted int) int {
	if wanted <= n || s.took <= 0 {
		return wanted
	}
	return max(n, int(min(float64(wanted), float64(n)*float64(s.room())/float64(s.took))))
}

// room is how long the next batch may take: half of the time that is left. A body that
// sleeps takes far longer than a clock of CPU time shows. A benchmark that stops its
// timer, or reports a time of its own, may take a thousand times as long, and so may the
// inputs of a batch: then twenty samples have to fit.
func (s *sizer) room() int64 {
	left := s.limit - s.elapsed()
	if s.inside || s.apart {
		return min(left/2, max(left/20, 2*s.goal))
	}
	return left / 2
}

// find determines n and the time of its batch; cut reports whether limit ended it
// first. Two batches in a row must reach goal, and the faster of them is believed,
// because a preemption makes a batch look long and n too small (the second of
// nanobench's calibrations guards against the same).
func (s *sizer) find() (n int, t int64, cut bool) {
	run := func(n int64) (int64, error) { return s.try(int(n)), nil }
	limit := func(n, _, next int64) int64 {
		more := s.within(int(n), int(next))
		if s.elapsed() >= s.limit {
			return n
		}
		return int64(more)
	}
	grown, t, reached, _ := timer.Grow(int64(max(s.least, 1)), s.goal, run, limit) // run has no error
	if !reached && grown < timer.MaxIterations {
		return int(grown), t, true
	}
	return s.confirm(s.warm(int(grown), t))
}

// warm runs batches until the warm-up is over, following the body: one that
// gets faster needs more iterations, one that was slow at first fewer.
func (s *sizer) warm(n int, t int64) (int, int64) {
	for s.elapsed() < s.warmup && s.elapsed() < s.limit {
		t = s.try(n)
		if off(t, s.goal) {
			n = s.next(n, t)
		}
	}
	return n, t
}

// repeat runs more batches of the n that was found.
func (s *sizer) repeat(sized *wire.Sized, batches int) {
	for done := 0; done < batches && s.elapsed() < s.limit; done++ {
		sized.Time = min(sized.Time, s.try(sized.N))
	}
}

func (s *sizer) confirm(n int, t int64) (int, int64, bool) {
	for range maxTries {
		if s.elapsed()+t >= s.limit {
			return n, t, s.elapsed() >= s.limit
		}
		again := s.try(n)
		t = min(t, again)
		if !off(t, s.goal) || n <= max(s.least, 1) && t >= s.goal {
			return n, t, false
		}
		n = s.next(n, t)
		t = s.try(n)
	}
	return n, t, false
}

// off reports whether t is more than √2 away from goal on either side.
func off(t, goal int64) bool { return !timer.Reached(t, goal) || float64(t) > float64(goal)*slack }

// follow moves n towards goal in both directions, never below 1.
func follow(n int, t, goal int64) int {
	more, done := timer.Adapt(int64(n), t, goal)
	if done {
		return int(min(max(1, float64(n)*float64(goal)/float64(t)), timer.MaxIterations))
	}
	return int(more)
}
