package changes

import (
	"math"

	"example.com/suite/stats"
)

// Recent is a place near the end of a series after which the points differ, with too few
// of them to tell a change from chance.
type Recent struct {
	At     int     // index of the first point after the place
	Needed int     // points after the place that would show it, if further ones differ as clearly
	Before float64 // median of the points before the place
	After  float64 // median of the points after it
}

// mostRecent is the greatest number of points after a place that Recent looks at.
const mostRecent = 12

// Recent returns the clearest place near the end of the points from an index on, if it
// needs more points before Points(alpha) could name it. It is nil if so clear a place has a
// probability of more than chance in a series without a change, and if even twice
// mostRecent points would not be enough.
func (s *Search) Recent(from int, alpha, chance float64) *Recent {
	n := len(s.xs)
	place := window{from, n}.clearest(s.levels, max(from, n-mostRecent), n)
	if place.z == 0 || math.Erfc(place.z/math.Sqrt2)*mostRecent > chance {
		return nil
	}
	before, after := place.at-from, n-place.at
	separated := place.z / greatest(before, after) // 1 if no point is among the other side's
	for needed := after + 1; needed <= 2*mostRecent; needed++ {
		if significance(separated*greatest(before, needed), n+needed-after) <= alpha {
			return &Recent{At: place.at, Needed: needed, Before: stats.Median(s.xs[from:place.at]),
				After: stats.Median(s.xs[place.at:])}
		}
	}
	return nil
}

// greatest is the standardised Mann–Whitney statistic of two parts that are separated and
// have no equal points.
func greatest(before, after int) float64 {
	b, a := float64(before), float64(after)
	return math.Sqrt(3 * b * a / (b + a + 1))
}
