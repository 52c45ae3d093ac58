package runner

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/client"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// fake is the clock of hosts that are started with the word "fake": bodies
// advance it, so that what is measured does not depend on this machine.
var fake = &timer.Fake{Cost: 20}

// TestMain makes this test program its own host.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__host" {
		os.Exit(host.Main(machineOf(os.Args[2])))
	}
	// Tests and hosts collect garbage for a sixth of their time otherwise.
	debug.SetGCPercent(800)
	os.Setenv("GOGC", "800")
	// Tests wait for their hosts for more than half of their time. A later flag of the command
	// line wins.
	os.Args = slices.Insert(os.Args, 1, fmt.Sprintf("-test.parallel=%d", 4*runtime.GOMAXPROCS(0)))
	os.Exit(m.Run())
}

func machineOf(word string) host.Machine {
	switch word {
	case "fake", "counting", "counted", "cycles", "drifting", "rotated", "old":
		m := host.Machine{Open: openFake, System: func() timer.System { return fake }, Events: fakeEvents,
			Direct: emptyLoops(0), Indirect: emptyLoops(1), Sleep: func(ns int64) { fake.Sleep(ns) }}
		if word == "drifting" {
			m.Direct = slowing()
		}
		if word == "counted" {
			m.Events = openCounted
		}
		if word == "cycles" {
			m.Open = func(timer.Prefs) (*timer.Timer, error) {
				return timer.New(fake, &timer.FakeCounter{Fake: fake, Counts: timer.Cycles, PerNS: 2}), nil
			}
		}
		if word == "rotated" {
			m.Open = func(timer.Prefs) (*timer.Timer, error) {
				return timer.New(fake, &timer.FakeCounter{Fake: fake, Counts: timer.Cycles, PerNS: 2, Turn: 4_000_000}), nil
			}
		}
		return m
	}
	m := host.Real()
	m.Extract = func(wire.Metric) (func([]byte) (float64, error), error) { return nil, nil } // it takes samples of none
	return m
}

// openFake opens the fake clock under the requested name, and ticks at 2 GHz if a
// cycle counter other than null was requested.
func openFake(prefs timer.Prefs) (*timer.Timer, error) {
	if len(prefs.Cycle) == 0 || prefs.Cycle[0] == timer.Null {
		return timer.New(fake, nil), nil
	}
	t := timer.New(fake, &timer.FakeCounter{Fake: fake, Counts: timer.Ticks, PerNS: 2, Cost: 10})
	t.Skipped = []timer.Skipped{{Kind: timer.KindCycle, Name: "perf", Reason: "no such event"}}
	return t, nil
}

// fakeEvents has all but instructions.
func fakeEvents(names []string, _ timer.Scope) (timer.Events, []timer.Skipped) {
	var there []string
	var skipped []timer.Skipped
	for _, name := range names {
		if name == "instructions" {
			skipped = append(skipped, timer.Skipped{Kind: "event", Name: name, Reason: "no such event"})
		} else {
			there = append(there, name)
		}
	}
	if there == nil {
		return nil, skipped
	}
	return &timer.FakeEvents{Fake: fake, Names: there, PerNS: 0.5, Share: 0.25}, skipped
}

// slowing makes empty loops that take ten times as long from the second calibration
// on.
func slowing() func() []bench.Loop {
	calibrations := int64(0)
	return func() []bench.Loop {
		calibrations++
		cost := int64(1)
		if calibrations > 2 { // the first are the empty cases of the host
			cost = 10
		}
		return []bench.Loop{func(n int) { fake.Advance(cost * int64(n)) }}
	}
}

// emptyLoops cost ns for each iteration, and a third of a nanosecond at least.
func emptyLoops(ns int64) func() []bench.Loop {
	return func() []bench.Loop {
		return []bench.Loop{func(n int) { fake.Advance(ns*int64(n) + int64(n)/3) }}
	}
}

func hostArgv(t testing.TB, machine string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{self, "__host", machine}
}

// ownHash is the hash of this test program.
var ownHash = sync.OnceValue(func() string {
	self, _ := os.Executable()
	return binary.Hash(self)
})

// A run begins with the hash of this program, which is the host of all runs. Each run
// would read it again, 15 MB.
func hashed(t testing.TB) *binary.Hashes {
	t.Helper()
	b := new(binary.Hashes)
	b.Add(hostArgv(t, "")[0], ownHash())
	return b
}

func init() {
	advance := func(ns int64) bench.Setup {
		return func(*bench.Case) bench.Loop {
			return func(n int) { fake.Advance(ns * int64(n)) }
		}
	}
	bench.Register("fake/4ns", advance(4))
	bench.Register("fake/1ms", advance(1e6))
	bench.Register("fake/5s", advance(5e9))
	bench.Register("fake/nothing", advance(0))
	bench.Register("fake/calls-nothing", func(*bench.Case) bench.Loop { return bench.Each(func() {}) })
	bench.Register("fake/hides", func(*bench.Case) bench.Loop {
		return func(n int) { fake.Advance(4*int64(n) - 7) } // 7 ns of the reading overlap with it
	})
	bench.Register("fake/preempted", func(*bench.Case) bench.Loop {
		batches := 0
		return func(n int) {
			fake.Advance(1000 * int64(n))
			if batches++; batches%4 == 0 {
				fake.Preempt(3e6)
			}
		}
	})
	bench.Register("fake/tells", func(c *bench.Case) bench.Loop {
		path := c.String("file")
		return func(n int) {
			fake.Advance(10e6 * int64(n))
			if n >= 100 { // of 1 s by the fake clock: there is time for an interrupt
				os.WriteFile(path, nil, 0o666)
				time.Sleep(time.Second)
			}
		}
	})
	bench.Register("panics", func(*bench.Case) bench.Loop {
		return bench.Each(func() { panic("the sky is falling") })
	})
	bench.Register("panics elsewhere", func(*bench.Case) bench.Loop {
		return func(n int) {
			go func() { panic("far away") }()
			time.Sleep(time.Second)
		}
	})
	bench.Register("exits", func(*bench.Case) bench.Loop { return func(int) { os.Exit(0) } })
	bench.Register("deadlocks", func(*bench.Case) bench.Loop {
		return func(int) { <-make(chan int) }
	})
	bench.Register("never returns", func(*bench.Case) bench.Loop {
		return func(int) {
			for { // without work for a processor that others need
				time.Sleep(time.Millisecond)
			}
		}
	})
	bench.Register("fails", func(c *bench.Case) bench.Loop {
		return func(int) { c.Fatal("the disk is full") }
	})
	bench.Register("slow", func(*bench.Case) bench.Loop {
		return func(n int) { time.Sleep(time.Duration(n) * 10 * time.Millisecond) }
	})
	bench.Register("no loop", func(*bench.Case) bench.Loop { return nil })
	bench.Register("cleans up", func(c *bench.Case) bench.Loop {
		path := c.String("file")
		c.Cleanup(func() { os.WriteFile(path, []byte("clean"), 0o666) })
		return func(n int) { time.Sleep(time.Duration(n) * 100 * time.Microsecond) }
	})
}

// quick settings keep the tests short; what they measure does not matter.
func quick() spec.Settings {
	return spec.Settings{Warmup: spec.Duration(time.Millisecond), SampleTime: spec.Duration(100 * time.Microsecond),
		TargetTime: spec.Duration(20 * time.Millisecond), MaxTime: spec.Duration(time.Second), Timeout: spec.Duration(10 * time.Second),
		SamplesMin: 20, SamplesMax: 1000, Coalesce: 5, GC: "on", Thread: "auto", Parallel: 1, Confidence: 0.95}
}

func function(name string, change ...func(*spec.Case)) spec.Case {
	c := spec.Case{Name: name, Kind: result.KindGo, Function: name, Unit: "op", Work: 1, Settings: quick()}
	for _, f := range change {
		f(&c)
	}
	return c
}

func param(name, text string) spec.Param {
	return spec.Param{Name: name, Value: lang.StringValue(text)}
}

func program(name string, argv []string, change ...func(*spec.Case)) spec.Case {
	c := function(name, change...)
	c.Kind, c.Function, c.Argv, c.ExitCodes = result.KindCommand, "", argv, []int{0}
	// The fake clock does not advance while a real program runs: no warm-up would
	// end.
	c.Settings.Warmup, c.Settings.SamplesMax = 0, 20
	if c.Cwd == "" {
		c.Cwd = os.TempDir()
	}
	return c
}

func runCases(t testing.TB, ctx context.Context, machine string, list ...spec.Case) []result.Case {
	t.Helper()
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: list}
	o := Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, machine)}
	if machine != "real" { // what suite itself takes is no part of a time that is made up
		start := time.Now()
		o.Now = func() time.Time { return start }
	}
	return Run(ctx, []*spec.Plan{plan}, o).Cases
}

func close1(got, want, share float64) bool { return math.Abs(got-want) <= share*want }

func TestKnownBodiesComeOutAsTheyAre(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/4ns"), function("fake/1ms"))
	for i, want := range []float64{4e-9, 1e-3} {
		s := got[i].Summary("time")
		if s == nil || !close1(s.Median, want, 1e-6) {
			t.Errorf("%s: %+v, failure %+v; want a median of %g", got[i].Name, s, got[i].Failure, want)
		}
		if got[i].Samples.Len() < 20 || got[i].Stop != "target_time" {
			t.Errorf("%s: %d samples, stopped by %q", got[i].Name, got[i].Samples.Len(), got[i].Stop)
		}
	}
	if n := got[0].Iterations; n < 17_000 || n > 36_000 {
		t.Errorf("batches of %d iterations of 4 ns, want them within √2 of 100 µs", n)
	}
}

func TestABodyThatDoesNothingIsBelowResolution(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/nothing", func(c *spec.Case) { c.Settings.Batch = 1000 }))
	if s := got[0].Summary("time"); s == nil || s.Bound == nil {
		t.Errorf("got %+v, failure %+v, want a bound", s, got[0].Failure)
	}
}

func TestABodyLongerThanTheTargetIsMeasuredAsOftenAsAllowed(t *testing.T) {
	long := func(c *spec.Case) {
		c.Settings.MaxTime, c.Settings.Timeout = spec.Duration(28*time.Second), spec.Duration(60*time.Second)
		c.Settings.TargetTime = spec.Duration(time.Second)
	}
	got := runCases(t, context.Background(), "fake", function("fake/5s", long))[0]
	// 28 s are enough for five runs of 5 s: two of them find and confirm the size.
	if got.Samples.Len() != 3 || got.Stop != "max_time" || got.Iterations != 1 {
		t.Errorf("%d samples of %d iterations, stopped by %q", got.Samples.Len(), got.Iterations, got.Stop)
	}
	if s := got.Summary("time"); s.Low != nil || !close1(s.Median, 5, 1e-6) {
		t.Errorf("summary %+v, want 5 s and no interval", s)
	}
	for _, code := range []result.WarningCode{"few-samples", "cut-short", "slow-body"} {
		if !warned(got, code) {
			t.Errorf("no warning %q in %v", code, got.Warnings)
		}
	}
}

// A case takes one sample even if max_time has no room for it, after one batch that finds the
// size of its batches. The report says how long both took.
func TestABodyLongerThanMaxTimeIsSaidToBe(t *testing.T) {
	for limit, want := range map[time.Duration]string{
		time.Second:     "took 10 s, longer than max_time: a batch takes 5 s, and one is measured after the warm-up in any case",
		6 * time.Second: "took 10 s, longer than max_time: a batch takes 5 s, and one is measured after the warm-up in any case",
		// The size is found and confirmed here, and is not confirmed above.
		16 * time.Second: "ended by max_time with 1 of at least 20 samples; a batch takes 5 s",
	} {
		got := runCases(t, context.Background(), "fake", function("fake/5s", func(c *spec.Case) {
			c.Settings.MaxTime, c.Settings.Timeout, c.Settings.Warmup = spec.Duration(limit), spec.Duration(60*time.Second), 0
		}))[0]
		var texts []string
		for _, w := range got.Warnings {
			if w.Code == result.WarnCutShort {
				texts = append(texts, w.Message)
			}
		}
		if len(texts) != 1 || texts[0] != want || got.Samples.Len() != 1 {
			t.Errorf("max_time %s: %d samples, %q, want %q", limit, got.Samples.Len(), texts, want)
		}
	}
}

func warned(c result.Case, code result.WarningCode) bool {
	for _, w := range c.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

func TestPreemptedSamplesAreKeptMarkedAndLeftOut(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("fake/preempted"))[0]
	s := got.Summary("time")
	if s == nil || !close1(s.Median, 1e-6, 1e-3) || !close1(s.Max, 1e-6, 1e-3) {
		t.Errorf("summary %+v, want 1 µs without the disturbed ones", s)
	}
	if d := len(got.Samples.Disturbed); d == 0 || s.N+d != got.Samples.Len() {
		t.Errorf("%d disturbed and %d used of %d", d, s.N, got.Samples.Len())
	}
}

func TestFaultsCostTheirOwnCaseOnly(t *testing.T) {
	t.Parallel()
	soon := func(c *spec.Case) { c.Settings.Timeout = spec.Duration(700 * time.Millisecond) }
	list := []spec.Case{
		function("fake/4ns"),
		function("panics"), function("panics elsewhere"), function("exits"),
		function("deadlocks", soon), function("never returns", soon),
		function("fails"), function("no loop"),
		program("missing", []string{"no-such-program-at-all"}),
		program("fails too", []string{"sh", "-c", "echo no luck >&2; exit 3"}),
		program("killed", []string{"sh", "-c", "kill -9 $$"}),
		program("hangs", []string{"sleep", "60"}, soon),
		program("works", []string{"true"}),
		function("fake/1ms"),
	}
	list[8].Cwd = t.TempDir()
	want := map[string]string{
		"panics": "panic: the sky is falling", "panics elsewhere": "panic: far away", "exits": "exit status 0",
		"deadlocks": "timeout", "never returns": "timeout", "fails": "the disk is full",
		"no loop": "returned no loop", "missing": "not found in PATH",
		"fails too": "exit status 3", "killed": "SIGKILL", "hangs": "killed after the timeout",
	}
	for _, c := range runCases(t, context.Background(), "fake", list...) {
		text, bad := want[c.Name]
		switch {
		case bad && (c.Status != result.Failed || !strings.Contains(c.Failure.Message, text)):
			t.Errorf("%s: status %s, failure %+v, want %q", c.Name, c.Status, c.Failure, text)
		case !bad && c.Status != result.Measured:
			t.Errorf("%s: status %s, failure %+v, want it measured", c.Name, c.Status, c.Failure)
		}
	}
}

func TestAFailedCommandShowsItsStandardError(t *testing.T) {
	got := runCases(t, context.Background(), "fake", program("fails", []string{"sh", "-c", "echo no luck >&2; exit 3"}))[0]
	if got.Failure == nil || got.Failure.Detail != "no luck" || *got.Failure.Exit != 3 {
		t.Errorf("failure %+v", got.Failure)
	}
}

func TestASilentHostShowsWhereItHangs(t *testing.T) {
	t.Parallel()
	got := runCases(t, context.Background(), "fake", function("deadlocks", func(c *spec.Case) {
		c.Settings.Timeout = spec.Duration(500 * time.Millisecond)
	}))[0]
	if got.Failure == nil || !strings.Contains(got.Failure.Detail, "chan receive") {
		t.Errorf("failure %+v, want the stack of the goroutine that waits", got.Failure)
	}
}

func TestCleanupsRunAlways(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	touch := func(name string) *spec.Hook { return &spec.Hook{Argv: []string{"touch", file(name)}} }
	list := []spec.Case{
		function("cleans up", func(c *spec.Case) {
			c.Params = []spec.Param{{Name: "file", Value: lang.StringValue(file("inside"))}}
		}),
		function("exits", func(c *spec.Case) { c.Cwd, c.Setup, c.Cleanup = dir, touch("up"), touch("down") }),
	}
	runCases(t, context.Background(), "real", list...)
	for _, name := range []string{"inside", "up", "down"} {
		if _, err := os.Stat(file(name)); err != nil {
			t.Error(err)
		}
	}
}

func TestAnInterruptKeepsWhatWasMeasured(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	endless := func(c *spec.Case) {
		c.Settings.TargetTime, c.Settings.MaxTime, c.Settings.SamplesMax = spec.Duration(time.Hour), spec.Duration(time.Hour), 1e6
		c.Cwd, c.Cleanup = dir, &spec.Hook{Argv: []string{"touch", filepath.Join(dir, "down")}}
	}
	plan := &spec.Plan{Suite: "test", Cases: []spec.Case{function("fake/4ns", endless)}}
	blocks := 0
	doc := Run(ctx, []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"), Observe: func(p Progress) {
		if p.Phase == "measure" {
			if blocks++; blocks == 3 {
				cancel()
			}
		}
	}})
	c := doc.Cases[0]
	if c.Status != result.Measured || c.Stop != "interrupted" || c.Samples.Len() < 30 {
		t.Errorf("status %s, stop %q, %d samples, failure %+v", c.Status, c.Stop, c.Samples.Len(), c.Failure)
	}
	if _, err := os.Stat(filepath.Join(dir, "down")); err != nil {
		t.Error("cleanup did not run:", err)
	}
}

func TestSameSeedSameOrder(t *testing.T) {
	seed, err := draw.ParseSeed("2a")
	if err != nil {
		t.Fatal(err)
	}
	order := func(s draw.Seed) (text string) {
		plan := &spec.Plan{Suite: "test", Cases: []spec.Case{function("fake/4ns"), function("fake/1ms"), function("fake/preempted")}}
		Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"), Seed: s, Observe: func(p Progress) {
			if p.Phase == "measure" {
				text += p.Case + " "
			}
		}})
		return text
	}
	first := order(seed)
	if again := order(seed); again != first {
		t.Errorf("seed %s gave\n%s and then\n%s", seed, first, again)
	}
	differs := false
	for i := range 5 {
		differs = differs || order(draw.Seed{byte(i)}) != first
	}
	if !differs {
		t.Error("five other seeds gave the same order")
	}
}

// BenchmarkKeep compares what a whole run takes per sample if all samples are kept and if only
// their summary is, for batches of which each also needs a reference. It fails if the summary is
// not the cheaper one.
func BenchmarkKeep(b *testing.B) {
	const samples = 20_000
	perSample := map[string]float64{}
	for _, keep := range []string{"samples", "summary"} {
		b.Run(keep, func(b *testing.B) {
			for b.Loop() {
				got := runCases(b, context.Background(), "fake", function("fake/hides", func(c *spec.Case) {
					s := &c.Settings
					s.Keep, s.Batch, s.SamplesMin, s.SamplesMax = keep, 40, samples, samples
					s.TargetTime, s.MaxTime = spec.Duration(time.Hour), spec.Duration(time.Hour)
				}))[0]
				if got.Samples.Count() != samples {
					b.Fatalf("%d samples, stopped by %q, failure %+v", got.Samples.Count(), got.Stop, got.Failure)
				}
			}
			perSample[keep] = float64(b.Elapsed().Nanoseconds()) / float64(b.N*samples)
			b.ReportMetric(perSample[keep], "ns/sample")
		})
	}
	if ratio := perSample["summary"] / perSample["samples"]; ratio >= 1 {
		b.Errorf("a summary takes %.2f of what samples take", ratio)
	} else {
		b.Logf("a summary takes %.2f of what samples take", ratio)
	}
}

// BenchmarkCall is one request to a host process and its answer.
func BenchmarkCall(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	r, err := client.Launch([]string{self, "__host", "real"}, "", nil, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Quit()
	ask := func(request wire.Request) {
		if _, failure := r.Call(context.Background(), &request, time.Minute); failure != nil {
			b.Fatal(failure.Message)
		}
	}
	ask(wire.Request{Op: "hello", Kind: wire.KindGo})
	for b.Loop() {
		ask(wire.Request{Op: "run"}) // no batches
	}
}
