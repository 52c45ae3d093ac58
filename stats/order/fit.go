package order

import (
	"math"

	"example.com/suite/stats"
)

// Fit is the curve of a class fitted to points: cost = Fixed + Slope·f(n).
type Fit struct {
	Class        Class
	Fixed, Slope float64
	RMS          float64 // root mean square of ln(cost ÷ fit)
	Growth       float64 // fit at the largest size ÷ fit at the smallest
}

func (f Fit) parameters() float64 {
	if f.Class == Constant {
		return 1
	}
	return 2
}

// aic returns Akaike's criterion, less a constant common to all fits; smaller is nearer.
// looks is the number of independent observations, noise a variance that each of them
// has in addition to its distance from the curve.
func (f Fit) aic(looks, noise float64) float64 {
	return looks*math.Log(f.RMS*f.RMS+noise) + 2*f.parameters()
}

func (f Fit) at(n float64) float64 { return f.Fixed + f.Slope*f.Class.of(n) }

// rounds is the most steps of a fit. Each one halves the remaining error, and 30 of them
// leave less than the last digits of a cost.
const rounds = 30

// fit minimises the squares of ln(cost ÷ fit) by the Gauss–Newton method: each step is a
// linear fit to y·(1 + ln(cost ÷ y)), the logarithm's tangent, with weights 1/y².
func fit(c Class, points []Point) Fit {
	f := start(c, points)
	for range rounds {
		var l line
		for _, p := range points {
			y := f.at(p.N)
			l.addPoint(c.of(p.N), y*(1+math.Log(p.Cost/y)), 1/(y*y))
		}
		next := f
		next.Fixed, next.Slope = l.fit(c == Constant)
		if !(next.rms(points) <= f.rms(points)) {
			next.Fixed, next.Slope = (f.Fixed+next.Fixed)/2, (f.Slope+next.Slope)/2
			if !(next.rms(points) <= f.rms(points)) {
				break
			}
		}
		f = next
	}
	f.RMS, f.Growth = f.rms(points), f.growth(points)
	return f
}

// start returns the first guess of fit, by least squares relative to the costs.
func start(c Class, points []Point) Fit {
	var l line
	for _, p := range points {
		l.addPoint(c.of(p.N), p.Cost, 1/(p.Cost*p.Cost))
	}
	f := Fit{Class: c}
	f.Fixed, f.Slope = l.fit(c == Constant)
	return f
}

func (f Fit) rms(points []Point) float64 {
	sum := 0.0
	for _, p := range points {
		r := math.Log(p.Cost / f.at(p.N))
		sum += r * r
	}
	return math.Sqrt(sum / float64(len(points)))
}

func (f Fit) growth(points []Point) float64 {
	low, high := math.Inf(1), 0.0
	for _, p := range points {
		low, high = min(low, p.N), max(high, p.N)
	}
	return f.at(high) / f.at(low)
}

// line fits y = a + b·x to weighted points with neither a nor b below 0.
type line struct {
	free            stats.Line // without bounds of a and b
	weight          float64    // Σw
	mean            float64    // of y: the fit if b is 0
	through, square float64    // Σwxy and Σwx²: the fit if a is 0
}

func (l *line) addPoint(x, y, weight float64) {
	l.free.Add(x, y, weight)
	l.weight += weight
	l.mean += weight / l.weight * (y - l.mean)
	l.through += weight * x * y
	l.square += weight * x * x
}

// fit returns a and b. If one would be below 0, it is 0 and the other is fitted alone. If
// flat is set, b is 0.
func (l *line) fit(flat bool) (a, b float64) {
	free, err := l.free.Fit()
	if flat || err != nil || free.Slope <= 0 {
		return l.mean, 0
	}
	if free.Intercept >= 0 {
		return free.Intercept, free.Slope
	}
	return 0, l.through / l.square
}

// exponent returns the slope of ln(cost) over ln(n), and its standard error.
func exponent(points []Point) (slope, err float64) {
	var l stats.Line
	for _, p := range points {
		l.Add(math.Log(p.N), math.Log(p.Cost), 1)
	}
	fit, _ := l.Fit() // there are several sizes
	return fit.Slope, fit.SlopeError
}
