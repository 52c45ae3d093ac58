package result_test

import (
	"fmt"
	"testing"

	"example.com/suite/result"
)

func gated(verdict result.Verdict, severity, undecided string) result.Gate {
	return result.Gate{ID: "g", Verdict: verdict, Severity: severity, OnInconclusive: undecided}
}

func oneCase(name string, status result.Status, gates ...result.Gate) result.Case {
	return result.Case{Suite: "s", Name: name, Status: status, Gates: gates}
}

// Every exit status that a document can lead to, and which of them wins if several
// apply.
func TestOutcome(t *testing.T) {
	pass, fail := gated(result.Pass, "fail", "list"), gated(result.Fail, "fail", "list")
	open, refused := gated(result.Inconclusive, "fail", "list"), gated(result.Inconclusive, "fail", "fail")
	broken, skipped := gated(result.Error, "fail", "list"), gated(result.NotJudged, "fail", "fail")
	warn := func(v result.Verdict) result.Gate { return gated(v, "warn", "fail") }
	done := func(gates ...result.Gate) result.Case { return oneCase("a", result.Measured, gates...) }
	crashed, unreached := oneCase("b", result.Failed, broken), oneCase("c", result.NotRun, skipped)
	uncounted := oneCase("b", result.Failed, open)
	uncounted.Failure = &result.Failure{Cause: result.FailedUncounted}

	for _, c := range []struct {
		exit      int
		line      string
		interrupt string
		cases     []result.Case
	}{
		// 0: measured, every gate passed or only listed
		{0, "NO GATES: 1 case measured, nothing to pass or fail", "", []result.Case{done()}},
		{0, "PASS: 1 case measured, 1 gate passed", "", []result.Case{done(pass)}},
		{0, "PASS: 2 cases measured, 3 gates passed", "", []result.Case{done(pass, pass), oneCase("b", result.Measured, pass)}},
		{0, "PASS, 1 of 2 undecided: 1 case measured, 1 of 2 gates passed, 1 inconclusive (a: g)", "", []result.Case{done(pass, open)}},
		{0, "INCONCLUSIVE: 1 case measured, 0 of 1 gate passed, 1 inconclusive (a: g)", "", []result.Case{done(open)}},
		{0, "NOT JUDGED: 1 case measured, 0 of 1 gate passed, 1 skipped", "", []result.Case{done(skipped)}},
		{0, "PASS: 1 case measured, 1 of 2 gates passed, 1 skipped", "", []result.Case{done(pass, skipped)}},
		{0, "PASS: 1 case measured, 1 of 4 gates passed, 3 warned", "",
			[]result.Case{done(pass, warn(result.Fail), warn(result.Inconclusive), warn(result.Error))}},
		// 1: a gate failed
		{1, "FAIL: a: g; 1 of 1 gate failed", "", []result.Case{done(fail)}},
		{1, "FAIL: a: g; 1 of 3 gates failed", "", []result.Case{done(pass, fail, refused)}}, // 1 before 4
		// 3: a case or gate could not be
		{3, "ERROR: nothing was measured", "", nil},
		{3, "ERROR: 1 of 1 case could not be measured (b)", "", []result.Case{crashed}},
		{3, "ERROR: 1 of 1 case could not be measured (c)", "", []result.Case{unreached}},
		{3, "ERROR: 1 of 2 cases could not be measured (b)", "", []result.Case{done(pass), crashed}},
		{3, "ERROR: 1 of 2 cases could not be measured, and 1 gate failed (b)", "", []result.Case{done(fail, refused), crashed}}, // 3 before 1
		{3, "ERROR: 1 of 2 cases could not be measured, and 1 gate in error, and 1 gate failed (b)", "", []result.Case{done(fail, broken, warn(result.Error)), crashed}},
		{3, "ERROR: 1 of 2 gates could not be evaluated (a: g)", "", []result.Case{done(pass, broken)}},
		{3, "ERROR: 1 of 2 gates could not be evaluated, and 1 gate failed (a: g)", "", []result.Case{done(fail, broken)}},
		// 4: inconclusive where that fails
		{4, "INCONCLUSIVE: 1 of 2 gates could not be decided (a: g)", "", []result.Case{done(pass, refused)}},
		{4, "INCONCLUSIVE: the instructions of 1 of 2 cases could not be counted; 1 of 2 gates passed, 1 inconclusive (b)", "", []result.Case{done(pass), uncounted}},
		// 130, 143: interrupted, whatever else
		{130, "INTERRUPTED: SIGINT after 1 of 2 cases, 1 of 3 gates passed, 1 failed, 1 skipped", "SIGINT", []result.Case{done(pass, fail), unreached}},
		{130, "INTERRUPTED: interrupt after 0 of 0 cases, nothing to pass or fail", "interrupt", nil},
		{143, "INTERRUPTED: SIGTERM after 1 of 1 case, nothing to pass or fail", "SIGTERM", []result.Case{done()}},
		{143, "INTERRUPTED: terminated after 1 of 1 case, nothing to pass or fail", "terminated", []result.Case{done()}},
	} {
		doc := &result.Document{Suites: []result.Suite{{Name: "s"}}, Cases: c.cases, Interrupted: c.interrupt}
		if got := doc.Outcome(); got.Exit != c.exit || got.String() != c.line {
			t.Errorf("got  %d %s\nwant %d %s", got.Exit, got, c.exit, c.line)
		}
	}
}

// Gates that compare and of which none was decided say nothing of the change: exit 4,
// unless all of them are only to be listed. If some were decided the line counts the rest.
func TestOutcomeOfGatesThatCompare(t *testing.T) {
	compares := func(v result.Verdict, undecided string) result.Gate {
		g := gated(v, "fail", undecided)
		g.Compares = true
		return g
	}
	pass, fail, open := compares(result.Pass, "auto"), compares(result.Fail, "auto"), compares(result.Inconclusive, "auto")
	listed, refused, skipped := compares(result.Inconclusive, "list"), compares(result.Inconclusive, "fail"), compares(result.NotJudged, "auto")
	warned := open
	warned.Severity = "warn"
	plain, plainOpen := gated(result.Pass, "fail", "auto"), gated(result.Inconclusive, "fail", "auto")
	accepted := fail
	accepted.Accepted = &result.Accepted{Until: "2026-12-31"}
	for _, c := range []struct {
		exit  int
		line  string
		gates []result.Gate
	}{
		{4, "INCONCLUSIVE: the one gate that compares could not be decided; 1 case measured, 0 of 1 gate passed, 1 inconclusive (a: g)", []result.Gate{open}},
		{4, "INCONCLUSIVE: none of 2 gates that compare could be decided; 1 case measured, 1 of 3 gates passed, 2 inconclusive (a: g; a: g)", []result.Gate{plain, open, open}},
		{4, "INCONCLUSIVE: none of 2 gates that compare could be decided; 1 case measured, 0 of 2 gates passed, 2 inconclusive (a: g; a: g)", []result.Gate{listed, open}},
		{4, "INCONCLUSIVE: the one gate that compares could not be decided; 1 case measured, 0 of 2 gates passed, 1 inconclusive, 1 skipped (a: g)", []result.Gate{skipped, open}},
		{4, "INCONCLUSIVE, 1 of 2 undecided: 1 of 2 gates could not be decided (a: g)", []result.Gate{pass, refused}},
		{0, "PASS, 1 of 3 undecided: 1 case measured, 2 of 3 gates passed, 1 inconclusive (a: g)", []result.Gate{pass, pass, open}},
		{0, "PASS, 1 of 2 undecided: 1 case measured, 2 of 3 gates passed, 1 inconclusive (a: g)", []result.Gate{pass, plain, listed}},
		{0, "INCONCLUSIVE: 1 case measured, 0 of 1 gate passed, 1 inconclusive (a: g)", []result.Gate{listed}},
		{0, "NOT JUDGED: 1 case measured, 0 of 1 gate passed, 1 skipped", []result.Gate{skipped}},
		{0, "PASS: 1 case measured, 0 of 1 gate passed, 1 warned", []result.Gate{warned}},
		{0, "PASS, 1 of 2 undecided: 1 case measured, 1 of 2 gates passed, 1 inconclusive (a: g)", []result.Gate{pass, plainOpen}},
		{1, "FAIL, 1 of 2 undecided: a: g; 1 of 2 gates failed", []result.Gate{fail, open}},
		{0, "INCONCLUSIVE, 1 of 2 undecided: 1 case measured, 0 of 2 gates passed, 1 inconclusive, 1 accepted until 2026-12-31 (a: g; a: g)", []result.Gate{accepted, open}},
	} {
		doc := &result.Document{Suites: []result.Suite{{Name: "s"}}, Cases: []result.Case{oneCase("a", result.Measured, c.gates...)}}
		if got := doc.Outcome(); got.Exit != c.exit || got.String() != c.line {
			t.Errorf("got  %d %s\nwant %d %s", got.Exit, got, c.exit, c.line)
		}
	}
}

// A decided counter says nothing about a time: each metric that gates compare needs a
// decision of its own, and the line has the counts of each.
func TestOutcomeOfEachMetricThatIsCompared(t *testing.T) {
	compares := func(v result.Verdict, undecided string, metrics ...string) result.Gate {
		g := gated(v, "fail", undecided)
		g.Compares = true
		for _, m := range metrics {
			g.Reads = append(g.Reads, result.Reading{Of: result.OfRatio, Metric: m})
		}
		return g
	}
	allocs, rss := compares(result.Pass, "auto", "allocs"), compares(result.Fail, "auto", "rss")
	open, both := compares(result.Inconclusive, "auto", "time"), compares(result.Inconclusive, "auto", "allocs", "time")
	listed, unaffected := compares(result.Inconclusive, "list", "time"), compares(result.Pass, "auto", "time")
	unaffected.Cause = result.CauseUnaffected
	time := compares(result.Pass, "auto", "time")
	mean := time
	mean.Reads = []result.Reading{{Of: result.OfMean, Metric: "time"}}
	own := open
	own.Reads = append([]result.Reading{{Of: result.OfCase, Metric: "allocs"}}, own.Reads...)
	for _, c := range []struct {
		exit  int
		line  string
		gates []result.Gate
	}{
		{4, "INCONCLUSIVE, 1 of 2 undecided: allocs: 1 same; time: 1 undecided; 1 case measured, 1 of 2 gates passed, 1 inconclusive; against their bases 1 unclear (a: g)", []result.Gate{allocs, open}},
		{4, "INCONCLUSIVE, 1 of 2 undecided: allocs: 1 same, 1 undecided; time: 1 undecided; 1 case measured, 1 of 2 gates passed, 1 inconclusive; against their bases 1 unclear (a: g)", []result.Gate{allocs, both}},
		{4, "INCONCLUSIVE: the one gate that compares could not be decided; 1 case measured, 0 of 1 gate passed, 1 inconclusive; against their bases 1 unclear (a: g)", []result.Gate{own}},
		{0, "PASS, 1 of 3 undecided: 1 case measured, 2 of 3 gates passed, 1 inconclusive; allocs: 1 same; time: 1 passed, 1 undecided; against their bases 1 unclear (a: g)", []result.Gate{allocs, mean, open}},
		{0, "PASS, 1 of 3 undecided: 1 case measured, 2 of 3 gates passed, 1 inconclusive; allocs: 1 same; time: 1 unaffected, 1 undecided; against their bases 1 unclear (a: g)", []result.Gate{allocs, unaffected, open}},
		{0, "PASS, 1 of 2 undecided: 1 case measured, 1 of 2 gates passed, 1 inconclusive; allocs: 1 same; time: 1 undecided; against their bases 1 unclear (a: g)", []result.Gate{allocs, listed}},
		{0, "PASS: 1 case measured, 2 gates passed; against their bases 1 unclear", []result.Gate{allocs, time}},
		{1, "FAIL, 1 of 2 undecided: a: g; 1 of 2 gates failed", []result.Gate{rss, open}},
	} {
		a := oneCase("a", result.Measured, c.gates...)
		a.Comparisons = []result.Comparison{{Metric: "allocs", Change: result.Same}, {Metric: "time", Change: result.Unclear}}
		doc := &result.Document{Suites: []result.Suite{{Name: "s"}}, Cases: []result.Case{a}}
		if got := doc.Outcome(); got.Exit != c.exit || got.String() != c.line {
			t.Errorf("got  %d %s\nwant %d %s", got.Exit, got, c.exit, c.line)
		}
	}
}

// Over every set of gates of up to three: green means that nothing failed, and
// PASS that something passed.
func TestOutcomeNeverGreenByAccident(t *testing.T) {
	var kinds []result.Gate
	for _, v := range []result.Verdict{result.Pass, result.Fail, result.Inconclusive, result.Error, result.NotJudged} {
		for _, s := range []string{"fail", "warn"} {
			kinds = append(kinds, gated(v, s, "list"), gated(v, s, "fail"))
		}
	}
	for _, a := range kinds {
		for _, b := range kinds {
			for _, c := range kinds {
				doc := &result.Document{Suites: []result.Suite{{Name: "s"}}, Cases: []result.Case{oneCase("a", result.Measured, a, b, c)}}
				check(t, doc, a, b, c)
			}
		}
	}
}

func check(t *testing.T, doc *result.Document, gates ...result.Gate) {
	t.Helper()
	red := false
	for _, g := range gates {
		red = red || g.Severity == "fail" && (g.Verdict == result.Fail || g.Verdict == result.Error ||
			g.Verdict == result.Inconclusive && g.OnInconclusive == "fail")
	}
	if o := doc.Outcome(); (o.Exit == 0) == red {
		t.Errorf("%s for %s", o, fmt.Sprint(gates))
	}
}

// With several suites a culprit is named with its own.
func TestOutcomeNamesTheSuite(t *testing.T) {
	doc := &result.Document{Suites: []result.Suite{{Name: "s"}, {Name: "t"}}, Cases: []result.Case{oneCase("a", result.Measured, gated(result.Fail, "fail", "list"))}}
	if got := doc.Outcome().String(); got != "FAIL: s: a: g; 1 of 1 gate failed" {
		t.Error(got)
	}
}

// A machine without a program never makes a run green that judged nothing, and the last line
// counts what was skipped.
func TestSkippedCasesAreNotSilent(t *testing.T) {
	pass, skipped := gated(result.Pass, "fail", "list"), gated(result.NotJudged, "fail", "list")
	done := oneCase("a", result.Measured, pass)
	lacking := oneCase("b", result.LeftOut, skipped)
	lacking.Missing = []string{"python3", "node"}
	ungated := lacking
	ungated.Gates = nil
	for _, c := range []struct {
		exit   int
		line   string
		strict bool
		cases  []result.Case
	}{
		{0, "PASS: 1 case measured and 1 skipped, 1 of 2 gates passed, 1 skipped", false, []result.Case{done, lacking}},
		{0, "NO GATES: 1 case measured and 1 skipped, nothing to pass or fail", false, []result.Case{oneCase("a", result.Measured), ungated}},
		{4, "REFUSED: --strict: 1 of 2 cases skipped (b: this machine has no python3 or node)", true, []result.Case{done, lacking}},
		{3, "ERROR: nothing was measured: this machine lacks a program for each case (b: this machine has no python3 or node)", false, []result.Case{lacking}},
		{3, "ERROR: 1 of 2 cases could not be measured (a)", false, []result.Case{oneCase("a", result.Failed), lacking}},
		{130, "INTERRUPTED: SIGINT after 1 of 2 cases, 1 of 2 gates passed, 1 skipped", false, []result.Case{done, lacking}},
	} {
		doc := &result.Document{Suites: []result.Suite{{Name: "s"}}, Cases: c.cases, Strict: c.strict}
		if c.exit == 130 {
			doc.Interrupted = "SIGINT"
		}
		if o := doc.Outcome(); o.Exit != c.exit || o.String() != c.line {
			t.Errorf("exit %d, %q; want %d, %q", o.Exit, o, c.exit, c.line)
		}
	}
}
