package gate

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/suite/result"
)

// hangs is a command of which some runs were killed after 1 s, the last of 20; the
// others took 10 ms to 10.19 ms.
func hangs(killed int) result.Case {
	c := result.Case{Suite: "s", Name: "hangs", Kind: result.KindCommand, Status: result.Measured, Settings: result.Settings{Timeout: 1, Confidence: 0.95},
		Samples: result.Samples{Columns: map[string]result.Column{}}}
	low := 10.05e-3
	time := result.Summary{Metric: "time", Unit: "s", N: 20, Blocks: 20, Censored: killed, Median: 10.095e-3, P50: 10.095e-3, Mean: 0.1, Min: 10e-3, Max: 1,
		P90: 0.9, P95: 1, P99: 1, StdDev: 0.3, MAD: 5e-5, Low: &low, Confidence: 0.95}
	rate := result.Summary{Metric: "throughput", Unit: "1/s", N: 20, Blocks: 20, Censored: killed, Median: 99, P50: 99, Mean: 89, Min: 1, Max: 100, P90: 99.9, P95: 100, P99: 100}
	if killed > 0 {
		time.AtLeast = []string{"mean", "stddev", "max", "p90", "p95", "p99"}
		rate.AtMost = []string{"mean", "min"}
	}
	for i := range 20 {
		x := 10e-3 + 1e-5*float64(i*7%20) // in no order
		if i >= 20-killed {
			x, c.Samples.Censored = 1, append(c.Samples.Censored, i)
		}
		c.Samples.Columns["time"] = append(c.Samples.Columns["time"], x)
		c.Samples.Block, c.Samples.Launch, c.Samples.At = append(c.Samples.Block, i), append(c.Samples.Launch, 0), append(c.Samples.At, 0)
	}
	if killed <= 2 {
		high := 10.15e-3
		time.High = &high
	}
	c.Metrics = []result.Summary{time, rate}
	return exact(c, "exit_code", 0)
}

func TestGatesOnRunsThatWereKilled(t *testing.T) {
	const pass, fail, open = result.Pass, result.Fail, result.Inconclusive
	for _, test := range []struct {
		killed int
		expr   string
		want   result.Verdict
		says   string
	}{
		// The median and its interval are among the runs that finished.
		{2, "time.median < 20ms", pass, ""},
		{2, "time.median < 5ms", fail, "99% interval [10"},
		{2, "20ms > time.p50", pass, ""},
		// Of eight killed the interval has no upper end.
		{8, "time.median < 2s", open, "without an upper end: 8 of 20 runs were killed"},
		{8, "time.median < 5ms", fail, "without an upper end"},
		{8, "time.median > 5ms", pass, ""},
		{8, "time.median != 5ms", pass, ""},
		{8, "time.median == 5ms", fail, ""},
		{8, "throughput.median < 200", pass, ""},
		{8, "throughput.median > 50", open, ""},
		// Whatever hangs on a killed run is known to be at least the timeout.
		{2, "time.max < 900ms", fail, "time.max is at least 1 s: 2 of 20 runs were killed after the timeout of 1 s; limit 900 ms"},
		{2, "time.max < 1s", fail, ""},
		{2, "time.max <= 1s", open, ""},
		{2, "time.max < 1.5s", open, "time.max is at least 1 s"},
		{2, "time.max > 1s", open, ""},
		{2, "time.max >= 1s", pass, ""},
		{2, "time.max == 1s", open, ""},
		{2, "not (time.max < 1s)", pass, ""},
		{2, "time.p99 < 500ms", fail, ""},
		{2, "time.p99 < 5s", open, ""},
		{2, "time.mean < 50ms", fail, "time.mean is at least 100 ms"},
		{2, "time.mean < 5s", open, ""},
		{2, "time.stddev > 100ms", pass, ""},
		{2, "time.stddev < 1s", open, ""},
		{2, "time.cv < 5%", open, "time.cv is not known: 2 of 20"},
		{2, "throughput.min > 2", fail, "throughput.min is at most 1"},
		{2, "throughput.min > 0.5", open, ""},
		{2, "throughput.mean < 90", pass, ""},
		{8, "time.high < 1s", open, "time.high is not known: 8 of 20"},
		{8, "time.high < 1ms", fail, ""},
		{8, "time.low > 5ms", pass, ""},
		// What does not hang on them is what it is.
		{2, "time.min < 11ms", pass, ""},
		{2, "time.mad < 1ms", pass, ""},
		{2, "time.n == 20", pass, ""},
		{2, "time.high < 11ms", pass, ""},
		{2, "throughput.max < 101", pass, ""},
		{2, "exit_code == 0", open, "2 of 20 runs were killed after the timeout of 1 s, and they have no exit status"}, {2, "exit_code != 0", fail, ""},
		{2, "not (exit_code == 1)", open, "no exit status"},
		// No other form decides.
		{2, "time.max < 3 * time.median", open, "time.max < 3 * time.median: time.max is at least 1 s"},
		{2, "time.max - time.min < 1s", open, ""},
		{2, "time.max < 3 * time.median or time.median < 1s", pass, ""},
		{2, "time.max < 2s and time.median < 1ms", fail, ""},
		{0, "time.max < 3s", pass, ""},
	} {
		g := judged(t, test.expr, hangs(test.killed))
		if g.Verdict != test.want || !strings.Contains(g.Reason, test.says) {
			t.Errorf("%d killed: %s: %s, want %s %q: %s", test.killed, test.expr, g.Verdict, test.want, test.says, g.Reason)
		}
		if _, err := json.Marshal(g); err != nil {
			t.Errorf("%d killed: %s: %v", test.killed, test.expr, err)
		}
	}
}

func TestBoundsOfOtherCasesAreBounds(t *testing.T) {
	g := judged(t, `case("hangs").time.max < 2s`, typical(), hangs(2))
	if g.Verdict != result.Inconclusive || len(g.Values) != 1 || !strings.HasPrefix(g.Values[0].Note, "at least: 2 of 20 runs") {
		t.Errorf("%s: %s, values %+v", g.Verdict, g.Reason, g.Values)
	}
}

func TestKilledRunsKeepGatesOpen(t *testing.T) {
	for expr, want := range map[string][2]int{
		"time.median < 5ms":  {0, 1},
		"time.median < 2s":   {1, 0}, // the interval that steers has no upper end
		"time.median > 5ms":  {0, 1},
		"time.max < 1s":      {0, 0}, // of points
		"throughput.min > 1": {0, 0},
	} {
		if open, decided := opened(t, hangs(8), expr); open != want[0] || decided != want[1] {
			t.Errorf("%s: %d open, %d decided, want %v", expr, open, decided, want)
		}
	}
}
