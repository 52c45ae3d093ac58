package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// A single pass has no interval, and no note about too few samples.
func TestSinglePass(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Once(reporttest.Measure(d, "a", 1e-6, 0.01), 1000)
	c.Warnings = []result.Warning{{Code: "few-samples", Message: "there is 1"}, {Code: "stolen", Message: "of the time"}}
	text := render(t, "text", d, table.Options{})
	for _, want := range []string{"  a: single pass: 1.00 k op in 1 ms: 1.00 M op/s, 1 µs/op\n", "a: measured in a single pass: one number has no interval", "of the time"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, no := range []string{"there is 1", "too few", "1.00 µs ±"} {
		if strings.Contains(text, no) {
			t.Errorf("%q in\n%s", no, text)
		}
	}
	if c.Settings.Sampling = "many"; strings.Contains(render(t, "text", d, table.Options{}), "single pass") {
		t.Error("many samples are called a single pass")
	}
}

// In a narrow table, counters that the suite asked for are dropped first, and named.
func TestCountersGoFirst(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Allocates(reporttest.Counter(reporttest.Counter(reporttest.Counter(reporttest.Measure(d, "a case with a name", 1e-6, 0.01), "ticks", 2300), "instructions", 900), "branch_misses", 0.1), 3, 99)
	c.Settings.Counters = []string{"instructions", "branch_misses"}
	text := render(t, "text", d, table.Options{Width: 84})
	if !strings.Contains(text, "no room in 84 columns for: instructions, branch-misses\n") || !strings.Contains(text, "heap/op") || !strings.Contains(text, "ticks/op") {
		t.Error(text)
	}
}

// Lines that several calibrations share are printed once.
func TestClockLinesAreSaidOnce(t *testing.T) {
	d := reporttest.Document("s")
	a := d.Calibrations[0]
	a.Counter = &result.Counter{Name: "x86-rdtscp", Unit: "ticks", Frequency: result.Cost{Value: 24e6}, Cost: result.Cost{Value: 53.6, Error: 2}}
	a.Skipped = []result.Skipped{{Name: "fast", Reason: "gone"}}
	b := a
	b.Clock.Cost, b.Clock.Name = 239e-9, "other"
	d.Calibrations = []result.Calibration{d.Calibrations[0], a, b, a}
	want := []string{
		"clock wall: 41.3 ± 1.2 ns a reading, step 1 ns · loop ≤ 0.34 ns direct, 1.3 ns indirect",
		"counter x86-rdtscp: 24.00 MHz, 53.6 ticks a reading",
		"counter fast not used: gone",
		"clock other: 239.0 ± 1.2 ns a reading, step 1 ns · loop ≤ 0.34 ns direct, 1.3 ns indirect",
	}
	if got := table.NewTable(d).Groups[0].Clock; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %s", strings.Join(got, "\n"))
	}
}

// A counter whose readings fail while calibrating has neither a frequency nor a cost.
func TestACounterThatIsNotCalibratedHasNoNumbers(t *testing.T) {
	d := reporttest.Document("s")
	d.Calibrations[0].Counter = &result.Counter{Name: "x86-rdtscp", Unit: "ticks"}
	want := "counter x86-rdtscp: not calibrated, because most of its readings failed"
	if got := table.NewTable(d).Groups[0].Clock; !slices.Contains(got, want) {
		t.Errorf("no %q in %q", want, got)
	}
}

// Samples that were left out, and estimates, have notes with the numbers.
func TestNotesOfWhatWasLeftOut(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Measure(d, "a", 1e-6, 0.01)
	c.Iterations, c.Void, c.Retried, c.Multiplexed = 100, 300, 2, reporttest.Ptr(0.004)
	c = reporttest.Command(reporttest.Measure(d, "b", 1, 0.01), 1e6, 1, "x")
	c.Void = 3
	text := render(t, "text", d, table.Options{})
	for _, want := range []string{
		"a: 300 of 1500 iterations were declared void and left out", "b: 3 of 15 runs were declared void and left out",
		"a: run again because a reading of the counter was disturbed: 2 of 14 batches", "on the hardware for <1% of the time: counts are estimates",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text := render(t, "text", recorded(t)["hashing"], table.Options{}); strings.Contains(text, "void") || strings.Contains(text, "counter") {
		t.Error(text)
	}
}

// Samples are counted as they were taken, wherever people read their number.
func TestSamplesAreThoseTaken(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Measure(d, "a", 1e-6, 0.01)
	c.Samples.Taken = 1_250_000
	if xml := render(t, "junit", d, table.Options{}); !strings.Contains(xml, `<property name="samples" value="1250000">`) {
		t.Error(xml)
	}
}

// JUnit has the clock and the counter if they are not the usual ones.
func TestJUnitSaysTheTimer(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Measure(d, "a", 1e-6, 0.01)
	c.Clock = "wall"
	if xml := render(t, "junit", d, table.Options{}); strings.Contains(xml, `name="clock"`) || strings.Contains(xml, `name="counter"`) {
		t.Error(xml)
	}
	c.Clock, c.Counter = "posix-thread-cputime", "x86-rdtsc"
	xml := render(t, "junit", d, table.Options{})
	if !strings.Contains(xml, `<property name="clock" value="posix-thread-cputime">`) || !strings.Contains(xml, `<property name="counter" value="x86-rdtsc">`) {
		t.Error(xml)
	}
}

// Gaps in the columns show in no report but as null in JSON.
func TestGapsShowNowhere(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Counter(reporttest.Measure(d, "a", 1e-6, 0.01), "ticks", 2300)
	c.Samples.Columns["ticks"] = make(result.Column, c.Samples.Len())
	c.Samples.Columns["ticks"][3] = math.NaN()
	for _, f := range Formats() {
		text := render(t, f.Name, d, table.Options{})
		if strings.Contains(text, "NaN") || strings.Contains(text, "null") != (f.Name == "json") {
			t.Errorf("%s:\n%s", f.Name, text)
		}
	}
}

func TestNotesCountCasesAndNotDoubts(t *testing.T) {
	d := reporttest.Document("s")
	for _, name := range []string{"a", "b"} {
		c := reporttest.Measure(d, name, 1, 0)
		for _, message := range []string{"one", "two"} {
			c.Warnings = append(c.Warnings, result.Warning{Code: "no-counters", Message: name + message})
		}
	}
	if text := render(t, "text", d, table.Options{}); !strings.Contains(text, "no counters, 2 cases:") {
		t.Error(text)
	}
}

func TestNotesDoNotRepeatTheirTitle(t *testing.T) {
	d := reporttest.Document("s")
	for _, name := range []string{"a", "b"} {
		c := reporttest.Measure(d, name, 1e-10, 0)
		c.LoopCost = map[string]float64{"a": 1e-9, "b": 2e-9}[name]
		c.Summary("time").Bound = reporttest.Ptr(1e-10)
	}
	text := render(t, "text", d, table.Options{})
	if !strings.Contains(text, "below resolution, 2 cases:\n      a: not distinguished") {
		t.Error(text)
	}
}
