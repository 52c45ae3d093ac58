package gate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/summary"
)

// countedToo adds runs in which valgrind has counted: as many of each side, all of the base and of the case alike.
func countedToo(c result.Case, runs int, ratio float64) result.Case {
	c.Counted = &result.Counted{Iterations: 1, Runs: slices.Repeat([]float64{4000 * ratio}, runs)}
	c.Pairs.Counted = &result.Counted{Iterations: 1, Runs: slices.Repeat([]float64{4000}, runs)}
	return c
}

// Three pairs decide nothing about the time. Then the instructions do, if the suite file wants it and there are enough
// runs, and only for calls about the time.
func TestInstructionsDecideWhatTheTimeDoesNot(t *testing.T) {
	for _, c := range []struct {
		what    string
		expr    string
		asked   bool
		pairs   int
		time    float64
		runs    int
		counts  float64
		verdict result.Verdict
		by      string
	}{
		{"more instructions", "not worse(time, 3%)", true, 3, 1, 6, 1.05, result.Fail, "instructions"},
		{"as many", "not worse(time, 3%)", true, 3, 1, 6, 1, result.Pass, "instructions"},
		{"as many, and exactly the tolerance", "not worse(time, 3%)", true, 3, 1, 6, 1.03, result.Inconclusive, ""},
		{"fewer", "better(time, 3%)", true, 3, 1, 6, 0.9, result.Pass, "instructions"},
		{"one of two calls", "not worse(time, 3%) and time.median > 0", true, 3, 1, 6, 1.05, result.Fail, "instructions"},
		{"too few runs", "not worse(time, 3%)", true, 3, 1, 4, 1.05, result.Inconclusive, ""},
		{"no runs", "not worse(time, 3%)", true, 3, 1, 0, 1.05, result.Inconclusive, ""},
		{"nobody asked", "not worse(time, 3%)", false, 3, 1, 6, 1.05, result.Inconclusive, ""},
		{"another metric", "not worse(cpu, 3%)", true, 3, 1, 6, 1.05, result.Inconclusive, ""},
		{"the time decides", "not worse(time, 3%)", true, 30, 1.2, 6, 1, result.Fail, ""},
		{"the time decides otherwise", "not worse(time, 3%)", true, 30, 1, 6, 1.2, result.Pass, ""},
	} {
		one := timed(spread(c.pairs, c.pairs, c.time, 1))
		one.Samples.Columns["cpu"], one.Pairs.Samples.Columns["cpu"] = one.Samples.Columns["time"], one.Pairs.Samples.Columns["time"]
		one.Metrics = append(one.Metrics, summaryOf("cpu", one.Samples.Columns["cpu"]))
		if c.runs > 0 {
			one = countedToo(one, c.runs, c.counts)
		}
		s := source(&one, c.expr)
		s.Base, s.ByInstructions = "b", c.asked
		g := judgedBy(t, one, s, 1).Gates[0]
		if g.Verdict != c.verdict || g.DecidedBy != c.by || (c.by != "") != (g.Form == result.FormRuns) && c.by != "" {
			t.Errorf("%s: %s by %q (%s): %s", c.what, g.Verdict, g.DecidedBy, g.Form, g.Reason)
		}
		if c.verdict == result.Fail && c.by != "" && (g.Finding == nil || g.Finding.Text != "instructions" || !strings.Contains(g.Reason, "instructions is 5% higher")) {
			t.Errorf("%s: finding %+v, %s", c.what, g.Finding, g.Reason)
		}
	}
}

// byInstructions judges a case whose instructions were counted, by one of so many gates.
func byInstructions(t *testing.T, one result.Case, expr string, gates int) *result.Case {
	t.Helper()
	one.Settings.Judge, one.Settings.Callgrind = result.JudgeInstructions, true
	one.Metrics = []result.Summary{summary.Counted(&one, one.Counted.Runs)}
	s := source(&one, expr)
	s.Base, s.Callgrind, s.Metrics = "b", true, []string{"instructions"}
	return judgedBy(t, one, s, gates)
}

// judgedBy judges a case by one of so many gates, which share an error of 1 %.
func judgedBy(t *testing.T, one result.Case, s Source, gates int) *result.Case {
	t.Helper()
	set := compile(t, []Source{s}, map[string][]string{"s": {one.Name, "b"}})
	if gates > 1 {
		set = set.Share("s", 0.01, gates)
	}
	cases := []result.Case{one}
	set.Assess(nil).Judge(cases)
	return &cases[0]
}

// The time and the instructions may both be wrong, so such a call takes two shares of the error.
func TestASecondOpinionHasAShareOfTheError(t *testing.T) {
	c := timed(spread(3, 3, 1, 1))
	for asked, want := range map[bool]int{false: 1, true: 2} {
		s := source(&c, "not worse(time, 3%)")
		s.Base, s.ByInstructions = "b", asked
		set, _ := Compile([]Source{s}, map[string][]string{"s": {c.Name, "b"}})
		if e := set.Errors("s"); e.Calls != want {
			t.Errorf("asked for: %t: %d calls", asked, e.Calls)
		}
	}
}

// Instructions of programs with two speeds do not decide anything, and runs that differ by less than the tolerance do.
func TestRunsOfEqualProgramsThatVary(t *testing.T) {
	for what, c := range map[string]struct {
		base, own []float64
		want      result.Verdict
	}{
		"two speeds": {[]float64{4000, 4500, 4000, 4500, 4000, 4500}, []float64{4500, 4000, 4500, 4500, 4000, 4500}, result.Inconclusive},
		"noise":      {[]float64{4000, 4001, 3999, 4002, 4000, 3998}, []float64{4001, 4000, 4003, 3999, 4000, 4002}, result.Pass},
		"more":       {[]float64{4000, 4001, 3999, 4002, 4000, 3998}, []float64{4201, 4200, 4203, 4199, 4200, 4202}, result.Fail},
	} {
		one := countedToo(timed(nil, nil), 6, 1)
		one.Counted.Runs, one.Pairs.Counted.Runs = c.own, c.base
		judged := byInstructions(t, one, "not worse(instructions, 1%)", 1)
		if g := judged.Gates[0]; g.Verdict != c.want || g.Form != result.FormRuns {
			t.Errorf("%s: %s (%s): %s", what, g.Verdict, g.Form, g.Reason)
		}
		if o := judged.Comparison("instructions"); o == nil || o.Runs != 6 || o.Low == nil || o.Confidence != 0.99 {
			t.Errorf("%s: comparison %+v", what, o)
		}
	}
}

// A gate that asks for a gain fails if there is none. That is an alarm, so it takes as many runs as any in a suite of
// many gates, and so does an alarm in a condition. To pass is none.
func TestAlarmsOnInstructionsTakeRunsOfAnAlarm(t *testing.T) {
	for _, c := range []struct {
		expr       string
		ratio      float64
		five, more result.Verdict
	}{
		{"not worse(instructions, 1%)", 1, result.Pass, result.Pass},
		{"not worse(instructions, 1%)", 1.1, result.Inconclusive, result.Fail},
		{"better(instructions, 1%)", 1, result.Inconclusive, result.Fail},
		{"better(instructions, 1%)", 0.9, result.Inconclusive, result.Pass},
		{"not better(instructions, 1%)", 1, result.Pass, result.Pass},
		{"not better(instructions, 1%)", 0.9, result.Inconclusive, result.Fail},
		{"worse(instructions, 1%) ? false : true", 1, result.Inconclusive, result.Pass},
	} {
		for runs, want := range map[int]result.Verdict{5: c.five, 6: c.five, 7: c.more} {
			judged := byInstructions(t, countedToo(timed(nil, nil), runs, c.ratio), c.expr, 10)
			if g := judged.Gates[0]; g.Verdict != want {
				t.Errorf("%s, %d runs of %g: %s, want %s: %s", c.expr, runs, c.ratio, g.Verdict, want, g.Reason)
			}
		}
	}
}

// A change that may be a matter of places decides nothing, whatever a gate asks, and its reason has its size.
func TestAChangeThatMayBeAMatterOfPlacesDecidesNothing(t *testing.T) {
	for _, expr := range []string{"not worse(instructions, 1%)", "not better(instructions, 1%)", "better(instructions, 1%)",
		"ratio(instructions) < 1.01", "ci(instructions).high < 1.01"} {
		for _, ratio := range []float64{0.9, 1.08} {
			one := countedToo(timed(nil, nil), 6, ratio)
			one.Counted.Unplaced = true
			judged := byInstructions(t, one, expr, 1)
			g, size := judged.Gates[0], map[float64]string{0.9: "−10%", 1.08: "+8%"}[ratio]
			if g.Verdict != result.Inconclusive || g.Cause != result.CausePlaces || !strings.Contains(g.Reason, size) {
				t.Errorf("%s of %g: %s, %s: %s", expr, ratio, g.Verdict, g.Cause, g.Reason)
			}
			o := judged.Comparison("instructions")
			if o.Change != result.Unclear || o.Cause != result.CausePlaces || math.Abs(float64(o.Ratio)-ratio) > 1e-9 || o.Low == nil {
				t.Errorf("%s of %g: %+v", expr, ratio, o)
			}
		}
	}
}

// A mean is of the runs that were counted, and is not known if one of them may be a matter of places.
func TestTheMeanOfCountedRuns(t *testing.T) {
	for _, c := range []struct {
		ratio    float64
		unplaced bool
		want     result.Verdict
		cause    result.Cause
	}{
		{1.08, false, result.Fail, result.CauseLimit},
		{1, false, result.Pass, ""},
		{1.08, true, result.Inconclusive, result.CausePlaces},
	} {
		one := countedToo(timed(nil, nil), 6, c.ratio)
		one.Counted.Unplaced = c.unplaced
		if g := byInstructions(t, one, `geomean("instructions") < 1.01`, 1).Gates[0]; g.Verdict != c.want || g.Cause != c.cause {
			t.Errorf("%g, %t: %s, %s: %s", c.ratio, c.unplaced, g.Verdict, g.Cause, g.Reason)
		}
	}
}

// A change that may be a matter of places next to a time that is undecided: it shows what was counted, and decides nothing.
func TestASecondOpinionThatMayBeAMatterOfPlaces(t *testing.T) {
	one := countedToo(timed(spread(3, 3, 1, 1)), 6, 1.08)
	one.Counted.Unplaced = true
	s := source(&one, "not worse(time, 3%)")
	s.Base, s.ByInstructions = "b", true
	judged := judgedBy(t, one, s, 1)
	if g := judged.Gates[0]; g.Verdict != result.Inconclusive || g.DecidedBy != "" || !strings.Contains(g.Reason, "+8%") {
		t.Errorf("%s by %q: %s", g.Verdict, g.DecidedBy, g.Reason)
	}
	if w := judged.Comparison("time").Witness; w == nil || w.Change != result.WitnessUnclear || math.Abs(w.Ratio-1.08) > 1e-9 || w.Cause != "" {
		t.Errorf("%+v", w)
	}
}

// In a suite of many gates five runs are too few to call a case better, although the interval is below the limit.
func TestFewRunsOfACaseThatSeemsBetter(t *testing.T) {
	for runs, want := range map[int]struct {
		change result.Change
		cause  result.Cause
		reason string
	}{
		5: {result.Unclear, result.CauseFewSamples, "instructions is not worse, and may be better: the interval is −30% … −30%, " +
			"and at this certainty (α = 0.1%) a verdict takes 7 runs of each side or more; there are 5"},
		7: {result.Better, "", ""},
	} {
		judged := byInstructions(t, countedToo(timed(nil, nil), runs, 0.7), "not worse(instructions, 1%)", 10)
		if g := judged.Gates[0]; g.Verdict != result.Pass {
			t.Errorf("%d runs: %s: %s", runs, g.Verdict, g.Reason)
		}
		if o := judged.Comparison("instructions"); o.Change != want.change || o.Cause != want.cause || o.Reason != want.reason {
			t.Errorf("%d runs: %s, %s: %q", runs, o.Change, o.Cause, o.Reason)
		}
	}
}

// What the interval shows and the verdict does not, for want of runs, is no riddle.
func TestFewRunsOfACaseThatSeemsWorse(t *testing.T) {
	judged := byInstructions(t, countedToo(timed(nil, nil), 5, 1.12), "not worse(instructions, 3%)", 10)
	want := "instructions is 12% higher than in b (99% interval +12% to +12%), and at this certainty (α = 0.1%) a verdict " +
		"takes 7 runs of each side or more; there are 5"
	if g := judged.Gates[0]; g.Verdict != result.Inconclusive || g.Reason != want {
		t.Errorf("%s:\n got %s\nwant %s", g.Verdict, g.Reason, want)
	}
}
