package stats

import (
	"errors"
	"math"
)

// ErrContradiction reports that the pairs exclude every ratio: early pairs exclude
// what late pairs allow. Either the ratio has moved, or the order within the pairs
// was not drawn fairly.
var ErrContradiction = errors.New("early and late pairs contradict each other")

// bounds follows the order statistics d_(n−k*+1) and d_(k*) of log ratios, and
// the middle one, pair by pair.
type bounds struct {
	upper, lower    boundary // of the numbers above and below a limit
	low, middle     ranked
	high            ranked  // of the negated log ratios
	lowest, highest float64 // the bounds at the current n
	greatest, least float64 // the bounds over all n: the running intersection
}

func newBounds(upper, lower boundary) bounds {
	return bounds{upper: upper, lower: lower, lowest: math.Inf(-1), highest: math.Inf(1), greatest: math.Inf(-1),
		least: math.Inf(1)}
}

func (b *bounds) add(x float64) {
	b.middle.add(x, b.upper.n%2 == 0)
	if b.low.follow(&b.upper, x) {
		b.lowest = b.low.at()
		b.greatest = max(b.greatest, b.lowest)
	}
	if b.high.follow(&b.lower, -x) {
		b.highest = -b.high.at()
		b.least = min(b.least, b.highest)
	}
}

// follow adds x to the numbers up to the rank of a boundary, and reports whether it has one.
func (r *ranked) follow(b *boundary, x float64) bool {
	before := b.rank()
	b.step()
	r.add(x, b.rank() > before)
	return b.rank() > 0
}

// catchUp adds the pairs since its last call. Bounds are computed only on demand, so
// a caller that needs only the side does not pay for them.
func (s *Sequence) catchUp() *bounds {
	for _, x := range s.ratios[s.bounds.upper.n:] {
		s.bounds.add(x)
	}
	return &s.bounds
}

// Ratio is the median ratio of all pairs, candidate ÷ base; 0 without pairs.
func (s *Sequence) Ratio() float64 {
	b := s.catchUp()
	switch {
	case b.upper.n == 0:
		return 0
	case b.upper.n%2 == 1:
		return math.Exp(b.middle.at())
	}
	return math.Exp(b.middle.at()/2 + b.middle.next()/2)
}

// Interval returns bounds of the true ratio from the pairs so far, exp d_(n−k*+1) and exp d_(k*): they cover it at
// every n at once with probability at least 1 − 2α. If both sides have rates of their own, the lower bound has the
// one of Above and the upper bound that of Below. The error is ErrTooFew while no bound exists: a gate at 1 % needs
// nine pairs. A bound that does not exist yet is 0 or +∞. A call takes O(log n) for each pair since the last one.
//
// Source: S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, Time-uniform,
// nonparametric, nonasymptotic confidence sequences, Annals of Statistics 49
// (2021).
func (s *Sequence) Interval() (low, high float64, err error) {
	b := s.catchUp()
	if max(b.upper.rank(), b.lower.rank()) == 0 {
		return 0, 0, ErrTooFew
	}
	return math.Exp(b.lowest), math.Exp(b.highest), nil
}

// Intersection returns the intersection of the intervals after every pair so far,
// with the same confidence. It is on one side of the limit exactly when Side has
// decided for that side. The errors are ErrTooFew, and ErrContradiction if the
// intersection is empty; then the bounds are returned all the same, the lower one
// above the upper.
func (s *Sequence) Intersection() (low, high float64, err error) {
	b := s.catchUp()
	if max(b.upper.rank(), b.lower.rank()) == 0 {
		return 0, 0, ErrTooFew
	}
	if b.greatest > b.least {
		err = ErrContradiction
	}
	return math.Exp(b.greatest), math.Exp(b.least), err
}

// Near reports whether the ratio is too close to the limit for a verdict to be
// worth waiting for: the interval contains the limit and is narrower than a quarter
// of the tolerance. An undecided call is inconclusive then. tolerance is the
// relative change that is too small to care about, 0.03 for 3 %; at 0 no ratio is
// too close.
func (s *Sequence) Near(tolerance float64) bool {
	low, high, err := s.Interval()
	limit := math.Exp(s.limit)
	return err == nil && high-low < tolerance/4 && low <= limit && limit <= high
}
