//go:build amd64 || arm64

package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/spawner"
	"example.com/suite/runner/host/wire"
)

// alone is a host that cannot have a spawner.
func alone(t testing.TB) *Host {
	h := commander(t)
	h.kit.starter.Alone = true
	return h
}

// A child is born with the peak memory of the process that forks it.
func TestPeakMemoryOfARunDoesNotDependOnTheHost(t *testing.T) {
	const size = 64 << 20
	ballast := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		ballast[i] = 1
	}
	c := script(t, "exit 0")
	h := commander(t)
	small := times(t, h, c, 1).Readings
	h.kit.starter.Leave() // a host alone takes every child of its process for its own
	big := times(t, alone(t), c, 1).Readings
	runtime.KeepAlive(ballast)
	if rss := small.Columns["rss"][0]; rss > size/4 || small.Peak > size/4 {
		t.Errorf("peak memory %d of a run and %d of the spawner", rss, small.Peak)
	}
	if rss := big.Columns["rss"][0]; rss < size || big.Peak < size {
		t.Errorf("without a spawner peak memory %d of a run and %d of what started it, want more than %d", rss, big.Peak, size)
	}
}

func TestWithoutASpawnerRunsAreTheSame(t *testing.T) {
	names := map[string][]string{}
	check := func(way string, h *Host) {
		got := times(t, h, script(t, "head -c 5000 /dev/zero > out; sleep 60 & exit 0"), 2)
		if got.Failure != nil || got.Readings.Leaked != 2 {
			t.Fatalf("%s: failure %v, %d leaked", way, got.Failure, got.Readings.Leaked)
		}
		for name := range got.Readings.Columns {
			if name != "wait" && !strings.HasPrefix(name, "tree_") { // not known of a run that starts others, nor without a control group
				names[way] = append(names[way], name)
			}
		}
		slices.Sort(names[way])
		if n := got.Readings.Columns["written_bytes"][0]; n < 5000 || n > 6000 {
			t.Errorf("%s: %d bytes written", way, n)
		}
		for what, want := range map[string]string{"exit 3": "exit", "kill -9 $$": "signal"} {
			c := script(t, what)
			if got := times(t, h, c, 1).Failure; got == nil || string(got.Cause) != want {
				t.Errorf("%s: %s: failure %+v", way, what, got)
			}
		}
		if got := times(t, h, script(t, "sleep 60", func(c *wire.Command) { c.Timeout = 100 * ms }), 1); !timedOut(got) {
			t.Errorf("%s: readings %+v, want a timeout", way, got.Readings)
		}
	}
	h := commander(t)
	check("spawner", h)
	h.kit.starter.Leave() // a host alone takes every child of its process for its own
	check("alone", alone(t))
	if !slices.Equal(names["spawner"], names["alone"]) {
		t.Errorf("columns %v", names)
	}
}

// What a program inherits has to be what it would have from a shell: the runtime
// of Go changes signals and the limit of descriptors, and the spawner is one more
// process in between.
func TestARunInheritsNothingOfTheSpawner(t *testing.T) {
	const show = `grep -E '^(Sig(Blk|Ign|Cgt)|Threads|NoNewPrivs|Seccomp|Cpus_allowed):' /proc/self/status; ulimit -n; ulimit -Hn; umask; ls /proc/self/fd; cat /proc/self/oom_score_adj`
	dir := t.TempDir()
	plain := exec.Command("sh", "-c", show)
	plain.Dir = dir
	want, err := plain.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []func(testing.TB) *Host{alone, commander} {
		h := start(t)
		got := times(t, h, script(t, show, func(c *wire.Command) { c.Dir, c.Stdout, c.Pin = dir, filepath.Join(dir, "out"), "auto" }), 2)
		if out := text(t, filepath.Join(dir, "out")); got.Failure != nil || out != string(want) {
			t.Errorf("alone %v: failure %+v, a run has\n%swant\n%s", h.kit.starter.Alone, got.Failure, out, want)
		}
	}
}

func TestArgumentsAndEnvironmentArriveAsTheyAre(t *testing.T) {
	odd := []string{"", " ", "a b", "$x", "\xff\n", strings.Repeat("x", 100_000)}
	c := script(t, "", func(c *wire.Command) {
		c.Argv = append([]string{"sh", "-c", `printf '%s|' "$@" "$LONG"`, "sh"}, odd...)
		c.Env = []string{"LONG=" + strings.Repeat("y", 100_000)}
		c.Stdout = filepath.Join(c.Dir, "out")
	})
	got := times(t, commander(t), c, 2)
	if want := strings.Join(odd, "|") + "|" + strings.Repeat("y", 100_000) + "|"; got.Failure != nil || text(t, c.Stdout) != want {
		t.Errorf("failure %+v, %d bytes, want %d", got.Failure, len(text(t, c.Stdout)), len(want))
	}
	for _, size := range []int{1 << 20, spawner.BlockSize} { // over the kernel's limit, and over the block's
		c.Argv = []string{"true", strings.Repeat("x", size)}
		if got := times(t, commander(t), c, 1).Failure; got == nil || !strings.Contains(got.Message, "argument list too long") {
			t.Errorf("%d bytes: failure %+v", size, got)
		}
	}
}

func TestARunThatKillsItsParentFailsAloneAndTheNextRuns(t *testing.T) {
	h := commander(t)
	got := times(t, h, script(t, "kill -9 $PPID; sleep 60"), 1).Failure
	if got == nil || got.Cause != "error" || !strings.Contains(got.Message, "was killed") {
		t.Errorf("failure %+v", got)
	}
	if got := times(t, h, script(t, "exit 0"), 2); got.Failure != nil || h.kit.starter.Alone {
		t.Errorf("failure %+v", got.Failure)
	}
	dead := times(t, h, script(t, "kill -9 $PPID; sleep 60"), 1)
	if host := spawn.ProcBytes("/proc/self/status", "VmHWM"); dead.Readings == nil || dead.Readings.Peak >= host/2 {
		t.Errorf("readings %+v: the floor is that of the next spawner, not the %d of the host", dead.Readings, host)
	}
}

func TestARunThatStopsItsParentTimesOutAlone(t *testing.T) {
	h := commander(t)
	got := times(t, h, script(t, "kill -STOP $PPID; sleep 60", func(c *wire.Command) { c.Timeout = 200 * ms }), 1)
	if !timedOut(got) {
		t.Errorf("failure %+v, readings %+v, want a timeout", got.Failure, got.Readings)
	}
	if got := times(t, h, script(t, "exit 0"), 2); got.Failure != nil || h.kit.starter.Alone {
		t.Errorf("failure %+v", got.Failure)
	}
}

func TestATimeoutDoesNotHitTheNextRun(t *testing.T) {
	h := commander(t)
	for range 20 {
		if got := times(t, h, script(t, "sleep 60", func(c *wire.Command) { c.Timeout = 1 }), 1); !timedOut(got) {
			t.Fatalf("failure %+v, readings %+v, want a timeout", got.Failure, got.Readings)
		}
		if got := times(t, h, script(t, "exit 0"), 1).Failure; got != nil {
			t.Fatalf("failure %+v", got)
		}
	}
}

func TestASpawnerEndsWithItsHostAndTakesTheRunAlong(t *testing.T) {
	h := commander(t)
	c := script(t, "setsid sleep 60 & touch started; exec sleep 60")
	id := ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared.ID
	done := make(chan *wire.Response)
	go func() {
		done <- h.answer(&wire.Request{Op: "run", Limit: 100 * second, Batches: []wire.Batch{{ID: id, N: 1}}})
	}()
	for _, err := os.Stat(filepath.Join(c.Dir, "started")); err != nil; _, err = os.Stat(filepath.Join(c.Dir, "started")) {
		runtime.Gosched()
	}
	pid := h.kit.starter.PID()
	h.kit.starter.Abandon()
	if got := (<-done).Failure; got == nil || got.Signal != "SIGKILL" {
		t.Errorf("failure %+v, want it killed", got)
	}
	h.kit.starter.Leave()
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH || len(grandchildren(t)) > 0 {
		t.Errorf("the spawner: %v; left %v", err, grandchildren(t))
	}
}

func TestCountersCountEveryRun(t *testing.T) {
	for _, start := range []func(testing.TB) *Host{alone, commander} {
		h := start(t)
		got := times(t, h, script(t, "exit 0", func(c *wire.Command) { c.Counters = []string{"page-faults"} }), 20)
		if got.Failure != nil {
			t.Fatal(got.Failure)
		}
		counted, faults := got.Readings.Columns["page_faults"], got.Readings.Columns["faults"]
		if counted == nil {
			t.Skip("no such counter here")
		}
		for i := range counted { // the kernel's own number includes those before exec
			if counted[i] < faults[i]/2 || counted[i] > faults[i] {
				t.Errorf("alone %v: %v page faults counted, %v by the kernel", h.kit.starter.Alone, counted, faults)
				break
			}
		}
		h.kit.starter.Leave()
	}
}

func TestRunsOfManyProcessesAreSwept(t *testing.T) {
	// They wait in a shell's own read: to start a program takes three times as long as to fork.
	got := times(t, commander(t), script(t, "mkfifo wait; exec 3<>wait; for i in $(seq 1500); do read line <&3 & done; exit 0"), 1)
	if got.Failure != nil || got.Readings.Leaked != 1500 {
		t.Errorf("failure %+v, %d leaked", got.Failure, got.Readings.Leaked)
	}
}
