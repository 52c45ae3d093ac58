package stats

import (
	"errors"
	"math"
)

// ErrNoLine reports that all points share one x, so that no line fits them.
var ErrNoLine = errors.New("a line needs points at two different x")

// Line fits y = intercept + slope·x by weighted least squares, one point at a
// time and in constant space. The zero value is ready to use.
//
// Means and sums about the means are updated, never sums of squares, and all
// relative to the first point, so that points far from the origin do not cancel:
// x from 10⁹ to 10⁹+10 loses no digits that its input still had. The residual sum
// of squares is the sum of the errors with which earlier points predict each point,
// and does not cancel either if the points are nearly on a line.
//
// Sources: D. H. D. West, Updating mean and variance estimates, Communications
// of the ACM 22 (1979); R. L. Brown, J. Durbin and J. M. Evans, Techniques for
// testing the constancy of regression relationships over time, Journal of the
// Royal Statistical Society B 37 (1975), §2.
type Line struct {
	points        int
	x0, y0        float64 // the first point; all other fields are relative to it
	weight        float64 // Σw
	meanX, meanY  float64
	sxx, sxy, syy float64 // Σw(x−x̄)², …
	residual      float64 // Σw(y−ŷ)²
}

// LineFit is a fitted line with its standard errors.
type LineFit struct {
	// Slope is in units of y per unit of x, Intercept in units of y.
	Slope, Intercept float64
	// SlopeError and InterceptError are standard errors, infinite for two
	// points, which have no scatter about their line.
	SlopeError, InterceptError float64
	// Correlation is in [−1, 1]; 0 if all y are equal.
	Correlation float64
}

// Add adds one point. Its weight is one over the variance of y, up to a factor
// common to all points: 1/y² for times whose noise is proportional to their length.
// A point with a weight of zero or less is left out.
func (l *Line) Add(x, y, weight float64) {
	if !(weight > 0) {
		return
	}
	if l.points == 0 {
		l.x0, l.y0 = x, y
	}
	x, y = x-l.x0, y-l.y0
	l.residual += l.surprise(x, y, weight)
	l.points++
	l.weight += weight
	share := weight / l.weight
	dx, dy := x-l.meanX, y-l.meanY
	l.meanX += share * dx
	l.meanY += share * dy
	l.sxx += weight * dx * (x - l.meanX)
	l.sxy += weight * dx * (y - l.meanY)
	l.syy += weight * dy * (y - l.meanY)
}

// surprise is what a point adds to the residual sum of squares: the square of its
// distance from the line through the earlier points, over the variance of that
// distance. x and y are relative to the first point.
func (l *Line) surprise(x, y, weight float64) float64 {
	if l.points == 0 {
		return 0
	}
	dx, dy := x-l.meanX, y-l.meanY
	variance := 1/weight + 1/l.weight
	switch {
	case l.sxx > 0:
		dy -= l.sxy / l.sxx * dx
		variance += dx * dx / l.sxx
	case dx != 0:
		return 0 // the first point at a second x: any slope fits
	}
	return dy * dy / variance
}

// Fit returns the line through the points added so far, with standard errors from
// their scatter about it. The error is ErrNoLine if there are no two different x.
// More points may be added after a Fit.
//
// Source: N. R. Draper and H. Smith, Applied Regression Analysis, 3rd ed., §1.4
// and §9.2.
func (l *Line) Fit() (LineFit, error) {
	if !(l.sxx > 0) {
		return LineFit{}, ErrNoLine
	}
	f := LineFit{Slope: l.sxy / l.sxx, SlopeError: math.Inf(1), InterceptError: math.Inf(1)}
	f.Intercept = l.y0 + l.meanY - f.Slope*(l.x0+l.meanX)
	if l.points > 2 {
		variance := l.residual / float64(l.points-2)
		f.SlopeError = math.Sqrt(variance / l.sxx)
		centre := l.x0 + l.meanX
		f.InterceptError = math.Sqrt(variance * (1/l.weight + centre*centre/l.sxx))
	}
	if l.syy > 0 {
		f.Correlation = max(-1, min(1, l.sxy/math.Sqrt(l.sxx)/math.Sqrt(l.syy)))
	}
	return f, nil
}
