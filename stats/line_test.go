package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func fitted(t *testing.T, xs, ys, weights []float64) LineFit {
	t.Helper()
	var l Line
	for i, x := range xs {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		l.Add(x, ys[i], w)
	}
	f, err := l.Fit()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func near(t *testing.T, name string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %v, want %v ± %g", name, got, want, within)
	}
}

// F. J. Anscombe, Graphs in statistical analysis, The American Statistician 27
// (1973). In R, for i in 1:4:
//
//	summary(lm(anscombe[[i+4]] ~ anscombe[[i]])); cor(anscombe[[i]], anscombe[[i+4]])
func TestLineOfAnscombesQuartet(t *testing.T) {
	x := []float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5}
	fourth := []float64{8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8}
	for i, c := range []struct {
		xs, ys                                       []float64
		slope, slopeError, start, startError, correl float64
	}{
		{x, []float64{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68}, 0.5001, 0.1179, 3.0001, 1.1247, 0.8164},
		{x, []float64{9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74}, 0.5000, 0.1180, 3.0009, 1.1253, 0.8162},
		{x, []float64{7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73}, 0.4997, 0.1179, 3.0025, 1.1245, 0.8163},
		{fourth, []float64{6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89}, 0.4999, 0.1178, 3.0017, 1.1239, 0.8165},
	} {
		f := fitted(t, c.xs, c.ys, nil)
		name := string(rune('1' + i))
		near(t, name+" slope", f.Slope, c.slope, 5e-5)
		near(t, name+" error of the slope", f.SlopeError, c.slopeError, 5e-5)
		near(t, name+" intercept", f.Intercept, c.start, 5e-5)
		near(t, name+" error of the intercept", f.InterceptError, c.startError, 5e-5)
		near(t, name+" correlation", f.Correlation, c.correl, 5e-5)
	}
}

// By hand: Σw = 4, x̄ = (0 + 1 + 2·2)/4 = 5/4, ȳ = (0 + 1 + 2·4)/4 = 9/4;
// Sxx = 25/16 + 1/16 + 2·9/16 = 44/16, Sxy = 45/16 + 5/16 + 2·21/16 = 92/16,
// Syy = 81/16 + 25/16 + 2·49/16 = 204/16. Slope 23/11, intercept 9/4 − 23/11·5/4
// = −4/11, residual 204/16 − 92²/(16·44) = 8/11 on one degree of freedom. In R:
//
//	summary(lm(c(0, 1, 4) ~ c(0, 1, 2), weights = c(1, 1, 2)))
func TestWeightedLineByHand(t *testing.T) {
	f := fitted(t, []float64{0, 1, 2}, []float64{0, 1, 4}, []float64{1, 1, 2})
	near(t, "slope", f.Slope, 23.0/11, 1e-14)
	near(t, "intercept", f.Intercept, -4.0/11, 1e-14)
	near(t, "error of the slope", f.SlopeError, math.Sqrt(8.0/11/(44.0/16)), 1e-14)
	near(t, "error of the intercept", f.InterceptError, math.Sqrt(8.0/11*(1.0/4+25.0/16/(44.0/16))), 1e-14)
	near(t, "correlation", f.Correlation, 92/math.Sqrt(44*204), 1e-14)

	scaled := fitted(t, []float64{0, 1, 2}, []float64{0, 1, 4}, []float64{1e-18, 1e-18, 2e-18})
	near(t, "slope, weights scaled", scaled.Slope, f.Slope, 1e-14)
	near(t, "error of the slope, weights scaled", scaled.SlopeError, f.SlopeError, 1e-14)
	near(t, "error of the intercept, weights scaled", scaled.InterceptError, f.InterceptError, 1e-14)
	twice := fitted(t, []float64{0, 1, 2, 2, 7}, []float64{0, 1, 4, 4, 9}, []float64{1, 1, 1, 1, 0})
	near(t, "slope, a point twice", twice.Slope, f.Slope, 1e-14)
}

func TestAPointWithoutWeightIsLeftOut(t *testing.T) {
	for _, w := range []float64{0, -1, math.NaN()} {
		var l Line
		l.Add(0, 1, 1)
		l.Add(1, 3, 1)
		l.Add(5, 99, w)
		if f, err := l.Fit(); err != nil || f.Slope != 2 || f.Intercept != 1 {
			t.Errorf("weight %v: %+v, %v", w, f, err)
		}
	}
}

func TestALineNeedsTwoDifferentX(t *testing.T) {
	var l Line
	for i := range 5 {
		if _, err := l.Fit(); !errors.Is(err, ErrNoLine) {
			t.Errorf("%d points at one x: %v", i, err)
		}
		l.Add(0.1, float64(i), 1/(1+float64(i)))
	}
	l.Add(0.2, 4, 1)
	if _, err := l.Fit(); err != nil {
		t.Error(err)
	}
}

func TestTwoPointsHaveALineWithoutErrors(t *testing.T) {
	f := fitted(t, []float64{1, 3}, []float64{5, 5}, nil)
	if f.Slope != 0 || f.Intercept != 5 || f.Correlation != 0 || !math.IsInf(f.SlopeError, 1) || !math.IsInf(f.InterceptError, 1) {
		t.Errorf("%+v", f)
	}
}

// Far from the origin a fit from Σx² and Σxy has no digit left: x² is 10¹⁸,
// where float64 steps by 128.
func TestALineFarFromTheOriginDoesNotCancel(t *testing.T) {
	const offset = 1e9
	var xs, ys, farXs, farYs []float64
	for i := range 11 {
		x, y := float64(i), 2*float64(i)+[]float64{0.25, -0.25}[i%2]
		xs, ys = append(xs, x), append(ys, y)
		farXs, farYs = append(farXs, offset+x), append(farYs, 3*offset+y)
	}
	far, here := fitted(t, farXs, farYs, nil), fitted(t, xs, ys, nil)
	near(t, "slope", far.Slope, 2, 1e-14)
	near(t, "slope here", here.Slope, 2, 1e-14)
	near(t, "intercept", far.Intercept, offset+here.Intercept, 1e-5) // of 10⁹
	near(t, "error of the slope", far.SlopeError, here.SlopeError, 1e-14)
	near(t, "correlation", far.Correlation, here.Correlation, 1e-14)
}

// Residuals of a millionth of a millionth of y: Syy − slope·Sxy would be rounding.
func TestResidualsOfANearlyExactLineDoNotCancel(t *testing.T) {
	var xs, ys []float64
	for i := range 1000 {
		xs = append(xs, float64(i))
		ys = append(ys, 1000*float64(i)+1e-8*[]float64{1, -1}[i%2])
	}
	f := fitted(t, xs, ys, nil)
	want := math.Sqrt(1000.0/998) * 1e-8 / math.Sqrt(1000*(1000*1000-1)/12.0)
	near(t, "error of the slope", f.SlopeError, want, 0.01*want)
}

// The points of a calibration as mLib makes them, n growing by a third from 1 to
// a million: 20 ns a batch and 0.3 ns an iteration, each time off by 1 %. With
// equal weights the intercept is the noise of the longest batches.
func TestWeightsFindTheInterceptOfACalibration(t *testing.T) {
	const batch, iteration, trials = 20.0, 0.3, 200
	rng := rand.New(rand.NewPCG(1, 2))
	var equal, weighted float64 // sums of squared errors
	covered := 0
	for range trials {
		var plain, relative Line
		for n := 1.0; n < 1e6; n += math.Floor(n/3) + 1 {
			y := (batch + iteration*n) * (1 + 0.01*rng.NormFloat64())
			plain.Add(n, y, 1)
			relative.Add(n, y, 1/(y*y))
		}
		p, err := plain.Fit()
		if err != nil {
			t.Fatal(err)
		}
		r, err := relative.Fit()
		if err != nil {
			t.Fatal(err)
		}
		equal += (p.Intercept - batch) * (p.Intercept - batch)
		weighted += (r.Intercept - batch) * (r.Intercept - batch)
		if math.Abs(r.Intercept-batch) < 2.01*r.InterceptError { // t with 45 degrees of freedom
			covered++
		}
	}
	equal, weighted = math.Sqrt(equal/trials), math.Sqrt(weighted/trials)
	t.Logf("root mean square error of the intercept: %.3g ns equal weights, %.3g ns weights 1/t²", equal, weighted)
	if equal < 10*weighted {
		t.Errorf("equal weights are off by %.3g ns, weights 1/t² by %.3g", equal, weighted)
	}
	if least := trials*0.95 - 5*math.Sqrt(trials*0.05*0.95); float64(covered) < least {
		t.Errorf("the 95%% interval held the intercept in %d of %d, want %.0f", covered, trials, least)
	}
}
