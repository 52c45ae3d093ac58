// Package order finds how a cost grows with a size: as O(1), O(log n), O(n), O(n log n)
// or O(n²), as far as the measured sizes can distinguish them. It takes points and
// returns classes; it knows nothing of suites, metrics or units and imports stats and the
// standard library only.
package order

import (
	"errors"
	"math"
	"slices"
	"strings"
)

// Class is how a cost grows. Greater ones grow faster.
type Class int

// The classes, in ascending order.
const (
	Constant Class = iota
	Logarithmic
	Linear
	Linearithmic
	Quadratic

	// Faster is all growth beyond n². It is fitted as n³, and Parse does not accept its
	// name, because how fast such growth is remains open.
	Faster
)

// classes lists the classes that points can be shown to have, in ascending order.
var classes = []Class{Constant, Logarithmic, Linear, Linearithmic, Quadratic}

var names = []string{"1", "log n", "n", "n log n", "n^2"}

// fasterName is the String of Faster.
const fasterName = "faster"

// Names returns the names of all classes but Faster, in ascending order, as Parse
// accepts them.
func Names() []string { return slices.Clone(names) }

// String returns the name without O(): n log n.
func (c Class) String() string {
	if c == Faster {
		return fasterName
	}
	return names[c]
}

// Parse returns the class of a name with or without O(): "n log n", "O(n²)", "nlogn".
// It is false for an unknown name.
func Parse(name string) (Class, bool) {
	s := strings.ToLower(strings.Join(strings.Fields(name), ""))
	if inner, ok := strings.CutPrefix(s, "o("); ok {
		s, ok = strings.CutSuffix(inner, ")")
		if !ok {
			return 0, false
		}
	}
	s = strings.NewReplacer("²", "^2", "**2", "^2", "*", "").Replace(s)
	i := slices.IndexFunc(names, func(n string) bool { return strings.ReplaceAll(n, " ", "") == s })
	return Class(max(i, 0)), i >= 0
}

// of returns f(n) of the class for a size n ≥ 1.
func (c Class) of(n float64) float64 {
	switch c {
	case Logarithmic:
		return math.Log2(n)
	case Linear:
		return n
	case Linearithmic:
		return n * math.Log2(n)
	case Quadratic:
		return n * n
	case Faster:
		return n * n * n
	}
	return 0
}

// Point is the cost of one size. Error is the relative standard error of the cost; 0
// means that it is not known and adds nothing, a value outside [0, 1) counts as 1.
type Point struct{ N, Cost, Error float64 }

// What Of needs at least.
const (
	LeastSizes = 4 // three suit any curve with two parameters and a little noise
	LeastSpan  = 8 // largest over smallest: below it n and n log n differ by less than noise
)

// most is the greatest size and cost: fits take squares of squares of it, which must
// not overflow.
const most = 1e50

// Errors of points that are too few, too near to each other or out of range.
var (
	ErrFew    = errors.New("fewer than 4 different sizes")
	ErrNarrow = errors.New("the largest size is less than 8 times the smallest")
	ErrValue  = errors.New("sizes must be 1 or more, and costs above 0, and neither astronomical")
)

// Growth is what points show of the growth of a cost.
type Growth struct {
	// Plausible lists the classes that the points do not rule out, ascending: one if
	// the growth is clear, all but Faster if no class fits. Faster is never alone.
	Plausible []Class
	Fits      bool    // whether any class but Faster describes the points
	Best      Fit     // the nearest, of all classes but Faster
	Exponent  float64 // of n, if the cost is taken for a power of n
	From, To  float64 // smallest and largest size
}

const (
	// misfit is the relative error that a curve may have although its class is right:
	// caches, branch predictors and allocators make steps of a few percent.
	misfit = 0.05
	// support is the difference of AIC at which a class has essentially no support left:
	// K. P. Burnham and D. R. Anderson, Model Selection and Multimodel Inference, 2nd
	// ed. (2002), §2.6.
	support = 10
	// hopeless is the error of the best fit above which no class describes the points.
	hopeless = 0.35
	// flat is the factor by which a fit has to grow over all sizes to count as growth.
	flat = 1.15
	// idle is the greatest exponent of a cost that does not grow.
	idle = 0.1
)

// Of returns how the cost of points grows with their size. The points may be in any
// order, several of one size allowed. The error is ErrFew, ErrNarrow or ErrValue.
//
// Every class is fitted as cost = a + b·f(n) with a, b ≥ 0, to the logarithm of costs:
// their noise is proportional to them, and the largest size must not outvote the others
// (R. J. Carroll and D. Ruppert, Transformation and Weighting in Regression, 1988, §4).
// Growth beyond n² is fitted too, as Faster: a small n³ above a large fixed cost is
// within misfit of n², and must not be taken for it.
//
// Akaike's criterion rules out a class whose distance from the points neither noise nor
// misfit explains. Sizes nearer than a factor of two share caches and steps, so they
// count as one observation. The worse the best fit is, the less each observation
// counts, because a misfit extends over several sizes in a row (the overdispersion of
// Burnham and Anderson, §2.5, by its root).
func Of(points []Point) (*Growth, error) {
	g, err := measure(points)
	if err != nil {
		return nil, err
	}
	var fits []Fit
	for _, c := range append(slices.Clone(classes), Faster) {
		fits = append(fits, fit(c, points))
	}
	g.Best = slices.MinFunc(fits[:len(classes)], func(a, b Fit) int { return compare(a.RMS, b.RMS) })
	slope, slopeError := exponent(points)
	g.Exponent = slope
	g.Plausible, g.Fits = g.plausible(points, fits, slope+2*slopeError < idle)
	return g, nil
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// measure counts the sizes and returns their range, or the error of points that do not
// suffice.
func measure(points []Point) (*Growth, error) {
	var sizes []float64
	for _, p := range points {
		if !(p.N >= 1 && p.N <= most) || !(p.Cost >= 1/most && p.Cost <= most) {
			return nil, ErrValue
		}
		sizes = append(sizes, p.N)
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	if len(sizes) < LeastSizes {
		return nil, ErrFew
	}
	g := &Growth{From: sizes[0], To: sizes[len(sizes)-1]}
	if g.To < LeastSpan*g.From {
		return nil, ErrNarrow
	}
	return g, nil
}

// plausible returns the classes that the points do not rule out, ascending, and whether
// one of them describes the points. still reports that the cost shows no growth as a
// power of the size.
func (g *Growth) plausible(points []Point, fits []Fit, still bool) (left []Class, described bool) {
	looks := min(float64(len(points)), math.Floor(math.Log2(g.To/g.From))+1)
	noise := noise(points)
	nearest := g.Best.RMS
	for _, f := range fits {
		nearest = min(nearest, f.RMS)
	}
	looks /= max(1, nearest/math.Sqrt(noise))
	score := func(f Fit) float64 { return f.aic(looks, noise) }
	best := math.Inf(1)
	for _, f := range fits {
		best = min(best, score(f))
	}
	for _, f := range fits {
		c := f.Class
		if f.Growth < flat {
			c = Constant // the fitted curve does not grow
		}
		if score(f)-best < support && !slices.Contains(left, c) {
			left = append(left, c)
		}
	}
	alone := len(left) == 1 && left[0] == Constant
	switch {
	case alone && (still || g.Best.RMS < hopeless):
		return left, true
	case g.Best.RMS >= hopeless, len(left) == 1 && left[0] == Faster:
		return slices.Clone(classes), false
	}
	slices.Sort(left)
	return left, true
}

// noise returns the relative variance of costs: the variance of the measurement plus the
// variance of the misfit.
func noise(points []Point) float64 {
	sum := 0.0
	for _, p := range points {
		if e := p.Error; e >= 0 && e < 1 {
			sum += e * e
		} else {
			sum++ // an error beyond the cost itself counts as 100 %
		}
	}
	return sum/float64(len(points)) + misfit*misfit
}
