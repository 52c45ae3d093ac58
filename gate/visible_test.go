package gate

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/summary"
)

const ns = 1e-9

// looped is a case with pairs in which every batch took the same time, in ns, and each side has a
// loop of its own.
func looped(base, own, baseLoop, ownLoop float64) result.Case {
	b, o := make([]float64, 100), make([]float64, 100)
	fill(b, base*ns)
	fill(o, own*ns)
	c := timed(b, o)
	c.Loop, c.LoopCost, c.LoopError = "direct", ownLoop*ns, 0.01*ns
	c.Pairs.Overhead = &result.Overhead{Loop: "indirect", LoopCost: baseLoop * ns, LoopError: 0.01 * ns}
	c.Summary("time").Bound = summary.Bound(&c, "time")
	return c
}

// A side below resolution is a bound, and a verdict is drawn from bounds only if they decide it.
// The lower bound of 1.5 ns with a loop of 0.25 ± 0.01 ns is 1.24 ns, and 0.25 ns below
// resolution is less than 0.27 ns: the ratio is above 4.59, or below 0.218.
func TestVerdictsOnBounds(t *testing.T) {
	const pass, fail, open = result.Pass, result.Fail, result.Inconclusive
	for _, c := range []struct {
		base, own, baseLoop, ownLoop float64
		expr                         string
		verdict                      result.Verdict
	}{
		// Two functions that do nothing, in loops of different kinds: 80 % less, or 400 % more.
		{1.5, 0.3, 1.5, 0.3, "ratio(time) < 2", open},
		{1.5, 0.3, 1.5, 0.3, "better(time, 3%)", open},
		{1.5, 0.3, 1.5, 0.3, "not worse(time, 3%)", open},
		{0.3, 1.5, 0.3, 1.5, "not worse(time, 3%)", open},
		{0.3, 1.5, 0.3, 1.5, "ratio(time) > 2", open},
		{0.3, 1.5, 0.3, 1.5, "ci(time).low > 2", open},
		{0.3, 1.5, 0.3, 1.5, "abs(ratio(time) - 1) < 9", open},
		// A function that does nothing as base.
		{0.25, 1.5, 0.25, 0.25, "not worse(time, 3%)", fail},
		{0.25, 1.5, 0.25, 0.25, "worse(time, 350%)", pass},
		{0.25, 1.5, 0.25, 0.25, "worse(time, 370%)", open},
		{0.25, 1.5, 0.25, 0.25, "better(time, 3%)", fail},
		{0.25, 1.5, 0.25, 0.25, "ratio(time) > 4.5", pass},
		{0.25, 1.5, 0.25, 0.25, "ratio(time) < 4.5", fail},
		{0.25, 1.5, 0.25, 0.25, "ratio(time) > 4.7", open},
		{0.25, 1.5, 0.25, 0.25, "ratio(time) < 4.7", open},
		{0.25, 1.5, 0.25, 0.25, "ci(time).high < 7", open},
		{0.25, 1.5, 0.25, 0.25, "not worse(throughput, 3%)", fail},
		{0.25, 1.5, 0.25, 0.25, "ratio(throughput) < 0.22", pass},
		{0.25, 1.5, 0.25, 0.25, "ratio(throughput) < 0.21", open},
		// What exceeds the loop by less than the loop may be less than the bound of the base.
		{0.25, 0.5, 0.25, 0.25, "not worse(time, 3%)", open},
		{0.25, 0.5, 0.25, 0.25, "better(time, 3%)", open},
		{0.25, 0.5, 0.25, 0.25, "better(time, 20%)", fail},
		// The same the other way round.
		{1.5, 0.25, 0.25, 0.25, "not worse(time, 3%)", pass},
		{1.5, 0.25, 0.25, 0.25, "better(time, 350%)", pass},
		{1.5, 0.25, 0.25, 0.25, "better(time, 370%)", open},
		{1.5, 0.25, 0.25, 0.25, "ratio(time) < 0.22", pass},
		{1.5, 0.25, 0.25, 0.25, "ratio(time) < 0.21", open},
		{1.5, 0.25, 0.25, 0.25, "ratio(throughput) > 4.5", pass},
		{1.5, 0.25, 0.25, 0.25, "ratio(throughput) > 4.7", open},
		// Both sides exceed their loops.
		{3, 1.5, 1.4, 0.25, "ratio(time) < 0.501", pass},
	} {
		k, _ := with(t, looped(c.base, c.own, c.baseLoop, c.ownLoop), c.expr)
		g := k.Gates[0]
		if g.Verdict != c.verdict || g.Verdict == open && (g.Cause != result.CauseResolution || !strings.Contains(g.Reason, "below resolution")) {
			t.Errorf("%s with times of %v and %v: %s for %s: %q", c.expr, c.base, c.own, g.Verdict, g.Cause, g.Reason)
		}
		for _, v := range g.Values {
			if math.IsInf(v.Value, 0) || v.High != nil && math.IsInf(*v.High, 0) {
				t.Errorf("%s: %+v cannot be written", c.expr, v)
			}
		}
	}
}

// A comparison contains which side is below resolution, and the end of the ratio that is known.
func TestComparisonsOfBounds(t *testing.T) {
	for _, c := range []struct {
		base, own, baseLoop, ownLoop   float64
		low, high, baseBound, ownBound float64 // 0: absent
		change                         result.Change
	}{
		{1.5, 0.3, 1.5, 0.3, 0, 0, 1.52, 0.32, result.Unclear},
		{0.25, 1.5, 0.25, 0.25, 1.24 / 0.27, 0, 0.27, 0, result.Worse},
		{1.5, 0.25, 0.25, 0.25, 0, 0.27 / 1.24, 0, 0.27, result.Better},
		{0.25, 0.5, 0.25, 0.25, 0.24 / 0.27, 0, 0.27, 0, result.Unclear},
		{3, 1.5, 1.4, 0.25, 0.5, 0.5, 0, 0, result.Better},
	} {
		k, _ := with(t, looped(c.base, c.own, c.baseLoop, c.ownLoop), "not worse(time, 3%)")
		o := k.Comparison("time")
		for name, x := range map[string]struct {
			got  *float64
			want float64
		}{"low": {o.Low, c.low}, "high": {o.High, c.high}, "base": {o.BaseBound, c.baseBound * ns}, "candidate": {o.CandidateBound, c.ownBound * ns}} {
			if (x.got == nil) != (x.want == 0) || x.got != nil && math.Abs(*x.got/x.want-1) > 1e-9 {
				t.Errorf("times of %v and %v: %s is %v, want %v", c.base, c.own, name, x.got, x.want)
			}
		}
		if o.Change != c.change || (o.Change == result.Unclear) != (o.Cause == result.CauseResolution) || o.IsBound() && o.Confidence > 0.98 {
			t.Errorf("times of %v and %v: %+v", c.base, c.own, o)
		}
	}
}

// The error of the clock belongs to both bounds.
func TestBoundsContainTheErrorOfTheClock(t *testing.T) {
	c := looped(0.25, 1.5, 0.25, 0.25)
	c.ClockError, c.LoopError = 0.2*ns, 0.21*ns
	c.Pairs.Overhead.ClockError, c.Pairs.Overhead.LoopError = 0.1*ns, 0.11*ns
	k, _ := with(t, c, "not worse(time, 3%)")
	// 1.5 − 0.2 − 0.25 − 0.01 above 0.25 + 2·0.11
	if o := k.Comparison("time"); o.Low == nil || math.Abs(*o.Low-1.04/0.47) > 1e-9 {
		t.Errorf("%+v", o)
	}
}

// Counts of cycles have a loop of their own.
func TestCountsBelowResolution(t *testing.T) {
	c := looped(100, 100, 1, 1)
	for name, s := range map[float64]*result.Samples{4.5: &c.Samples, 1: &c.Pairs.Samples} {
		s.Columns["ticks"] = make([]float64, 100)
		fill(s.Columns["ticks"], name)
	}
	c.Counter, c.LoopCount, c.Pairs.Overhead.LoopCount = "tsc", &result.Cost{Value: 4.4, Error: 0.2}, &result.Cost{Value: 0.5, Error: 0.1}
	bound := 4.9
	c.Metrics = append(c.Metrics, result.Summary{Metric: "ticks", N: 100, Median: 4.5, Bound: &bound})
	// The base takes 0.4 to 1 ticks, and the case less than 4.9.
	for expr, want := range map[string]result.Verdict{"ratio(ticks) < 13": result.Pass, "ratio(ticks) < 12": result.Inconclusive} {
		from := source(&c, expr)
		from.Base, from.Metrics = "b", []string{"ticks"}
		set := compile(t, []Source{from}, map[string][]string{"s": {"b", "c"}})
		cases := []result.Case{c, baseOf(c)}
		if set.Assess(nil).Judge(cases); cases[0].Gates[0].Verdict != want {
			t.Errorf("%s: %+v", expr, cases[0].Gates[0])
		}
	}
}
