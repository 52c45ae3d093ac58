package gate

import (
	"slices"
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// caused checks that a gate which was judged has a cause exactly if it needs one, and that
// Read accepts the word.
func caused(t *testing.T, g result.Gate) {
	t.Helper()
	if none := g.Verdict == result.Pass; none != (g.Cause == "") {
		t.Errorf("%s: %s with the cause %q (%s)", g.Expr, g.Verdict, g.Cause, g.Reason)
	}
	if g.Verdict == result.Fail && g.Cause != result.CauseLimit {
		t.Errorf("%s: it fails with the cause %q", g.Expr, g.Cause)
	}
}

func TestCausesTellVerdictsApart(t *testing.T) {
	once := typical()
	once.Settings.Sampling = "once"
	once.Samples = sampled("c", "time", 2e-3, 0.01, 1).Samples
	other := typical()
	other.Name, other.Status = "other", result.Failed
	failed := typical()
	failed.Status, failed.Failure = result.Failed, &result.Failure{Message: "no"}
	unreached := typical()
	unreached.Status = result.NotRun
	skipped := typical()
	skipped.Name, skipped.Status, skipped.Missing = "skipped", result.LeftOut, []string{"python3"}
	unlike := slower(1)
	unlike.Earlier.Doubts = []string{"the CPU differs"}
	sentinel, builds := suiteWith(40, 1.5, 1), suiteWith(40, 1.02, 2)
	for name, c := range map[string]struct {
		gate    result.Gate
		verdict result.Verdict
		cause   result.Cause
	}{
		"beyond":     {judged(t, "time.median < 1ms", typical()), result.Fail, result.CauseLimit},
		"near":       {judged(t, "time.median < 2ms", typical()), result.Inconclusive, result.CauseNearLimit},
		"few":        {judged(t, "time.median < 2ms", sampled("c", "time", 2e-3, 0.01, 3)), result.Inconclusive, result.CauseFewSamples},
		"once":       {judged(t, "time.median < 2ms", once), result.Inconclusive, result.CauseNoInterval},
		"failed":     {judged(t, "time.median < 2ms", failed), result.Error, result.CauseNotMeasured},
		"unreached":  {judged(t, "time.median < 2ms", unreached), result.NotJudged, result.CauseNotRun},
		"skipped":    {judged(t, "time.median < 2ms", skipped), result.NotJudged, result.CauseNoProgram},
		"skips":      {judged(t, `case("skipped").time.median < 2ms`, typical(), skipped), result.NotJudged, result.CauseNoProgram},
		"elsewhere":  {judged(t, `case("other").time.median < 2ms`, typical(), other), result.Error, result.CauseNotMeasured},
		"absent":     {judged(t, `case("absent").time.median < 2ms`, typical()), result.Error, result.CauseNotRun},
		"metric":     {judged(t, "thread_cpu.median < 1s", typical()), result.Error, result.CauseNoMetric},
		"infinite":   {judged(t, "time.median / allocs.max < 1", typical()), result.Error, result.CauseExpression},
		"killed":     {judged(t, "time.p99 < 9s", hangs(12)), result.Inconclusive, result.CauseKilled},
		"joined":     {judged(t, "time.median < 2ms and time.max > 0", typical()), result.Inconclusive, result.CauseNearLimit},
		"no base":    {judged(t, "not worse(time, 3%)", typical()), result.NotJudged, result.CauseNoBase},
		"changed":    {ofTree(t, asTree(timed(spread(9, 9, 1, 1)), nil), "it changed", "not worse(time, 3%)").Gates[0], result.NotJudged, result.CauseNoBase},
		"few pairs":  {verdict(t, timed(spread(5, 5, 1, 1)), "not worse(time, 3%)"), result.Inconclusive, result.CauseFewSamples},
		"even pairs": {verdict(t, timed(spread(100, 50, 1.1, 1)), "not worse(time, 3%)"), result.Inconclusive, result.CauseNearLimit},
		"zero":       {verdict(t, timed(spread(100, 100, 0, 0)), "not worse(time, 3%)"), result.Inconclusive, result.CauseResolution},
		"unlike":     {tripped(t, unlike, "not worse(time, 3%)"), result.Inconclusive, result.CauseNotComparable},
		"unpaired":   {tripped(t, slower(1.04), "not worse(time, 3%)"), result.Inconclusive, result.CauseNearLimit},
		"unfit":      {assessed(t, &sentinel, otherBuild(timed(spread(40, 40, 1.5, 1))), "not worse(time, 3%)")[0], result.Inconclusive, result.CauseUnfit},
		"floor":      {assessed(t, &builds, otherBuild(timed(spread(40, 40, 1.015, 1))), "not worse(time, 1%)")[0], result.Inconclusive, result.CauseFloor},
	} {
		if c.gate.Verdict != c.verdict || c.gate.Cause != c.cause {
			t.Errorf("%s: %s, %q (%s)", name, c.gate.Verdict, c.gate.Cause, c.gate.Reason)
		}
	}
}

func TestGatesListWhatTheyRead(t *testing.T) {
	for expr, want := range map[string][]result.Reading{
		"time.median < 2ms and time.p99 < 3ms and time.median > 0": {
			{Of: result.OfCase, Metric: "time", Statistic: "median"}, {Of: result.OfCase, Metric: "time", Statistic: "p99"}},
		"not worse(time, 3%)":                       {{Of: result.OfRatio, Metric: "time"}},
		"ci(time).high < 1.1 and ratio(allocs) < 2": {{Of: result.OfRatio, Metric: "time", Statistic: "high"}, {Of: result.OfRatio, Metric: "allocs"}},
		"time.median < base.time.median": {
			{Of: result.OfCase, Metric: "time", Statistic: "median"}, {Of: result.OfBase, Metric: "time", Statistic: "median"}},
		`case("b").time.max < 1`: {{Of: result.OfOther, Metric: "time", Statistic: "max", Case: "b"}},
		`geomean("time") < 1.05`: {{Of: result.OfMean, Metric: "time"}},
		`host.os == "linux"`:     nil,
	} {
		g := verdict(t, timed(spread(9, 9, 1, 1)), expr)
		if diff := cmp.Diff(want, g.Reads); diff != "" {
			t.Errorf("%s (-want +got):\n%s", expr, diff)
		}
		needs := slices.ContainsFunc(want, func(r result.Reading) bool { return r.Of == result.OfBase || r.Of == result.OfRatio })
		if g.NeedsBase() != needs {
			t.Errorf("%s: it needs a base: %t", expr, g.NeedsBase())
		}
	}
	g := ofArcs(t, pegged(), `arc("parse", "emit").p99 < 1s`)
	if diff := cmp.Diff([]result.Reading{{Of: result.OfArc, Statistic: "p99", Arc: []string{"parse", "emit"}}}, g.Reads); diff != "" {
		t.Error(diff)
	}
	sizes := sized([]float64{1e3, 1e4, 1e5, 1e6}, func(n float64) float64 { return n })
	if g := judged(t, `order(time) <= "n"`, sizes...); len(g.Reads) != 1 || g.Reads[0].Of != result.OfOrder {
		t.Errorf("%+v", g.Reads)
	}
}
