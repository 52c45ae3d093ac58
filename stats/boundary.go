package stats

import "math"

// boundary walks along k*(n, α) one pair at a time, in constant space: the two
// neighbours of E_n(k) in n follow from it exactly,
//
//	E_(n+1)(k)   = (2 (n+1−k) E_n(k) − 1) / (n+2)
//	E_(n+1)(k+1) = (2 (k+1)   E_n(k) + 1) / (n+2)
//
// (integration by parts), the first is never above E_n(k) and the second never
// below, so k* stays or grows by one. Next to the boundary E is about 1/α: values
// far from it, which would overflow, are never computed, and the rounding of 10⁶
// steps stays below 10⁻⁹. The function evidence would take √n operations a step.
type boundary struct {
	n, k  int
	e     float64 // E_n(k)
	limit float64 // 1/α, less the slack of Threshold
}

// newBoundary starts at n = 0. An alpha below 10⁻³⁰⁰, for which 1/α would overflow,
// counts as 10⁻³⁰⁰, and so does NaN.
func newBoundary(alpha float64) boundary {
	if !(alpha > 1e-300) {
		alpha = 1e-300
	}
	return boundary{e: 1, limit: math.Exp(needed(alpha))}
}

// step moves on to n+1 pairs.
func (b *boundary) step() {
	n, k := float64(b.n), float64(b.k)
	b.n++
	if stay := (2*(n+1-k)*b.e - 1) / (n + 2); stay >= b.limit {
		b.e = stay
		return
	}
	b.e = (2*(k+1)*b.e + 1) / (n + 2)
	b.k++
}

// reached reports whether k of n pairs on one side suffice.
func (b *boundary) reached(k int) bool { return k >= b.k && b.e >= b.limit }

// rank is n−k*+1, the rank of the median's lower bound, from 1; 0 while no number of
// pairs suffices.
func (b *boundary) rank() int {
	if b.e < b.limit {
		return 0
	}
	return b.n - b.k + 1
}
