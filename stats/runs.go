package stats

import "math"

// firstLookShare is the share of an error that the first look may spend, and the share of the rest that each further
// look may spend. Most sides are decided at the first look, and with it five runs of each side suffice for an error of
// 0.005.
const firstLookShare = 0.8

// NextLevelLook returns the size, above n, at which LevelSide looks next at two growing sides with an error of alpha,
// in (0, 1): the least size that can show anything, and then twice as many runs each time.
func NextLevelLook(n int, alpha float64) int {
	size := LevelPoints(1 - 2*firstLookShare*alpha)
	for size <= n {
		size *= 2
	}
	return size
}

// LevelSide reports on which side of a limit the ratio of the level of own to the level of base is, from independent
// runs of both. It looks after the runs that NextLevelLook names, and the first look that shows something decides, so
// that more runs never change it. The chance that it wrongly says Above is at most above over all looks together, and
// the chance that it wrongly says Below at most below, if the two sides differ by a factor alone, however their numbers
// are distributed: one program may have two speeds.
//
// base and own have the same length, contain numbers above 0 in the order of the runs, and are left as they are. limit
// is above 0, above and below are in (0, 1). A number that is not above 0 shows nothing.
//
// With five runs of each side, all runs of one side are above all of the other in one of 252 orders: that shows a side
// at an error of 0.005, of which the first look may spend four fifths. The k-th look may spend 4 ÷ 5ᵏ of it.
func LevelSide(base, own []float64, limit, above, below float64) Side {
	over, overAt := firstLook(base, own, above, func(at Factor) bool { return math.Log(at.Low) > math.Log(limit)+tied })
	under, underAt := firstLook(base, own, below, func(at Factor) bool {
		return math.Log(at.High) < math.Log(limit)-tied
	})
	switch {
	case over && (!under || overAt <= underAt):
		return Above
	case under:
		return Below
	}
	return Undecided
}

// LevelBounds returns the ratio of the level of own to the level of base at the last look, and its bounds,
// each of which is wrong with a chance of alpha at most over all looks together. base, own and alpha are those of
// LevelSide. The error is ErrTooFew before the first look, or if a number is not above 0.
func LevelBounds(base, own []float64, alpha float64) (Factor, error) {
	size, share, left := 0, 0.0, alpha
	for next := NextLevelLook(0, alpha); next <= min(len(base), len(own)); next *= 2 {
		size, share = next, firstLookShare*left
		left -= share
	}
	if size == 0 {
		return Factor{}, ErrTooFew
	}
	return LevelRatio(base[:size], own[:size], 1-2*share)
}

// firstLook returns the first look that shows something, as the number of runs.
func firstLook(base, own []float64, alpha float64, shows func(Factor) bool) (shown bool, size int) {
	share := firstLookShare * alpha
	for size = NextLevelLook(0, alpha); size <= min(len(base), len(own)); size *= 2 {
		at, err := LevelRatio(base[:size], own[:size], 1-2*share)
		if err != nil {
			return false, 0
		}
		if shows(at) {
			return true, size
		}
		share *= 1 - firstLookShare
	}
	return false, 0
}
