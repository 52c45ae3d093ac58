//go:build linux

package host

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/spawner"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// commander is a host for commands on this machine.
//
// It belongs to the thread of the test, as New asks: events count the children of the thread
// that opens them, so a run that is started by another thread would count nothing.
func commander(t testing.TB) *Host {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	h := New(Real())
	t.Cleanup(h.kit.starter.Leave)
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindCommand})
	return h
}

// script is a command that a shell runs, in a folder of its own.
func script(t testing.TB, text string, change ...func(*wire.Command)) wire.Command {
	c := wire.Command{Argv: []string{"sh", "-c", text}, Dir: t.TempDir(), ExitCodes: []int{0}, Timeout: 20 * second}
	for _, f := range change {
		f(&c)
	}
	return c
}

// times runs a command count times, and returns the response to that or to its
// prepare.
func times(t testing.TB, h *Host, c wire.Command, count int) *wire.Response {
	t.Helper()
	prepared := h.answer(&wire.Request{Op: "prepare", Command: &c})
	if prepared.Failure != nil {
		return prepared
	}
	r := wire.Request{Op: "run", Limit: 100 * second}
	for range count {
		r.Batches = append(r.Batches, wire.Batch{ID: prepared.Prepared.ID, N: 1})
	}
	response := h.answer(&r)
	ask(t, h, wire.Request{Op: "finish", ID: prepared.Prepared.ID})
	if left := grandchildren(t); len(left) > 0 {
		t.Errorf("processes %v are left behind", left)
	}
	return response
}

// children are the children of all threads of this process.
func children() (pids []int) {
	lists, _ := filepath.Glob("/proc/self/task/*/children") // the pattern is well formed
	for _, list := range lists {
		text, _ := os.ReadFile(list) // gone: then the thread has ended
		for _, field := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(field)
			pids = append(pids, pid)
		}
	}
	return pids
}

// grandchildren are the children of this test and of its spawners, those
// spawners left out.
func grandchildren(t testing.TB) (pids []int) {
	t.Helper()
	for _, child := range children() {
		dir := "/proc/" + strconv.Itoa(child)
		if comm, _ := os.ReadFile(dir + "/comm"); strings.TrimSpace(string(comm)) != spawner.Name {
			pids = append(pids, child)
			continue
		}
		list, _ := os.ReadFile(dir + "/task/" + strconv.Itoa(child) + "/children") // gone: then it has none
		for _, field := range strings.Fields(string(list)) {
			pid, _ := strconv.Atoi(field)
			pids = append(pids, pid)
		}
	}
	return pids
}

func text(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEveryColumnOfARunIsThere(t *testing.T) {
	got := times(t, commander(t), script(t, "exit 0"), 3)
	if got.Failure != nil {
		t.Fatal(got.Failure)
	}
	for _, name := range []string{"time", "wall", "cpu", "user", "system", "wait", "rss", "faults", "major_faults", "read_bytes",
		"written_bytes", "voluntary", "switches", "exit_code"} {
		if c := got.Readings.Columns[name]; len(c) != 3 {
			t.Errorf("column %s = %v, want three rows", name, c)
		}
	}
	for _, name := range []string{"time", "wall", "cpu", "rss", "faults"} {
		if c := got.Readings.Columns[name]; len(c) > 0 && c[0] <= 0 {
			t.Errorf("column %s = %v, want it above 0", name, c)
		}
	}
	if rss, peak := got.Readings.Columns["rss"][2], got.Readings.Peak; rss < peak*9/10 || peak <= 0 {
		t.Errorf("peak memory %d of a child and %d of what started it", rss, peak)
	}
	if got.Readings.Waited != nil {
		t.Errorf("waited %d", *got.Readings.Waited)
	}
}

func TestCommandsAreTimedByTheirCPUTimeWhereAClockOfThatWasChosen(t *testing.T) {
	for _, clock := range []string{"wall", timer.StdcClock, timer.ProcessCPU} {
		h := New(Real())
		t.Cleanup(h.kit.starter.Leave)
		ask(t, h, wire.Request{Op: "hello", Kind: wire.KindCommand, Clock: []string{clock}})
		got := times(t, h, script(t, "sleep 0.1"), 1)
		if got.Failure != nil {
			t.Fatal(got.Failure)
		}
		c, want := got.Readings.Columns, "cpu"
		if clock == "wall" {
			want = "wall"
		}
		if c["time"][0] != c[want][0] || c["wall"][0] < 100*ms {
			t.Errorf("%s: time %d, want %s of %d ns wall and %d ns CPU time", clock, c["time"][0], want, c["wall"][0], c["cpu"][0])
		}
	}
}

func TestWhatProcessesOfARunWaitIsNotKnown(t *testing.T) {
	got := times(t, commander(t), script(t, "head -c 30000000 /dev/zero | sha256sum; true"), 1)
	if c, there := got.Readings.Columns["wait"]; there {
		t.Errorf("wait = %v for a run whose children did the work", c)
	}
}

func TestExitStatusesAreJudged(t *testing.T) {
	h := commander(t)
	allow := func(c *wire.Command) { c.ExitCodes = []int{3} }
	if got := times(t, h, script(t, "exit 3", allow), 2); got.Failure != nil || got.Readings.Columns["exit_code"][1] != 3 {
		t.Errorf("an allowed exit status: %+v", got.Failure)
	}
	got := times(t, h, script(t, "echo why not >&2; exit 3"), 2).Failure
	if got == nil || got.Cause != "exit" || *got.Exit != 3 || got.Detail != "why not" || got.Batch != 1 {
		t.Errorf("failure %+v", got)
	}
	got = times(t, h, script(t, "kill -9 $$"), 1).Failure
	if got == nil || got.Cause != "signal" || got.Signal != "SIGKILL" {
		t.Errorf("failure %+v", got)
	}
	got = times(t, h, script(t, "kill -40 $$"), 1).Failure
	if got == nil || got.Cause != "signal" || got.Signal != "SIGRTMIN+6" || got.Message != "ended by signal SIGRTMIN+6" {
		t.Errorf("failure %+v", got)
	}
}

func TestATimeoutEndsWhateverTheRunDoes(t *testing.T) {
	soon := func(c *wire.Command) { c.Timeout = 100 * ms }
	for _, what := range []string{"sleep 60", "kill -STOP $$", "trap '' TERM INT HUP; sleep 60; sleep 60", "setsid sleep 60 & sleep 60"} {
		got := times(t, commander(t), script(t, what, soon), 1)
		if !timedOut(got) || got.Readings.Columns["wall"][0] != 100*ms {
			t.Errorf("%s: failure %+v, readings %+v", what, got.Failure, got.Readings)
		}
	}
}

func TestProcessesLeftBehindAreKilledAndCountedOnce(t *testing.T) {
	const ready = " while ! test -f ready; do sleep 0.01; done; rm ready; exit 0"
	for what, want := range map[string]int{
		"true":                         0,
		"sleep 60 & exit 0":            1,
		"sleep 60 & sleep 60 & exit 0": 2,
		"setsid sh -c 'echo > ready; exec sleep 60' &" + ready: 1,
		"sh -c 'sleep 60 & echo > ready; wait' &" + ready:      2, // one of them is a grandchild
		"sleep 60 </dev/zero >&2 & exec >&-; exit 0":           1,
		"(exit 0) & wait; exit 0":                              0,
	} {
		got := times(t, commander(t), script(t, what), 3)
		if got.Failure != nil || got.Readings.Leaked != 3*want {
			t.Errorf("%s: %d leaked in three runs, want %d; failure %+v", what, got.Readings.Leaked, 3*want, got.Failure)
		}
	}
}

func TestEachRunBeginsWithTheSameFiles(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	files := func(c *wire.Command) { c.Stdin, c.Stdout = in, out }
	if err := os.WriteFile(in, []byte("one\ntwo\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := times(t, commander(t), script(t, "cat", files), 3); got.Failure != nil || text(t, out) != "one\ntwo\n" {
		t.Errorf("it wrote %q, failure %+v", text(t, out), got.Failure)
	}
}

func TestHooksMayMakeTheFilesOfARun(t *testing.T) {
	dir := t.TempDir()
	c := script(t, "cat", func(c *wire.Command) {
		c.Dir, c.Stdin, c.Stdout = dir, filepath.Join(dir, "in"), filepath.Join(dir, "out")
		c.Prepare = []string{"sh", "-c", "rm -f out; echo fresh > tmp; mv tmp in"}
		c.Conclude = []string{"sh", "-c", "test -s out && cat out >> all"}
	})
	if got := times(t, commander(t), c, 3); got.Failure != nil || text(t, filepath.Join(dir, "all")) != "fresh\nfresh\nfresh\n" {
		t.Errorf("failure %+v", got.Failure)
	}
}

func TestFilesThatCannotServeAreRefusedBeforeTheFirstRun(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*wire.Command){
		"stdin \"" + dir + "\" is a folder":                          func(c *wire.Command) { c.Stdin = dir },
		"stdin \"" + pipe + "\" is a pipe":                           func(c *wire.Command) { c.Stdin = pipe },
		"stdout \"" + pipe + "\" is a pipe":                          func(c *wire.Command) { c.Stdout = pipe },
		"stdin \"" + dir + "/none\": no such file or directory":      func(c *wire.Command) { c.Stdin = dir + "/none" },
		"stdout \"" + dir + "/none/out\": no such file or directory": func(c *wire.Command) { c.Stdout = dir + "/none/out" },
	} {
		before := descriptors(t)
		got := times(t, commander(t), script(t, "exit 0", change), 1).Failure
		if got == nil || got.Phase != "setup" || !strings.HasPrefix(got.Message, want) {
			t.Errorf("failure %+v, want %s", got, want)
		}
		if after := descriptors(t); after > before+1 { // the clock of a host keeps one
			t.Errorf("%s: %d descriptors, %d before", want, after, before)
		}
	}
}

func descriptors(t testing.TB) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestDevicesServeAsFiles(t *testing.T) {
	device := func(c *wire.Command) { c.Stdin, c.Stdout = "/dev/zero", "/dev/null" }
	if got := times(t, commander(t), script(t, "head -c 10", device), 2); got.Failure != nil {
		t.Errorf("failure %+v", got.Failure)
	}
}

func TestTheEnvironmentOfASuiteWins(t *testing.T) {
	t.Setenv("SUITE_TEST_WORD", "outside")
	c := script(t, "", func(c *wire.Command) {
		c.Argv, c.Env = []string{"printenv", "SUITE_TEST_WORD", "PWD"}, []string{"SUITE_TEST_WORD=first", "SUITE_TEST_WORD=last"}
		c.Stdout = filepath.Join(c.Dir, "out")
	})
	if got := times(t, commander(t), c, 1); got.Failure != nil || text(t, c.Stdout) != "last\n"+c.Dir+"\n" {
		t.Errorf("it saw %q, failure %+v", text(t, c.Stdout), got.Failure)
	}
}

func TestProgramsThatCannotBeStartedSayWhy(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"plain": 0o666, "headless": 0o777} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("echo hello\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for want, argv := range map[string][]string{
		`program "no-such-program" is not found in PATH`: {"no-such-program"},
		`program "" is not found in PATH`:                {""},
		`program "./none" does not exist`:                {"./none"},
		`program "./plain" is not executable`:            {"./plain"},
		`program "` + dir + `" is a folder`:              {dir},
		"a script has to begin with #!":                  {"./headless"},
		"could not be started: invalid argument":         {"true", "a\x00b"},
		"prepare needs a function or a command":          {},
	} {
		got := times(t, commander(t), script(t, "", func(c *wire.Command) { c.Argv, c.Dir = argv, dir }), 1).Failure
		if got == nil || !strings.Contains(got.Message, want) {
			t.Errorf("%q: failure %+v, want %s", argv, got, want)
		}
	}
	got := times(t, commander(t), script(t, "", func(c *wire.Command) { c.Dir = dir + "/gone" }), 1).Failure
	if got == nil || !strings.Contains(got.Message, "working folder") {
		t.Errorf("failure %+v, want the folder", got)
	}
}

func TestHooksAreNotTimed(t *testing.T) {
	const nap = 200 * ms
	c := script(t, "exit 0", func(c *wire.Command) { c.Prepare, c.Conclude = []string{"sleep", "0.1"}, []string{"sleep", "0.1"} })
	got := times(t, commander(t), c, 1)
	if got.Failure != nil || got.Readings.Columns["wall"][0] > got.Readings.Elapsed-nap {
		t.Errorf("a run of %v in a request of %v with hooks of %v; failure %+v",
			time.Duration(got.Readings.Columns["wall"][0]), time.Duration(got.Readings.Elapsed), time.Duration(nap), got.Failure)
	}
}

func TestAHookThatFailsShowsItsOwnWords(t *testing.T) {
	for phase, change := range map[wire.Phase]func(*wire.Command, []string){
		"prepare":  func(c *wire.Command, argv []string) { c.Prepare = argv },
		"conclude": func(c *wire.Command, argv []string) { c.Conclude = argv },
	} {
		c := script(t, "echo of the run >&2", func(c *wire.Command) { change(c, []string{"sh", "-c", "echo of the hook; exit 4"}) })
		got := times(t, commander(t), c, 1).Failure
		if got == nil || got.Phase != phase || *got.Exit != 4 || got.Detail != "of the hook" {
			t.Errorf("failure %+v", got)
		}
		c = script(t, "true", func(c *wire.Command) { c.Timeout = 100 * ms; change(c, []string{"sleep", "60"}) })
		if got := times(t, commander(t), c, 1).Failure; got == nil || got.Phase != phase || got.Cause != "timeout" {
			t.Errorf("failure %+v", got)
		}
	}
}

func TestManyWordsOnStandardErrorLeaveOnlyTheLast(t *testing.T) {
	c := script(t, "head -c 5000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo the end >&2; exit 1")
	got := times(t, commander(t), c, 1).Failure
	if got == nil || len(got.Detail) > scratch.MostTail || !strings.HasSuffix(got.Detail, "x\nthe end") {
		t.Errorf("a detail of %d bytes", len(got.Detail))
	}
}

// A run that the machine knows is not started, and is timed as one that was.
func TestAKnownRunIsNotStarted(t *testing.T) {
	h, c := commander(t), script(t, "echo run >>runs")
	first := times(t, h, c, 1).Readings.Columns["time"][0]
	h.kit.machine.Known = func(job *spawn.Job) (spawn.Run, bool) {
		r := spawn.NewRun()
		r.Wall = first + 7
		return r, strings.Contains(job.Argv[2], "runs")
	}
	got := times(t, h, c, 3)
	text, err := os.ReadFile(filepath.Join(c.Dir, "runs"))
	if string(text) != "run\n" || err != nil {
		t.Errorf("a known run was started: %q, %v", text, err)
	}
	if want := slices.Repeat([]int64{first + 7}, 3); !slices.Equal(got.Readings.Columns["time"], want) {
		t.Errorf("walls %v, want %v", got.Readings.Columns["time"], want)
	}
}

func TestTheFloorIsMeasured(t *testing.T) {
	floor := ask(t, commander(t), wire.Request{Op: "calibrate"}).Costs.Floor
	if floor == nil || floor.Time <= 0 || floor.Wait < 0 || floor.RSS <= 0 {
		t.Fatalf("floor %+v", floor)
	}
	own := runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")
	if own != (floor.Program == wire.OwnFloor) || !own && filepath.Base(floor.Program) != "true" {
		t.Errorf("floor %+v", floor)
	}
	if floor := ask(t, commander(t), wire.Request{Op: "calibrate", Traced: true}).Costs.Floor; floor != nil {
		t.Errorf("a traced host has run %s", floor.Program)
	}
}

func TestAWarmUpMayBeANumberOfRuns(t *testing.T) {
	h := commander(t)
	for _, test := range []struct {
		runs  int
		limit int64
		want  int
	}{{3, 20 * second, 3}, {3, 1, 1}, {0, second, 0}} {
		c := script(t, "exit 0", func(c *wire.Command) { c.WarmupBatches = test.runs })
		id := ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared.ID
		if got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: test.limit}).Sized; got.Batches != test.want {
			t.Errorf("a warm-up of %d runs within %d ns has %d", test.runs, test.limit, got.Batches)
		}
	}
}

func TestEveryExitStatusMayBeRightButNoSignal(t *testing.T) {
	h := commander(t)
	every := func(c *wire.Command) { c.AnyExit = true }
	got := times(t, h, script(t, "exit 255", every), 1)
	if got.Failure != nil || got.Readings.Columns["exit_code"][0] != 255 {
		t.Errorf("exit status 255: %+v", got.Failure)
	}
	if f := times(t, h, script(t, "kill -KILL $$", every), 1).Failure; f == nil || f.Cause != "signal" {
		t.Errorf("a run that a signal ended: %+v", f)
	}
	void := times(t, h, script(t, "exit 75", every, func(c *wire.Command) { c.Reject, c.Quorum = []int{75}, 0.5 }), 1)
	if f := void.Failure; f == nil || f.Cause != "rejected" {
		t.Errorf("a run that is declared void: %+v", f)
	}
}

func TestWarmUpRunsAreThrownAway(t *testing.T) {
	h := commander(t)
	c := script(t, "echo x >> ran", func(c *wire.Command) { c.Warmup = 1 })
	id := ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared.ID
	if got := ask(t, h, wire.Request{Op: "size", ID: id, Limit: second}).Sized; got.N != 1 || got.Batches != 1 || text(t, filepath.Join(c.Dir, "ran")) != "x\n" {
		t.Errorf("%+v, ran %q", got, text(t, filepath.Join(c.Dir, "ran")))
	}
}
