package host

import "math"

// Limits of the search for n.
const (
	growth    = 100  // at most so many times more iterations from one step to the next
	maxN      = 1e12 // iterations of a batch: 1 ns each would be 17 minutes
	maxTries  = 12   // batches that may disagree before n is taken as it is
	slack     = math.Sqrt2
	gcLongest = 50_000_000 // ns: batches grow to hold a collection up to here
)

// nextN is the next step of the search when n iterations took t and goal is
// wanted: in proportion, at least one more, at most growth times as many.
// A reading of zero, from a coarse clock, says only that n is far too small.
func nextN(n int, t, goal int64) int {
	if t <= 0 {
		return int(min(float64(n)*growth, maxN))
	}
	wanted := float64(n) * float64(goal) / float64(t)
	return int(min(max(float64(n+1), math.Floor(wanted)), float64(n)*growth, maxN))
}

// reached says that t is near enough to goal: within a factor of √2 below,
// because from t < goal/√2 one more iteration never overshoots √2·goal.
func reached(t, goal int64) bool { return float64(t) >= float64(goal)/slack }

// sizer finds the n whose batches last goal, and warms up on the way.
type sizer struct {
	time    func(n int) int64 // runs and times a batch of n
	elapsed func() int64      // ns since sizing began
	goal    int64
	warmup  int64 // ns of running before n is confirmed
	limit   int64 // ns: begin no batch after
	took    int64 // ns of wall time that the last batch took
}

// try runs a batch.
func (s *sizer) try(n int) int64 {
	start := s.elapsed()
	t := s.time(n)
	s.took = s.elapsed() - start
	return t
}

// next is the n to try behind a batch of n that took t: towards goal, and never
// more than would take half of the time that is left. A body that sleeps takes
// far longer than a clock of CPU time shows.
func (s *sizer) next(n int, t int64) int {
	wanted := follow(n, t, s.goal)
	if wanted <= n || s.took <= 0 {
		return wanted
	}
	room := float64(s.limit-s.elapsed()) / float64(s.took) / 2
	return max(n, int(min(float64(wanted), float64(n)*room)))
}

// find gives n and the time of its batch; cut says that limit ended it first.
// n grows until a batch reaches goal, follows the body while it warms up, and
// is then confirmed: two batches in a row must reach goal, and the faster of
// them is believed, because a preemption makes a batch look long and n too
// small (the second of nanobench's calibrations guards against the same).
func (s *sizer) find() (n int, t int64, cut bool) {
	n = 1
	t = s.try(n)
	for !reached(t, s.goal) && n < maxN {
		more := s.next(n, t)
		if s.elapsed() >= s.limit || more == n {
			return n, t, true
		}
		n = more
		t = s.try(n)
	}
	return s.confirm(s.warm(n, t))
}

// warm runs batches until the warm-up is over, following the body: one that
// gets faster needs more iterations, one that was slow at first fewer.
func (s *sizer) warm(n int, t int64) (int, int64) {
	for s.elapsed() < s.warmup && s.elapsed() < s.limit {
		if t = s.try(n); off(t, s.goal) {
			n = s.next(n, t)
		}
	}
	return n, t
}

func (s *sizer) confirm(n int, t int64) (int, int64, bool) {
	for range maxTries {
		if s.elapsed()+t >= s.limit {
			return n, t, s.elapsed() >= s.limit
		}
		again := s.try(n)
		t = min(t, again)
		if !off(t, s.goal) || n == 1 && t >= s.goal {
			return n, t, false
		}
		n = s.next(n, t)
		t = s.try(n)
	}
	return n, t, false
}

// off says that t is more than √2 away from goal on either side.
func off(t, goal int64) bool { return !reached(t, goal) || float64(t) > float64(goal)*slack }

// follow moves n towards goal in both directions, never below 1.
func follow(n int, t, goal int64) int {
	if reached(t, goal) {
		return max(1, int(float64(n)*float64(goal)/float64(t)))
	}
	return nextN(n, t, goal)
}
