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
	bound           boundary
	low, middle     ranked
	high            ranked  // of the negated log ratios
	lowest, highest float64 // the bounds at the current n
	greatest, least float64 // the bounds over all n: the running intersection
}

func newBounds(b boundary) bounds {
	return bounds{bound: b, lowest: math.Inf(-1), highest: math.Inf(1), greatest: math.Inf(-1), least: math.Inf(1)}
}

func (b *bounds) add(x float64) {
	before := b.bound.rank()
	b.bound.step()
	rank := b.bound.rank()
	b.low.add(x, rank > before)
	b.high.add(-x, rank > before)
	b.middle.add(x, b.bound.n%2 == 1)
	if rank > 0 {
		b.lowest, b.highest = b.low.at(), -b.high.at()
		b.greatest, b.least = max(b.greatest, b.lowest), min(b.least, b.highest)
	}
}

// catchUp adds the pairs since its last call. Bounds are computed only on demand, so
// a caller that needs only the side does not pay for them.
func (s *Sequence) catchUp() *bounds {
	for _, x := range s.ratios[s.bounds.bound.n:] {
		s.bounds.add(x)
	}
	return &s.bounds
}

// Ratio is the median ratio of all pairs, candidate ÷ base; 0 without pairs.
func (s *Sequence) Ratio() float64 {
	b := s.catchUp()
	switch {
	case b.bound.n == 0:
		return 0
	case b.bound.n%2 == 1:
		return math.Exp(b.middle.at())
	}
	return math.Exp(b.middle.at()/2 + b.middle.next()/2)
}

// Interval returns bounds of the true ratio from the pairs so far,
// exp d_(n−k*+1) and exp d_(k*): they cover it at every n at once with
// probability at least 1 − 2α. The error is ErrTooFew while no bound exists:
// a gate at 1 % needs nine pairs. A call takes O(log n) for each pair since the
// last one.
//
// Source: S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, Time-uniform,
// nonparametric, nonasymptotic confidence sequences, Annals of Statistics 49
// (2021).
func (s *Sequence) Interval() (low, high float64, err error) {
	b := s.catchUp()
	if b.bound.rank() == 0 {
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
	if b.bound.rank() == 0 {
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
