package stats

import (
	"math"
	"sort"
)

// evidence returns ln E_n(k), the evidence that more than half of the population
// is above a point if k of n samples are: the likelihood of p mixed evenly over
// (1/2, 1), relative to a fair coin. It has no unit, any value from −∞ upwards,
// increases in k and is 0 for n = 0. k is clipped to [0, n].
//
// If no more than half of the population is above the point, E is a non-negative
// supermartingale that starts at 1: the chance that it ever reaches 1/α, at
// whatever n, is at most α (Ville).
//
//	E_n(k) = 2^(n+1) · B(k+1, n−k+1) · P(Bin(n+1, 1/2) ≤ k)
//
// Source: H. Robbins, Statistical methods related to the law of the iterated
// logarithm, Annals of Mathematical Statistics 41 (1970).
func evidence(n, k int) float64 {
	if n <= 0 {
		return 0
	}
	k = max(0, min(k, n))
	// B(k+1, n−k+1) = 1 / ((n+1) · C(n, k)).
	beta := -math.Log(float64(n)+1) - logChoose(n, k)
	return float64(n+1)*math.Ln2 + beta + logCoins(n+1, k)
}

// Threshold returns k*(n, α), the least k with E_n(k) ≥ 1/α: the number of n
// samples that have to be on one side before it is taken for true, if one may look
// after every sample. ok is false if not even n of n suffice; at α = 1 % that is
// so up to n = 8. alpha is in (0, 1); a greater one counts as 1.
func Threshold(n int, alpha float64) (k int, ok bool) {
	if n <= 0 {
		return 0, false
	}
	limit := needed(alpha)
	k = sort.Search(n+1, func(k int) bool { return evidence(n, k) >= limit })
	return k, k <= n
}

// needed is ln 1/α, the evidence that decides. The slack is for rounding alone: ln E
// is off by 1e-12 at n = 1000 and by 1e-8 at 10⁶.
func needed(alpha float64) float64 { return -math.Log(min(alpha, 1)) - 1e-9 }
