package stats

import "math"

// Spending divides an error among decisions of which nobody knows how many there will be. The
// usual number of them share half of it, as many again a quarter, and so on: the sum never exceeds
// the error.
type Spending struct {
	Error float64 // in (0, 1)
	Usual int     // decisions, at least 1
}

// Share is what the nth decision may spend, from 0.
func (s Spending) Share(n int) float64 {
	return s.Error / float64(s.Usual) / math.Exp2(float64(1+n/s.Usual))
}
