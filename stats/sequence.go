package stats

import (
	"errors"
	"fmt"
	"math"
)

// Side is where a ratio was shown to lie of its limit. The numbers are stable.
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

// Errors of what is passed in: a log ratio that is no number, a limit or an error rate
// that is out of range.
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

// tied is how close a log ratio may be to that of the limit and still lie on
// neither side: 103 ns against 100 ns is 3 % exactly, and its logarithms are
// off by 10⁻¹⁶.
const tied = 1e-12

// Sequence judges one comparative call: whether the ratio of candidate to base
// is above its limit or below, from pairs that come one by one, with both error
// rates at most α at every moment. One may look after every pair, stop for any
// reason and start again: the outcome is a function of the pairs and their
// order, and Undecided becomes Above or Below once and for all.
//
// It rests on one assumption: if the true ratio is the limit, a pair lies above
// it with chance at most 1/2 given all pairs before it, and likewise below. A
// coin that decides who goes first makes it so for any noise, drift and
// outliers that do not depend on who runs. Ties count as pairs for neither side.
//
// Sources: H. Robbins, Statistical methods related to the law of the iterated
// logarithm, Annals of Mathematical Statistics 41 (1970); J. Ville, Étude
// critique de la notion de collectif (1939), for the bound of α at all times.
type Sequence struct {
	limit        float64 // ln θ
	bound        boundary
	above, below int
	side         Side
	decidedAt    int
	ratios       []float64 // ln, in order
	bounds       bounds
}

// NewSequence returns a judge without pairs. limit is the ratio in question, 1.03 for
// a tolerance of 3 %; alpha is the error rate of each side: the chance to call
// Above what is not above at all, and that to call Below what is not below.
// The error is ErrLimit or ErrAlpha.
func NewSequence(limit, alpha float64) (*Sequence, error) {
	if !positive(limit) {
		return nil, fmt.Errorf("%w: %v", ErrLimit, limit)
	}
	if !(alpha > 0 && alpha < 1) {
		return nil, fmt.Errorf("%w: %v", ErrAlpha, alpha)
	}
	b := newBoundary(alpha)
	return &Sequence{limit: math.Log(limit), bound: b, bounds: newBounds(b)}, nil
}

// Add takes in the log ratio of the next pair, or the median log ratio of the
// next launch. The error is ErrNotFinite; such a pair is left out. It takes
// constant time.
func (s *Sequence) Add(logRatio float64) error {
	if err := finite(logRatio); err != nil {
		return err
	}
	s.ratios = append(s.ratios, logRatio)
	s.bound.step()
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
	case s.bound.reached(s.above):
		s.side = Above
	case s.bound.reached(s.below):
		s.side = Below
	default:
		return
	}
	s.decidedAt = len(s.ratios)
}

// Side says what was shown, at the first pair that showed it.
func (s *Sequence) Side() Side { return s.side }

// DecidedAt is the number of pairs that it took; 0 while undecided.
func (s *Sequence) DecidedAt() int { return s.decidedAt }

// Pairs is how many were taken in.
func (s *Sequence) Pairs() int { return len(s.ratios) }

// Counts is how many of the pairs lie above the limit and below it; the others
// are tied.
func (s *Sequence) Counts() (above, below int) { return s.above, s.below }

// Evidence returns ln E for both sides as it is now, see the function evidence.
// What decides is that it was ln 1/α at some pair: it may have fallen since.
func (s *Sequence) Evidence() (above, below float64) {
	return evidence(len(s.ratios), s.above), evidence(len(s.ratios), s.below)
}
