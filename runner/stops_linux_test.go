package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/orphan"
	"example.com/suite/result"
	"example.com/suite/runner/host"
	"example.com/suite/runner/process"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
)

// stopsItself writes its pid into the file of the parameter and stops.
func stopsItself(file string) {
	os.WriteFile(file, []byte(fmt.Sprint(os.Getpid(), " ")), 0o666)
	syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	time.Sleep(20 * time.Millisecond) // another thread may take the signal, a little later
}

func init() {
	bench.Register("stops at 20", func(c *bench.Case) bench.Loop {
		batches, file := 0, c.String("file")
		return func(n int) {
			if batches++; batches == 20 {
				stopsItself(file)
			}
			fake.Advance(1e6 * int64(n))
			time.Sleep(time.Microsecond) // the real clock moves as well
		}
	})
	bench.Register("stops in its warm-up", func(c *bench.Case) bench.Loop {
		searches, file := 0, c.String("file")
		return func(n int) {
			if n == 1 { // so begins a search for n
				if searches++; searches == 1 {
					stopsItself(file)
				} else {
					os.WriteFile(file+".again", nil, 0o666)
				}
			}
			fake.Advance(4 * int64(n))
		}
	})
}

// continues lets the process go on that has written its pid into a file and is
// stopped, after some time.
func continues(t *testing.T, file string, after time.Duration) (done chan struct{}) {
	t.Helper()
	done = make(chan struct{})
	go func() {
		defer close(done)
		for begun := time.Now(); time.Since(begun) < 30*time.Second; time.Sleep(time.Millisecond) {
			text, _ := os.ReadFile(file)
			word, _, whole := strings.Cut(string(text), " ")
			if pid, err := strconv.Atoi(word); whole && err == nil && orphan.State(pid) == 'T' {
				time.Sleep(after)
				syscall.Kill(pid, syscall.SIGCONT)
				return
			}
		}
		t.Error("nothing has stopped")
	}()
	return done
}

// stopped counts the samples that are marked as stopped, and finds the longest time
// of a whole batch among them.
func stopped(c *result.Case) (n int, longest time.Duration) {
	for _, d := range c.Samples.Disturbed {
		if d.Cause == result.Stopped {
			n++
			longest = max(longest, time.Duration(c.Samples.Columns["wall"][d.Index]*float64(c.Iterations)*1e9))
		}
	}
	return n, longest
}

func hasWarning(c *result.Case, code result.WarningCode) bool {
	for _, w := range c.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

func TestTheBatchOfAStoppedHostIsMarked(t *testing.T) {
	for _, machine := range []string{"fake", "real"} {
		t.Run(machine, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			with := func(c *spec.Case) {
				c.Params, c.Settings.Batch = []spec.Param{param("file", file)}, 10
				c.Settings.Warmup, c.Settings.SamplesMin, c.Settings.SamplesMax = spec.Duration(time.Microsecond), 40, 40
				c.Settings.TargetTime, c.Settings.MaxTime = spec.Duration(time.Minute), spec.Duration(time.Minute)
			}
			done := continues(t, file, 50*time.Millisecond)
			got := runCases(t, context.Background(), machine, function("stops at 20", with), function("fake/1ms"))
			<-done
			n, longest := stopped(&got[0])
			switch {
			case got[0].Status != result.Measured || n == 0 || n > sample.BlockSize:
				t.Errorf("status %s, %d samples are marked as stopped, failure %+v", got[0].Status, n, got[0].Failure)
			case machine == "real" && longest < 50*time.Millisecond:
				t.Errorf("the longest of them took %v, less than the stop", longest)
			case !hasWarning(&got[0], "stopped"):
				t.Errorf("nothing is said of it: %+v", got[0].Warnings)
			}
			if n, _ := stopped(&got[1]); n > 0 {
				t.Errorf("%d samples of the other case are marked", n)
			}
		})
	}
}

func TestAStoppedCommandIsMarked(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pid")
	text := fmt.Sprintf("cd %s; if ! test -e pid; then echo $$ '' >pid; kill -STOP $$; fi", dir)
	done := continues(t, file, 50*time.Millisecond)
	got := runCases(t, context.Background(), "real", program("sh", []string{"sh", "-c", text}))
	<-done
	if n, longest := stopped(&got[0]); n != 1 || longest < 50*time.Millisecond || got[0].Samples.Len() < 3 {
		t.Errorf("%d of %d samples are marked, the longest took %v; failure %+v", n, got[0].Samples.Len(), longest, got[0].Failure)
	}
}

func TestASearchDuringAStopIsMadeAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	with := func(c *spec.Case) { c.Params = []spec.Param{param("file", file)} }
	done := continues(t, file, 0)
	got := runCases(t, context.Background(), "fake", function("stops in its warm-up", with))
	<-done
	if _, err := os.Stat(file + ".again"); err != nil || got[0].Status != result.Measured {
		t.Errorf("status %s, failure %+v, %v", got[0].Status, got[0].Failure, err)
	}
	if n, _ := stopped(&got[0]); n > 0 {
		t.Errorf("%d samples are marked for a stop before them", n)
	}
}

func TestAHostThatIsNotContinuedSaysSo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	with := func(c *spec.Case) {
		c.Params, c.Settings.Timeout = []spec.Param{param("file", file)}, spec.Duration(300*time.Millisecond)
	}
	got := runCases(t, context.Background(), "fake", function("stops at 20", with), function("fake/1ms"))
	if f := got[0].Failure; f == nil || f.Cause != "timeout" || !strings.Contains(f.Message, "stopped") {
		t.Errorf("failure %+v", f)
	}
	if got[1].Status != result.Measured {
		t.Errorf("the other case: %+v", got[1].Failure)
	}
}

// begun runs a plan in the background and waits until its command has written a
// file.
func begun(t *testing.T, ctx context.Context, plan *spec.Plan, ready string) (processes *process.Set, finished chan *result.Document) {
	t.Helper()
	processes, finished = &process.Set{}, make(chan *result.Document, 1)
	go func() {
		finished <- Run(ctx, []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "real"), Processes: processes})
	}()
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(ready); err == nil {
			return processes, finished
		}
		if time.Since(start) > 30*time.Second {
			t.Fatal("nothing was started")
		}
	}
}

// A tree with all that makes one hard to kill: a daemon of its own session, and
// signals ignored.
const tree = "trap '' HUP INT TERM; setsid sleep %[1]s & sleep %[1]s & touch %[2]s; while :; do sleep 0.01; done"

func TestKillEndsEverythingAtOnce(t *testing.T) {
	dir := t.TempDir()
	ready := filepath.Join(dir, "ready")
	touch := &spec.Hook{Argv: []string{"touch", filepath.Join(dir, "cleaned")}}
	loop := program("tree", []string{"sh", "-c", fmt.Sprintf(tree, "4720.25", ready)}, func(c *spec.Case) { c.Cleanup, c.Cwd = touch, dir })
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	processes, finished := begun(t, ctx, &spec.Plan{Suite: "test", Dir: dir, Cases: []spec.Case{function("fake/1ms"), loop}}, ready)
	cancel()
	start := time.Now()
	processes.Kill()
	doc := <-finished
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	gone(t, "sleep", "4720.25")
	c := doc.Cases[1]
	if c.Status != result.NotRun || c.Stop != "interrupted" || c.Failure != nil || !hasWarning(&c, "no-cleanup") {
		t.Errorf("status %s, stop %q, failure %+v, warnings %+v", c.Status, c.Stop, c.Failure, c.Warnings)
	}
	if f := doc.Cases[0].Failure; f != nil {
		t.Errorf("the other case is blamed: %+v", f)
	}
	if _, err := os.Stat(touch.Argv[1]); err == nil {
		t.Error("a clean-up was begun")
	}
}

func TestNothingIsStartedBehindAKill(t *testing.T) {
	dir := t.TempDir()
	processes := &process.Set{}
	processes.Kill()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	doc := Run(ctx, []*spec.Plan{{Suite: "test", Dir: dir, Cases: []spec.Case{function("fake/1ms")}}}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"), Processes: processes})
	if c := doc.Cases[0]; c.Status != result.NotRun || c.Failure != nil {
		t.Errorf("status %s, failure %+v", c.Status, c.Failure)
	}
}

// A pause is longer than the timeout of a run.
func TestAPauseStopsTheWholeTreeAndSpoilsNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ready, goOn := filepath.Join(dir, "ready"), filepath.Join(dir, "go")
	waits := program("waits", []string{"sh", "-c", fmt.Sprintf("touch %s; while ! test -e %s; do sleep 0.001; done", ready, goOn)}, func(c *spec.Case) {
		c.Settings.SamplesMin, c.Settings.Timeout = 3, spec.Duration(time.Second)
	})
	plan := &spec.Plan{Suite: "test", Dir: dir, Cases: []spec.Case{waits}}
	processes, finished := begun(t, context.Background(), plan, ready)
	processes.Pause()
	all := orphan.Descendants(processes.PIDs())
	if len(all) < 2 { // the host and its command
		t.Errorf("only %d processes", len(all))
	}
	for _, pid := range all {
		if s := orphan.State(pid); !strings.ContainsRune("TDZ\x00", rune(s)) { // D: a parent in vfork, whose child is stopped
			t.Errorf("process %d is in state %c", pid, s)
		}
	}
	os.WriteFile(goOn, nil, 0o666)
	time.Sleep(1700 * time.Millisecond) // longer than the timeout and what a deadline is late
	if pause := processes.Resume(); pause < 1700*time.Millisecond {
		t.Errorf("a pause of %v", pause)
	}
	c := (<-finished).Cases[0]
	if n, _ := stopped(&c); c.Status != result.Measured || n != 1 || c.Samples.Len() < 3 {
		t.Errorf("status %s, %d of %d samples are marked, failure %+v", c.Status, n, c.Samples.Len(), c.Failure)
	}
}
