package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

var began = time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)

// kept is a case with a history: values before the run, a commit a day, and the run's own value,
// which is the last of them.
func kept(c result.Case, metric string, values ...float64) result.Case {
	past := result.History{Metric: metric, Floor: 0.02}
	for i, x := range values[:len(values)-1] {
		past.Points = append(past.Points, result.HistoryPoint{Commit: hash(i + 1), When: began.AddDate(0, 0, i), Value: x})
	}
	c.Histories = append(c.Histories, past)
	c.Summary(metric).Median = values[len(values)-1]
	return c
}

func hash(n int) string { return fmt.Sprintf("%010x%030x", n, n) }

// chain adds ratios of each commit to the one before it, with intervals of ± half.
func chain(c result.Case, n int, ratio, half float64) result.Case {
	c.Histories = slices.Clone(c.Histories)
	for i := n; i > 1; i-- {
		c.Histories[0].Ratios = append(c.Histories[0].Ratios, result.HistoryRatio{Commit: hash(i), Base: hash(i - 1),
			When: began.AddDate(0, 0, i-2), Value: ratio, Low: ratio / (1 + half), High: ratio * (1 + half)})
	}
	return c
}

// levels are values that vary by ± 0.3 % around a level that changes in steps: before the first
// step, after it, and so on. Each level has n values.
func levels(n int, levels ...float64) (values []float64) {
	for _, level := range levels {
		for i := range n {
			values = append(values, level*(1+0.003*float64(i*7%5-2)/2))
		}
	}
	return values
}

// stairs are ten steps up by a share, four commits each, between two levels of ten commits.
func stairs(step float64) (values []float64) {
	at := []float64{1, 1}
	for i := range 11 {
		at = append(at, math.Pow(1+step, float64(i)))
	}
	return levels(4, append(at, at[len(at)-1])...)
}

func TestDriftVerdicts(t *testing.T) {
	c := func() result.Case { return sampled("c", "time", 1, 0.01, 20) }
	short := kept(c(), "time", levels(10, 1, 1)[1:]...)
	below := kept(c(), "time", levels(20, 1, 1)...)
	below.Metrics[0].Bound = &below.Metrics[0].Median
	zero := kept(c(), "time", levels(20, 0, 1)...)
	fixed := append(levels(30, 1, 1.1), 1)
	for name, test := range map[string]struct {
		c       result.Case
		expr    string
		verdict result.Verdict
		cause   result.Cause
	}{
		"none":                       {kept(c(), "time", levels(25, 1, 1)...), "trend(time, 50).drift < 5%", result.Pass, ""},
		"ten steps of 1 %":           {kept(c(), "time", stairs(0.01)...), "trend(time, 50).drift < 5%", result.Fail, result.CauseLimit},
		"the same the other way":     {kept(c(), "time", stairs(0.01)...), "5% > trend(time, 50).drift", result.Fail, result.CauseLimit},
		"what was asked for":         {kept(c(), "time", stairs(0.01)...), "trend(time, 50).drift > 5%", result.Pass, ""},
		"not":                        {kept(c(), "time", stairs(0.01)...), "not (trend(time, 50).drift > 5%)", result.Fail, result.CauseLimit},
		"a joined gate":              {kept(c(), "time", stairs(0.01)...), "time.median > 0 and trend(time, 50).drift < 5%", result.Fail, result.CauseLimit},
		"ten steps of -1 %":          {kept(c(), "time", stairs(-0.01)...), "trend(time, 50).drift < 5%", result.Pass, ""},
		"a step near the limit":      {kept(c(), "time", levels(25, 1, 1.05)...), "trend(time, 50).drift < 5%", result.Inconclusive, result.CauseNearLimit},
		"a step before the window":   {kept(c(), "time", levels(25, 1, 1.1, 1.1)...), "trend(time, 50).drift < 5%", result.Pass, ""},
		"a longer window":            {kept(c(), "time", levels(25, 1, 1.1, 1.1)...), "trend(time).drift < 5%", result.Fail, result.CauseLimit},
		"within the floor":           {kept(c(), "time", levels(25, 1, 1.015)...), "trend(time, 50).drift < 0.5%", result.Inconclusive, result.CauseFloor},
		"within the floor, asked":    {kept(c(), "time", levels(25, 1, 1.015)...), "trend(time, 50).drift > 0.5%", result.Pass, ""},
		"beyond the floor":           {kept(c(), "time", levels(25, 1, 1.03)...), "trend(time, 50).drift < 0.5%", result.Fail, result.CauseLimit},
		"put right by this run":      {kept(c(), "time", fixed...), "trend(time, 50).drift < 5%", result.Inconclusive, result.CauseMoved},
		"this run alone is slower":   {kept(c(), "time", append(levels(30, 1, 1), 1.2)...), "trend(time, 50).drift < 5%", result.Inconclusive, result.CauseMoved},
		"nineteen commits":           {short, "trend(time, 50).drift < 5%", result.Inconclusive, result.CauseShortHistory},
		"twenty commits":             {kept(c(), "time", levels(10, 1, 1)...), "trend(time, 50).drift < 5%", result.Pass, ""},
		"no history":                 {c(), "trend(time, 50).drift < 5%", result.Inconclusive, result.CauseShortHistory},
		"no metric":                  {kept(c(), "time", levels(25, 1, 1)...), "trend(cpu).drift < 5%", result.Error, result.CauseNoMetric},
		"below resolution":           {below, "trend(time, 50).drift < 5%", result.Inconclusive, result.CauseResolution},
		"zero":                       {zero, "trend(time, 50).drift < 5%", result.Inconclusive, result.CauseNoRatio},
		"exact":                      {kept(exact(c(), "allocs", 0), "allocs", 100, 101, 103), "trend(allocs).drift < 5%", result.Pass, ""},
		"exact beyond":               {kept(exact(c(), "allocs", 0), "allocs", 100, 101, 106), "trend(allocs).drift < 5%", result.Fail, result.CauseLimit},
		"exact from zero":            {kept(exact(c(), "allocs", 0), "allocs", 0, 0, 1), "trend(allocs).drift < 5%", result.Fail, result.CauseLimit},
		"exact and always zero":      {kept(exact(c(), "allocs", 0), "allocs", 0, 0, 0), "trend(allocs).drift < 5%", result.Pass, ""},
		"exact without a commit":     {kept(exact(c(), "allocs", 0), "allocs", 3), "trend(allocs).drift < 5%", result.Inconclusive, result.CauseShortHistory},
		"a part that is not drifted": {kept(c(), "time", stairs(0.01)...), "trend(time, 50).drift < 5% or time.median > 0", result.Pass, ""},
	} {
		g := judged(t, test.expr, test.c)
		if g.Verdict != test.verdict || g.Cause != test.cause {
			t.Errorf("%s: %s, %q (%s), want %s, %q", name, g.Verdict, g.Cause, g.Reason, test.verdict, test.cause)
		}
		if g.Compares {
			t.Errorf("%s: it compares: a history that is too short would make the run fail", name)
		}
	}
}

// Ratios reach over a change of the machine, and doubt what the machine has done.
func TestDriftByRatios(t *testing.T) {
	paired := func(ratio float64) result.Case { return otherBuild(timed(spread(40, 40, ratio, 1))) }
	young := kept(paired(1), "time", 1e-3)
	slow := func(ratio float64) result.Case {
		c := kept(paired(1), "time", levels(25, 1e-3, 1.1e-3)...)
		return chain(c, 49, ratio, 0.002)
	}
	for name, test := range map[string]struct {
		c       result.Case
		verdict result.Verdict
		cause   result.Cause
	}{
		"of thirty commits":              {chain(young, 30, 1.004, 0.002), result.Fail, result.CauseLimit},
		"unchanged":                      {chain(young, 30, 1, 0.002), result.Pass, ""},
		"too uncertain":                  {chain(young, 30, 1.004, 0.05), result.Inconclusive, result.CauseNearLimit},
		"too few":                        {chain(young, 10, 1.02, 0.002), result.Inconclusive, result.CauseShortHistory},
		"the machine became slower":      {slow(1), result.Inconclusive, result.CauseMoved},
		"the code and the machine agree": {slow(1.002), result.Fail, result.CauseLimit},
	} {
		c := test.c
		s := source(&c, "trend(time, 50).drift < 5%")
		s.Base, s.Tree = "main", true
		if g := judgedBy(t, c, s, 1).Gates[0]; g.Verdict != test.verdict || g.Cause != test.cause {
			t.Errorf("%s: %s, %q (%s), want %s, %q", name, g.Verdict, g.Cause, g.Reason, test.verdict, test.cause)
		}
	}
}

func TestDriftIsExplained(t *testing.T) {
	g := judged(t, "trend(time, 50).drift < 5%", kept(sampled("c", "time", 1, 0.01, 20), "time", stairs(0.01)...))
	const reason = "trend(time, 50).drift is +8.4% [+6.3%, +10.5%] over 50 commits since 0000000007 (7 Sep 2026), limit +5%"
	if g.Reason != reason || g.Form != result.FormHistory {
		t.Errorf("got  %s, %s\nwant %s", g.Form, g.Reason, reason)
	}
	if got := g.Finding.String(); got != "drift +8.4% over 50 commits (5% allowed)" {
		t.Errorf("finding %q", got)
	}
	if len(g.Values) != 1 || g.Values[0].Low == nil || g.Values[0].Confidence < 0.9999 || g.Values[0].Unit != result.Percent || g.Values[0].Note != "over 50 commits since 0000000007 (7 Sep 2026)" {
		t.Errorf("values %+v", g.Values)
	}
	if diff := cmp.Diff([]result.Reading{{Of: result.OfTrend, Metric: "time", Statistic: "drift"}}, g.Reads); diff != "" {
		t.Error(diff)
	}
	short := judged(t, "trend(allocs).drift < 5%", kept(exact(sampled("c", "time", 1, 0.01, 20), "allocs", 0), "allocs", 100, 150))
	if got := short.Finding.String(); got != "allocs drift +50.0% over 2 commits (5% allowed)" || short.Form != result.FormExact {
		t.Errorf("%s, %s", short.Form, got)
	}
	back := judged(t, "trend(time, 50).drift >= -5%", kept(sampled("c", "time", 1, 0.01, 20), "time", stairs(-0.01)...))
	if got := back.Finding.String(); !strings.HasSuffix(got, "over 50 commits (limit −5%)") {
		t.Error(got)
	}
}

// With many gates an interval needs more commits than the least that may be asked for.
func TestTooFewCommitsForTheErrorAreNamed(t *testing.T) {
	c := kept(sampled("c", "time", 1, 0.01, 20), "time", levels(25, 1, 1)...)
	expr := "trend(time, 20).drift < 5%"
	for commits := 30; commits < 36; commits++ {
		expr += fmt.Sprintf(" and trend(time, %d).drift < 5%%", commits)
	}
	g := judged(t, expr, c)
	if g.Verdict != result.Inconclusive || g.Cause != result.CauseShortHistory || !strings.Contains(g.Reason, "it looks at 20 commits") || !strings.Contains(g.Reason, "write trend(time, 22)") {
		t.Errorf("%s, %q: %s", g.Verdict, g.Cause, g.Reason)
	}
}

// A drift takes a share of the errors of its suite, and no samples.
func TestDriftsShareTheErrors(t *testing.T) {
	c := kept(sampled("c", "time", 1, 0.01, 3), "time", levels(25, 1, 1)...)
	warn := source(&c, "trend(time).drift < 1%")
	warn.Severity = "warn"
	set, problems := Compile([]Source{source(&c, "trend(time).drift < 5% and trend(cpu, 30).drift < 5% and trend(allocs).drift < 5%"), source(&c, "trend(time, 200).drift < 9%"), warn}, nil)
	if len(problems) > 0 || set.Errors("s").Calls != 3 {
		t.Errorf("%d calls, %v", set.Errors("s").Calls, problems)
	}
	want := []TrendRead{{"s", "c", "allocs", 100}, {"s", "c", "cpu", 30}, {"s", "c", "time", 200}}
	if diff := cmp.Diff(want, set.Trends()); diff != "" {
		t.Error(diff)
	}
	if open, decided := set.Watch().Open(&c); open != 0 || decided != 0 {
		t.Errorf("%d open, %d decided", open, decided)
	}
}
