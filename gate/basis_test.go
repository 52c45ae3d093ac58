package gate

import (
	"testing"

	"example.com/suite/result"
)

// asTree makes the base of a case the same case in another tree, which had one
// number of everything exact.
func asTree(c result.Case, exactly map[string]float64) result.Case {
	p := *c.Pairs
	p.Base, p.Tree = c.Name, "main"
	p.Metrics = []result.Summary{summaryOf("time", []float64{1e-3})}
	for name, x := range exactly {
		p.Metrics = append(p.Metrics, exact(result.Case{}, name, x).Metrics...)
	}
	c.Pairs = &p
	return c
}

// ofTree judges gates of a case that is compared with the tree main. A case named
// main is there as well, and has nothing to do with it.
func ofTree(t *testing.T, c result.Case, unmatched string, exprs ...string) result.Case {
	t.Helper()
	var sources []Source
	for _, expr := range exprs {
		s := source(&c, expr)
		s.Base, s.Tree, s.Unmatched = "main", true, unmatched
		sources = append(sources, s)
	}
	set := compile(t, sources, map[string][]string{"s": {"c", "main"}})
	other := baseOf(c)
	other.Name = "main"
	other.Metrics = exact(other, "allocs", 99).Metrics
	cases := []result.Case{c, other}
	set.Assess(nil).Judge(cases)
	return cases[0]
}

func TestCasesAreComparedWithTheOtherTree(t *testing.T) {
	k := asTree(exact(timed(spread(100, 95, 1.072, 1.01)), "allocs", 3), map[string]float64{"allocs": 2})
	for _, c := range []struct {
		k       result.Case
		expr    string
		verdict result.Verdict
		form    result.Form
		reason  string
	}{
		{k, "not worse(time, 3%)", result.Fail, result.FormPairs,
			"time is 7.2% longer than in main (98% interval +7.2% to +7.2%), and 3% is tolerated: 95 of 100 launches are above +3%, and 68 suffice to show it"},
		{ofCommand(k), "not worse(time, 3%)", result.Fail, result.FormPairs,
			"time is 7.2% longer than in main (98% interval +7.2% to +7.2%), and 3% is tolerated: 95 of 100 pairs are above +3%, and 68 suffice to show it"},
		{k, "not worse(allocs, 0)", result.Fail, result.FormExact, "allocs is 3, and 2 in main, and nothing is tolerated"},
		{k, "allocs.max <= base.allocs.max", result.Fail, result.FormExact, "allocs.max <= base.allocs.max: allocs.max is 3, base.allocs.max is 2"},
		{k, "ratio(allocs) < 2", result.Pass, result.FormExact, ""},
		{asTree(timed(spread(5, 5, 1, 1)), nil), "base.time.median < 1", result.Inconclusive, result.FormInterval,
			"base.time.median is 1 ms; a 99% interval needs 8 blocks of samples, and there are 5"},
		{k, "base.time.median < 1", result.Pass, result.FormInterval, ""},
		{k, "not worse(heap, 0)", result.Error, result.FormExact, "metric \"heap\" was not measured here: it is available everywhere"},
		{exact(k, "heap", 1), "not worse(heap, 0)", result.Error, result.FormExact, "metric \"heap\" of main was not measured: it is available everywhere"},
		{k, "not worse(cpu, 3%)", result.Error, result.FormExact, "metric \"cpu\" was not measured here: it is available everywhere"},
	} {
		if g := ofTree(t, c.k, "", c.expr).Gates[0]; g.Verdict != c.verdict || g.Form != c.form || g.Reason != c.reason {
			t.Errorf("%s: %s by %s: %s", c.expr, g.Verdict, g.Form, g.Reason)
		}
	}
	judged := ofTree(t, k, "")
	o := judged.Comparison("time")
	if o == nil || o.Launches != 100 || o.Blocks != 0 || o.Change != result.Worse {
		t.Errorf("%+v", o)
	}
	judged = ofTree(t, ofCommand(k), "")
	if o := judged.Comparison("time"); o.Launches != 0 || o.Blocks != 0 {
		t.Errorf("of a command: %+v", o)
	}
}

// A case that the other tree lacks, or has in another form, is compared with nothing:
// the reason is reported, and no gate passes for it.
func TestGatesWithoutCounterpartAreSkipped(t *testing.T) {
	c := typical()
	const why = "main has no such case"
	for _, expr := range []string{"not worse(time, 3%)", "ratio(time) < 2", "ci(time).high < 2", "better(time, 1%)", "base.allocs.max == allocs.max", `worse(time, 3%) or host.os != "none"`} {
		if g := ofTree(t, c, why, expr).Gates[0]; g.Verdict != result.NotJudged || g.Reason != why {
			t.Errorf("%s: %s: %s", expr, g.Verdict, g.Reason)
		}
	}
	if g := ofTree(t, c, why, "time.median < 1s").Gates[0]; g.Verdict != result.Pass {
		t.Errorf("a gate that needs no base: %s: %s", g.Verdict, g.Reason)
	}
	if g := ofTree(t, c, "", "not worse(time, 3%)").Gates[0]; g.Verdict != result.Error || g.Reason != "no pairs were taken with main" {
		t.Errorf("paired, and no pair was taken: %s: %s", g.Verdict, g.Reason)
	}
	s := source(&c, "not worse(time, 3%)")
	s.Base, s.Tree, s.Unmatched = "main", true, why
	set, _ := Compile([]Source{s}, nil)
	if e := set.Errors("s"); e.Calls != 0 {
		t.Errorf("it has a share of the errors: %+v", e)
	}
	if open, decided := set.Watch().Open(&c); open != 0 || decided != 0 {
		t.Errorf("sampling waits for it: %d open, %d decided", open, decided)
	}
}

func TestPiecesInWords(t *testing.T) {
	for want, got := range map[string]string{
		"1 launch": result.PerLaunch.Count(1), "12 launches": result.PerLaunch.Count(12), "1 block": result.PerBlock.Count(1),
		"2 blocks": result.PerBlock.Count(2), "0 pairs": result.PerPair.Count(0),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What needs a base compares, and so does a mean over the cases that have one.
func TestGatesThatCompare(t *testing.T) {
	for expr, want := range map[string]bool{
		"not worse(time, 3%)": true, "time.median <= base.time.median": true, "ratio(allocs) < 2 and time.n > 0": true, `geomean("time") < 2`: true,
		"time.median < 1s": false, "allocs.max == 0": false,
	} {
		if g := ofTree(t, typical(), "", expr).Gates[0]; g.Compares != want {
			t.Errorf("%s: %t", expr, g.Compares)
		}
	}
}
