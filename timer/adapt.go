package timer

import (
	"math"
	"math/bits"
)

// Limits of a search for the number of iterations.
const (
	Growth        = 100               // at most so many times more from one step to the next
	MaxIterations = 1_000_000_000_000 // of a batch: at 1 ns each they last 17 minutes
)

// Reached reports whether a batch of t ns is long enough for a goal of goal ns: at
// least goal/√2. The smallest step, from one iteration to two, doubles the time, so
// the batch after one that is shorter than goal/√2 is shorter than √2·goal.
func Reached(t, goal int64) bool {
	return goal <= 0 || float64(t) >= float64(goal)/math.Sqrt2
}

// Adapt is one step of the search for a number of iterations whose batch lasts
// goal ns. n iterations took t ns. If t is long enough (see Reached), done is true
// and next is n. Otherwise next is the number to try: n·goal/t, at least n+1 and at
// most Growth·n. If t is zero or less, the clock is too coarse for n iterations, and
// next is Growth·n.
//
// next is in [1, MaxIterations], and n below 1 counts as 1. If done is false and
// next is not above n, the search has reached MaxIterations: the body is empty, or
// the clock does not move. A search from 1 takes at most 82 steps, because all but
// the first few multiply n by at least √2; most bodies take two or three.
func Adapt(n int64, t, goal int64) (next int64, done bool) {
	n = min(max(n, 1), MaxIterations)
	if Reached(t, goal) {
		return n, true
	}
	most := n * Growth // at most 1e14
	if t <= 0 {
		return min(most, MaxIterations), false
	}
	return min(max(n+1, proportion(n, goal, t, most)), most, MaxIterations), false
}

// proportion computes ⌊n·goal/t⌋, at most most. The product has 128 bits, because it
// can exceed 64. All arguments are positive.
func proportion(n, goal, t, most int64) int64 {
	high, low := bits.Mul64(uint64(n), uint64(goal))
	if high >= uint64(t) { // the quotient would not fit 64 bits
		return most
	}
	quotient, _ := bits.Div64(high, low, uint64(t))
	return int64(min(quotient, uint64(most)))
}

// Grow searches for a number of iterations whose batch lasts goal ns. It runs batches,
// each with more iterations than the one before, until one is long enough (see Adapt), and
// returns that n and its time t; reached is then true.
//
// The first batch has first iterations, at least one. run runs a batch and returns its
// time; an error of run ends the search and is returned. limit may lower the number of the
// next batch, and ends the search if it returns n or less; nil lowers nothing. The search
// ends without having reached the goal as well if n is MaxIterations.
func Grow(
	first, goal int64, run func(n int64) (t int64, err error), limit func(n, t, next int64) int64,
) (n, t int64, reached bool, err error) {
	n = min(max(first, 1), MaxIterations)
	for {
		t, err = run(n)
		if err != nil {
			return n, t, false, err
		}
		next, done := Adapt(n, t, goal)
		if done {
			return n, t, true, nil
		}
		if next > n && limit != nil {
			next = limit(n, t, next)
		}
		if next <= n {
			return n, t, false, nil
		}
		n = next
	}
}
