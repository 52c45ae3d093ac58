package changes

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFindOneChange(t *testing.T) {
	xs := []float64{10.1, 10.3, 9.9, 10.0, 10.2, 9.8, 10.4, 9.7, 10.5, 9.6, 10.25, 10.15, 11.1, 11.3, 10.9, 11.0, 11.2, 10.8, 11.4, 10.75, 11.5, 10.6, 11.25, 11.15}
	got := New(xs).Points(0.01)
	if len(got) != 1 || got[0].At != 12 || math.Abs(got[0].Before-10.125) > 0.051 || math.Abs(got[0].After-11.125) > 0.051 {
		t.Fatalf("Points = %+v, want one change at 12 from 10.1 to 11.1", got)
	}
}

// Nothing is found in series that are constant, too short, or have one outlier.
func TestFindNothing(t *testing.T) {
	outlier := make([]float64, 60)
	for i := range outlier {
		outlier[i] = 1 + 0.01*float64(i*37%17)
	}
	outlier[30] = 1e9
	for name, xs := range map[string][]float64{
		"empty": nil, "seven": {1, 1, 1, 2, 2, 2, 2}, "constant": make([]float64, 100), "outlier": outlier, "eight": {1, 1, 1, 1, 2, 2, 2, 2},
	} {
		if got := New(xs).Points(0.01); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// noises are distributions of points around a level of 1.
var noises = map[string]func(r *rand.Rand) float64{
	"normal": func(r *rand.Rand) float64 { return 1 + 0.02*r.NormFloat64() },
	"skewed": func(r *rand.Rand) float64 { return 1 + 0.02*r.ExpFloat64() },
	"outlier": func(r *rand.Rand) float64 {
		x := 1 + 0.02*r.NormFloat64()
		if r.Float64() < 0.1 {
			x += 0.5 * r.ExpFloat64()
		}
		return x
	},
	"coarse": func(r *rand.Rand) float64 { return 1 + 0.01*float64(r.IntN(3)) },
}

func TestEqualPointsHaveTheMeanOfTheirRanks(t *testing.T) {
	ranks, v := midranks(levels([]float64{7, 0.5, 7, -2, 7, 1e9}))
	if want := []float64{4, 2, 4, 1, 4, 6}; !slices.Equal(ranks, want) {
		t.Errorf("ranks %v, want %v", ranks, want)
	}
	// Without ties (n+1)/12; three equal points of six take 3³−3 of 6·5.
	if want := (7 - 24.0/30) / 12; v != want {
		t.Errorf("variance %v, want %v", v, want)
	}
}

// A series without a change shows one as rarely as alpha states, whatever its noise. The search sees ranks alone, so
// that an error in it is the same for all noises, and those of one length count together: 500 series of each noise are
// as many as 2000 of one. What is wrong with equal values alone has to be larger to be seen.
func TestLevel(t *testing.T) {
	const alpha, series = 0.05, 500
	seldom := func(what string, found, series int) {
		t.Helper()
		t.Logf("%s: %.2f%%", what, 100*float64(found)/float64(series))
		if n := float64(series); float64(found) > alpha*n+4*math.Sqrt(alpha*(1-alpha)*n) {
			t.Errorf("%s: a change in %d of %d series that have none", what, found, series)
		}
	}
	for _, n := range []int{12, 30, 100, 300} {
		all := 0
		for i, name := range slices.Sorted(maps.Keys(noises)) {
			r := rand.New(rand.NewPCG(uint64(1+i), uint64(n)))
			found := 0
			xs := make([]float64, n)
			for range series {
				for i := range xs {
					xs[i] = noises[name](r)
				}
				if len(New(xs).Points(alpha)) > 0 {
					found++
				}
			}
			seldom(fmt.Sprintf("%s, %d points", name, n), found, series)
			all += found
		}
		seldom(fmt.Sprintf("%d points", n), all, series*len(noises))
	}
}

// history simulates a benchmark over commits: noise of 2 %, one run in twenty slower by 15 %
// on average, and a machine that wanders by half a percent over thirty commits. From commit
// at on everything takes 1+step times as long.
func history(r *rand.Rand, n, at int, step float64) []float64 {
	xs := make([]float64, n)
	wander := 0.0
	const kept = 29.0 / 30
	for i := range xs {
		wander = kept*wander + math.Sqrt(1-kept*kept)*0.005*r.NormFloat64()
		x := wander + 0.02*r.NormFloat64()
		if r.Float64() < 0.05 {
			x += 0.15 * r.ExpFloat64()
		}
		if i >= at {
			x += math.Log1p(step)
		}
		xs[i] = math.Exp(x)
	}
	return xs
}

// threshold is what many CI jobs do: a point is a change if it exceeds the mean of the ten
// points before it by a share.
func threshold(xs []float64, share float64) (at []int) {
	for i := 10; i < len(xs); i++ {
		sum := 0.0
		for _, x := range xs[i-10 : i] {
			sum += x
		}
		if xs[i] > sum/10*(1+share) {
			at = append(at, i)
		}
	}
	return at
}

// score counts changes that were found within reach of the planted one, and all that were
// found.
type score struct{ planted, hit, found int }

func (s *score) add(at []int, planted, reach int) {
	s.planted++
	s.found += len(at)
	for _, a := range at {
		if a >= planted-reach && a <= planted+reach {
			s.hit++
			return
		}
	}
}

func (s score) recall() float64    { return float64(s.hit) / float64(s.planted) }
func (s score) precision() float64 { return float64(s.hit) / float64(max(1, s.found)) }

// A step in a history of 120 commits is found, at its place, with few false ones, where
// thresholds drown in outliers.
func TestSteps(t *testing.T) {
	for _, c := range []struct{ step, recall, precision float64 }{{0.03, 0.7, 0.75}, {0.05, 0.93, 0.9}, {0.10, 0.95, 0.9}} {
		var ours, plain score
		for run := range 300 {
			r := rand.New(rand.NewPCG(7, uint64(run)))
			at := 20 + r.IntN(80)
			xs := history(r, 120, at, c.step)
			var found []int
			for _, p := range New(xs).Points(0.01) {
				found = append(found, p.At)
			}
			ours.add(found, at, 5)
			plain.add(threshold(xs, 0.05), at, 5)
		}
		t.Logf("+%g%%: recall %.3f, precision %.3f; a threshold of 5%%: recall %.3f, precision %.3f", 100*c.step, ours.recall(), ours.precision(), plain.recall(), plain.precision())
		if ours.recall() < c.recall || ours.precision() < c.precision {
			t.Errorf("+%g%%: recall %.3f, want %g; precision %.3f, want %g", 100*c.step, ours.recall(), c.recall, ours.precision(), c.precision)
		}
	}
}

// A change stays where it was proven, whatever level comes after it: the milliseconds of a
// benchmark of hyperium/hyper (dev/bench/data.js, http2_parallel_x10_req_10kb_100_chunks,
// points 230 to 359), of which the last before the fall is 23.91.
func TestAChangeStaysInItsWindow(t *testing.T) {
	xs := []float64{
		24.00, 24.62, 24.18, 23.97, 24.04, 24.76, 24.01, 24.87, 25.52, 24.80, 25.19, 24.82, 23.99, 25.58, 23.99,
		25.57, 23.99, 24.41, 24.01, 25.56, 23.98, 23.99, 24.05, 25.52, 24.76, 24.78, 24.00, 24.79, 25.60, 24.04,
		24.77, 24.00, 23.96, 24.02, 23.99, 24.00, 24.02, 24.84, 24.01, 25.54, 24.00, 23.99, 25.66, 23.99, 23.97,
		24.77, 25.57, 25.23, 23.99, 23.96, 24.06, 24.10, 23.94, 23.95, 23.99, 24.39, 24.00, 24.00, 24.48, 23.98,
		24.08, 25.55, 23.99, 24.03, 24.00, 24.04, 24.07, 24.12, 23.93, 23.98, 23.94, 23.96, 23.97, 23.95, 23.95,
		23.95, 23.89, 24.02, 24.29, 24.39, 24.39, 23.96, 23.96, 23.99, 23.92, 23.94, 24.00, 23.91, 23.93, 23.92,
		23.85, 23.91, 23.93, 23.91, 23.89, 23.97, 23.93, 23.93, 23.95, 23.92, 23.93, 23.92, 23.96, 23.93, 23.90,
		23.95, 23.90, 23.93, 23.95, 23.97, 23.91, 23.90, 23.96, 23.89, 23.89, 23.90, 23.91, 4.44, 7.57, 7.59, 7.62,
		4.36, 7.86, 7.49, 8.41, 8.29, 8.25, 8.29, 4.43, 8.53,
	}
	fall := slices.Index(xs, 4.44)
	if !slices.ContainsFunc(New(xs).Points(0.01), func(p Point) bool { return p.At == fall }) {
		t.Errorf("Points = %+v, want one at %d", New(xs).Points(0.01), fall)
	}
}

// The example of Benjamini and Hochberg's paper of 1995, table 1: four of fifteen.
func TestThreshold(t *testing.T) {
	ps := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000}
	if threshold, next := Threshold(ps, 0.05); math.Abs(threshold-0.05*4/15) > 1e-12 || math.Abs(next-0.05*5/15) > 1e-12 {
		t.Errorf("Threshold = %g, %g", threshold, next)
	}
	if threshold, next := Threshold([]float64{0.5, 0.02}, 0.01); threshold != 0 || next != 0.005 {
		t.Errorf("Threshold = %g, %g, want 0, 0.005", threshold, next)
	}
	if threshold, next := Threshold([]float64{0.001}, 0.01); threshold != 0.01 || next != 0.01 {
		t.Errorf("Threshold = %g, %g, want 0.01, 0.01", threshold, next)
	}
}

// A step far beyond the noise is named exactly, also if the first points after it are the highest of
// the new level: by ranks alone 10 of 100 were not.
func TestAClearStepIsNamedExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 90))
	wrong := 0
	const series = 100
	for range series {
		xs, at := make([]float64, 130), 20+rng.IntN(90)
		for i := range xs {
			xs[i] = math.Exp(0.01 * rng.NormFloat64())
			if i >= at {
				xs[i] *= 0.9
			}
		}
		points := New(xs).Points(0.01)
		if len(points) != 1 || points[0].At != at {
			wrong++
		}
	}
	if wrong > series/50 {
		t.Errorf("%d of %d steps are named at another point, or not alone", wrong, series)
	}
}
