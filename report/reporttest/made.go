package reporttest

import (
	"maps"
	"math"
	"regexp"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// made are the documents that reports are tested with and that code makes, by name. Others are
// kept as JSON in report/testdata: results of runs, and what has rare keys.
var made = map[string]func() *result.Document{
	"accepted": accepted, "compared": Compared, "extremes": extremes, "faults": faults, "hashing": hashing,
	"interrupted": interrupted, "names": names, "net": net, "ties": ties,
	"once": once, "profiled": Profiled, "red": red, "refused": refused, "timers": timers, "verdicts": verdicts,
}

// Made returns the document of a name, or nil if no code makes it.
func Made(name string) *result.Document {
	build := made[name]
	if build == nil {
		return nil
	}
	d := build()
	d.Exit = d.Outcome().Exit
	return d
}

// MadeNames returns the names of all documents that Made returns, in order.
func MadeNames() []string { return slices.Sorted(maps.Keys(made)) }

var readings = regexp.MustCompile(`\b([a-z]\w*)\.([a-z]\w*)\b`)

// judged adds a gate with the cause of its verdict, and with what its expression reads of its own
// case: every metric.statistic in it.
func judged(
	c *result.Case, expr string, verdict result.Verdict, form result.Form, reason string, values ...result.Value,
) *result.Gate {
	g := Judge(c, expr, verdict, form, reason, values...)
	g.Cause = causes[verdict]
	for _, m := range readings.FindAllStringSubmatch(expr, -1) {
		g.Reads = append(g.Reads, result.Reading{Of: result.OfCase, Metric: m[1], Statistic: m[2]})
	}
	return g
}

// hashing has cases of one parameter, bytes and commands.
func hashing() *result.Document {
	d := Document("hashing")
	d.Suites[0].Description = "Hash functions over growing inputs, and the tools that use them."
	d.Suites[0].Report = "raw"
	d.Calibrations = append(d.Calibrations, result.Calibration{Suite: "hashing", Host: "command", Binary: "sha256:77b0",
		Clock:      result.ClockInfo{Name: "wall", Resolution: 1e-9, Cost: 41e-9, CostError: 1e-9},
		SpawnFloor: &result.Spawn{Time: 612e-6, RSS: 1.1 * (1 << 20), Program: "(built in)"},
		Seconds:    0.1})
	for _, of := range []struct {
		size           string
		bytes          float64
		median, spread float64
		iterations     int64
	}{
		{"64", 64, 3.412e-9, 0.008, 4579},
		{"1KiB", 1 << 10, 1.9021e-9, 0.0041, 513},
		{"64KiB", 64 << 10, 1.8644e-9, 0.0023, 8},
	} {
		c := Allocates(PerByte(Measure(d, "sha256/"+of.size, of.median, of.spread), of.bytes), 0, 0)
		c.Params = []result.Param{{Name: "size", Text: of.size, Number: Ptr(of.bytes)}}
		c.Iterations, c.LoopCost, c.LoopError = of.iterations, 0.31e-9/of.bytes, 0.03e-9/of.bytes
		judged(c, "throughput.median > 200MB", result.Pass, result.FormInterval, "")
		judged(c, "allocs.max == 0", result.Pass, result.FormExact, "").ID = "no allocation"
	}
	c := Allocates(Measure(d, "hex.EncodeToString", 182.4e-9, 0.013), 2, 128)
	c.Warnings = []result.Warning{{Code: result.WarnGCMixed,
		Message: "mean ÷ median is 1.08: a collection falls into few samples",
		Hint:    "try gc: between, or a longer sample_time"}}
	c = Command(Measure(d, "sha256sum of 100 MB", 0.2841, 0.021), 2.3*(1<<20), 0.98, "sha256sum", "big")
	judged(c, "cpu.median < 2s and rss.max < 256MiB", result.Pass, result.FormPoint, "")
	c = Command(Measure(d, "sleep 0.1", 0.10113, 0.000396), 1.1*(1<<20), 0.007, "sleep", "0.1")
	c.Stolen = Ptr(0.0)
	return d
}

// extremes has the shortest and the longest times, the smallest and the largest sizes.
func extremes() *result.Document {
	d := Document("extremes")
	d.Suites[0].Report = "both"
	c := Measure(d, "empty body", 0.31e-9, 0)
	c.LoopCost, c.LoopError, c.Summary("time").Bound = 0.31e-9, 0.03e-9, Ptr(0.05e-9)
	c = Allocates(Measure(d, "add", 0.3012e-9, 0.0021), 0, 0)
	c.LoopCost, c.LoopError = 0.12e-9, 0.01e-9
	Measure(d, "999.96 µs rounds up", 999.96e-6, 0.0003)
	Measure(d, "wild", 12.3e-6, 30)
	Allocates(Measure(d, "allocates", 3.31, 0.2), 12345678, 5.2*(1<<40))
	Allocates(Measure(d, "allocates little", 21e-9, 0.02), 1, 1)
	Command(Measure(d, "three hours", 3*3600, 0.015), 5*(1<<40), 3.97, "make", "world")
	Command(Measure(d, "90 s", 90.12, 0.0015), 1, 2e-4, "sleep", "90")
	PerByte(Measure(d, "copy", 41.2e-12, 0.01), 1<<20)
	PerByte(Measure(d, "dial-up", 130e-6, 0.01), 1)
	PerByte(Measure(d, "rows", 12.1e-9, 0.01), 1e3).Unit = "rows"
	return d
}

// names has names, messages and output that formats have to quote, and that would control a terminal.
func names() *result.Document {
	d := Document("names", "deuxième")
	d.Suites[0].Description = "Names with \"quotes\",\n  | pipes | and\tother \x1b[31mred\x1b[0m traps."
	both := d.Suites
	d.Suites = both[:1]
	for i, name := range []string{
		`"quoted" 'twice' \ back`, "a | b || c", "two\nlines", "emoji 👩\u200d🚀🚀 日本語", "עברית 12 שלום",
		"evil \u202egnp.exe", "\x1b]0;title\a\x1b[2Jclear", "]]> & <b>", "nul \x00 bell \a",
		"tail space ", "tail space", "zero\u200bwidth",
		"a/very/long/name/that/goes/on/and/on/and/on/until/nobody/can/read/it/any/more/size=4096/level=11",
	} {
		c := Measure(d, name, float64(i+1)*1e-6, 0.01)
		g := Judge(c, `params.x != "]]>" && time.median < 1us`, result.Fail, result.FormInterval,
			"line one\nline \x1b[31mtwo\x1b[0m ]]> <&>")
		g.Cause = result.CauseLimit
	}
	d.Suites = both
	Measure(d, "a | b || c", 1e-3, 0.01)
	c := Measure(d, "💥", 1, 0.01)
	Breakdown(c, result.Failure{Phase: "run", Cause: "crash", Message: "\x1b[31mboom\x1b[0m\nsecond ]]> line",
		Detail: "]]>\x00\x1b[2J\x1b]0;pwned\abad \uFFFD utf8\r\n\u202etxt"})
	return d
}

// net has the same cases in a suite that reports net times and in one that reports both.
func net() *result.Document {
	d := Document("net", "both")
	d.Suites[0].Report, d.Suites[1].Report = "net", "both"
	for _, suite := range d.Suites {
		loop := func(c *result.Case, cost, err float64) *result.Case {
			c.LoopCost, c.LoopError = cost, err
			return c
		}
		first := len(d.Cases)
		judged(loop(Measure(d, "add", 1.3612e-9, 0.004), 0.34e-9, 0.01e-9),
			"time.median < 2ns", result.Pass, result.FormInterval, "")
		loop(PerByte(Measure(d, "sum/1KiB", 0.467e-9, 0.012), 1<<10), 0.33e-12, 0.01e-12)
		loop(Measure(d, "call", 11.43e-9, 0.01), 1.3e-9, 0.1e-9)
		loop(Measure(d, "empty body", 0.34e-9, 0.01), 0.34e-9, 0.01e-9).Summary("time").Bound = Ptr(0.01e-9)
		followTime(Command(Measure(d, "sort", 0.0382, 0.02), 5e6, 1, "sort", "a.txt"), "rss")
		Breakdown(Measure(d, "crash", 1, 0.01),
			result.Failure{Phase: "run", Cause: "panic", Message: "panic: out of range"})
		for i := range d.Cases[first:] {
			d.Cases[first+i].Suite = suite.Name
		}
	}
	return d
}

// followTime adds samples of a metric that vary as the time does.
func followTime(c *result.Case, metric string) *result.Case {
	for _, x := range c.Samples.Columns["time"] {
		c.Samples.Columns[metric] = append(c.Samples.Columns[metric],
			Digits(c.Summary(metric).Median*x/c.Summary("time").Median, 5))
	}
	return c
}

// ticking makes a case one with a tick counter, whose samples 3 and 8 have no reading.
func ticking(c *result.Case, clock string, ticks float64) *result.Case {
	c.Clock, c.Counter = clock, "x86-rdtscp"
	followTime(Counter(c, "ticks", ticks), "ticks")
	for i := 3; i < c.Samples.Len(); i += 5 {
		c.Samples.Columns["ticks"][i] = math.NaN()
	}
	return c
}

// counted adds the cost of reading the tick counter to a calibration.
func counted(c result.Calibration) result.Calibration {
	c.Counter = &result.Counter{Name: "x86-rdtscp", Unit: "ticks",
		Frequency: result.Cost{Value: 2.29999e9, Error: 2.1e6},
		Cost:      result.Cost{Value: 54, Error: 0.4},
		Direct:    &result.LoopCost{Batch: 54, BatchError: 1, Iteration: 0.72, IterationError: 0.06},
		Indirect:  &result.LoopCost{Batch: 54, BatchError: 1, Iteration: 2.85, IterationError: 0.14}}
	return c
}

// timers has cases of two clocks, with ticks and without.
func timers() *result.Document {
	const threadClock = "posix-thread-cputime"
	d := Document("timers")
	wall := d.Calibrations[0]
	thread, plain, command := counted(wall), wall, wall
	thread.Clock = result.ClockInfo{Name: threadClock, Resolution: 1e-9, Cost: 239e-9, CostError: 4e-9}
	plain.Clock.Cost = 41.9e-9
	plain.Clock.Skipped = []result.Skipped{{Name: "linux-x86-perf-rdpmc-hw-cycles",
		Reason: "its cycle counter was not chosen"}}
	command.Host, command.Direct, command.Indirect = "command", nil, nil
	command.SpawnFloor = &result.Spawn{Time: 612e-6, RSS: 1.1 * (1 << 20), Program: "/usr/bin/true"}
	d.Calibrations = []result.Calibration{counted(wall), thread, plain, command}
	d.Warnings = []result.Warning{{Code: result.WarnDrift, Message: "calibration drifted: the direct loop took " +
		"0.31 ± 0.03 ns an iteration at the start and 0.52 ± 0.04 ns at the end",
		Hint: "the clock frequency of the processor changed: fix it, or let the machine cool down"}}

	ticking(Measure(d, "parse/1", 1.21e-6, 0.01), "wall", 2783)
	ticking(Measure(d, "parse/2", 2.42e-6, 0.01), "wall", 5566)
	ticking(Measure(d, "parse/3", 3.63e-6, 0.01), "wall", 8349)
	ticking(Measure(d, "parse/1 on the CPU", 1.19e-6, 0.01), threadClock, 2781)
	ticking(Measure(d, "parse/2 on the CPU", 2.38e-6, 0.01), threadClock, 5562)
	c := Measure(d, "parse/1 without ticks", 1.22e-6, 0.01)
	c.Clock, c.Settings.Keep, c.Samples.Taken = "wall", "summary", 1250000
	c = followTime(Command(Measure(d, "parse", 2.1e-3, 0.03), 3e6, 1, "parse"), "rss")
	c.Clock = "wall"
	return d
}

// once has cases of a single sample.
func once() *result.Document {
	d := Document("once")
	d.Calibrations[0] = counted(d.Calibrations[0])
	c := Once(ticking(Measure(d, "hex.EncodeToString", 66.74e-9, 0.01), "", 153.4), 15_300_000)
	c.Warnings = []result.Warning{{Code: result.WarnFewSamples,
		Message: "no interval: it needs 6 samples, and there are 1"}}
	c = ticking(PerByte(Measure(d, "sha256/64KiB", 1.8644e-9, 0.01), 64<<10), "", 4.288)
	Once(followTime(Counter(c, "cycles", 5.61), "cycles"), 8192)
	c = Once(PerByte(Measure(d, "parse lines", 12.1e-6, 0.01), 1e3), 83)
	c.Unit, c.Settings.Parallel = "lines", 4
	c = Once(Measure(d, "empty body", 0.31e-9, 0.01), 3_000_000_000)
	c.LoopCost, c.LoopError, c.Summary("time").Bound = 0.31e-9, 0.03e-9, Ptr(0.05e-9)
	Once(followTime(Command(Measure(d, "make", 4.21, 0.01), 200e6, 1.9, "make"), "rss"), 1)
	return d
}

// red has only gates that fail.
func red() *result.Document {
	d := Document("red")
	for _, of := range []struct {
		name   string
		median float64
	}{{"sort/100", 2.1e-6}, {"sort/10k", 812e-6}, {"sort/1M", 0.1213}} {
		c := Measure(d, of.name, of.median, 0.011)
		judged(c, "time.median < 1us", result.Fail, result.FormInterval, "time.median is above 1 µs",
			result.Value{Text: "time.median", Value: of.median, Low: Ptr(of.median * 0.98), High: Ptr(of.median * 1.03),
				Confidence: 0.99, Unit: "s"}).Finding = &result.Finding{Of: result.OfCase, Text: "time.median",
			Operator: "<", Value: of.median, Limit: 1e-6, Unit: "s"}
	}
	return d
}

// parseSmall adds a case whose gates pass.
func parseSmall(d *result.Document) {
	c := Measure(d, "parse/small", 1.21e-6, 0.01)
	judged(c, "time.median < 2us", result.Pass, result.FormInterval, "")
	judged(c, "time.p99 < 10us && time.n >= 10", result.Pass, result.FormPoint, "")
}

// parseLarge adds a case with gates that fail, one that is undecided and one that warns.
func parseLarge(d *result.Document) *result.Case {
	c := Allocates(Measure(d, "parse/large", 2.31e-3, 0.012), 14, 4096)
	median := result.Value{Text: "time.median", Value: 2.31e-3, Low: Ptr(2.28e-3), High: Ptr(2.35e-3),
		Confidence: 0.99, Unit: "s"}
	judged(c, "time.median < 2ms", result.Fail, result.FormInterval,
		"time.median is above 2 ms: its 99% interval is 2.28 ms to 2.35 ms", median).ID = "fast enough"
	judged(c, "time.median < 2300us", result.Inconclusive, result.FormInterval,
		"the 99% interval 2.28 ms to 2.35 ms contains 2.3 ms", median)
	judged(c, "time.cv < 1%", result.Fail, result.FormPoint, "0.0213 is not below 0.01",
		result.Value{Text: "time.cv", Value: 0.0213})
	judged(c, "allocs.max <= 10", result.Fail, result.FormExact, "14 is not at most 10",
		result.Value{Text: "allocs.max", Value: 14}).Severity = "warn"
	return c
}

// verdicts has gates of every verdict.
func verdicts() *result.Document {
	d := Document("verdicts")
	parseSmall(d)
	parseLarge(d)
	c := Measure(d, "parse/deep", 41.2e-6, 0.05)
	g := judged(c, `case("parse/flat").time.median * 2 > time.median`, result.Error, result.FormPoint,
		`there is no case "parse/flat"`)
	g.Cause = result.CauseNotRun
	g.Reads[0].Of, g.Reads[0].Case = result.OfOther, "parse/flat"
	g = Ask(c, "ratio(time) < 1.05", "time", result.NotJudged, result.FormInterval,
		"not comparable: the definition changed")
	g.Cause = result.CauseNotComparable
	judged(c, "time.median < 40us", result.Inconclusive, result.FormInterval,
		"the 99% interval 39.1 µs to 43.6 µs contains 40 µs").OnInconclusive = "fail"
	return d
}

// acceptFile is the place of an entry of accepted failures.
func acceptFile(line int) diag.Place {
	return diag.Place{File: "suites/accept.yaml", Line: line, Col: 3}
}

// accept adds an entry of accepted failures. A used one marks its gate.
func accept(d *result.Document, line int, gate *result.Gate, own result.Accepted) {
	own.Place = acceptFile(line)
	gate.Accepted = &own
	d.Acceptances = append(d.Acceptances, result.Acceptance{Suite: "accepted", Case: "parse/large", Gate: gate.ID,
		State: "used", Detail: "the gate fails", Until: own.Until, Place: own.Place})
}

// acceptUnused adds an entry that no failure needs, and its warning.
func acceptUnused(d *result.Document) {
	d.Acceptances = append(d.Acceptances, result.Acceptance{Suite: "accepted", Case: "parse/small",
		Gate: "time.median < 2us", State: "unused", Detail: "the gate passes", Until: "2026-12-31",
		Place: acceptFile(14)})
	d.Warnings = append(d.Warnings, result.Warning{Code: result.WarnAcceptanceUnused,
		Message: "suites/accept.yaml:14:3: the acceptance of parse/small: time.median < 2us is unused: the gate passes",
		Hint:    "suite accept renews an entry, suite accept --remove takes it out"})
}

// accepted has failures that people have accepted, and an entry that is not used.
func accepted() *result.Document {
	d := Document("accepted")
	parseSmall(d)
	c := parseLarge(d)
	accept(d, 3, &c.Gates[0], result.Accepted{At: "2026-11-02 by ada", Until: "2026-12-31",
		Reason: "the new tokenizer costs 5% until #123 lands, which everybody has agreed to in the review of March"})
	accept(d, 9, &c.Gates[2], result.Accepted{Until: "2027-01-31", Reason: "the shared runner varies too much"})
	acceptUnused(d)
	return d
}

// refused passes but for an entry that is not used, which is an error if entries are strict.
func refused() *result.Document {
	d := Document("accepted")
	parseSmall(d)
	acceptUnused(d)
	d.Strict = true
	return d
}

// ties has samples that are all the same, and a single sample.
func ties() *result.Document {
	d := Document("ties")
	d.Warnings = []result.Warning{{Code: result.WarnCalibrationDrift,
		Message: "the load average was 3.1 on 2 CPUs when the run began", Hint: "wait until the machine is idle"}}
	for _, name := range []string{"constant", "steps"} {
		c := Measure(d, name, 100e-9, 0)
		for i := range c.Metrics {
			s := &c.Metrics[i]
			s.Low, s.High, s.Confidence = Ptr(s.Median), Ptr(s.Median), 0.95
		}
		c.Warnings = []result.Warning{{Code: result.WarnDrift,
			Message: "12 of 12 samples tied: the clock steps by 100 ns", Hint: "try a longer sample_time"}}
	}
	s := Measure(d, "one sample", 5.0213, 0).Summary("time")
	s.N, s.Blocks = 1, 1
	return d
}

// interrupted has a case that is done, one that was cut short and one that was not reached.
func interrupted() *result.Document {
	d := Document("long")
	d.Interrupted = "SIGINT"
	judged(Measure(d, "done", 1.2e-6, 0.01), "time.median < 2us", result.Pass, result.FormInterval, "")
	Measure(d, "cut short", 3.4e-6, 0.08).Stop = "interrupted"
	c := Breakdown(Measure(d, "not reached", 1, 0), result.Failure{})
	c.Status, c.Failure, c.Seconds, c.Iterations = result.NotRun, nil, 0, 0
	g := judged(c, "time.median < 2us", result.NotJudged, result.FormInterval, "not run: interrupted")
	g.Cause = result.CauseNotRun
	return d
}

// faults has failures of every kind.
func faults() *result.Document {
	d := Document("faults")
	d.Suites[0].Description = "Everything that can go wrong with a body."
	judged(Measure(d, "good", 4.12e-9, 0.006), "time.median < 10ns", result.Pass, result.FormInterval, "")
	Breakdown(Measure(d, "panics", 1e-6, 0), result.Failure{Phase: "run", Cause: "panic", Batch: 3, Exit: Ptr(2),
		Message: "runtime error: index out of range [5] with length 3", Elapsed: 0.132,
		Detail: panicked, Hint: "run it alone: suite run faults.yaml --only panics"})
	Breakdown(Measure(d, "exits", 1e-6, 0), result.Failure{Phase: "warmup", Cause: "exit", Exit: Ptr(0),
		Message: "the host ended with exit status 0 while a batch was running", Hint: "a body must not call os.Exit"})
	hangs := Measure(d, "hangs", 1e-6, 0)
	judged(hangs, "time.median < 10ns", result.Error, result.FormInterval, "")
	Breakdown(hangs, result.Failure{Phase: "run", Cause: "timeout", Batch: 1, Signal: "killed", Elapsed: 60.02,
		Message: "no answer in 60 s", Hint: "raise timeout, or make the body return"})
	Breakdown(Command(Measure(d, "missing program", 1e-6, 0), 0, 1, "frobnicate"), result.Failure{Phase: "start",
		Cause: "missing", Message: `"frobnicate" is not in PATH`, Hint: "install it, or give its path"})
	Breakdown(Command(Measure(d, "make fails", 1e-6, 0), 0, 1, "make", "-s"), result.Failure{Phase: "run",
		Cause: "exit", Batch: 1, Exit: Ptr(2), Message: "exit status 2, expected 0", Hint: "run it by hand: make -s",
		Detail: "cc -c a.c\ncc -c b.c\ncc -c c.c\n\x1b[1mc.c:3:1: \x1b[31merror:\x1b[0m unknown type name 'size'\n" +
			"    3 | size n;\n      | ^~~~\r\nmake: *** [Makefile:4: c.o] Error 1\n"})
	return d
}

const panicked = `panic: runtime error: index out of range [5] with length 3

goroutine 1 [running, locked to thread]:
panic({0x4b2f40?, 0xc000012345?})
	/usr/local/go/src/runtime/panic.go:783 +0x132
example.com/app/parse.(*Parser).deep(0xc000010000, 0x5)
	/src/app/parse/parse.go:41 +0x1d fp=0x2df3dbb9d530 sp=0x2df3dbb9d510 pc=0x8aac45
example.com/app/parse.init.0.func1(0x64)
	/src/app/parse/bench.go:12 +0x2a
example.com/suite/runner/host.(*loop).run(0xc000020000)
	/src/suite/runner/host/loop.go:88 +0x9c
main.main()
	/src/main.go:9 +0x1f
`
