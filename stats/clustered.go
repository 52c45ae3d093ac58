package stats

import (
	"math"
	"sort"
)

// leastClusters is the fewest clusters from which their spread is known.
const leastClusters = 8

// QuantileShares returns shares low ≤ q ≤ high of a sample, between whose quantiles the
// population's q-quantile is with probability at least conf, whatever the distribution. The
// sample consists of clusters, such as stretches of time, whose members may be alike: count
// is how many members each has, and below how many of them are at most the q-quantile of
// the sample.
//
// Members of one cluster that are alike are worth less than as many independent ones. The
// interval is the one of order statistics for fewer members: for as many as independent ones
// would show the variance that the clusters show, and never for more than there are. The
// error is ErrTooFew if there are fewer than eight clusters, or if the interval would need
// an order statistic beyond the greatest: a 95 % interval of the 0.99-quantile needs 368
// independent members.
//
// Sources: R. S. Woodruff, Confidence intervals for medians and other position measures,
// JASA 47 (1952); W. J. Conover, Practical Nonparametric Statistics, 3rd ed., §3.2; L. Kish,
// Survey Sampling (1965), §8.2 for the effect of clusters.
func QuantileShares(q float64, count, below []float64, conf float64) (low, high float64, err error) {
	clusters, all, hits := float64(len(count)), 0.0, 0.0
	for i := range count {
		all += count[i]
		hits += below[i]
	}
	if len(count) < leastClusters || all < 1 || q <= 0 || q >= 1 {
		return 0, 0, ErrTooFew
	}
	share, squares := hits/all, 0.0
	for i := range count {
		d := below[i] - share*count[i]
		squares += d * d
	}
	seen := clusters / (clusters - 1) * squares / (all * all)
	wider := studentQuantile((1+conf)/2, clusters-1) / normalQuantile((1+conf)/2)
	effect := max(1, seen*wider*wider/(q*(1-q)/all))
	n := int(all / effect)
	rank, beyond := quantileRanks(n, q, conf)
	if rank == 0 || beyond > n {
		return 0, 0, ErrTooFew
	}
	return float64(rank) / float64(n), float64(beyond) / float64(n), nil
}

// quantileRanks returns the greatest rank, from 1, that is above the q-quantile of n
// independent members with probability at most (1−conf)/2, and the least rank that is below
// it with at most that probability; 0 and n+1 if there is none.
func quantileRanks(n int, q, conf float64) (low, high int) {
	tail := (1 - conf) / 2
	// The r-th smallest is above the quantile if fewer than r members are at most it.
	low = sort.Search(n, func(i int) bool { return binomialBelow(n, i, q) > tail })
	// The r-th smallest is below the quantile if at least r members are at most it.
	high = 1 + sort.Search(n, func(i int) bool { return 1-binomialBelow(n, i, q) <= tail })
	return low, high
}

// normalQuantile is the p-quantile of the standard normal distribution.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// studentQuantile approximates the p-quantile of Student's t distribution; df ≥ 7. Its
// error is below 0.2 % up to p = 0.995.
//
// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
func studentQuantile(p, df float64) float64 {
	z := normalQuantile(p)
	z3, z5, z7 := z*z*z, z*z*z*z*z, z*z*z*z*z*z*z
	return z + (z3+z)/4/df + (5*z5+16*z3+3*z)/96/(df*df) + (3*z7+19*z5+17*z3-15*z)/384/(df*df*df)
}
