package result

import "slices"

// Middle is the median of a metric over all rows, including disturbed ones, for
// showing two sides next to each other. It is false if no row has a number. No
// verdict uses it: verdicts rest on Headline and on pairs.
func (s *Samples) Middle(metric string) (float64, bool) {
	xs := slices.Sorted(slices.Values(s.Column(metric).Present()))
	n := len(xs)
	if n == 0 {
		return 0, false
	}
	return xs[(n-1)/2]/2 + xs[n/2]/2, true
}
