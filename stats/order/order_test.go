package order

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func sizes(from, factor float64, n int) (out []float64) {
	for i := range n {
		out = append(out, math.Round(from*math.Pow(factor, float64(i))))
	}
	return out
}

func pointsOf(ns []float64, noise, measured float64, rng *rand.Rand, cost func(float64) float64) (ps []Point) {
	for _, n := range ns {
		ps = append(ps, Point{n, cost(n) * math.Exp(noise*rng.NormFloat64()), measured})
	}
	return ps
}

// Exact curves are named, whatever they cost before the first element.
func TestExactCurves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range classes {
		for _, fixed := range []float64{0, 1, 5} {
			g, err := Of(pointsOf(sizes(16, 4, 7), 0, 0, rng, func(n float64) float64 { return 1e-9 * (1 + fixed + c.of(n)) }))
			if err != nil {
				t.Fatal(err)
			}
			if got, clear := onlyClass(g); !clear || got != c || g.Best.RMS > 0.05 {
				t.Errorf("O(%v) + %g: %v, off by %g", c, fixed, g.Plausible, g.Best.RMS)
			}
		}
	}
}

// A wrong class is named alone in fewer than one of a hundred suites, and the right one
// is found in most of them.
func TestNoisyCurves(t *testing.T) {
	const trials = 200
	for _, c := range classes {
		for _, s := range []struct {
			ns    []float64
			noise float64
			least float64 // share of trials in which the class is found
		}{
			{sizes(16, 4, 8), 0.01, 0.95}, {sizes(16, 4, 8), 0.05, 0.8}, {sizes(100, 10, 4), 0.03, 0},
			{sizes(8, 2, 4), 0.03, 0}, {sizes(16, 4, 8), 0.2, 0}, {sizes(64, 1.2, 30), 0.05, 0},
		} {
			rng, wrong, found := rand.New(rand.NewPCG(3, 4)), 0, 0
			for range trials {
				fixed := math.Exp(rng.NormFloat64()) * (1 + c.of(s.ns[0]))
				g, err := Of(pointsOf(s.ns, s.noise, s.noise, rng, func(n float64) float64 { return fixed + c.of(n) }))
				if err != nil {
					t.Fatal(err)
				}
				switch got, clear := onlyClass(g); {
				case clear && got == c, clear && got == Constant && fixed+c.of(s.ns[len(s.ns)-1]) < 1.3*(fixed+c.of(s.ns[0])):
					found++ // what hardly grows over these sizes is constant
				case clear:
					wrong++
				}
			}
			if limit := 0.01*trials + 3*math.Sqrt(0.01*trials); float64(wrong) > limit || float64(found) < s.least*trials {
				t.Errorf("O(%v), %d sizes up to %g, noise %g: found in %d, wrong in %d of %d", c, len(s.ns), s.ns[len(s.ns)-1], s.noise, found, wrong, trials)
			}
		}
	}
}

// Caches make steps: a linear walk costs twice as much per element beyond them.
func TestStepsAreNoClass(t *testing.T) {
	step := func(n float64) float64 {
		if n > 4096 {
			return 2 * n
		}
		return n
	}
	g, err := Of(pointsOf(sizes(16, 4, 8), 0, 0, seeded(), step))
	if err != nil || !slices.Contains(g.Plausible, Linear) || slices.Contains(g.Plausible, Constant) {
		t.Errorf("%+v, %v", g, err)
	}
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// Many sizes in one step of a cache are not many witnesses.
func TestNeighboursCountOnce(t *testing.T) {
	step := func(n float64) float64 {
		if n > 1000 {
			return 1.25 * n
		}
		return n
	}
	g, err := Of(pointsOf(sizes(64, 1.1, 60), 0.01, 0.01, seeded(), step))
	if err != nil || !slices.Contains(g.Plausible, Linear) {
		t.Errorf("%+v, %v", g, err)
	}
}

// Noise is a factor, so the middle of costs is their geometric mean; and a parameter
// more has to be worth it.
func TestFit(t *testing.T) {
	f := fit(Constant, []Point{{N: 1, Cost: 1}, {N: 2, Cost: 4}, {N: 4, Cost: 1}, {N: 8, Cost: 4}})
	if math.Abs(f.Fixed-2) > 1e-9 || math.Abs(f.RMS-math.Ln2) > 1e-9 {
		t.Errorf("%+v", f)
	}
	if a, b := (Fit{Class: Constant, RMS: 0.1}).aic(5, 0.01), (Fit{Class: Linear, RMS: 0.1}).aic(5, 0.01); math.Abs(b-a-2) > 1e-9 {
		t.Errorf("%g and %g", a, b)
	}
}

// What falls does not grow: the cost of one byte, of which a share is fixed.
func TestFallingCosts(t *testing.T) {
	g, err := Of(pointsOf(sizes(16, 4, 8), 0.02, 0.02, seeded(), func(n float64) float64 { return 1 + 100/n }))
	if err != nil {
		t.Fatal(err)
	}
	if got, clear := onlyClass(g); !clear || got != Constant {
		t.Errorf("%+v", g)
	}
}

// Points that follow no class leave all of them.
func TestScatterIsUnclear(t *testing.T) {
	var ps []Point
	for i, n := range sizes(16, 4, 8) {
		ps = append(ps, Point{n, []float64{1, 50, 2, 90}[i%4], 0.01})
	}
	if g, err := Of(ps); err != nil || len(g.Plausible) != len(classes) {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestPointsThatCannotTell(t *testing.T) {
	linear := func(ns ...float64) []Point { return pointsOf(ns, 0, 0, seeded(), func(n float64) float64 { return n }) }
	for _, c := range []struct {
		points []Point
		want   error
	}{
		{nil, ErrFew}, {linear(1, 10, 100), ErrFew}, {linear(1, 10, 10, 100), ErrFew}, {linear(1, 2, 4, 7.9), ErrNarrow}, {linear(1, 2, 4, 8), nil},
		{linear(0.5, 2, 4, 8), ErrValue}, {append(linear(1, 2, 4, 8), Point{16, 0, 0}), ErrValue}, {append(linear(1, 2, 4, 8), Point{math.NaN(), 1, 0}), ErrValue},
		{append(linear(1, 2, 4, 8), Point{1e200, 1, 0}), ErrValue}, {append(linear(1, 2, 4, 8), Point{16, math.Inf(1), 0}), ErrValue},
	} {
		if _, err := Of(c.points); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.points, err, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]Class{"1": Constant, "O(1)": Constant, "log n": Logarithmic, "O(n)": Linear, "n log n": Linearithmic, "nlogn": Linearithmic,
		"o( N Log N )": Linearithmic, "n^2": Quadratic, "O(n²)": Quadratic, "n**2": Quadratic, "n*log n": Linearithmic} {
		if got, ok := Parse(name); !ok || got != want {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "n^3", "O(n", "fast", "n n", "2^n"} {
		if got, ok := Parse(name); ok {
			t.Errorf("%q is taken for %v", name, got)
		}
	}
	for _, c := range classes {
		if got, ok := Parse(c.String()); !ok || got != c {
			t.Errorf("%v is not read back", c)
		}
	}
}

// Whatever points are, there is a growth or an error, and never NaN.
func FuzzOf(f *testing.F) {
	f.Add(1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0, 0.1)
	f.Add(1.0, 1e3, 1e6, 1e150, 1e-300, 1e300, 1.0, 5e-324, 0.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, p, q, r, s, e float64) {
		g, err := Of([]Point{{a, p, e}, {b, q, 0}, {c, r, 0}, {d, s, 0}})
		if (g == nil) != (err != nil) {
			t.Fatalf("%+v, %v", g, err)
		}
		if g != nil && (len(g.Plausible) == 0 || !slices.IsSorted(g.Plausible)) {
			t.Errorf("%+v", g)
		}
	})
}

// What grows faster than n² is never taken for n² or less, however large the fixed cost
// that hides it at the small sizes.
func TestGrowthBeyondAllClasses(t *testing.T) {
	faster := map[string]func(float64) float64{
		"n^3": func(n float64) float64 { return n * n * n },
		"n^4": func(n float64) float64 { return math.Pow(n, 4) },
		"2^n": func(n float64) float64 { return math.Exp2(min(n, 100)) },
	}
	for name, cost := range faster {
		for _, ns := range [][]float64{sizes(8, 2, 4), sizes(8, 2, 6), sizes(16, 8, 5)} {
			for _, fixed := range []float64{0, 1, 10, 50, 200} {
				g, err := Of(pointsOf(ns, 0, 0.01, seeded(), func(n float64) float64 { return fixed*cost(ns[0]) + cost(n) }))
				if err != nil {
					t.Fatal(err)
				}
				if g.Fits && !slices.Contains(g.Plausible, Faster) {
					t.Errorf("%s + %g, %d sizes up to %g: %v, off by %g", name, fixed, len(ns), ns[len(ns)-1], g.Plausible, g.Best.RMS)
				}
			}
		}
	}
}

// onlyClass returns the class of a growth that leaves one, and whether it does.
func onlyClass(g *Growth) (Class, bool) { return g.Plausible[0], len(g.Plausible) == 1 }
