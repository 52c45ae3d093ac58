package sides

import (
	"fmt"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// compareCounted compares a metric that valgrind has counted, by the runs of both sides. Documents of earlier versions
// have a single number of each side.
func (all *Cases) compareCounted(
	s *Subject, base Basis, m result.Metric, tolerance, alpha, within float64,
) (*Versus, error) {
	if v := CountedOf(s.Case, m, tolerance, alpha, within); v != nil {
		return v, nil
	}
	return all.compareExact(s, base, m, tolerance, alpha)
}

// CountedOf compares the runs in which valgrind has counted so far. It returns nil if a side has none. The errors are
// those of Versus.
func CountedOf(c *result.Case, m result.Metric, tolerance, alpha, within float64) *Versus {
	base, own, ok := c.CountedRuns()
	if !ok {
		return nil
	}
	v := &Versus{
		Metric:    m,
		tolerance: tolerance,
		Alpha:     alpha,
		within:    within,
		Base:      stats.Median(base),
		Own:       stats.Median(own),
		Runs:      len(own),
		Ratio:     1,
	}
	if !(v.Base > 0 && v.Own > 0) {
		v.Cause, v.Why = result.CauseNoRatio, "a side has executed nothing"
		return v
	}
	v.Ratio = v.Own / v.Base
	v.Over = stats.LevelSide(base, own, 1+tolerance, alpha, within)
	v.Under = stats.LevelSide(base, own, 1/(1+tolerance), within, alpha)
	if at, err := stats.LevelBounds(base, own, result.WithinAlpha); err == nil {
		v.Ratio, v.Low, v.High, v.HasBounds = at.Value, at.Low, at.High, true
	}
	if c.Counted.Unplaced {
		v.Cause = result.CausePlaces
		v.Why = fmt.Sprintf("all runs have functions and data at the same places, which may be why they differ by %s, "+
			"and too few were counted at other places", Signed(v.Ratio))
		return v.Undecided()
	}
	return v
}

// Confidence is the confidence of the interval.
func (v *Versus) Confidence() float64 {
	if v.Runs > 0 {
		return 1 - 2*result.WithinAlpha
	}
	return 1 - 2*v.passing()
}

// passing is the error of a call that the change is not beyond the tolerance, and of each end of the interval.
func (v *Versus) passing() float64 { return max(v.Alpha, v.within) }

// unlike is the error of a call that is no alarm, 0 if it is the error of an alarm.
func (v *Versus) unlike() float64 {
	if v.Runs > 0 || v.within == v.Alpha {
		return 0
	}
	return v.within
}

// Basis describes what a comparison rests on: 12 pairs, or 6 runs of each side.
func (v *Versus) Basis() string {
	switch {
	case v.Used != nil:
		return v.Observations(v.Used.Pairs())
	case v.Runs == 1:
		return "1 run of each side"
	}
	return result.Number(v.Runs).Text + " runs of each side"
}

// Near reports whether the ratio is so close to its limit on one side that a verdict would take too long, see
// stats.Sequence.Near. over asks about 1 + tolerance.
func (v *Versus) Near(over bool) bool {
	switch {
	case v.Used == nil:
		return false
	case over:
		return v.Used.Near(v.tolerance)
	}
	return v.Other.Near(v.tolerance)
}
