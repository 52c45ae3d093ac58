package table

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/result"
	"example.com/suite/result/summary"
)

// Bytes have binary prefixes, names of the suite's own decimal ones; the rate,
// the time and the counts are all per unit of work.
func TestUnitsOfWork(t *testing.T) {
	d := reporttest.Document("s")
	reporttest.Counter(reporttest.PerByte(reporttest.Measure(d, "bytes", 1/(3*float64(1<<30)), 0), 1024), "ticks", 0.767)
	c := reporttest.Counter(reporttest.PerByte(reporttest.Measure(d, "lines", 1/2.5e6, 0), 1000), "ticks", 920)
	c.Unit = "lines"
	reporttest.Counter(reporttest.Measure(d, "ops", 1e-6, 0), "ticks", 2300)
	for head, want := range map[string]string{
		"throughput": "3.00 GiB/s | 2.50 M lines/s | ",
		"time":       "0.310 ns/B | 400 ns/lines | 1.00 µs",
		"ticks":      "0.7670 /B | 920.0 /lines | 2300 /op",
	} {
		if got := cellsOf(d, head); got != want {
			t.Errorf("%s: got %s, want %s", head, got, want)
		}
	}
	for i, want := range []string{
		"single pass: 3.00 GiB in 1 s: 3.00 GiB/s, 0.3104 ns/B, 0.767 ticks/B",
		"single pass: 2.50 M lines in 1 s: 2.50 M lines/s, 400 ns/lines, 920 ticks/lines",
		"single pass: 4.00 M op in 4 s: 1.00 M op/s, 1 µs/op, 2300 ticks/op",
	} {
		c := reporttest.Once(&d.Cases[i], []int64{3 << 20, 2500, 1_000_000}[i])
		if i == 2 {
			c.Settings.Parallel = 4 // goroutines, each with its iterations
		}
		if got := pass(c); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// A single pass below resolution has bounds, of the whole pass as well.
func TestASinglePassBelowResolution(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Once(reporttest.Measure(d, "nothing", 0, 0), 1000)
	c.Summary("time").Bound = new(2e-9)
	if got, want := pass(c), "single pass: 1.00 k op in < 2 µs: < 2 ns/op"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Notes name the timer of a case only if a suite has several timers, and only for
// cases that differ from most.
func TestCasesSayTheirTimerWhereItDiffers(t *testing.T) {
	type timing struct{ clock, counter string }
	timed := func(clocks ...timing) string {
		d := reporttest.Document("s")
		for i, clock := range clocks {
			c := reporttest.Measure(d, string(rune('a'+i)), 1e-6, 0.01)
			c.Clock, c.Counter = clock.clock, clock.counter
			if clock.counter == "command" {
				reporttest.Command(c, 1e6, 1, "x").Counter = ""
			}
		}
		var out []string
		for _, n := range NewTable(d).Notes {
			out = append(out, n.Text)
		}
		return strings.Join(out, "; ")
	}
	wall, ticks, thread, command := timing{"wall", ""}, timing{"wall", "x86-rdtscp"}, timing{"posix-thread-cputime", ""}, timing{"wall", "command"}
	for _, c := range []struct {
		clocks []timing
		want   string
	}{
		{[]timing{wall, wall}, ""},
		{[]timing{thread, thread}, ""},
		{[]timing{ticks, ticks, command, command, command}, ""},
		{[]timing{{}, {}}, ""}, // not in documents of earlier versions
		{[]timing{wall, thread, wall}, "b: timed by posix-thread-cputime, most of the suite by wall"},
		{[]timing{thread, ticks, wall, ticks}, "a: timed by posix-thread-cputime with no counter, most of the suite by wall with x86-rdtscp; " +
			"c: timed by wall with no counter, most of the suite by wall with x86-rdtscp"},
		{[]timing{thread, command, command}, "b, c: timed by wall, most of the suite by posix-thread-cputime"},
	} {
		if got := timed(c.clocks...); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.clocks, got, c.want)
		}
	}
}

func TestFrequency(t *testing.T) {
	for hertz, want := range map[float64]string{
		2.3e9: "2.300 GHz", 2.29999e9: "2.300 GHz", 24e6: "24.00 MHz", 9.9999e8: "1.000 GHz", 999.9e6: "999.9 MHz", 3.2768e4: "32.77 kHz", 100: "100.0 Hz", 0: "0.000 Hz",
	} {
		if got := frequency(hertz); got != want {
			t.Errorf("%g: got %s, want %s", hertz, got, want)
		}
	}
}

// The evidence counts the samples that were taken, not those that were kept.
func TestEvidenceCountsSamplesTaken(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Measure(d, "a", 1e-6, 0.01)
	c.Samples.Taken = 1_250_000
	if got := cellsOf(d, "samples × n"); got != "1.25M × 1000" {
		t.Error(got)
	}
	if got := Evidence(c); !strings.HasSuffix(got, "1250000 samples × 1000") {
		t.Error(got)
	}
}

// cellsOf lists the cells of a column as text, row by row.
func cellsOf(d *result.Document, head string) string {
	g := NewTable(d).Groups[0]
	var out []string
	for j, c := range g.Columns {
		if c.Head != head {
			continue
		}
		for _, r := range g.Rows {
			cell := r.Cells[j]
			text := cell.Number
			if cell.From != "" {
				text = cell.From + " to " + text
			}
			out = append(out, strings.Join(strings.Fields(text+" "+cell.Unit+" "+cell.Spread+" "+cell.Text), " "))
		}
	}
	return strings.Join(out, " | ")
}

// raw shows the time, net its bounds without the loop, both shows both.
func TestReportRawNetBoth(t *testing.T) {
	for report, want := range map[string][2]string{
		"":     {"1.360 ns ± 1.0% | 5.00 ms ± 1.0% | < 0.05 ns", ""},
		"raw":  {"1.360 ns ± 1.0% | 5.00 ms ± 1.0% | < 0.05 ns", ""},
		"net":  {"", "1.009 to 1.374 ns | 5.00 ms ± 1.0% | < 0.05 ns"},
		"both": {"1.360 ns ± 1.0% | 5.00 ms ± 1.0% | < 0.05 ns", "1.009 to 1.374 ns |  | "},
	} {
		d := reporttest.Document("s")
		d.Suites[0].Report = report
		reporttest.Measure(d, "loop", 1.36e-9, 0.01).LoopCost = 0.34e-9
		reporttest.Command(reporttest.Measure(d, "command", 5e-3, 0.01), 1e6, 1, "x")
		c := reporttest.Measure(d, "empty", 0.34e-9, 0.01)
		c.LoopCost, c.Summary("time").Bound = 0.34e-9, reporttest.Ptr(0.05e-9)
		if got := [2]string{cellsOf(d, "time"), strings.ReplaceAll(cellsOf(d, "time net of loop"), "5.000", "5.00")}; strings.ReplaceAll(got[0], "5.000", "5.00") != want[0] || got[1] != want[1] {
			t.Errorf("%q: got %q, want %q", report, got, want)
		}
	}
}

// The loop is never subtracted beyond nothing.
func TestNetIsNotNegative(t *testing.T) {
	d := reporttest.Document("s")
	d.Suites[0].Report = "net"
	reporttest.Measure(d, "a", 1e-9, 0).LoopCost = 2e-9
	if got := cellsOf(d, "time net of loop"); got != "0.00 to 1.00 ns" {
		t.Error(got)
	}
}

// Counts below resolution have a bound, in the unit of the others.
func TestBoundsOfCounts(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Counter(reporttest.Measure(d, "empty", 1e-10, 0), "ticks", 0.7)
	c.Summary("ticks").Bound = reporttest.Ptr(0.1)
	if got := cellsOf(d, "ticks/op"); got != "< 0.1" {
		t.Error(got)
	}
	reporttest.Counter(reporttest.Measure(d, "add", 1e-9, 0.01), "ticks", 2.3)
	if got := cellsOf(d, "ticks/op"); got != "< 0.1 | 2.300" {
		t.Error(got)
	}
}

// Forty steps of a generator, 66 ns, in batches of one: the clock steps by 20 ns and its
// readings take 26 ns, which the body may hide. Every number with its error contains 66 ns.
func TestNumbersOfBatchesOfOneContainTheErrorOfTheClock(t *testing.T) {
	const truth = 66e-9
	d := reporttest.Document("s")
	d.Suites[0].Report = "both"
	reporttest.Measure(d, "steps", 61e-9, 0)
	once := reporttest.Measure(d, "once", 60e-9, 0)
	c := &d.Cases[0]
	c.Iterations, c.LoopCost, c.LoopError, c.ClockError = 1, 0.3e-9, 50e-9, 46e-9
	once.Iterations, once.LoopCost, once.LoopError, once.ClockError = 1, c.LoopCost, c.LoopError, c.ClockError
	once.Settings.Sampling = "once"
	for _, c := range []*result.Case{c, once} {
		side := &summary.Side{Case: c, Iterations: 1}
		m, _ := c.Metric("time")
		for i := range c.Samples.Block {
			c.Samples.Block[i] = i
		}
		*c.Summary("time") = side.Summary(m)
	}
	if s := c.Summary("time"); *s.Low > truth || *s.High < truth || s.Min-s.Error > truth || s.Min+s.Error < truth {
		t.Errorf("%+v", s)
	}
	s := once.Summary("time")
	s.Low, s.High = nil, nil // one number has no interval
	if got := cellsOf(d, "time"); got != "61 ns ± 75.4% | 60.0 ns" {
		t.Error(got)
	}
	if got := cellsOf(d, "time net of loop"); got != "11 to 107 ns | 9.7 to 106 ns" {
		t.Error(got)
	}
}
