package stats

import "math"

// signTest is the two-sided p-value of less against more under a fair coin, in (0,
// 1]: the chance that at least the greater number of less+more tosses fall on one
// side, doubled and at most 1. It is 1 without tosses. The caller leaves out ties.
// Negative counts are treated as 0.
//
// Source: W. J. Conover, Practical Nonparametric Statistics, 3rd ed., §3.4.
func signTest(less, more int) float64 {
	less, more = max(0, less), max(0, more)
	return min(1, 2*math.Exp(logCoins(less+more, min(less, more))))
}

// ClopperPearson returns the exact interval for the chance of an event that was
// seen hits times in trials, in [0, 1]: it covers the chance with probability at
// least conf, at most (1−conf)/2 on each side. hits lies in [0, trials], conf in
// (0, 1); without trials nothing is known, and the interval is [0, 1].
//
// Source: C. J. Clopper and E. S. Pearson, The use of confidence or fiducial
// limits illustrated in the case of the binomial, Biometrika 26 (1934).
func ClopperPearson(hits, trials int, conf float64) (low, high float64) {
	return LowerBound(hits, trials, (1+conf)/2), UpperBound(hits, trials, (1+conf)/2)
}

// UpperBound returns the one-sided Clopper–Pearson bound: the least chance that
// is excluded, with probability at least conf, by so few hits; 1 if all trials
// hit. The arguments are as for ClopperPearson.
func UpperBound(hits, trials int, conf float64) float64 {
	if hits >= trials || trials <= 0 {
		return 1
	}
	hits = max(0, hits)
	return bisect(func(p float64) bool { return binomialBelow(trials, hits, p) <= 1-conf })
}

// LowerBound returns the one-sided lower bound, the mirror image of UpperBound; 0 if
// no trial hit.
func LowerBound(hits, trials int, conf float64) float64 {
	if hits <= 0 || trials <= 0 {
		return 0
	}
	return 1 - UpperBound(trials-min(hits, trials), trials, conf)
}

// bisect finds the least p in [0, 1] for which past is true, to 2⁻⁶⁰.
func bisect(isAbove func(p float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		if middle := low + (high-low)/2; isAbove(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// binomialBelow is P(Bin(n, p) ≤ k) for k in [0, n) and p in (0, 1). It sums from k
// outwards on the side on which the terms shrink.
func binomialBelow(n, k int, p float64) float64 {
	if float64(k) >= float64(n+1)*p {
		return 1 - binomialTail(n, n-k-1, 1-p)
	}
	return binomialTail(n, k, p)
}

func binomialTail(n, k int, p float64) float64 {
	sum := 1.0
	term := 1.0
	odds := (1 - p) / p
	for j := k; j > 0 && term > sum*1e-17; j-- {
		term *= float64(j) / float64(n-j+1) * odds
		sum += term
	}
	return sum * math.Exp(logChoose(n, k)+float64(k)*math.Log(p)+float64(n-k)*math.Log1p(-p))
}
