package stats

import "math"

// Difference is a difference of two means with a confidence interval.
type Difference struct {
	Value, Low, High float64
}

// WelchDifference returns mean(ys) − mean(xs) in the unit of the samples, with an interval
// that contains the difference of the two population means with a probability of about
// conf; exactly so for normal samples of equal variance. The variances may differ.
//
// least is the smallest variance that one sample of each side is assumed to have, and may
// be 0. Counts need it: a side in which nothing was counted has a variance of 0 in its
// samples, and a larger one in truth. others are variances of the difference that the
// samples do not show.
//
// The error is ErrTooFew if a side has fewer than two samples.
//
// Source: B. L. Welch, The generalization of "Student's" problem when several different
// population variances are involved, Biometrika 34 (1947).
func WelchDifference(xs, ys []float64, conf, least float64, others ...Variance) (Difference, error) {
	if len(xs) < 2 || len(ys) < 2 {
		return Difference{}, ErrTooFew
	}
	x := max(square(StdDev(xs)), least) / float64(len(xs))
	y := max(square(StdDev(ys)), least) / float64(len(ys))
	d := Mean(ys) - Mean(xs)
	sum, weights := x+y, square(x)/float64(len(xs)-1)+square(y)/float64(len(ys)-1)
	for _, v := range others {
		sum += v.Value
		weights += square(v.Value) / v.Freedom
	}
	if sum == 0 {
		return Difference{d, d, d}, nil
	}
	half := StudentQuantile(1-(1-conf)/2, square(sum)/weights) * math.Sqrt(sum)
	return Difference{d, d - half, d + half}, nil
}

// Variance is an estimated variance, and the degrees of freedom of the estimate, more than 0.
type Variance struct {
	Value, Freedom float64
}

func square(x float64) float64 { return x * x }

// StudentQuantile returns the p-quantile of Student's t distribution, for p in (0, 1) and
// more than 0 degrees of freedom, to about ten digits.
func StudentQuantile(p, freedom float64) float64 {
	if p < 0.5 {
		return -StudentQuantile(1-p, freedom)
	}
	low, high := 0.0, 1.0
	for studentUpper(high, freedom) > 1-p && high < 1e300 {
		low, high = high, 2*high
	}
	for range 200 {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if studentUpper(middle, freedom) > 1-p {
			low = middle
		} else {
			high = middle
		}
	}
	return low + (high-low)/2
}

// studentUpper is the probability of more than t, which is not negative.
func studentUpper(t, freedom float64) float64 {
	return betaShare(freedom/(freedom+t*t), freedom/2, 0.5) / 2
}

// betaShare is the regularized incomplete beta function I_x(a, b), by its continued
// fraction.
//
// Source: NIST Digital Library of Mathematical Functions, 8.17.22.
func betaShare(x, a, b float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - betaShare(1-x, b, a)
	}
	logA, _ := math.Lgamma(a)
	logB, _ := math.Lgamma(b)
	logAB, _ := math.Lgamma(a + b)
	front := math.Exp(a*math.Log(x)+b*math.Log1p(-x)+logAB-logA-logB) / a
	const tiny = 1e-300
	above := 1.0
	below := 0.0
	value := 1.0
	for i := 0; i < 1000; i++ {
		m := float64(i / 2)
		var term float64
		switch {
		case i == 0:
			term = 1
		case i%2 == 0:
			term = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			term = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		below = 1 + term*below
		if math.Abs(below) < tiny {
			below = tiny
		}
		below = 1 / below
		above = 1 + term/above
		if math.Abs(above) < tiny {
			above = tiny
		}
		step := above * below
		value *= step
		if math.Abs(step-1) < 1e-15 && i > 0 {
			break
		}
	}
	return front * (value - 1)
}
