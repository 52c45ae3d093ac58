package gate

import (
	"strings"
	"testing"

	"example.com/suite/result"
)

// pipeline has the pegs of 1000 iterations: parse to emit mostly takes 1 µs, and 2 ms
// once in a hundred; the span request contains everything and has no histogram.
func pipeline() *result.Pegs {
	half, most, nearly := 1e-6, 1.9e-6, 1.95e-3
	return &result.Pegs{Clock: "wall", Iterations: 1000, Seconds: 0.1, Residue: 40e-9, Cost: 60e-9,
		Points: []result.PegPoint{{Name: "parse", Hits: 2000}, {Name: "emit", Hits: 2000}, {Name: "request", Hits: 2000}},
		Arcs: []result.Arc{
			{From: "", To: "request", Kind: result.ArcSpan, Count: 1000, Sum: 0.09, Min: 50e-6, Max: 3e-3, Mean: 90e-6, StdDev: 1e-6},
			{From: "emit", To: "parse", Count: 1999, Sum: 20e-6, Min: 0, Max: 30e-9, Mean: 10e-9, StdDev: 5e-9, Zero: 12},
			{From: "parse", To: "emit", Count: 2000, Sum: 0.04, Min: 0.9e-6, Max: 2e-3, Mean: 20e-6, StdDev: 200e-6,
				P50: &half, P90: &most, P99: &nearly,
				Histogram: []result.ArcBin{{0.9e-6, 1.1e-6, 1200}, {1.8e-6, 2.1e-6, 779}, {1.9e-3, 2.1e-3, 21}}},
			{From: "request", To: "render", Kind: result.ArcSpan, Count: 10, Sum: 10e-6, Min: 1e-6, Max: 1e-6, Mean: 1e-6},
		}}
}

// pegged is a case with such pegs.
func pegged() result.Case {
	c := typical()
	c.Pegs = pipeline()
	return c
}

// ofArcs judges one gate of a case with pegs.
func ofArcs(t *testing.T, c result.Case, expr string) result.Gate {
	t.Helper()
	s := source(&c, expr)
	s.Pegs = true
	return judgedBy(t, c, s, 1).Gates[0]
}

func TestGatesOnArcs(t *testing.T) {
	for _, c := range []struct {
		expr    string
		verdict result.Verdict
		reason  string
	}{
		{`arc("parse", "emit").p99 < duration("3ms")`, result.Pass, ""},
		{`arc("parse", "emit").p99 < 1ms`, result.Fail, `arc("parse", "emit").p99 is 1.95 ms (of 2000, ± 40 ns), limit 1 ms`},
		{`1ms > arc("parse", "emit").p99`, result.Fail, "1.95 ms"},
		{`not (arc("parse", "emit").max > 3ms)`, result.Pass, ""},
		{`arc("render").count == 10`, result.Pass, ""}, // in any span
		{`arc("request").mean < 100us`, result.Pass, ""},
		{`arc("request").max < 1ms`, result.Fail, `arc("request").max is 3 ms (of 1000, ± 40 ns for each hit in it), limit 1 ms`},
		{`arc("parse", "emit").count == 2000`, result.Pass, ""},
		{`arc("parse", "emit").count != 2000`, result.Fail, "is 2000, limit 2000"},
		{`arc("parse", "emit").sum < 50ms`, result.Pass, ""},
		{`arc("parse", "emit").min > 0.5us`, result.Pass, ""},
		{`arc("parse", "emit").stddev < 100us`, result.Fail, "is 200 µs"},
		{`arc("parse", "emit").median < 2us and arc("parse", "emit").p50 < 2us and arc("parse", "emit").p90 < 3us`, result.Pass, ""},
		{`arc("parse", "emit").per_iteration < 41us`, result.Pass, ""},
		{`arc("parse", "emit").per_iteration < 39us`, result.Fail, "per_iteration is 40 µs"},
		{`arc("parse", "emit").mean < arc("request").mean`, result.Pass, ""},
		{`arc("parse", "emit").per_iteration / time.median < 1%`, result.Fail, "time.median is 2 ms"},
		{`time.median < 3ms and arc("request").mean < 1ms`, result.Pass, ""},
		// What pegs do not resolve.
		{`arc("emit", "parse").mean < 20ns`, result.Inconclusive, "pegs show only that it is between 0 s and 50 ns"},
		{`arc("emit", "parse").mean < 60ns`, result.Pass, ""},
		{`arc("parse", "emit").min < 20ns`, result.Fail, "is 900 ns"},
		{`arc("parse", "emit").mean < 20.01us`, result.Inconclusive, "between 19.96 µs and 20.04 µs"},
		{`arc("parse", "emit").sum < 40.05ms`, result.Inconclusive, "between 39.92 ms and 40.08 ms"},
		{`arc("parse", "emit").p90 < 2us`, result.Inconclusive, "between 1.76 µs and 2.14 µs"}, // the step of the histogram
		{`arc("emit", "parse").mean / arc("parse", "emit").mean < 2`, result.Inconclusive, "between 0 s and 50 ns"},
		{`arc("parse", "emit").mean / arc("request").mean < 1`, result.Pass, ""},
		// The same holds if an arc is part of a larger expression.
		{`arc("parse", "emit").mean * 2 < 40.01us`, result.Inconclusive, `arc("parse", "emit").mean is between 19.96 µs and 20.04 µs`},
		{`arc("parse", "emit").mean * 2 < 40.1us`, result.Pass, ""},
		{`arc("parse", "emit").mean * 2 < 39.9us`, result.Fail, `arc("parse", "emit").mean is 20 µs`},
		{`arc("parse", "emit").p90 * 2 < 4us`, result.Inconclusive, "between 1.76 µs and 2.14 µs"},
		{`arc("parse", "emit").mean < arc("request").mean - 69.95us`, result.Inconclusive, `and that arc("request").mean is between 89.96 µs and 90.04 µs`},
		{`arc("request").mean < arc("request").mean + 0.001us`, result.Pass, ""}, // one and the same
		{`arc("parse", "emit").mean / time.median < 1.002%`, result.Inconclusive, "is between"},
		// What is not there.
		{`arc("request").p99 < 1ms`, result.Error, `arc("request").p99 is not known: the program keeps no histogram of the arc`},
		{`arc("parse", "emitt").mean < 1ms`, result.Error, `emit`},
		{`arc("parse", "emitt").mean / 2 < 1ms`, result.Error, `emit`},
		{`arc("requests").mean < 1ms`, result.Error, `request`},
	} {
		g := ofArcs(t, pegged(), c.expr)
		if g.Verdict != c.verdict || !strings.Contains(g.Reason, c.reason) || (c.reason == "") != (g.Reason == "") || g.Form != result.FormPoint {
			t.Errorf("%s: %s (%s): %s", c.expr, g.Verdict, g.Form, g.Reason)
		}
	}
}

// The reason of a case without arcs names the cause.
func TestArcsThatWereNotMeasured(t *testing.T) {
	c := typical()
	g := ofArcs(t, c, `arc("parse").mean < 1ms`)
	if g.Verdict != result.Error || g.Reason != "no arcs were measured" {
		t.Errorf("%+v", g)
	}
	c.Warnings = []result.Warning{{Code: "drift", Message: "it drifts"}, {Code: result.WarnNoPegs, Message: "the program wrote no pegs"}}
	g = ofArcs(t, c, `arc("parse").mean < 1ms`)
	if g.Verdict != result.Error || g.Reason != "no arcs were measured: the program wrote no pegs" || g.Form != result.FormPoint {
		t.Errorf("%+v", g)
	}
}

// If a program was cut off, hits may be missing. A gate is decided only if it is
// beyond its limit already.
func TestArcsOfAProgramThatWasCutOff(t *testing.T) {
	c := pegged()
	c.Pegs.Truncated = true
	for expr, want := range map[string]result.Verdict{
		`arc("parse", "emit").max < 1ms`:                         result.Fail,
		`arc("parse", "emit").max < 3ms`:                         result.Inconclusive,
		`arc("parse", "emit").count >= 2000`:                     result.Pass,
		`arc("parse", "emit").count < 3000`:                      result.Inconclusive,
		`arc("parse", "emit").sum > 1ms`:                         result.Pass,
		`arc("parse", "emit").mean < 1s`:                         result.Inconclusive,
		`arc("parse", "emit").p99 > 1us`:                         result.Inconclusive,
		`arc("parse", "emit").min < 1ms`:                         result.Pass,
		`arc("parse", "emit").mean < arc("request").mean`:        result.Inconclusive,
		`arc("parse", "emit").count < 3 * arc("request").count`:  result.Inconclusive,
		`arc("parse", "emit").per_iteration > duration("0.1us")`: result.Pass,
	} {
		g := ofArcs(t, c, expr)
		if g.Verdict != want || want == result.Inconclusive && !strings.Contains(g.Reason, "did not end normally") {
			t.Errorf("%s: %s: %s", expr, g.Verdict, g.Reason)
		}
	}
}

// Arcs that a lane did not record separately may belong to the gate's arc. If the
// lane recorded the arc separately, all of its hits are there.
func TestArcsThatWereNotKeptApart(t *testing.T) {
	for lane, want := range map[string]result.Verdict{"": result.Pass, "other": result.Inconclusive} {
		c := pegged()
		c.Pegs.Arcs = append(c.Pegs.Arcs, result.Arc{From: "…", To: "emit", Lane: lane, Count: 3, Sum: 9, Max: 4, Mean: 3})
		g := ofArcs(t, c, `arc("parse", "emit").max < 3ms`)
		if g.Verdict != want || want == result.Inconclusive && !strings.Contains(g.Reason, `there may be more from "parse"`) {
			t.Errorf("on lane %q: %s: %s", lane, g.Verdict, g.Reason)
		}
	}
}

// The values of a gate have the number of arcs, and are in seconds.
func TestValuesOfArcs(t *testing.T) {
	g := ofArcs(t, pegged(), `arc("parse", "emit").mean < 1ms and arc("request").count < 5000`)
	want := []result.Value{
		{Text: `arc("parse", "emit").mean`, Value: 20e-6, Unit: "s", Note: "of 2000, ± 40 ns"},
		{Text: `arc("request").count`, Value: 1000},
	}
	if len(g.Values) != 2 || g.Values[0] != want[0] || g.Values[1] != want[1] {
		t.Errorf("%+v", g.Values)
	}
}

// Arcs come from a pass of their own: samples do not decide them, and no gate on them
// keeps sampling going.
func TestArcsDoNotSteer(t *testing.T) {
	c := pegged()
	for expr, want := range map[string][2]int{
		`arc("parse", "emit").p99 < 1ms`:                      {0, 0},
		`arc("parse", "emit").p99 < time.median`:              {0, 0},
		`time.median < 3ms and arc("parse", "emit").p99 < 1s`: {0, 1},
	} {
		s := source(&c, expr)
		s.Pegs = true
		set := compile(t, []Source{s}, nil)
		if open, decided := set.Watch().Open(&c); open != want[0] || decided != want[1] {
			t.Errorf("%s: %d open, %d decided", expr, open, decided)
		}
	}
}

// A text that is right in a case with pegs is wrong in one without.
func TestRulesAreNotSharedWithCasesWithoutPegs(t *testing.T) {
	a, b, c := pegged(), typical(), pegged()
	b.Name, c.Name = "bare", "chosen"
	expr := `arc("parse", "emit").p99 < 1ms`
	sources := []Source{source(&a, expr), source(&b, expr), source(&c, expr)}
	sources[0].Pegs, sources[2].Pegs, sources[2].Points = true, true, []string{"parse"}
	_, problems := Compile(sources, nil)
	if len(problems) != 2 || problems[1].Message != "this case has no pegs" || problems[0].Message != `point "emit" is not among the pegs of this case` {
		t.Errorf("%v", problems)
	}
}

// A limit within the residue of the arc itself is not decided, although the pegs' own
// residue, of hits in a row, would decide it.
func TestGateOnAnArcAfterAPause(t *testing.T) {
	c := pegged()
	g := ofArcs(t, c, `arc("parse", "emit").mean < 1ms`)
	for i := range c.Pegs.Arcs {
		c.Pegs.Arcs[i].Residue = 5e-3
	}
	cold := ofArcs(t, c, `arc("parse", "emit").mean < 1ms`)
	if g.Verdict == result.Inconclusive || cold.Verdict != result.Inconclusive {
		t.Errorf("%s with a residue of 40 ns, %s with one of 5 ms", g.Verdict, cold.Verdict)
	}
}

// What the program may have worked during hits lengthens an arc, and never shortens it.
func TestGateOnAnArcWithOverlap(t *testing.T) {
	c := pegged()
	c.Pegs.Overlap = 60e-9
	for i := range c.Pegs.Arcs {
		if c.Pegs.Arcs[i].To == "request" {
			c.Pegs.Arcs[i].Overlap = 5e-6 // of many hits in it
		}
	}
	for _, g := range []struct {
		expr    string
		verdict result.Verdict
		reason  string
	}{
		{`arc("parse", "emit").mean < 20.05us`, result.Inconclusive, `(of 2000, −40 ns +60 ns), limit 20.05 µs: pegs show only that it is between 19.96 µs and 20.06 µs`},
		{`arc("parse", "emit").mean < 20.07us`, result.Pass, ""},
		{`arc("parse", "emit").mean > 19.95us`, result.Pass, ""},
		{`arc("parse", "emit").sum < 40.10ms`, result.Inconclusive, "between 39.92 ms and 40.12 ms"},
		{`arc("parse", "emit").per_iteration < 40.13us`, result.Pass, ""},
		{`arc("parse", "emit").count == 2000`, result.Pass, ""},
		{`arc("emit", "parse").mean < 60ns`, result.Inconclusive, "between 0 s and 70 ns"},
		{`arc("request").mean < 94us`, result.Inconclusive, "(of 1000, −40 ns +5 µs), limit 94 µs: pegs show only that it is between 89.96 µs and 95 µs"},
		{`arc("request").mean < 96us`, result.Pass, ""},
	} {
		if got := ofArcs(t, c, g.expr); got.Verdict != g.verdict || !strings.Contains(got.Reason, g.reason) {
			t.Errorf("%s: %s: %s", g.expr, got.Verdict, got.Reason)
		}
	}
}
