package stats

import (
	"math"
	"slices"
)

// Factor is a ratio above 0, and the bounds of its interval.
type Factor struct{ Value, Low, High float64 }

// LevelRatio returns the ratio of the level of ys to the level of xs: the median of all ratios
// of one of ys to one of xs. Its bounds contain the true ratio with probability conf at least,
// in (0, 1), if the numbers are independent and the two sides differ by a factor alone,
// whatever their distribution is.
//
// xs and ys have the same length and contain numbers above 0 in any order. The error is
// ErrTooFew if there are fewer than LevelPoints of conf, or if a number is not above 0.
//
// Source: J. L. Hodges and E. L. Lehmann, Estimates of location based on rank tests, Annals of
// Mathematical Statistics 34 (1963), on logarithms.
func LevelRatio(xs, ys []float64, conf float64) (Factor, error) {
	k := len(xs)
	before, ok := logarithms(xs)
	after, also := logarithms(ys)
	if !ok || !also || k != len(ys) {
		return Factor{}, ErrTooFew
	}
	leftOut := rankSumTail(k, (1-conf)/2)
	if leftOut < 1 {
		return Factor{}, ErrTooFew
	}
	differences := make([]float64, 0, k*k)
	for _, x := range before {
		for _, y := range after {
			differences = append(differences, y-x)
		}
	}
	slices.Sort(differences)
	return Factor{math.Exp(medianSorted(differences)), math.Exp(differences[leftOut-1]),
		math.Exp(differences[len(differences)-leftOut])}, nil
}

// LevelPoints returns the least length of each side for which LevelRatio has bounds at a
// confidence in (0, 1): with fewer, even the rarest of their orders is not rare enough.
func LevelPoints(conf float64) int {
	k := 1
	for rankSumTail(k, (1-conf)/2) < 1 {
		k++
	}
	return k
}

// rankSumTail returns the largest c for which the Mann–Whitney statistic of two sides of k
// numbers is below c with probability alpha at most, if the sides do not differ.
//
// The number of orders with a statistic of u is the coefficient of q^u in the Gaussian binomial
// of 2k and k, which is the product of (1 − q^(k+i)) / (1 − q^i).
func rankSumTail(k int, alpha float64) int {
	orders := make([]float64, k*k/2+1)
	orders[0] = 1
	for i := 1; i <= k; i++ {
		for u := len(orders) - 1; u >= k+i; u-- {
			orders[u] -= orders[u-k-i]
		}
		for u := i; u < len(orders); u++ {
			orders[u] += orders[u-i]
		}
	}
	all, _ := math.Lgamma(float64(2*k + 1))
	half, _ := math.Lgamma(float64(k + 1))
	limit := math.Log(alpha) + all - 2*half
	sum := 0.0
	for u, n := range orders {
		sum += n
		if math.Log(sum) > limit+1e-9 {
			return u
		}
	}
	return len(orders)
}

// Product multiplies ratios that were measured independently. Each of their intervals contains
// the ratio with probability of, and the product's contains the product with probability conf,
// both in (0, 1), as far as the errors of the logarithms are normal: their variances add up.
func Product(ratios []Factor, of, conf float64) Factor {
	sum, variance := 0.0, 0.0
	for _, r := range ratios {
		sum += math.Log(r.Value)
		variance += square(math.Log(r.High/r.Low) / 2)
	}
	half := math.Sqrt(variance) * normalQuantile((1+conf)/2) / normalQuantile((1+of)/2)
	return Factor{math.Exp(sum), math.Exp(sum - half), math.Exp(sum + half)}
}
