//go:build linux

package runner

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// faults are bodies that do what a benchmark must not do, with the expected report.
var faults = map[string]struct {
	loop  bench.Loop
	cause string
	words string
}{
	"goexit":          {func(int) { runtime.Goexit() }, "panic", "called runtime.Goexit"},
	"panic(nil)":      {func(int) { panic(nil) }, "panic", "nil"},
	"overflows":       {func(n int) { debug.SetMaxStack(1 << 16); depth = overflow(n) }, "panic", "runtime: goroutine stack exceeds"},
	"closes requests": {func(int) { syscall.Close(pipes()[0]) }, "protocol", "closed descriptor "},
	"closes answers":  {func(int) { syscall.Close(pipes()[1]) }, "protocol", "could not talk"},
	"closes and runs": {func(int) { syscall.Close(pipes()[1]); time.Sleep(time.Hour) }, "protocol", ""},
	"does not wait":   {func(int) { syscall.SetNonblock(pipes()[0], true) }, "protocol", "non-blocking"},
	"answers itself": {func(int) {
		wire.WriteMessage(os.NewFile(uintptr(must(syscall.Dup(pipes()[1]))), ""), wire.Response{})
	}, "protocol", "not asked for"},
	"writes everywhere": {func(int) {
		fmt.Println("noise on standard output")
		os.NewFile(uintptr(must(syscall.Dup(pipes()[1]))), "answers").WriteString("noise in the protocol")
	}, "protocol", ""},
	"answers wrongly": {func(int) {
		for seq := range 100 {
			wire.WriteMessage(os.NewFile(uintptr(must(syscall.Dup(pipes()[1]))), ""), wire.Response{Seq: seq})
		}
	}, "protocol", "broke the protocol"},
	"interrupts": {func(int) { syscall.Kill(os.Getpid(), syscall.SIGINT); time.Sleep(time.Millisecond) }, "signal", "interrupted"},
	"kills":      {func(int) { syscall.Kill(os.Getpid(), syscall.SIGKILL) }, "crash", "SIGKILL"},
	"exits 2":    {func(int) { os.Exit(2) }, "crash", "exit status 2"},
	"exits with a child": {func(int) {
		daemon := exec.Command("setsid", "sleep", "2.625") // found by this length; ends by itself
		daemon.Stderr = os.Stderr
		daemon.Start()
		os.Exit(0)
	}, "crash", "exit status 0"},
}

// pipes are the descriptors over which this host gets its requests and answers
// them. They are large numbers: who looks for them does it on purpose.
var pipes = sync.OnceValue(func() (fds []int) {
	for fd := 1024; fd < 1<<12; fd++ { // below, some may be inherited
		var stat syscall.Stat_t
		if syscall.Fstat(fd, &stat) == nil && stat.Mode&syscall.S_IFMT == syscall.S_IFIFO {
			fds = append(fds, fd)
		}
	}
	return fds
})

// depth keeps what overflow would return.
var depth int

//lint:ignore SA5007 a stack that overflows is what is tested
func overflow(n int) int { return overflow(n+1) + 1 }

func must(fd int, err error) int {
	if err != nil {
		panic(err)
	}
	return fd
}

func init() {
	for name, f := range faults {
		bench.Register(name, func(*bench.Case) bench.Loop { return f.loop })
	}
	bench.Register("goes through small descriptors", func(*bench.Case) bench.Loop {
		once := sync.OnceFunc(func() {
			var text [64]byte
			for fd := range 1024 {
				if syscall.SetNonblock(fd, true) == nil {
					_, _ = syscall.Read(fd, text[:])
				}
			}
		})
		return func(n int) {
			once()
			fake.Advance(int64(n) * 1000)
		}
	})
	bench.Register("logs a panic", func(*bench.Case) bench.Loop {
		return func(n int) {
			fmt.Fprintln(os.Stderr, "panic: of no matter")
			fake.Advance(int64(n) * 1000)
		}
	})
	bench.Register("leaves a bomb", func(*bench.Case) bench.Loop {
		batches := 0
		return func(n int) {
			if batches++; batches == 20 {
				go func() { time.Sleep(20 * time.Millisecond); panic("too late") }()
			}
			fake.Advance(int64(n) * 1000)
		}
	})
	bench.Register("exits late", func(*bench.Case) bench.Loop {
		batches := 0
		return func(n int) {
			if fake.Advance(int64(n) * 1000); batches == 60 {
				os.Exit(0)
			}
			batches++
		}
	})
	bench.Register("starts a process", func(c *bench.Case) bench.Loop {
		exec.Command("sleep", c.String("length")).Start()
		exec.Command("setsid", "sleep", c.String("length")).Start()
		return func(n int) { fake.Advance(int64(n) * 1000) }
	})
	bench.Register("cleans up badly", func(c *bench.Case) bench.Loop {
		c.Cleanup(func() { panic("dirt") })
		return func(n int) { fake.Advance(int64(n) * 1000) }
	})
	bench.Register("set-up exits", func(*bench.Case) bench.Loop { os.Exit(1); return nil })
	bench.Register("set-up hangs", func(*bench.Case) bench.Loop { select {} })
	bench.Register("cleanup exits", func(c *bench.Case) bench.Loop {
		c.Cleanup(func() { os.Exit(1) })
		return func(n int) { fake.Advance(int64(n) * 1000) }
	})
	bench.Register("cleanup hangs", func(c *bench.Case) bench.Loop {
		c.Cleanup(func() { select {} })
		return func(n int) { fake.Advance(int64(n) * 1000) }
	})
	bench.Register("exits at 1000", func(c *bench.Case) bench.Loop {
		return func(n int) {
			if fake.Advance(int64(n) * 1000); n == 1000 {
				os.Exit(1)
			}
		}
	})
	bench.Register("prints 100 MB", func(c *bench.Case) bench.Loop {
		text, left := make([]byte, 1<<20), 100
		return func(n int) {
			for ; left > 0; left-- {
				os.Stdout.Write(text)
				os.Stderr.Write(text)
			}
			fake.Advance(int64(n) * 1000)
		}
	})
	bench.Register("allocates 256 MiB", func(c *bench.Case) bench.Loop {
		return func(n int) {
			for range n {
				big = make([]byte, 1<<28)
				fake.Advance(1e6)
			}
		}
	})
}

var big []byte

// alive finds processes by their arguments.
func alive(t *testing.T, args ...string) (found bool) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		text, _ := os.ReadFile(path)
		found = found || strings.HasPrefix(string(text), strings.Join(args, "\x00")+"\x00")
	}
	return found
}

// gone waits for the end of processes that were killed a moment ago.
func gone(t *testing.T, args ...string) {
	t.Helper()
	for range 100 {
		if !alive(t, args...) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%q is left behind", args)
}

func TestWhateverABodyDoesItCostsItsOwnCase(t *testing.T) {
	soon := func(c *spec.Case) { c.Settings.Timeout = spec.Duration(5 * time.Second) }
	for name, want := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			got := runCases(t, context.Background(), "fake", function(name, soon), function("fake/1ms"))
			if f := got[0].Failure; f == nil || string(f.Cause) != want.cause || !strings.Contains(f.Message, want.words) {
				t.Errorf("failure %+v, want %s: %s", f, want.cause, want.words)
			}
			if got[1].Status != result.Measured || got[1].Summary("allocs") == nil {
				t.Errorf("the other case: %s, %+v", got[1].Status, got[1].Failure)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// The descriptors of the protocol are not among them.
func TestWhoGoesThroughSmallDescriptorsCostsNobody(t *testing.T) {
	const name = "goes through small descriptors"
	for _, c := range runCases(t, context.Background(), "fake", function("fake/4ns"), function("fake/1us"), function(name), function("fake/1ms")) {
		if c.Status != result.Measured {
			t.Errorf("%s: %s, %+v", c.Name, c.Status, c.Failure)
		}
	}
}

func TestHostsMayDieInEveryPhase(t *testing.T) {
	t.Parallel()
	soon := func(c *spec.Case) { c.Settings.Timeout = spec.Duration(700 * time.Millisecond) }
	fixed := func(c *spec.Case) { c.Settings.Batch = 2000 } // so that allocations are counted in batches of 1000
	want := map[string][2]string{
		"set-up exits": {"setup", "crash"}, "set-up hangs": {"setup", "timeout"}, "exits at 1000": {"run", "crash"},
		"cleanup exits": {"finish", "crash"}, "cleanup hangs": {"finish", "timeout"},
	}
	got := runCases(t, context.Background(), "fake", function("set-up exits"), function("set-up hangs", soon), function("exits at 1000", fixed),
		function("cleanup exits"), function("cleanup hangs", soon), function("fake/1ms"), function("prints 100 MB"))
	for _, c := range got {
		phase, bad := want[c.Name]
		switch f := c.Failure; {
		case bad && (f == nil || string(f.Phase) != phase[0] || string(f.Cause) != phase[1]):
			t.Errorf("%s: failure %+v, want a %s in %s", c.Name, f, phase[1], phase[0])
		case !bad && c.Status != result.Measured:
			t.Errorf("%s: failure %+v", c.Name, f)
		}
		if sampled := c.Samples.Len() > 0; bad && sampled == (phase[0] == "setup") {
			t.Errorf("%s: %d samples", c.Name, c.Samples.Len())
		}
	}
}

func TestRunsLeaveNothingOpen(t *testing.T) {
	once := func() {
		runCases(t, context.Background(), "fake", function("fake/1ms"), function("kills"), function("closes answers"), program("true", []string{"true"}))
	}
	open := func() (goroutines, files int) {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return runtime.NumGoroutine(), len(all)
	}
	once()
	goroutines, files := open()
	for range 3 {
		once()
	}
	for range 100 {
		if now, nowFiles := open(); now <= goroutines && nowFiles <= files {
			return
		}
		time.Sleep(10 * time.Millisecond) // the last of them end after their host
	}
	now, nowFiles := open()
	t.Errorf("%d goroutines and %d files are left of %d and %d", now, nowFiles, goroutines, files)
}

func TestGoexitOnOneOfManyGoroutinesIsSeen(t *testing.T) {
	many := func(c *spec.Case) { c.Settings.Parallel = 3 }
	got := runCases(t, context.Background(), "fake", function("goexit", many))[0]
	if f := got.Failure; f == nil || !strings.Contains(f.Message, "called runtime.Goexit") {
		t.Errorf("failure %+v", f)
	}
}

func TestWordsOfOtherCasesAreNoReason(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("logs a panic"), function("exits 2"))
	if f := got[1].Failure; f == nil || f.Cause != "crash" || strings.Contains(f.Detail, "of no matter") {
		t.Errorf("failure %+v, want exit status 2", f)
	}
}

func TestAHostThatDiesIdleCostsTheCaseThatRanLast(t *testing.T) {
	w, done := fakeWindow(t, function("leaves a bomb"), function("fake/1ms"))
	defer done()
	bomb, other := w.rig.tracks[0], w.rig.tracks[1]
	ctx := context.Background()
	w.begin(ctx, other)
	w.begin(ctx, bomb)
	for range 3 {
		w.turn(ctx, bomb)
	}
	<-w.rig.hosts.running[bomb.own.kind()].Ended()
	for first := true; first || !other.done; first = false {
		w.turn(ctx, other)
	}
	if f := bomb.result.Failure; f == nil || f.Cause != "panic" || f.Message != "panic: too late" {
		t.Errorf("failure %+v", f)
	}
	if other.result.Failure != nil || other.result.Stop != "target_time" {
		t.Errorf("the other case: %+v", other.result.Failure)
	}
}

// fakeWindow is a window of cases with the fake clock.
func fakeWindow(t *testing.T, list ...spec.Case) (w *window, done func()) {
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: list}
	r := newRun(Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake")})
	w = newWindow(newRig(r, plan, 0))
	for i := range plan.Cases {
		w.rig.tracks = append(w.rig.tracks, newTrack(plan, &plan.Cases[i]))
	}
	return w, func() {
		for _, r := range w.rig.hosts.running {
			r.Quit()
		}
	}
}

func TestACrashOfAnotherCaseCostsNoAllocations(t *testing.T) {
	few := func(c *spec.Case) { c.Settings.SamplesMax = 20 }
	got := runCases(t, context.Background(), "fake", function("fake/4ns", few), function("exits late"))
	if got[1].Failure == nil || got[0].Status != result.Measured || got[0].Summary("allocs") == nil {
		t.Errorf("status %s, allocations %+v, the other: %+v", got[0].Status, got[0].Summary("allocs"), got[1].Failure)
	}
	if got[0].Launches != 1 {
		t.Errorf("samples came from %d launches, want 1", got[0].Launches)
	}
}

func TestALaterLaunchIsMeasuredLikeTheFirst(t *testing.T) {
	many := func(c *spec.Case) { c.Settings.TargetTime = spec.Duration(200 * time.Millisecond) }
	long := func(c *spec.Case) {
		c.Settings.SampleTime, c.Settings.TargetTime, c.Settings.MaxTime = spec.Duration(8*time.Millisecond), spec.Duration(time.Second), spec.Duration(10*time.Second)
	}
	got := runCases(t, context.Background(), "fake", function("fake/1ms", long), function("exits late", many))
	if got[1].Failure == nil || got[0].Launches != 2 || got[0].Failure != nil {
		t.Fatalf("%d launches, failures %+v and %+v", got[0].Launches, got[0].Failure, got[1].Failure)
	}
	// The waiting of long batches is read in each of them.
	if s := got[0].Samples; len(s.Columns["wait"]) != s.Len() {
		t.Errorf("%d of %d samples know what they waited", len(s.Columns["wait"]), s.Len())
	}
}

func TestProcessesOfABodyDoNotOutliveTheRun(t *testing.T) {
	length := func(c *spec.Case) { c.Params = []spec.Param{param("length", "4711.25")} }
	if got := runCases(t, context.Background(), "fake", function("starts a process", length))[0]; got.Status != result.Measured {
		t.Fatalf("failure %+v", got.Failure)
	}
	gone(t, "sleep", "4711.25")
}

func TestACleanupThatPanicsIsTold(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("cleans up badly"))[0]
	if f := got.Failure; f == nil || f.Phase != "finish" || f.Message != "panic: dirt" || got.Samples.Len() == 0 {
		t.Errorf("failure %+v with %d samples", f, got.Samples.Len())
	}
}

func TestBodiesThatAllocateMuchAreMeasured(t *testing.T) {
	t.Parallel()
	few := func(gc string) func(c *spec.Case) {
		return func(c *spec.Case) { c.Name, c.Settings.GC, c.Settings.SamplesMax, c.Settings.SamplesMin = gc, gc, 3, 1 }
	}
	for _, c := range runCases(t, context.Background(), "fake", function("allocates 256 MiB", few("on")), function("allocates 256 MiB", few("between"))) {
		if heap := c.Summary("heap"); c.Status != result.Measured || heap == nil || heap.Median < 1<<28 {
			t.Errorf("gc %s: %s, %+v, heap %+v", c.Name, c.Status, c.Failure, heap)
		}
	}
}

func TestAProgramThatIsNoHostFailsSoon(t *testing.T) {
	dir := t.TempDir()
	var list []spec.Case
	for i := range 20 {
		list = append(list, function(fmt.Sprint(i)), program(fmt.Sprint("command ", i), []string{"true"}))
	}
	doc := Run(context.Background(), []*spec.Plan{{Suite: "test", Dir: dir, Cases: list}},
		Options{Host: []string{"sh", "-c", "echo hello; echo x >>" + dir + "/started; exit 0"}})
	for _, c := range doc.Cases {
		if f := c.Failure; f == nil || f.Phase != "start" || f.Hint != "is this program a host of suite?" || !strings.Contains(f.Message, "exit status 0") {
			t.Errorf("%s: failure %+v", c.Name, f)
		}
	}
	if started, _ := os.ReadFile(dir + "/started"); len(started) != 2*2*launchTries {
		t.Errorf("it was started %d times for 40 cases of two kinds", len(started)/2)
	}
	for _, argv := range [][]string{{"sh", "-c", "exit 0"}, {dir + "/none"}} {
		r, err := client.Launch(argv, "", nil, nil, nil)
		if err != nil {
			continue
		}
		if answer, failure := r.Call(context.Background(), &wire.Request{Op: "calibrate"}, client.Grace); failure == nil {
			t.Errorf("%q is a host and answers %+v", argv, answer)
		}
	}
}

func TestAHostThatDoesNotReadIsGivenUp(t *testing.T) {
	t.Parallel()
	r, err := client.Launch([]string{"sleep", "4716.25"}, "", nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	long := &wire.Request{Op: "prepare", Command: &wire.Command{Env: []string{strings.Repeat("x", 1<<20)}}}
	if _, failure := r.Call(context.Background(), long, 200*time.Millisecond); failure == nil || failure.Cause != "timeout" {
		t.Errorf("failure %+v", failure)
	}
	gone(t, "sleep", "4716.25")
}

func TestInterruptsEndEveryPhase(t *testing.T) {
	t.Parallel()
	sleeps := func(length string) *spec.Hook { return &spec.Hook{Argv: []string{"sleep", length}} }
	setup := function("fake/1ms", func(c *spec.Case) { c.Cwd, c.Setup = os.TempDir(), sleeps("4712.25") })
	prepare := program("prepare", []string{"true"}, func(c *spec.Case) { c.Prepare = sleeps("4713.25") })
	tree := program("tree", []string{"sh", "-c", "setsid sleep 4714.25 & sleep 4714.25"})
	warmup := function("slow", func(c *spec.Case) {
		c.Settings.Warmup = spec.Duration(time.Hour)
		c.Settings.MaxTime = c.Settings.Warmup
	})
	for name, plan := range map[string]*spec.Plan{
		"build": {Build: sleeps("4715.25"), Dir: os.TempDir(), Cases: []spec.Case{function("fake/1ms")}},
		"setup": {Cases: []spec.Case{setup, function("fake/4ns")}}, "prepare": {Cases: []spec.Case{prepare}},
		"run": {Cases: []spec.Case{tree}}, "warmup": {Cases: []spec.Case{warmup}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
			defer cancel()
			plan.Suite = "test"
			start := time.Now()
			for _, c := range Run(ctx, []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "real")}).Cases {
				if c.Status != result.NotRun || c.Stop != "interrupted" || c.Failure != nil {
					t.Errorf("%s: status %s, stop %q, failure %+v", c.Name, c.Status, c.Stop, c.Failure)
				}
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	t.Cleanup(func() { // after the parallel ones
		for _, length := range []string{"4712.25", "4713.25", "4714.25", "4715.25"} {
			gone(t, "sleep", length)
		}
	})
}
