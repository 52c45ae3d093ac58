package gate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/sim"
	"example.com/suite/result"
)

// suiteWith makes a suite whose sentinel took some launches with one ratio, of one or
// two builds.
func suiteWith(launches int, ratio float64, builds int) result.Suite {
	return result.Suite{Name: "s", Sentinel: &result.Sentinel{Case: twin(spread(launches, launches, ratio, 1)), Builds: builds}}
}

// twin is the case of a sentinel in two builds.
func twin(base, own []float64) result.Case {
	c := timed(base, own)
	c.Name, c.Pairs.Base, c.Pairs.Tree = "c@sentinel", "c", "a second build"
	return c
}

// otherBuild gives the base of a case another program.
func otherBuild(c result.Case) result.Case {
	c.Identity.Binary = "sha256:own"
	c.Pairs.Base, c.Pairs.Tree, c.Pairs.Identity = "c", "main", &result.Identity{Binary: "sha256:main"}
	c.Pairs.Metrics = append(exact(result.Case{}, "allocs", 2).Metrics, summaryOf("time", []float64{1e-3}))
	return c
}

// assessed judges gates of a case after the suite's sentinel.
func assessed(t *testing.T, suite *result.Suite, c result.Case, exprs ...string) []result.Gate {
	t.Helper()
	_, set := with(t, c, exprs...)
	suites := []result.Suite{*suite}
	assessed := set.Assess(suites)
	*suite = suites[0]
	cases := []result.Case{c, baseOf(c)}
	assessed.Judge(cases)
	return cases[0].Gates
}

// A verdict of the sentinel takes 13 launches, as each at 0.1 % does.
func TestASentinelDecidesAtTheBound(t *testing.T) {
	for _, c := range []struct {
		launches, builds int
		ratio            float64
		unfit            string
		floor            float64
	}{
		{13, 2, 1.05, "", 0.05}, // two builds may differ
		{13, 2, 1 / 1.05, "", 0.05},
		{13, 1, 1 / 1.05, "c takes 4.8% shorter than itself (99.8% interval −4.8% to −4.8%)", 0},
		{13, 1, 1.05, "c takes 5% longer than itself (99.8% interval +5% to +5%)", 0},
		{12, 2, 1.05, "", 0}, // not yet
		{13, 2, 1.029, "", 0.029},
		{13, 2, 1.01, "", 0.01},
		{13, 2, 1, "", 0},
		{0, 2, 1, "", 0},
	} {
		s := suiteWith(c.launches, c.ratio, c.builds)
		assessed(t, &s, otherBuild(timed(spread(9, 9, 1, 1))), "not worse(time, 3%)")
		n := s.Sentinel
		if n.Unfit != c.unfit || math.Abs(n.Floor-c.floor) > 1e-9 || n.Tolerance != 0.03 {
			t.Errorf("%d launches at %g: tolerance %g, floor %g, unfit %q", c.launches, c.ratio, n.Tolerance, n.Floor, n.Unfit)
		}
		if o := n.Case.Comparison("time"); c.launches > 0 && (o == nil || o.Alpha != 0.001 || o.Launches != c.launches) {
			t.Errorf("%d launches: %+v", c.launches, o)
		}
	}
}

// Nobody measured it, or it could not be: nothing is known, and nobody is unfit.
func TestASentinelThatWasNotMeasuredSaysNothing(t *testing.T) {
	broken := suiteWith(40, 1.5, 2)
	broken.Sentinel.Case.Status, broken.Sentinel.Case.Failure = result.Failed, &result.Failure{Message: "no"}
	for name, s := range map[string]result.Suite{"none": {Name: "s"}, "failed": broken} {
		g := assessed(t, &s, otherBuild(timed(spread(9, 9, 1.5, 1))), "not worse(time, 3%)", "not worse(time, 1%)")
		if g[0].Verdict != result.Inconclusive || g[1].Verdict != result.Inconclusive { // nine are too few for two calls
			t.Errorf("%s: %+v", name, g)
		}
		g = assessed(t, &s, otherBuild(timed(spread(20, 20, 1.5, 1))), "not worse(time, 3%)")
		if g[0].Verdict != result.Fail {
			t.Errorf("%s: %+v", name, g)
		}
		g = assessed(t, &s, otherBuild(timed(spread(20, 20, 1.015, 1))), "not worse(time, 3%)", "not worse(time, 1%)")
		if g[0].Verdict != result.Pass || g[1].Verdict != result.Inconclusive || !strings.HasPrefix(g[1].Reason, "1% is tighter than what two builds of one source differ by here (2%)") {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// On a machine that calls code different from itself no comparison makes a gate fail;
// what needs none does, and what passed has passed.
func TestAnUnfitMachineFailsNoComparison(t *testing.T) {
	for _, c := range []struct {
		expr  string
		fit   result.Verdict
		unfit result.Verdict
	}{
		{"not worse(time, 3%)", result.Fail, result.Inconclusive},
		{"not worse(time, 60%)", result.Pass, result.Pass},
		{"better(time, 3%)", result.Fail, result.Inconclusive},
		{"ratio(time) < 1.2", result.Fail, result.Inconclusive},
		{"ratio(time) < 1.7", result.Pass, result.Pass},
		{"ci(time).high < 1.1", result.Fail, result.Inconclusive},
		{"base.time.median > time.median", result.Fail, result.Inconclusive},
		{"not worse(allocs, 0)", result.Fail, result.Fail},
		{"not worse(time, 3%) and allocs.max == 0", result.Fail, result.Fail},
		{"not worse(time, 3%) and allocs.max == 4", result.Fail, result.Inconclusive},
		{"not worse(time, 3%) and not worse(allocs, 0)", result.Fail, result.Fail},
		{"not worse(time, 3%) or allocs.max == 4", result.Pass, result.Pass},
		{"not worse(time, 3%) and wall.median < 1ns", result.Fail, result.Inconclusive}, // what is missing is not reached
		{"wall.median < 1ns and not worse(time, 3%)", result.Error, result.Error},
		{"time.median < 1ms", result.Fail, result.Fail},
		{"allocs.max == 0", result.Fail, result.Fail},
		{"worse(time, 3%) ? allocs.max == 0 : true", result.Fail, result.Inconclusive},
	} {
		k := exact(sampled("c", "time", 1.5e-3, 0.001, 20), "allocs", 4)
		p := otherBuild(timed(spread(100, 100, 1.5, 1)))
		k.Suite, k.Name, k.Identity, k.Samples, k.Pairs = p.Suite, p.Name, p.Identity, p.Samples, p.Pairs
		fit, unfit := suiteWith(40, 1, 2), suiteWith(40, 1.1, 1)
		if g := assessed(t, &fit, k, c.expr)[0]; g.Verdict != c.fit {
			t.Errorf("fit: %s: %s, %s", c.expr, g.Verdict, g.Reason)
		}
		g := assessed(t, &unfit, k, c.expr)[0]
		if g.Verdict != c.unfit || strings.Contains(g.Reason, "machine unfit: c takes 10% longer") != (c.unfit != c.fit) {
			t.Errorf("unfit: %s: %s, %s", c.expr, g.Verdict, g.Reason)
		}
	}
}

// If two programs are compared, a gate that is tighter than the difference of two
// builds is red only if the whole interval is beyond that difference.
func TestAChangeWithinTheFloorIsNeverRed(t *testing.T) {
	slower := func() result.Case { return otherBuild(timed(spread(40, 40, 1.5, 1))) }
	little := func() result.Case { return otherBuild(timed(spread(40, 40, 1.0195, 1))) }
	one := func() result.Case {
		c := slower()
		c.Pairs.Identity.Binary = c.Identity.Binary
		return c
	}
	beside := func() result.Case { return timed(spread(40, 40, 1.5, 1)) }
	none, half := 0.0, 0.5
	for _, c := range []struct {
		name  string
		k     result.Case
		said  *float64
		ratio float64 // of the sentinel
		expr  string
		want  result.Verdict
	}{
		{"the usual one", slower(), nil, 1, "not worse(time, 2%)", result.Fail},
		{"below the usual one", little(), nil, 1, "not worse(time, 1.9%)", result.Inconclusive},
		{"beyond the usual one", slower(), nil, 1, "not worse(time, 1.9%)", result.Fail},
		{"faster, beyond it", otherBuild(timed(spread(40, 40, 0.5, 1))), nil, 1, "worse(time, 1.9%)", result.Fail},
		{"within one that was raised", otherBuild(timed(spread(40, 40, 1.4, 1))), &half, 1, "not worse(time, 2%)", result.Inconclusive},
		{"partly beyond", otherBuild(timed(spread(40, 30, 1.5, 1.015))), nil, 1, "not worse(time, 1%)", result.Inconclusive},
		{"lowered", slower(), &none, 1, "not worse(time, 0)", result.Fail},
		{"lowered, and measured above", otherBuild(timed(spread(40, 40, 1.014, 1))), &none, 0, "not worse(time, 1%)", result.Inconclusive},
		{"lowered, and measured below", slower(), &none, 1.005, "not worse(time, 1%)", result.Fail},
		{"measured, and still fit", slower(), nil, 1.04, "not worse(time, 5%)", result.Fail},
		{"raised", otherBuild(timed(spread(40, 40, 1.45, 1))), &half, 1, "not worse(time, 40%)", result.Inconclusive},
		{"one program", one(), nil, 1, "not worse(time, 0)", result.Fail},
		{"in one host", beside(), nil, 1, "not worse(time, 0)", result.Fail},
		{"a ratio", little(), nil, 1, "ratio(time) < 1.01", result.Inconclusive},
		{"an end of its interval", little(), nil, 1, "ci(time).low < 1.01", result.Inconclusive},
		{"an end beyond it", slower(), nil, 1, "ci(time).low < 1.01", result.Fail},
		{"a mean of ratios", little(), nil, 1, `geomean("time") < 1.01`, result.Inconclusive},
		{"a mean beyond it", slower(), nil, 1, `geomean("time") < 1.01`, result.Fail},
		{"a mean of one program", one(), nil, 1, `geomean("time") < 1.01`, result.Fail},
		{"a command that starts others", ofCommand(called("c", sameStart(little()))), nil, 1, "not worse(time, 1%)", result.Inconclusive},
		{"a wide ratio", slower(), nil, 1, "ratio(time) <= 1.02", result.Fail},
		{"a gain", little(), nil, 1, "better(time, 1%)", result.Inconclusive},
		{"passing", otherBuild(timed(spread(40, 40, 1, 1))), nil, 1, "not worse(time, 1%)", result.Pass},
	} {
		s := suiteWith(40, c.ratio, 2)
		if s.Floor = c.said; c.ratio == 0 { // by turns
			s.Sentinel.Case = twin(spread(40, 20, 1.015, 0.995))
		}
		g := assessed(t, &s, c.k, c.expr)[0]
		if g.Verdict != c.want || strings.Contains(g.Reason, "is tighter than what two builds") != (c.want == result.Inconclusive) {
			t.Errorf("%s: %s, %s", c.name, g.Verdict, g.Reason)
		}
	}
}

// sameStart makes the program that both sides start the same, as an interpreter is.
func sameStart(c result.Case) result.Case {
	c.Pairs.Identity = &result.Identity{Binary: c.Identity.Binary}
	return c
}

// The tolerance of the sentinel is the smallest that can turn the suite red.
func TestTheSentinelHasTheSmallestTolerance(t *testing.T) {
	for _, c := range []struct {
		exprs  []string
		builds int
		want   float64
	}{
		{nil, 2, 0.03},
		{[]string{"not worse(time, 10%)", "better(time, 7%)"}, 2, 0.07},
		{[]string{"not worse(time, 10%)", "not worse(time, 1%)"}, 2, 0.02}, // below the floor nothing is red
		{[]string{"not worse(time, 10%)", "not worse(time, 1%)"}, 1, 0.01},
		{[]string{"not worse(time, 10%)", "not worse(allocs, 0)", "ratio(time) < 1.01"}, 1, 0.1},
	} {
		_, set := with(t, timed(spread(9, 9, 1, 1)), c.exprs...)
		if got := set.sentinelTolerance("s", 0, c.builds, defaults.Floor); got != c.want {
			t.Errorf("%q of %d builds: %g, want %g", c.exprs, c.builds, got, c.want)
		}
	}
}

// Sampling of a sentinel goes on until it is shown that the code differs from itself,
// or that it does not either way.
func TestSamplingOfASentinelIsSteered(t *testing.T) {
	_, set := with(t, timed(spread(9, 9, 1, 1)), "not worse(time, 3%)")
	watch := set.Watch(Sentinel{Suite: "s", Name: "c@sentinel", Builds: 2})
	for _, c := range []struct {
		n, open int
		ratio   float64
	}{{0, 1, 1}, {12, 1, 1}, {13, 0, 1}, {12, 1, 1.1}, {13, 0, 1.1}, {13, 0, 0.9}} {
		k := twin(spread(c.n, c.n, c.ratio, 1))
		if open, decided := watch.Open(&k); open != c.open || decided != 1-c.open {
			t.Errorf("%d launches at %g: %d open, %d decided", c.n, c.ratio, open, decided)
		}
	}
}

// launched is a twin of code with itself on a machine that is made up: 39 launches,
// the most of a call at 0.1 %, of 11 pairs each, with what a launch adds by chance to
// either side. effect is ln of what the case's side takes more in a launch.
func launched(noise sim.Noise, rng *rand.Rand, effect func(launch int) float64) result.Case {
	const launches, pairs, offset = 39, 11, 0.01
	machine := noise.Machine(rng)
	var base, own []float64
	for launch := range launches {
		more := effect(launch) + offset*rng.NormFloat64()
		for range pairs {
			b, o := machine.Pair(0, more)
			if rng.Uint64()&1 == 1 {
				o, b = machine.Pair(more, 0)
			}
			base, own = append(base, 1e-3*math.Exp(b.Log)), append(own, 1e-3*math.Exp(o.Log))
		}
	}
	return inBlocks(twin(base, own), pairs)
}

func nothing(int) float64 { return 0 }

// unfitRuns counts the runs in which a machine is called unfit.
func unfitRuns(t *testing.T, runs int, tolerance string, one func() result.Case) (unfit int) {
	t.Helper()
	_, set := with(t, timed(spread(9, 9, 1, 1)), "not worse(time, "+tolerance+")")
	for range runs {
		suites := []result.Suite{{Name: "s", Sentinel: &result.Sentinel{Case: one(), Builds: 1}}}
		set.Assess(suites)
		unfit += countIf(suites[0].Sentinel.Unfit != "")
	}
	return unfit
}

// Equal code is called different from itself in at most 0.2 % of runs, whatever the
// machine and at no tolerance at all, of which the test shows 1 %; a bias of one side is.
func TestEqualCodeIsSeldomUnfit(t *testing.T) {
	rng := rand.New(rand.NewPCG(131, 132))
	for name, noise := range map[string]sim.Noise{"quiet": sim.Quiet, "typical": sim.Typical, "cloud": sim.Cloud, "slot penalty": sim.SlotPenalty} {
		unfit := 0
		kept, runs := sim.Promise{Share: 0.01, Confidence: 0.99, Trials: 1500}.Kept(func(from, to int) int {
			unfit += unfitRuns(t, to-from, "0", func() result.Case { return launched(noise, rng, nothing) })
			return unfit
		})
		if !kept {
			t.Errorf("%s: %d of %d runs are called unfit", name, unfit, runs)
		}
		biased := unfitRuns(t, 40, "0", func() result.Case { return launched(noise, rng, func(int) float64 { return 0.1 }) })
		if biased < 36 {
			t.Errorf("%s: a bias of 10%% makes %d of 40 runs unfit: the test has no teeth", name, biased)
		}
	}
}

// A machine that breaks the one assumption is detected. A hog that runs whenever the
// case does slows the case of a gate and the sentinel alike, and no gate is red: with
// one build the machine is called unfit, two builds raise the floor. A disturbance of
// a single launch does not make the machine unfit.
func TestAdversariesOfTheSentinel(t *testing.T) {
	rng := rand.New(rand.NewPCG(133, 134))
	for _, c := range []struct {
		name   string
		effect func(launch int) float64
		builds int
		unfit  bool
		says   string // of the gate
	}{
		{"a hog in phase with one side", func(int) float64 { return math.Log(1.25) }, 1, true, "machine unfit: "},
		{"a hog in phase with one side", func(int) float64 { return math.Log(1.25) }, 2, false, "3% is tighter than what two builds"},
		{"the same in three of four launches", func(i int) float64 { return math.Log(1.25) * float64(countIf(i%4 > 0)) }, 2, false, ""},
		{"one launch that is ten times as long", func(i int) float64 { return math.Log(10) * float64(countIf(i == 20)) }, 2, false, ""},
		{"launches that are long by turns on either side", func(i int) float64 { return math.Log(1.25) * float64(1-2*(i%2)) }, 2, false, ""},
	} {
		for range 20 {
			s := result.Suite{Name: "s", Sentinel: &result.Sentinel{Case: launched(sim.Typical, rng, c.effect), Builds: c.builds}}
			k := launched(sim.Typical, rng, c.effect)
			k.Name, k.Pairs.Tree = "c", "main"
			g := assessed(t, &s, k, "not worse(time, 3%)")[0]
			if unfit := s.Sentinel.Unfit != ""; unfit != c.unfit || g.Verdict == result.Fail || !strings.HasPrefix(g.Reason, c.says) {
				t.Errorf("%s: %q, the gate %s: %s", c.name, s.Sentinel.Unfit, g.Verdict, g.Reason)
			}
		}
	}
}

// Both sides of a pair meet a machine that changes its speed, so nothing is seen.
func TestAFrequencyStepIsNoDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(135, 136))
	unfit := unfitRuns(t, 300, "0", func() result.Case {
		c := launched(sim.Quiet, rng, nothing)
		for i := range c.Samples.Len() {
			if i >= 215 { // in the middle of a launch
				c.Samples.Columns["time"][i] *= 1.4
				c.Pairs.Samples.Columns["time"][i] *= 1.4
			}
		}
		return c
	})
	if unfit > 3 {
		t.Errorf("%d of 300 runs are called unfit", unfit)
	}
}

func Example_unfit() {
	s := suiteWith(20, 1.05, 1)
	set, _ := Compile(nil, nil)
	suites := []result.Suite{s}
	set.Assess(suites)
	fmt.Println(suites[0].Sentinel.Unfit)
	// Output: c takes 5% longer than itself (99.8% interval +5% to +5%)
}
