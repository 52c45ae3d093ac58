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

// Reached reports whether a batch of t ns is long enough if goal ns are wanted:
// within a factor of √2 below. Even from one iteration the least step, to two,
// doubles the time, so a batch that falls short of goal/√2 is followed by one
// below √2·goal.
func Reached(t, goal int64) bool {
	return goal <= 0 || float64(t) >= float64(goal)/math.Sqrt2
}

// Adapt is one step of the search for a number of iterations whose batch lasts
// goal ns, for loops of your own. It is handed n, how many iterations were run,
// and t, the ns that they took. done reports that t is near enough to goal, and
// then next is n; else next is the number to try: n·goal/t, at least n+1, at
// most Growth times n. A t of zero or less comes from a clock that is too
// coarse and shows only that n is far too small.
//
// next lies in [1, MaxIterations], and n below 1 counts as 1. Where next is not
// above n and done is false the search has met that limit: the body is empty, or
// the clock does not move. A search from 1 never takes more than 82 steps, since
// each but the first few is of at least √2; for most bodies it takes two or three.
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

// proportion is ⌊n·goal/t⌋ in 128 bits, or most where it is above that. All are
// positive.
func proportion(n, goal, t, most int64) int64 {
	high, low := bits.Mul64(uint64(n), uint64(goal))
	if high >= uint64(t) { // the quotient would not fit 64 bits
		return most
	}
	quotient, _ := bits.Div64(high, low, uint64(t))
	return int64(min(quotient, uint64(most)))
}
