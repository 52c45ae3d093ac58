package result

import "slices"

// Middle is the median of the numbers that a metric has in any row, disturbed ones
// too, for showing two sides beside each other; false where no row has one.
// Verdicts rest on Headline and on pairs, never on this.
func (s *Samples) Middle(metric string) (float64, bool) {
	xs := slices.Sorted(slices.Values(s.Column(metric).Present()))
	n := len(xs)
	if n == 0 {
		return 0, false
	}
	return xs[(n-1)/2]/2 + xs[n/2]/2, true
}
