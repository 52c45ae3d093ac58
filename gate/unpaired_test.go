package gate

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// afterwards is a case as a run finds it that has a saved result of it.
func afterwards(then, now result.Case) result.Case {
	now.Earlier = sides.EarlierOf(&then)
	now.Earlier.Floor = 0.02
	return now
}

// tripped compiles one gate of the case and judges it against its saved result.
func tripped(t *testing.T, c result.Case, expr string) result.Gate {
	t.Helper()
	s := source(&c, expr)
	s.Base, s.Unpaired = "base.json", true
	g := judgedBy(t, c, s, 1).Gates[0]
	caused(t, g)
	return g
}

// slower is a case whose blocks are 1 % above and below its median, and an earlier
// run of it that took 1 ms. Both intervals are ±1 %, and the ratio is within factor ·
// [0.99/1.01, 1.01/0.99], which is factor · [0.9802, 1.0202].
func slower(factor float64) result.Case {
	then, now := sampled("c", "time", 1e-3, 0.01, 20), sampled("c", "time", factor*1e-3, 0.01, 20)
	return afterwards(exact(then, "allocs", 2), exact(now, "allocs", 2))
}

func TestUnpairedVerdicts(t *testing.T) {
	for _, c := range []struct {
		expr   string
		factor float64
		want   result.Verdict
	}{
		// Wholly below 1.03 from 1.0096 down; wholly above 1.03·1.02 from 1.0719 up.
		{"not worse(time, 3%)", 1, result.Pass},
		{"not worse(time, 3%)", 1.009, result.Pass},
		{"not worse(time, 3%)", 1.011, result.Inconclusive},
		{"not worse(time, 3%)", 1.06, result.Inconclusive}, // above 1.03, and not by the floor
		{"not worse(time, 3%)", 1.071, result.Inconclusive},
		{"not worse(time, 3%)", 1.073, result.Fail},
		{"not worse(time, 3%)", 0.5, result.Pass},
		{"not worse(time, 0)", 1.039, result.Inconclusive},
		{"not worse(time, 0)", 1.042, result.Fail},
		{"not not not worse(time, 3%)", 1.073, result.Fail},
		{"not not not worse(time, 3%)", 1.071, result.Inconclusive},
		// A gate that asks for a gain passes as soon as there is one, and is red only by the floor.
		{"better(time, 5%)", 0.93, result.Pass},
		{"better(time, 5%)", 0.97, result.Inconclusive},
		{"better(time, 5%)", 0.985, result.Inconclusive}, // wholly above 1/1.05, and not by the floor
		{"better(time, 5%)", 1, result.Fail},
		{"ratio(time) < 1.05", 1.02, result.Pass},
		{"ratio(time) < 1.05", 1.09, result.Inconclusive},
		{"ratio(time) < 1.05", 1.1, result.Fail},
		{"1.05 > ratio(time)", 1.1, result.Fail},
		{"not (ratio(time) >= 1.05)", 1.09, result.Inconclusive},
		{"not (ratio(time) >= 1.05)", 1.1, result.Fail},
		{"ci(time).high < 1.05", 1.02, result.Pass},
		{"ci(time).high < 1.05", 1.04, result.Inconclusive},
		{"ci(time).high < 1.05", 1.1, result.Fail},
		{"ci(time).low <= 1.05", 1.07, result.Pass},
		{"ci(time).low <= 1.05", 1.08, result.Inconclusive},
		{"ci(time).low <= 1.05", 1.1, result.Fail},
		{"time.median < 1.05 * base.time.median", 1.02, result.Pass},
		{"time.median < 1.05 * base.time.median", 1.09, result.Inconclusive},
		{"time.median < 1.05 * base.time.median", 1.1, result.Fail},
		{"time.median - base.time.median < 50us", 1.1, result.Fail},
		{"base.time.median < 1.02ms", 1.1, result.Pass},
		{"base.time.median < 0.98ms", 1.1, result.Inconclusive}, // wholly above, and not by the floor
		{"base.time.median < 0.96ms", 1.1, result.Fail},
		// What decides which branch counts is for neither side, so it takes the floor both ways.
		{"worse(time, 3%) ? time.median < 1ns : true", 1.06, result.Inconclusive},
		{"worse(time, 3%) ? time.median < 1ns : true", 1.073, result.Fail},
		{"worse(time, 3%) ? true : time.median < 1ns", 1.009, result.Inconclusive},
		{"worse(time, 3%) ? true : time.median < 1ns", 0.98, result.Fail},
		// What is not about the base is decided as ever.
		{"time.median < 1s and not worse(time, 3%)", 1, result.Pass},
		{"time.median < 1ns and not worse(time, 3%)", 1, result.Fail},
	} {
		if g := tripped(t, slower(c.factor), c.expr); g.Verdict != c.want {
			t.Errorf("%s at %v: %s, want %s: %s", c.expr, c.factor, g.Verdict, c.want, g.Reason)
		}
	}
}

// A rate is worse when it is lower.
func TestUnpairedRates(t *testing.T) {
	for factor, want := range map[float64]result.Verdict{1: result.Pass, 0.96: result.Inconclusive, 0.92: result.Fail, 2: result.Pass} {
		now := afterwards(sampled("c", "throughput", 1000, 0.01, 20), sampled("c", "throughput", factor*1000, 0.01, 20))
		if g := tripped(t, now, "not worse(throughput, 3%)"); g.Verdict != want {
			t.Errorf("a rate of %v: %s: %s", factor, g.Verdict, g.Reason)
		}
	}
}

// Every gate of that kind is marked, however it was decided.
func TestUnpairedIsMarked(t *testing.T) {
	for _, expr := range []string{"not worse(time, 3%)", "ratio(allocs) < 2", "not worse(allocs, 0)", "time.median < 2 * base.time.median",
		"time.p99 < 2 * base.time.p99", "time.p99 < 1s and not worse(time, 3%)"} {
		if g := tripped(t, slower(1), expr); g.Form != result.FormUnpaired {
			t.Errorf("%s has the form %s", expr, g.Form)
		}
	}
	if g := tripped(t, slower(1), "time.median < 1s"); g.Form != result.FormInterval {
		t.Errorf("a limit of its own has the form %s", g.Form)
	}
}

// What never varies is compared plainly, without floor.
func TestUnpairedExact(t *testing.T) {
	counted := func(then, now float64) result.Case {
		return afterwards(exact(sampled("c", "time", 1, 0, 20), "allocs", then), exact(sampled("c", "time", 1, 0, 20), "allocs", now))
	}
	for _, c := range []struct {
		then, now float64
		want      result.Verdict
	}{{100, 100, result.Pass}, {100, 101, result.Fail}, {0, 0, result.Pass}, {0, 1, result.Fail}, {5, 4, result.Pass}} {
		for _, expr := range []string{"not worse(allocs, 0)", "ratio(allocs) <= 1", "allocs.median <= base.allocs.median"} {
			if g := tripped(t, counted(c.then, c.now), expr); g.Verdict != c.want {
				t.Errorf("%s, %v after %v: %s, want %s: %s", expr, c.now, c.then, g.Verdict, c.want, g.Reason)
			}
		}
	}
	below := counted(-100, -101)
	if g := tripped(t, below, "not worse(allocs, 3%)"); g.Verdict != result.Inconclusive || !strings.Contains(g.Reason, "a side is below zero") {
		t.Errorf("below zero: %s: %s", g.Verdict, g.Reason)
	}
	varied := counted(2, 2)
	varied.Summary("allocs").Exact, varied.Summary("allocs").Max = false, 3
	if g := tripped(t, varied, "not worse(allocs, 0)"); g.Verdict != result.Inconclusive || !strings.Contains(g.Reason, "2 to 3 here, and 2 there") {
		t.Errorf("one that varied: %s: %s", g.Verdict, g.Reason)
	}
}

// Anything that makes one of the medians uncertain leaves the gate undecided, with
// the reason.
func TestUnpairedDecidesNothingWithout(t *testing.T) {
	bound := 1e-9
	for why, spoil := range map[string]func(c *result.Case){
		"nothing was sampled": func(c *result.Case) { c.Samples = result.Samples{} },
		"needs 8 blocks of samples, and there is 1": func(c *result.Case) {
			clear(c.Samples.Block)
		},
		"only a summary of the samples was kept": func(c *result.Case) { c.Samples.Taken = 1000 },
		"a single pass has no interval":          func(c *result.Case) { c.Settings.Sampling = "once" },
		"1 of 200 runs was killed":               func(c *result.Case) { c.Samples.Censored = []int{3} },
		"it is below resolution":                 func(c *result.Case) { c.Summary("time").Bound = &bound },
		"reaches down to zero": func(c *result.Case) {
			for i := range c.Samples.Columns["time"] {
				c.Samples.Columns["time"][i] = 0
			}
		},
	} {
		for _, side := range []string{"here", "there"} {
			then, now := sampled("c", "time", 1e-3, 0.01, 20), sampled("c", "time", 5e-3, 0.01, 20)
			if spoil(map[string]*result.Case{"here": &now, "there": &then}[side]); side == "here" && why == "nothing was sampled" {
				continue // then it has no summary either
			}
			for _, expr := range []string{"not worse(time, 3%)", "ratio(time) < 1.05", "time.median < 2 * base.time.median"} {
				g := tripped(t, afterwards(then, now), expr)
				if g.Verdict != result.Inconclusive || !strings.Contains(g.Reason, why) {
					t.Errorf("%s, %s: %s: %s; want %q", expr, side, g.Verdict, g.Reason, why)
				}
			}
		}
	}
}

// Doubts about the two runs leave every gate undecided, also one of numbers that never
// vary; what a run itself lacks is an error all the same.
func TestUnpairedDoubts(t *testing.T) {
	c := slower(2)
	c.Earlier.Doubts = []string{"the CPU differs", "the clock differs"}
	for _, expr := range []string{"not worse(time, 3%)", "not worse(allocs, 0)", "time.median < base.time.median"} {
		if g := tripped(t, c, expr); g.Verdict != result.Inconclusive || g.Reason != "not comparable with base.json: the CPU differs; the clock differs" {
			t.Errorf("%s: %s: %s", expr, g.Verdict, g.Reason)
		}
	}
	if g := tripped(t, c, "not worse(cpu, 3%)"); g.Verdict != result.Error {
		t.Errorf("a metric that was not measured: %s: %s", g.Verdict, g.Reason)
	}
}

// Gates on numbers that the saved result lacks, or that need pairs, are never silent.
func TestUnpairedNeverPassesSilently(t *testing.T) {
	without := slower(1)
	without.Earlier.Metrics, without.Earlier.Medians = nil, nil
	for _, expr := range []string{"not worse(time, 3%)", "ratio(time) < 2", "time.median < 2 * base.time.median"} {
		if g := tripped(t, without, expr); g.Verdict != result.Inconclusive || !strings.Contains(g.Reason, "base.json has no time of this case") {
			t.Errorf("%s without a time there: %s: %s", expr, g.Verdict, g.Reason)
		}
	}
	for expr, why := range map[string]string{
		"time.p99 < 2 * base.time.p99": "time.p99 has no interval",
		"ratio(time) + 1 < 3":          "can be compared without pairs only by itself",
		`geomean("time") < 2`:          "geomean needs pairs",
	} {
		if g := tripped(t, slower(1), expr); g.Verdict != result.Inconclusive || !strings.Contains(g.Reason, why) {
			t.Errorf("%s: %s: %s; want %q", expr, g.Verdict, g.Reason, why)
		}
	}
	gone := slower(1)
	gone.Earlier = nil
	if g := tripped(t, gone, "not worse(time, 3%)"); g.Verdict != result.NotJudged || g.Reason != "the case is not in base.json" {
		t.Errorf("without anything saved: %s: %s", g.Verdict, g.Reason)
	}
}

// Counts of which there were none are compared without dividing by them.
func TestUnpairedZeroCounts(t *testing.T) {
	for _, c := range []struct {
		then, now float64
		want      result.Verdict
	}{{0, 0, result.Pass}, {0, 5, result.Fail}, {5, 0, result.Pass}} {
		g := tripped(t, afterwards(sampled("c", "switches", c.then, 0, 20), sampled("c", "switches", c.now, 0, 20)), "not worse(switches, 10%)")
		if g.Verdict != c.want {
			t.Errorf("%v after %v: %s: %s", c.now, c.then, g.Verdict, g.Reason)
		}
		for _, v := range g.Values {
			if math.IsInf(v.Value, 0) || v.High != nil && math.IsInf(*v.High, 0) {
				t.Errorf("%v after %v: a number without end: %+v", c.now, c.then, v)
			}
		}
	}
}

// Launches that differ among themselves raise the floor, whichever of the two has them.
func TestUnpairedLaunchesRaiseTheFloor(t *testing.T) {
	moved := func(c result.Case) result.Case {
		for i := range c.Samples.Launch {
			if i >= 180 { // too few to move the interval
				c.Samples.Launch[i] = 1
				c.Samples.Columns["time"][i] *= 1.10
			}
		}
		return c
	}
	then, now := sampled("c", "time", 1e-3, 0.01, 20), sampled("c", "time", 1.2e-3, 0.01, 20)
	if g := tripped(t, afterwards(then, now), "not worse(time, 10%)"); g.Verdict != result.Fail {
		t.Fatalf("one launch each: %s: %s", g.Verdict, g.Reason)
	}
	noisy := sampled("c", "time", 1e-3, 0.01, 20)
	if g := tripped(t, afterwards(moved(noisy), now), "not worse(time, 10%)"); g.Verdict != result.Inconclusive {
		t.Errorf("launches then: %s: %s", g.Verdict, g.Reason)
	}
	if spread := sides.LaunchSpread(&noisy, "time"); math.Abs(spread-0.10) > 0.001 {
		t.Errorf("launches differ by %v", spread)
	}
}

// Such a gate takes nothing of the chance of error that is shared out, is not looked
// at while samples arrive, and keeps a case from being done with before its time.
func TestUnpairedIsNoCallAndSteersNothing(t *testing.T) {
	c := slower(1)
	limit, wire := source(&c, "time.median < 1s"), source(&c, "not worse(time, 3%)")
	wire.Base, wire.Unpaired = "base.json", true
	set := compile(t, []Source{limit, wire}, nil)
	if e := set.Errors("s"); e.Calls != 0 {
		t.Errorf("it is counted: %+v", e)
	}
	if open, decided := set.Watch().Open(&c); open != 0 || decided != 0 {
		t.Errorf("%d open and %d decided", open, decided)
	}
	set, _ = Compile([]Source{limit}, nil)
	if _, decided := set.Watch().Open(&c); decided != 1 {
		t.Errorf("by itself the limit is not decided")
	}
}

// The tripwire of a case with a base of its own is for the saved result alone, and its
// other gates are for the base alone.
func TestUnpairedBesidePairs(t *testing.T) {
	c := inBlocks(timed(spread(200, 200, 1, 1)), 10)
	then := sampled("c", "time", 1e-4, 0.01, 20)
	c.Metrics[0] = sampled("c", "time", 1e-3, 0, 20).Metrics[0]
	c = afterwards(then, c)
	beside, wire := source(&c, "not worse(time, 3%)"), source(&c, "not worse(time, 5%)")
	beside.Base, wire.Base, wire.Unpaired = "b", "base.json", true
	set := compile(t, []Source{beside, wire}, map[string][]string{"s": {"b", "c"}})
	cases := []result.Case{c, baseOf(c)}
	set.Assess(nil).Judge(cases)
	g := cases[0].Gates
	if g[0].Verdict != result.Pass || g[0].Form != result.FormPairs || g[1].Verdict != result.Fail || g[1].Form != result.FormUnpaired {
		t.Errorf("with pairs %s (%s: %s), with what was saved %s (%s: %s)", g[0].Verdict, g[0].Form, g[0].Reason, g[1].Verdict, g[1].Form, g[1].Reason)
	}
	if o := cases[0].Comparison("time"); o == nil || o.Tolerance != 0.03 {
		t.Errorf("the comparison of pairs is %+v", o)
	}
}
