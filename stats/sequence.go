package stats

import (
	"errors"
	"fmt"
	"math"
)

// Side is the side of its limit on which a ratio was shown to be. The numbers are
// stable.
type Side int

// The zero value is Undecided: ask for more pairs.
const (
	Undecided Side = 0
	Above     Side = 1
	Below     Side = -1
)

func (s Side) String() string {
	switch s {
	case Above:
		return "above"
	case Below:
		return "below"
	}
	return "undecided"
}

// Errors of arguments: a log ratio that is not a finite number, a limit or an error
// rate out of range.
var (
	ErrNotFinite = errors.New("a log ratio must be a finite number")
	ErrLimit     = errors.New("the limit of a ratio must be a positive, finite number")
	ErrAlpha     = errors.New("an error rate must lie between 0 and 1")
)

func finite(logRatio float64) error {
	if math.IsNaN(logRatio) || math.IsInf(logRatio, 0) {
		return fmt.Errorf("%w: %v", ErrNotFinite, logRatio)
	}
	return nil
}

func positive(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

// tied is the largest distance between a log ratio and the limit's logarithm at which
// the pair counts for neither side: 103 ns against 100 ns is 3 % exactly, and the
// rounding of logarithms moves it by 10⁻¹⁶.
const tied = 1e-12

// Sequence judges one comparative call: whether the ratio of candidate to base
// is above its limit or below, from pairs added one by one. Each side has an error rate
// α over all looks together, so one may look after every pair, stop for any
// reason and go on later. The outcome depends on the pairs and their order alone, and
// once it is Above or Below it never changes.
//
// It rests on one assumption: if the true ratio is the limit, a pair is above it with
// chance at most 1/2 given all pairs before it, and likewise below. A coin that
// decides which side runs first ensures this for any noise, drift and outliers that
// do not depend on the side. Ties count as pairs for neither side.
//
// Sources: H. Robbins, Statistical methods related to the law of the iterated
// logarithm, Annals of Mathematical Statistics 41 (1970); J. Ville, Étude
// critique de la notion de collectif (1939), for the bound of α at all times.
type Sequence struct {
	limit        float64  // logarithm of the ratio in question
	upper, lower boundary // of the numbers above and below
	above, below int
	side         Side
	decidedAt    int
	ratios       []float64 // log ratios, in order
	bounds       bounds
}

// NewSequence returns a Sequence without pairs. limit is the ratio in question, 1.03
// for a tolerance of 3 %. alpha, in (0, 1), is the error rate of each side: the chance
// that a ratio that is not above the limit is called Above, and the chance that one
// that is not below is called Below. The error is ErrLimit or ErrAlpha.
func NewSequence(limit, alpha float64) (*Sequence, error) { return NewUneven(limit, alpha, alpha) }

// NewUneven returns a Sequence whose two sides have error rates of their own.
func NewUneven(limit, above, below float64) (*Sequence, error) {
	if !positive(limit) {
		return nil, fmt.Errorf("%w: %v", ErrLimit, limit)
	}
	for _, alpha := range []float64{above, below} {
		if !(alpha > 0 && alpha < 1) {
			return nil, fmt.Errorf("%w: %v", ErrAlpha, alpha)
		}
	}
	upper, lower := newBoundary(above), newBoundary(below)
	return &Sequence{limit: math.Log(limit), upper: upper, lower: lower, bounds: newBounds(upper, lower)}, nil
}

// Add adds the log ratio of the next pair, or the median log ratio of the next
// launch, in constant time. The error is ErrNotFinite, and then the pair is left out.
func (s *Sequence) Add(logRatio float64) error {
	if err := finite(logRatio); err != nil {
		return err
	}
	s.ratios = append(s.ratios, logRatio)
	s.upper.step()
	s.lower.step()
	if logRatio > s.limit+tied {
		s.above++
	} else if logRatio < s.limit-tied {
		s.below++
	}
	s.decide()
	return nil
}

func (s *Sequence) decide() {
	switch {
	case s.side != Undecided:
		return
	case s.upper.reached(s.above):
		s.side = Above
	case s.lower.reached(s.below):
		s.side = Below
	default:
		return
	}
	s.decidedAt = len(s.ratios)
}

// Side is the side that the pairs have shown, Undecided until then. It never changes
// once it is decided.
func (s *Sequence) Side() Side { return s.side }

// DecidedAt is the number of pairs after which Side was decided; 0 while undecided.
func (s *Sequence) DecidedAt() int { return s.decidedAt }

// Pairs is the number of pairs added.
func (s *Sequence) Pairs() int { return len(s.ratios) }

// Counts are the numbers of pairs above and below the limit; the others are tied.
func (s *Sequence) Counts() (above, below int) { return s.above, s.below }

// Evidence is ln E of both sides after the pairs so far, as the function evidence
// defines it. A side is decided when its evidence reaches ln 1/α; later it may fall
// below that again.
func (s *Sequence) Evidence() (above, below float64) {
	return evidence(len(s.ratios), s.above), evidence(len(s.ratios), s.below)
}
