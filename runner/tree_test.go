package runner

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
)

// isOld reports whether this is the host of the other tree.
func isOld() bool { return len(os.Args) > 2 && os.Args[2] == "old" }

// startsVariable names a file in which each host notes when it begins.
const startsVariable = "SUITE_TEST_STARTS"

func init() {
	bench.Register("tree/step", func(*bench.Case) bench.Loop {
		step := int64(1000)
		if isOld() {
			step = 1100
		}
		return func(n int) { fake.Advance(step * int64(n)) }
	})
	bench.Register("tree/environment", func(*bench.Case) bench.Loop {
		step := 1_000_000 + int64(len(os.Getenv(wire.PaddingVariable)))
		return func(n int) { fake.Advance(step * int64(n)) }
	})
	bench.Register("tree/allocates", func(*bench.Case) bench.Loop {
		return func(n int) {
			for range n {
				if fake.Advance(1000); isOld() {
					kept = make([]byte, 100)
				}
			}
		}
	})
	for name, end := range map[string]func(){
		"tree/old panics":     func() { panic("the tape is torn") },
		"tree/old exits":      func() { os.Exit(0) },
		"tree/old hangs":      func() { <-make(chan int) },
		"tree/old interrupts": func() { interruptSelf() },
	} {
		bench.Register(name, func(*bench.Case) bench.Loop {
			batches := 0
			return func(n int) {
				if fake.Advance(1000 * int64(n)); isOld() && batches == 10 {
					end()
				}
				batches++
			}
		})
	}
	bench.Register("tree/old leaves", func(c *bench.Case) bench.Loop {
		c.Cleanup(func() {
			if isOld() {
				panic("dirt")
			}
		})
		return func(n int) { fake.Advance(1000 * int64(n)) }
	})
	bench.Register("tree/old is not", func(*bench.Case) bench.Loop {
		if isOld() {
			os.Exit(1)
		}
		return func(n int) { fake.Advance(1000 * int64(n)) }
	})
	if path := os.Getenv(startsVariable); path != "" && len(os.Args) > 2 {
		if f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666); err == nil {
			fmt.Fprintln(f, os.Args[2])
			f.Close()
		}
	}
}

// imagesVariable names a file in which hosts of functions write what they run from.
const imagesVariable = "SUITE_TEST_IMAGES"

func init() {
	path := os.Getenv(imagesVariable)
	self, err := os.Executable()
	if path == "" || err != nil || len(os.Args) < 3 || os.Args[2] != "fake" && os.Args[2] != "old" {
		return
	}
	if f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666); err == nil {
		fmt.Fprintln(f, self)
		f.Close()
	}
}

// noticed matches the stack of the goroutine of a host that waits for interrupts, and sleeps after the first one.
var noticed = regexp.MustCompile(`time\.Sleep\(.*\n.*\n.*\.interrupted\(`)

// interruptSelf interrupts this host, and returns when it has noticed: on a busy machine that is many batches later,
// perhaps those of another case.
func interruptSelf() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(os.Interrupt)
	}
	stacks := make([]byte, 1<<20)
	for !noticed.Match(stacks[:runtime.Stack(stacks, true)]) {
		time.Sleep(time.Millisecond)
	}
}

// kept is what a body allocates, so that it is not optimised away.
var kept []byte

// against adds a side in another tree to cases. There the same program runs as "old".
func against(list ...spec.Case) *spec.Plan {
	old := &spec.Plan{Suite: "test", Dir: os.TempDir(), Cases: slices.Clone(list)}
	plan := &spec.Plan{Suite: "test", Dir: os.TempDir(), OnInconclusive: "list", Cases: list, Other: old,
		Against: &result.Against{Asked: "main", Kind: result.AgainstFolder}}
	for i := range list {
		list[i].Counterpart = &result.Counterpart{State: result.CounterpartPaired}
		list[i].Other = &spec.Other{Plan: old, Name: "main", Case: old.Cases[i]}
	}
	return plan
}

func treeOptions(t *testing.T, plan *spec.Plan) Options {
	start := time.Now()
	return Options{HostHash: host.Hash(), Binaries: hashed(t), Host: smallHost(t, "fake"), Seed: draw.Seed{3},
		Now: func() time.Time { return start }, HostOf: otherHost(plan, smallHost(t, "old"))}
}

// otherHost chooses a host for the other tree of a plan.
func otherHost(plan *spec.Plan, argv []string) func(*spec.Plan) []string {
	return func(p *spec.Plan) []string {
		if p == plan.Other {
			return argv
		}
		return nil
	}
}

// smallHost is a host whose file is small: each launch of two trees has a copy, and to copy
// this program takes longer than the launch.
func smallHost(t testing.TB, machine string) []string {
	argv := hostArgv(t, machine)
	if runtime.GOOS == "windows" {
		return argv
	}
	script := filepath.Join(t.TempDir(), "host")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec '"+argv[0]+"' \"$@\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	argv[0] = script
	return argv
}

func runTrees(t *testing.T, plan *spec.Plan, change ...func(*Options)) []result.Case {
	t.Helper()
	return runTreesUntil(t, context.Background(), plan, change...)
}

func runTreesUntil(t *testing.T, ctx context.Context, plan *spec.Plan, change ...func(*Options)) []result.Case {
	t.Helper()
	o := treeOptions(t, plan)
	for _, f := range change {
		f(&o)
	}
	o.Processes = &process.Set{}
	doc := Run(ctx, []*spec.Plan{plan}, o)
	noneLeft(t, o.Processes)
	for i := range doc.Cases {
		if p := doc.Cases[i].Pairs; p != nil && p.Samples.Len() > 0 {
			paired(t, o.Seed, &doc.Cases[i])
		}
	}
	return doc.Cases
}

// noneLeft waits until no host lives any more.
func noneLeft(t *testing.T, p *process.Set) {
	t.Helper()
	left := func() int { return len(p.PIDs()) }
	for deadline := time.Now().Add(10 * time.Second); left() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d hosts are left", left())
		}
	}
}

// Every reading comes from its side's host, and a case has the same information on
// its base as on itself.
func TestTheSidesOfTwoTreesAreMeasuredInTheirOwnHosts(t *testing.T) {
	t.Parallel()
	for _, c := range runTrees(t, against(function("tree/step"), function("tree/step", named("again")))) {
		p := c.Pairs
		if c.Status != result.Measured || c.Launches != 9 || c.Samples.Len() != firstLaunchPairs+8*leastLaunchPairs || c.Stop != "launches" {
			t.Fatalf("%s: %d pairs in %d launches, stopped by %q, failure %+v", c.Name, c.Samples.Len(), c.Launches, c.Stop, c.Failure)
		}
		for i := range p.First {
			own, base := c.Samples.Columns["time"][i], p.Samples.Columns["time"][i]
			if !close1(own, 1e-6, 1e-4) || !close1(base, 1.1e-6, 1e-4) {
				t.Fatalf("%s: pair %d: %g against %g", c.Name, i, own, base)
			}
			launch := 0
			if i >= firstLaunchPairs {
				launch = 1 + (i-firstLaunchPairs)/leastLaunchPairs
			}
			if c.Samples.Launch[i] != c.Samples.Block[i] || c.Samples.Launch[i] != launch {
				t.Fatalf("%s: pair %d is of launch %d and block %d", c.Name, i, c.Samples.Launch[i], c.Samples.Block[i])
			}
		}
		if p.Tree != "main" || p.Base != c.Name || p.Identity == nil || p.Identity.Function != "tree/step" || c.Counterpart == nil {
			t.Errorf("%s: pairs with %q in %q, identity %+v", c.Name, p.Base, p.Tree, p.Identity)
		}
	}
}

func TestTheBaseInAnotherTreeHasItsMetrics(t *testing.T) {
	t.Parallel()
	c := runTrees(t, against(function("tree/allocates")))[0]
	of := func(all []result.Summary, metric string) float64 {
		for _, s := range all {
			if s.Metric == metric {
				return s.Median
			}
		}
		return -1
	}
	for metric, want := range map[string][2]float64{"allocs": {0, 1}, "heap": {0, 112}, "throughput": {1e6, 1e6}} {
		if own, base := of(c.Metrics, metric), of(c.Pairs.Metrics, metric); !close1(own, want[0], 1e-3) || !close1(base, want[1], 1e-3) {
			t.Errorf("%s: %g against %g, want %v; failure %+v", metric, own, base, want, c.Failure)
		}
	}
}

// Both hosts are new for each launch: one side's is not started first more often than
// a coin would, and each has its own padding, whichever side it is.
func TestEachLaunchIsAFreshPairOfHosts(t *testing.T) {
	log := filepath.Join(t.TempDir(), "starts")
	t.Setenv(startsVariable, log)
	c := runTrees(t, against(function("tree/environment", func(c *spec.Case) { gated(c); c.Settings.MaxTime = spec.Duration(time.Hour) })),
		func(o *Options) { o.Steer = after(16) })[0]
	if c.Stop != "decided" || c.Launches != 16 {
		t.Fatalf("%d launches, stopped by %q, failure %+v", c.Launches, c.Stop, c.Failure)
	}
	pads := map[float64]bool{}
	for i, own := range c.Samples.Columns["time"] {
		base := c.Pairs.Samples.Columns["time"][i]
		if own < 1e-3 || own >= 1.0041e-3 || base < 1e-3 || base >= 1.0041e-3 {
			t.Fatalf("pair %d: %g and %g", i, own, base)
		}
		pads[own], pads[base] = true, true
	}
	if len(pads) < 28 { // of 32 drawn below 4096
		t.Errorf("%d lengths of padding in 16 launches", len(pads))
	}
	text, _ := os.ReadFile(log)
	starts := strings.Fields(string(text))
	first := 0
	for i := 0; i+1 < len(starts); i += 2 {
		if starts[i] == starts[i+1] {
			t.Fatalf("launch %d is of two hosts of one side: %v", i/2, starts)
		}
		if starts[i] == "old" {
			first++
		}
	}
	if len(starts) != 32 || first < 2 || first > 14 { // three standard deviations of coins that the seed decides
		t.Errorf("%d hosts; that of the base came first in %d launches", len(starts), first)
	}
}

func gated(c *spec.Case) { c.Gates = []spec.Gate{{ID: "tolerance@against"}} }

// always has the same answer for all gates.
type always struct{ open, decided int }

func (a always) Open(*result.Case) (open, decided int) { return a.open, a.decided }

// after decides the gates of a case after so many launches.
type after int

func (a after) Open(c *result.Case) (open, decided int) {
	if c.Launches < int(a) {
		return 1, 0
	}
	return 0, 1
}

// What ends a case of two trees: enough launches with a verdict; not target_time and not
// samples.min.
func TestLaunchesOfTwoTrees(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steer    Steerer
		change   func(*spec.Case)
		calls    int
		stop     string
		launches int
	}{
		"decided at once": {always{decided: 1}, gated, 1, "decided", 9},
		"decided late":    {after(12), gated, 1, "decided", 12},
		"without gates":   {always{}, gated, 1, "launches", 9},
		"of many calls":   {always{decided: 1}, gated, 100, "decided", 11},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := against(function("tree/step", test.change))
			plan.Calls, plan.Errors.Family = test.calls, 0.01
			c := runTrees(t, plan, func(o *Options) { o.Steer = test.steer })[0]
			if string(c.Stop) != test.stop || c.Launches != test.launches {
				t.Errorf("%d launches, stopped by %q, want %d and %q; failure %+v", c.Launches, c.Stop, test.launches, test.stop, c.Failure)
			}
		})
	}
}

// Batches that are long compared with the time of a case make launches of fewer
// pairs, not fewer launches.
func TestLongBatchesMakeShortLaunches(t *testing.T) {
	t.Parallel()
	c := runTrees(t, against(function("fake/1ms", func(c *spec.Case) {
		gated(c)
		c.Settings.MaxTime, c.Settings.Warmup = spec.Duration(300*time.Millisecond), 1
	})), func(o *Options) { o.Steer = always{open: 1} })[0]
	if c.Stop != "launches" && c.Stop != "max_time" || c.Launches < 20 || c.Samples.Len() > leastLaunchPairs*c.Launches+firstLaunchPairs {
		t.Errorf("%d pairs in %d launches, stopped by %q; failure %+v", c.Samples.Len(), c.Launches, c.Stop, c.Failure)
	}
}

// A base that fails is named, costs its own case alone, and the pairs up to then stay.
func TestABaseThatFailsInAnotherTreeIsNamed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	leaves := map[string]string{"tree/old leaves": "its base in main: panic: dirt"} // if no other case ends its host before
	for _, wanted := range []map[string]string{leaves, {
		"tree/old panics":     "its base in main: panic: the tape is torn",
		"tree/old exits":      "its base in main: the host process ended with exit status 0",
		"tree/old hangs":      "its base in main: no answer within the timeout of 1s",
		"tree/old interrupts": "its base in main: the host process was interrupted",
		"tree/old is not":     "its base in main: the host process ended with exit status 1",
	}} {
		warm := func(c *spec.Case) { c.Settings.Warmup = 1 }
		list := []spec.Case{function("tree/step", warm)}
		for _, name := range slices.Sorted(maps.Keys(wanted)) {
			list = append(list, function(name, warm))
		}
		plan := against(list...)
		for i := range list {
			if other := &list[i].Other.Case; other.Name == "tree/old hangs" { // the only one that has to be waited for
				other.Settings.Timeout = spec.Duration(time.Second)
			}
		}
		got := runTrees(t, plan)
		if c := &got[0]; c.Status != result.Measured || c.Launches < 9 {
			t.Errorf("the other case: %d launches, failure %+v", c.Launches, c.Failure)
		}
		for _, c := range got[1:] {
			if want := wanted[c.Name]; c.Failure == nil || !strings.HasPrefix(c.Failure.Message, want) || strings.Count(c.Failure.Message, "its base") != 1 {
				t.Errorf("%s: failure %+v, want %q", c.Name, c.Failure, want)
			}
			if c.Launches > 1 {
				t.Errorf("%s: it went on, for %d launches", c.Name, c.Launches)
			}
		}
	}
}

func TestABaseWithoutAHostIsNamed(t *testing.T) {
	plan := against(function("tree/step"), function("fake/1us"), function("fake/4ns"))
	got := runTrees(t, plan, func(o *Options) {
		o.HostOf = func(p *spec.Plan) []string {
			if p == plan.Other {
				return []string{"/no/such/host"}
			}
			return nil
		}
	})
	for _, c := range got {
		if f := c.Failure; f == nil || f.Cause != "missing" || !strings.HasPrefix(f.Message, "its base in main: the host process could not be started") {
			t.Errorf("%s: failure %+v", c.Name, f)
		}
	}
}

// Hooks and builds run in both trees, each in its own folder.
func TestBothTreesAreBuiltAndSetUp(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	ours, theirs := t.TempDir(), t.TempDir()
	say := func(word string) *spec.Hook { return &spec.Hook{Argv: []string{"sh", "-c", "echo " + word + " >>log"}} }
	plan := against(function("tree/step", func(c *spec.Case) { c.Cwd, c.Setup, c.Cleanup = ours, say("setup"), say("cleanup") }))
	plan.Build, plan.Dir, plan.Other.Build, plan.Other.Dir = say("build"), ours, say("build"), theirs
	plan.Cases[0].Other.Case.Cwd = theirs
	var built []string
	c := runTrees(t, plan, func(o *Options) { o.Built = func(p *spec.Plan) { built = append(built, p.Dir) } })[0]
	for _, dir := range []string{ours, theirs} {
		if text, _ := os.ReadFile(filepath.Join(dir, "log")); string(text) != "build\nsetup\ncleanup\n" {
			t.Errorf("in %s ran %q; failure %+v", dir, text, c.Failure)
		}
	}
	if !slices.Equal(built, []string{ours, theirs}) {
		t.Errorf("built %v", built)
	}
	if plan.Built || plan.Other.Built {
		t.Error("the run changed its plan")
	}
}

func TestHooksOfAnotherTreeThatFailAreNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for want, change := range map[string]func(*spec.Plan){
		"in main: build ended with":          func(p *spec.Plan) { p.Other.Build = &spec.Hook{Argv: []string{"false"}} },
		"its base in main: setup ended with": func(p *spec.Plan) { p.Cases[0].Other.Case.Setup = &spec.Hook{Argv: []string{"false"}} },
		"its base in main: cleanup ended":    func(p *spec.Plan) { p.Cases[0].Other.Case.Cleanup = &spec.Hook{Argv: []string{"false"}} },
	} {
		plan := against(function("tree/step"))
		plan.Other.Dir, plan.Cases[0].Other.Case.Cwd = dir, dir
		change(plan)
		if f := runTrees(t, plan)[0].Failure; f == nil || !strings.HasPrefix(f.Message, want) {
			t.Errorf("failure %+v, want %q", f, want)
		}
	}
}

// A command is started in the folder of its tree, and found there.
func TestCommandsOfTwoTreesRunInTheirFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	ours, theirs := t.TempDir(), t.TempDir()
	for dir, number := range map[string]string{ours: "1", theirs: "2"} {
		text := "#!/bin/sh\necho " + number + "\necho ${#" + wire.PaddingVariable + "} >>pads\nexit " + number + "\n"
		if err := os.WriteFile(filepath.Join(dir, "tool"), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	plan := against(program("tool", []string{"./tool"}, func(c *spec.Case) {
		c.Cwd, c.SameOutput = ours, true
	}))
	plan.Cases[0].ExitCodes, plan.Cases[0].Other.Case.ExitCodes = []int{1}, []int{2}
	plan.Cases[0].Other.Case.Cwd = theirs
	c := runTrees(t, plan)[0]
	if c.Status != result.Measured || len(c.Pairs.First) != 20 {
		t.Fatalf("%d pairs, failure %+v", len(c.Pairs.First), c.Failure)
	}
	for i := range c.Pairs.First {
		if own, base := c.Samples.Columns["exit_code"][i], c.Pairs.Samples.Columns["exit_code"][i]; own != 1 || base != 2 {
			t.Fatalf("pair %d: %g against %g", i, own, base)
		}
	}
	if id := c.Pairs.Identity; id == nil || id.Program != filepath.Join(theirs, "tool") || id.Binary == c.Identity.Binary {
		t.Errorf("identity of the base %+v", id)
	}
	for _, dir := range []string{ours, theirs} {
		text, _ := os.ReadFile(filepath.Join(dir, "pads"))
		pads := strings.Fields(string(text))
		slices.Sort(pads)
		if n := len(slices.Compact(pads)); n < 18 { // of 20 below 4096, and one run without a pair
			t.Errorf("%d lengths of padding: %v", n, pads)
		}
	}
}

// A case that vanished is an error, in addition to the cases that are measured.
func TestVanishedCasesAreErrors(t *testing.T) {
	t.Parallel()
	plan := against(function("tree/step"))
	plan.File = "test.yaml"
	plan.Against.Vanished = []string{"old/a", "old/b"}
	got := runTrees(t, plan)
	if len(got) != 3 || got[1].Name != "old/a" || got[2].Status != result.Failed || got[2].Failure.Cause != "vanished" {
		t.Fatalf("cases %+v", got)
	}
	if want := (diag.Place{File: "test.yaml", Line: 1, Col: 1}); got[1].Place != want {
		t.Errorf("place %v, want %v: a code quality report of GitLab needs a path", got[1].Place, want)
	}
}

// A case that is called otherwise in the other tree has nothing to do with the one that
// has that name here.
func TestARenamedCaseIsNotPairedWithItsNamesake(t *testing.T) {
	t.Parallel()
	plan := against(function("tree/step"), function("tree/step", named("x"), func(c *spec.Case) { c.Setup = &spec.Hook{Argv: []string{"false"}} }))
	plan.Cases[0].Other.Case.Name, plan.Cases[0].Counterpart.Name = "x", "x"
	got := runTrees(t, plan)
	if got[0].Status != result.Measured || got[0].Pairs.Base != "x" || got[1].Failure == nil {
		t.Errorf("failures %+v and %+v", got[0].Failure, got[1].Failure)
	}
}
