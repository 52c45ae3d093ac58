package profile

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
)

// opsVariable names the file in which hosts of these tests record their requests.
const opsVariable = "PROFILE_TEST_OPS"

// TestMain makes this program a host as well.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__host" {
		os.Exit(recordingHost())
	}
	if len(os.Args) > 1 && os.Args[1] == "__perf" {
		os.Exit(fakePerf(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// recordingHost is a host that records the name of each request before it answers it.
func recordingHost() int {
	runtime.LockOSThread()
	in, out, err := wire.Inherited()
	if err != nil {
		return 2
	}
	ops, err := os.OpenFile(os.Getenv(opsVariable), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return 2
	}
	passed, requests := io.Pipe()
	go func() {
		for {
			var r wire.Request
			if wire.ReadMessage(in, &r) != nil {
				requests.Close()
				return
			}
			fmt.Fprintln(ops, r.Op)
			if wire.WriteMessage(requests, &r) != nil {
				return
			}
		}
	}()
	if err := host.New(host.Real()).Serve(passed, out); err != nil {
		return 3
	}
	return 0
}

// perfVariable names the folder in which fakePerf keeps what it was asked for.
const perfVariable = "PROFILE_TEST_PERF"

// fakePerf is a perf whose record has a reading for each millisecond that it lasted, of a process
// that the recorded program has started.
func fakePerf(args []string) int {
	place := func(name string) string { return filepath.Join(os.Getenv(perfVariable), name) }
	switch args[0] {
	case "--version":
		return 0
	case "script":
		text, err := os.ReadFile(place("last"))
		os.Stdout.Write(text)
		if err != nil {
			return 1
		}
		return 0
	}
	calls, err := os.OpenFile(place("calls"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return 1
	}
	argv := args[slices.Index(args, "--")+1:]
	fmt.Fprintln(calls, argv[len(argv)-1])
	program := exec.Command(argv[0], argv[1:]...)
	program.Stderr = os.Stderr
	if argv[len(argv)-1] == "__host" {
		program.ExtraFiles = []*os.File{os.NewFile(3, "requests"), os.NewFile(4, "answers")}
	}
	began := monotonic()
	if program.Run() != nil {
		return 1
	}
	var script strings.Builder
	at := func(ns int64) string { return fmt.Sprintf("%d.%09d:", ns/1e9, ns%1e9) }
	fmt.Fprintf(&script, "1 %[1]s PERF_RECORD_COMM exec: host:1/1\n1 %[1]s PERF_RECORD_FORK(2:2):(1:1)\n2 %[1]s PERF_RECORD_COMM exec: true:2/2\n", at(began))
	for now := began; now < monotonic(); now += 1e6 {
		fmt.Fprintf(&script, "2 %s 1000000\n\t10 main (/bin/true)\n\n", at(now))
	}
	if os.WriteFile(place("last"), []byte(script.String()), 0o666) != nil {
		return 1
	}
	return 0
}

// withFakePerf makes the cases of a fixture commands, which fakePerf profiles.
func (f *fixture) withFakePerf(t *testing.T, argv ...string) (perf Perf, calls func() []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("perf is a program for Linux")
	}
	dir := t.TempDir()
	t.Setenv(perfVariable, dir)
	path := filepath.Join(dir, "perf")
	testfile.WriteProgram(t, path, "#!/bin/sh\nexec "+f.options.Host[0]+" __perf \"$@\"\n")
	for i := range f.plan.Cases {
		c := &f.plan.Cases[i]
		c.Kind, c.Argv, c.Cwd, c.ExitCodes = result.KindCommand, argv, dir, []int{0}
	}
	return Perf{Find: func() (string, error) { return path, nil }}, func() []string {
		text, _ := os.ReadFile(filepath.Join(dir, "calls"))
		return strings.Fields(string(text))
	}
}

// perf may take longer to end than all runs, so all launches of both sides are in one record.
func TestOnePerfForAllLaunches(t *testing.T) {
	f := newFixture(t, "profiled/base")
	target := f.target(f.run(t))
	perf, calls := f.withFakePerf(t, "sleep", "0.002")
	p, files := Take(context.Background(), target, Options{Run: f.options, Pass: 4 * shortPass, Kinds: allKinds, Perf: perf})
	if got := calls(); !slices.Equal(got, []string{"--version", "__host"}) {
		t.Errorf("perf recorded %v, want a try and one host", got)
	}
	if p.Reason != "" || len(p.Profiles) != 1 || len(files) != 2 {
		t.Fatalf("%s %q: %d files", p.Reason, p.Text, len(files))
	}
	for _, side := range []*result.ProfileSide{&p.Profiles[0].Here, p.Profiles[0].Base} {
		if side.Launches != launches || side.Iterations <= launches || side.Samples < launches {
			t.Errorf("%+v: want %d launches of several runs, with readings of each", side, launches)
		}
	}
}

// A second passes with each look at the clock: 1 for the try, so 2 are kept for the end.
func TestTheEndOfPerfIsInTheLimit(t *testing.T) {
	f := newFixture(t, "profiled/base")
	target := f.target(f.run(t))
	perf, calls := f.withFakePerf(t, "true")
	for _, limit := range []struct {
		of    time.Duration
		hosts int
		most  float64 // seconds, without the look that ends them
	}{{4 * time.Second, 0, 4}, {10 * time.Second, 1, 8}} {
		target.Limit = limit.of
		now := time.Now()
		clock := func() time.Time { now = now.Add(time.Second); return now }
		before := len(calls())
		p, _ := Take(context.Background(), target, Options{Run: f.options, Pass: shortPass, Kinds: allKinds, Now: clock, Perf: perf})
		if hosts := len(calls()) - before - 1; p.Reason != result.ProfileNoTime || p.Seconds-1 > limit.most || hosts != limit.hosts {
			t.Errorf("%s: %s %q: %v s, %d hosts, want at most %v s and %d", limit.of, p.Reason, p.Text, p.Seconds, hosts, limit.most, limit.hosts)
		}
	}
}

// A signal ends perf, what it runs and what it has written.
func TestASignalEndsPerf(t *testing.T) {
	f := newFixture(t, "profiled/base")
	target := f.target(f.run(t))
	perf, calls := f.withFakePerf(t, "sleep", "60")
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for len(calls()) < 2 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	p, files := Take(ctx, target, Options{Run: f.options, Pass: shortPass, Kinds: allKinds, Perf: perf})
	left, err := os.ReadDir(os.TempDir())
	if p.Reason != result.ProfileInterrupted || len(files) > 0 || len(left) > 0 || err != nil {
		t.Errorf("%+v: %d files, %v left (%v)", p, len(files), left, err)
	}
}

// shortPass is enough for what these tests look at.
const shortPass = 5 * time.Millisecond

var kept []byte

//go:noinline
func allocates(n int) { kept = make([]byte, n) }

//go:noinline
func spins(n int) (x uint64) {
	for i := range n {
		x = x*31 + uint64(i)
	}
	return x
}

func init() {
	loop := func(spin, bytes int) bench.Setup {
		return func(*bench.Case) bench.Loop {
			return func(n int) {
				for range n {
					x := spins(spin)
					bench.Keep(&x)
					if bytes > 0 {
						allocates(bytes)
					}
				}
			}
		}
	}
	bench.Register("profiled/base", loop(20_000, 0))
	bench.Register("profiled/slower", loop(60_000, 0))
	bench.Register("profiled/allocates", loop(20_000, 4096))
	bench.Register("profiled/exits", func(*bench.Case) bench.Loop { return func(int) { os.Exit(7) } })
}

// fixture is a plan with a case and its base, and the options to run it.
type fixture struct {
	plan    *spec.Plan
	options runner.Options
	ops     string
}

func newFixture(t *testing.T, function string) *fixture {
	t.Helper()
	f := &fixture{ops: filepath.Join(t.TempDir(), "ops")}
	t.Setenv(opsVariable, f.ops)
	s := spec.Defaults()
	s.Warmup, s.TargetTime, s.MaxTime = 0, spec.Duration(20*time.Millisecond), spec.Duration(20*time.Second)
	s.SamplesMin, s.SamplesMax = 10, 20
	one := func(name, function, base string) spec.Case {
		return spec.Case{Name: name, Kind: result.KindGo, Function: function, Unit: "op", Work: 1, Settings: s, Base: base}
	}
	f.plan = &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: []spec.Case{one("base", "profiled/base", ""), one("here", function, "base")}}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f.options = runner.Options{Host: []string{self, "__host"}, HostHash: host.Hash(), Seed: draw.Seed{1}, Processes: &process.Set{}}
	return f
}

// run measures the plan, and returns the case that is not the base.
func (f *fixture) run(t *testing.T) *result.Case {
	t.Helper()
	doc := runner.Run(context.Background(), []*spec.Plan{f.plan}, f.options)
	c := &doc.Cases[1]
	if c.Status != result.Measured {
		t.Fatalf("%+v", c.Failure)
	}
	return c
}

func (f *fixture) target(c *result.Case) Target {
	return Target{Plan: f.plan, Case: &f.plan.Cases[1], Result: c}
}

var allKinds = []result.ProfileKind{result.ProfileCPU, result.ProfileAlloc, result.ProfileMutex, result.ProfileBlock}

func (f *fixture) requests(t *testing.T) []string {
	t.Helper()
	text := testfile.Read(t, f.ops)
	return strings.Fields(string(text))
}

// Every profile comes after the last sample, in a process that never took one.
func TestProfilesComeAfterTheLastSample(t *testing.T) {
	f := newFixture(t, "profiled/slower")
	c := f.run(t)
	before := f.requests(t)
	if !slices.Contains(before, "run") || slices.Contains(before, "profile") {
		t.Fatalf("a run asked for %v", before)
	}
	samples := slices.Clone(c.Samples.Columns["time"])
	p, files := Take(context.Background(), f.target(c), Options{Run: f.options, Pass: shortPass, Kinds: allKinds})
	after := f.requests(t)[len(before):]
	if p.Reason != "" || len(files) != 8 || !slices.Equal(samples, c.Samples.Columns["time"]) {
		t.Errorf("%q %s: %d files", p.Reason, p.Text, len(files))
	}
	profiled := 0
	for _, op := range after {
		switch op {
		case "profile":
			profiled++
		case "run", "once", "size", "allocs", "calibrate":
			t.Errorf("the profiling asked for %q", op)
		}
	}
	if profiled != 2*launches {
		t.Errorf("%d profiles, want %d", profiled, 2*launches)
	}
}

// The samples of a run with a profile are planned like those of a run without.
func TestAProfileChangesNoPlanOfSamples(t *testing.T) {
	f := newFixture(t, "profiled/slower")
	first := f.run(t)
	requests := f.requests(t)
	Take(context.Background(), f.target(first), Options{Run: f.options, Pass: shortPass, Kinds: []result.ProfileKind{result.ProfileAlloc}})
	if err := os.Remove(f.ops); err != nil {
		t.Fatal(err)
	}
	second := f.run(t)
	if !slices.Equal(first.Pairs.First[:10], second.Pairs.First[:10]) {
		t.Errorf("coins %v and %v", first.Pairs.First, second.Pairs.First)
	}
	kinds := func(ops []string) []string { return slices.Compact(slices.Sorted(slices.Values(ops))) }
	if again := f.requests(t); !slices.Equal(kinds(requests), kinds(again)) {
		t.Errorf("requests %v and %v", kinds(requests), kinds(again))
	}
}

func TestWhatAllocatesMoreIsNamedWithItsBytes(t *testing.T) {
	f := newFixture(t, "profiled/allocates")
	target := f.target(f.run(t))
	target.Bytes = true
	p, _ := Take(context.Background(), target, Options{Run: f.options, Pass: shortPass, Kinds: []result.ProfileKind{result.ProfileAlloc}})
	if len(p.Causes) != 1 || !strings.HasSuffix(p.Causes[0].Function, ".allocates") || p.Causes[0].Change.Value < 4000 || p.Causes[0].Change.Value > 4300 {
		t.Errorf("%q: %+v", p.Text, p.Causes)
	}
}

// The code of this package counts as suite's own, so its functions have no owner; what the
// process spent on processors is known all the same.
func TestTheCostOfAnIterationIsThatOfTheProcess(t *testing.T) {
	f := newFixture(t, "profiled/slower")
	p, _ := Take(context.Background(), f.target(f.run(t)), Options{Run: f.options, Pass: shortPass, Kinds: []result.ProfileKind{result.ProfileCPU}})
	one := p.Profiles[0]
	if one.Here.Launches != launches || one.Base.Launches != launches || one.Here.Rate != usualRate || one.Here.Total <= 0 || one.Here.Iterations < one.Base.Iterations/100 {
		t.Errorf("%+v, %+v", one.Here, one.Base)
	}
}

func TestALimitEndsTheProfiling(t *testing.T) {
	f := newFixture(t, "profiled/base")
	target := f.target(f.run(t))
	target.Limit = time.Second
	now := time.Now()
	clock := func() time.Time { now = now.Add(100 * time.Millisecond); return now } // each look takes a tenth of a second
	p, _ := Take(context.Background(), target, Options{Run: f.options, Pass: shortPass, Kinds: []result.ProfileKind{result.ProfileAlloc}, Now: clock})
	if p.Reason != result.ProfileNoTime || len(p.Causes) > 0 || len(p.Profiles) == 0 || p.Profiles[0].Here.Launches >= launches {
		t.Errorf("%+v", p)
	}
}

func TestAnInterruptKeepsWhatThereIs(t *testing.T) {
	f := newFixture(t, "profiled/base")
	target := f.target(f.run(t))
	ctx, cancel := context.WithCancel(context.Background())
	looks := 0
	clock := func() time.Time {
		if looks++; looks == 8 {
			cancel()
		}
		return time.Now()
	}
	p, _ := Take(ctx, target, Options{Run: f.options, Pass: shortPass, Kinds: []result.ProfileKind{result.ProfileAlloc}, Now: clock})
	if p.Reason != result.ProfileInterrupted {
		t.Errorf("%+v", p)
	}
}

func TestAFailureIsAReason(t *testing.T) {
	f := newFixture(t, "profiled/base")
	target := f.target(f.run(t))
	f.plan.Cases[1].Function = "profiled/exits"
	p, files := Take(context.Background(), target, Options{Run: f.options, Pass: shortPass, Kinds: allKinds})
	if p.Reason != result.ProfileFailed || p.Text == "" || len(files) > 0 {
		t.Errorf("%+v, %d files", p, len(files))
	}
}

func TestCommandsWithoutPerfHaveAReason(t *testing.T) {
	f := newFixture(t, "profiled/base")
	c := f.run(t)
	f.plan.Cases[1].Kind = result.KindCommand
	f.plan.Cases[1].Argv = []string{"true"}
	for _, test := range []struct {
		path string
		want result.ProfileReason
	}{{"", result.ProfileNoTool}, {filepath.Join(t.TempDir(), "perf"), result.ProfileForbidden}} {
		find := func() (string, error) {
			if test.path == "" {
				return "", os.ErrNotExist
			}
			return test.path, nil
		}
		p, _ := Take(context.Background(), f.target(c), Options{Run: f.options, Pass: shortPass, Kinds: allKinds, Perf: Perf{Find: find}})
		if p.Reason != test.want || p.Text == "" || p.Hint == "" {
			t.Errorf("%+v, want %s", p, test.want)
		}
	}
}

// A perf that does not know an option works without it.
func TestOlderPerf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("perf is a program for Linux")
	}
	path := filepath.Join(t.TempDir(), "perf")
	for script, want := range map[string][2]string{
		"exit 0": {"--no-bpf-event", ""}, `case "$*" in *bpf*) echo unknown option; exit 1;; esac`: {"fp", ""}, "echo 'No permission'; exit 1": {"fp", "No permission (exit status 1)"},
	} {
		testfile.WriteProgram(t, path, "#!/bin/sh\n"+script+"\n")
		argv, why := workingPerf(path)
		if last := argv[len(argv)-1]; last != want[0] || why != want[1] {
			t.Errorf("%s: ends with %s, %q, want %q", script, last, why, want)
		}
	}
}

// Two cases never share a file, whatever their names are.
func TestFileNames(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"a/b", "a_b", "a b", "../../x", "", strings.Repeat("x", 300), strings.Repeat("x", 301), "ä"} {
		got := fileName(&result.Case{Suite: "s", Name: name}, result.ProfileCPU, true)
		if seen[got] || strings.ContainsAny(got, `/\ `) || len(got) > 160 || !strings.HasSuffix(got, ".cpu.base.pb.gz") {
			t.Errorf("%q: %q", name, got)
		}
		seen[got] = true
	}
}

// Profiles that nobody asked for take no longer than the measuring of what they are about, and
// than its max_time.
func TestProfilesTakeNoLongerThanTheSamples(t *testing.T) {
	targets := func(seconds ...float64) (all []Target) {
		for _, s := range seconds {
			all = append(all, Target{Result: &result.Case{Seconds: s, Settings: result.Settings{MaxTime: 10}}})
		}
		return all
	}
	failed, every := Choice{Kinds: allKinds}, Choice{Kinds: allKinds, Every: true}
	for _, c := range []struct {
		choice  Choice
		seconds []float64
		want    time.Duration
	}{
		{failed, []float64{2}, 2 * time.Second}, {failed, []float64{2, 1.5}, 3500 * time.Millisecond}, {failed, []float64{8, 7}, 10 * time.Second},
		{failed, []float64{1, 1, 1, 1, 1}, MostCases * time.Second}, {every, []float64{1, 1}, 2 * Limit},
	} {
		if got := c.choice.Together(targets(c.seconds...)); got != c.want {
			t.Errorf("%v of %v: %v, want %v", c.choice.Every, c.seconds, got, c.want)
		}
	}
}

// A case whose functions are counted is not profiled unasked, if they account for what moved with the time and nothing
// else failed.
func TestACountedCauseNeedsNoProfiles(t *testing.T) {
	failed := func(change func(c *result.Case)) *result.Document {
		c := result.Case{Suite: "s", Name: "x", Status: result.Measured, Pairs: &result.Pairs{},
			Gates: []result.Gate{{Verdict: result.Fail, Compares: true, Reads: []result.Reading{{Metric: "time"}}}},
			Comparisons: []result.Comparison{{Metric: "time",
				Witness: &result.Witness{Cause: result.WitnessCode, Base: 1000, Candidate: 1100}}},
			Counted: &result.Counted{Moved: []result.MovedFunction{{Function: "slow", Base: 100, Candidate: 190},
				{Function: "fast", Base: 50, Candidate: 45}}}}
		change(&c)
		return &result.Document{Cases: []result.Case{c}}
	}
	plans := []*spec.Plan{{Suite: "s", Cases: []spec.Case{{Name: "x"}}}}
	for name, c := range map[string]struct {
		change  func(c *result.Case)
		targets int
	}{
		"counted":         {func(*result.Case) {}, 0},
		"layout":          {func(c *result.Case) { c.Comparisons[0].Witness.Cause = result.WitnessElsewhere }, 1},
		"partly":          {func(c *result.Case) { c.Comparisons[0].Witness.Cause = result.WitnessPartly }, 1},
		"not counted":     {func(c *result.Case) { c.Comparisons[0].Witness = nil }, 1},
		"by a counter":    {func(c *result.Case) { c.Counted = nil }, 1},
		"other functions": {func(c *result.Case) { c.Counted.Moved = c.Counted.Moved[1:] }, 1},
		"allocations too": {func(c *result.Case) {
			c.Gates = append(c.Gates, result.Gate{Verdict: result.Fail, Compares: true,
				Reads: []result.Reading{{Metric: "allocs"}}})
		}, 1},
	} {
		for every, want := range map[bool]int{false: c.targets, true: 1} {
			doc := failed(c.change)
			got := Choice{Kinds: allKinds, Every: every}.Chosen(plans, doc)
			why := doc.Cases[0].Profiling
			if len(got) != want || (why != nil && why.Reason == result.ProfileCounted) != (want == 0) {
				t.Errorf("%s, every case %v: %d targets, %+v", name, every, len(got), why)
			}
		}
	}
}
