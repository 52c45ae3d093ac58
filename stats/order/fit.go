package order

import "math"

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
			l.add(c.of(p.N), y*(1+math.Log(p.Cost/y)), 1/(y*y))
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
		l.add(c.of(p.N), p.Cost, 1/(p.Cost*p.Cost))
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

// line contains weighted points for the fit of y = a + b·x.
type line struct {
	points [][3]float64 // x, y, weight
}

func (l *line) add(x, y, weight float64) { l.points = append(l.points, [3]float64{x, y, weight}) }

// fit returns a and b, neither below 0: if one would be, it is 0 and the other is
// fitted alone. If flat is set, b is 0.
func (l *line) fit(flat bool) (a, b float64) {
	var w, x, y float64
	for _, p := range l.points {
		w, x, y = w+p[2], x+p[2]*p[0], y+p[2]*p[1]
	}
	x, y = x/w, y/w
	var sxx, sxy, through, square float64
	for _, p := range l.points {
		sxx, sxy = sxx+p[2]*(p[0]-x)*(p[0]-x), sxy+p[2]*(p[0]-x)*(p[1]-y)
		through, square = through+p[2]*p[0]*p[1], square+p[2]*p[0]*p[0]
	}
	if flat || !(sxx > 0) || sxy <= 0 {
		return y, 0
	}
	if b = sxy / sxx; y-b*x >= 0 {
		return y - b*x, b
	}
	return 0, through / square
}

// exponent returns the slope of ln(cost) over ln(n), and its standard error.
func exponent(points []Point) (slope, err float64) {
	var x, y float64
	n := float64(len(points))
	for _, p := range points {
		x, y = x+math.Log(p.N)/n, y+math.Log(p.Cost)/n
	}
	var sxx, sxy, syy float64
	for _, p := range points {
		dx, dy := math.Log(p.N)-x, math.Log(p.Cost)-y
		sxx, sxy, syy = sxx+dx*dx, sxy+dx*dy, syy+dy*dy
	}
	slope = sxy / sxx
	return slope, math.Sqrt(max(0, syy-slope*sxy) / (n - 2) / sxx)
}
