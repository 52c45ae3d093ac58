package stats

import (
	"errors"
	"math"
	"sort"
)

// ErrTooFew reports that there are too few samples for an interval of the
// requested confidence, however wide.
var ErrTooFew = errors.New("too few samples for an interval")

// MedianInterval returns bounds that cover the population median with
// probability at least conf, in the unit of xs: two order statistics, equally
// far from both ends, whatever the distribution.
//
// xs contains independent samples in any order; conf is in (0, 1). The error is
// ErrTooFew when even the smallest and the largest sample do not reach conf: a
// 95 % interval needs six samples, a 99 % interval eight. The probability is for
// one look at a number of samples fixed beforehand; see sequentialInterval for
// looking as often as one likes.
//
// Source: W. J. Conover, Practical Nonparametric Statistics, 3rd ed., §3.2.
func MedianInterval(xs []float64, conf float64) (lo, hi float64, err error) {
	n := len(xs)
	rank := medianRank(n, conf)
	if rank == 0 {
		return 0, 0, ErrTooFew
	}
	s := sorted(xs)
	return s[rank-1], s[n-rank], nil
}

// sequentialInterval returns bounds that cover the population median at every
// n at once with probability at least conf, in the unit of xs: one may look
// after every sample and stop for any reason, and the chance that the median
// was outside at any look is still at most 1 − conf.
//
// Each sample is above the median with probability at most 1/2 given the samples
// before it, and below likewise; conf is in (0, 1). The error is ErrTooFew if there
// are too few samples: 98 % needs nine, 99 % eleven. The interval contains the one
// that MedianInterval returns for the same samples and conf.
//
// Source: inversion of evidence; S. R. Howard, A. Ramdas, J. McAuliffe and
// J. Sekhon, Time-uniform, nonparametric, nonasymptotic confidence sequences,
// Annals of Statistics 49 (2021).
func sequentialInterval(xs []float64, conf float64) (lo, hi float64, err error) {
	n := len(xs)
	k, ok := Threshold(n, (1-conf)/2)
	if !ok {
		return 0, 0, ErrTooFew
	}
	s := sorted(xs)
	return s[n-k], s[k-1], nil
}

// medianRank is the largest rank r, from 1, for which the median is between the r-th
// smallest and the r-th largest of n samples with probability conf; 0 if there is
// none. The median is below the r-th smallest if fewer than r of n fair coins fall on
// its side.
func medianRank(n int, conf float64) int {
	// The slack is for rounding alone: 1 − 2/64 must be reached by six samples.
	limit := math.Log((1-conf)/2) + 1e-9
	return sort.Search(n/2, func(r int) bool { return !(logCoins(n, r) <= limit) })
}

// logCoins is ln P(Bin(n, 1/2) ≤ k). It sums from k outwards: the terms shrink at
// least as fast as a geometric series, so that a few times √n of them count. The
// logarithm prevents an underflow at n = 10,000.
func logCoins(n, k int) float64 {
	if k < 0 {
		return math.Inf(-1)
	}
	if k >= n {
		return 0
	}
	if 2*k < n {
		return logLowerTail(n, k)
	}
	// P(X ≤ k) = 1 − P(X ≥ k+1) = 1 − P(X ≤ n−k−1).
	return math.Log1p(-math.Exp(logLowerTail(n, n-k-1)))
}

func logLowerTail(n, k int) float64 {
	sum, term := 1.0, 1.0
	for j := k; j > 0 && term > sum*1e-17; j-- {
		term *= float64(j) / float64(n-j+1)
		sum += term
	}
	return logChoose(n, k) - float64(n)*math.Ln2 + math.Log(sum)
}

func logChoose(n, k int) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
