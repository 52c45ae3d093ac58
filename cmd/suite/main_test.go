package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/profile"
	"example.com/suite/timer"
	"github.com/rogpeppe/go-internal/testscript"
)

// ofSystem are further programs for tests that only run on this system.
var ofSystem = map[string]func(){}

// TestMain makes this test program several programs: the tests, suite with a fake and with a
// real clock, the host of both, a program that sends signals to another one, a server and its
// client, and a valgrind.
func TestMain(m *testing.M) {
	if os.Getenv(profile.Variable) == "" { // a test about something else need not wait for profiles of what failed
		os.Setenv(profile.Variable, profile.None)
	}
	programs := map[string]func(){
		"suite":      func() { os.Exit(runCommandLine(steady(dated(system(hostWith(fakeClock)))), os.Args[1:])) },
		"suite-real": func() { os.Exit(runCommandLine(system(hostWith(realClock)), os.Args[1:])) },
		"suite-host": func() { os.Exit(host.Main(machines[os.Args[1]]())) },
		"signalled":  signalled,
		"serves":     serves,
		"asks":       asks,
		"valgrind":   counts,
	}
	maps.Copy(programs, ofSystem)
	if os.Getenv(pageVariable) != "" && programs[filepath.Base(os.Args[0])] == nil { // the programs are in PATH already
		os.Exit(m.Run())
	}
	if programs[filepath.Base(os.Args[0])] == nil {
		ownMounts()
		for name, value := range ofGit {
			os.Setenv(name, value)
		}
		// Scripts wait for their processes for more than half of their time. A later flag of the
		// command line wins.
		os.Args = slices.Insert(os.Args, 1, fmt.Sprintf("-test.parallel=%d", 2*runtime.GOMAXPROCS(0)))
		debug.SetGCPercent(800) // a fifth of what this process does otherwise
	}
	testscript.Main(withDisks{m}, programs)
}

// dated sets the clock of e to the last moment, in UTC, of the day in TODAY. Without
// TODAY it leaves e unchanged.
func dated(e env) env {
	if day, err := time.Parse(time.DateOnly, os.Getenv("TODAY")); err == nil {
		e.now = func() time.Time { return day.Add(24*time.Hour - 1) }
	}
	return e
}

// steady gives e a clock for what hosts do besides their samples, on which a microsecond passes for each reading. On a
// real one the start of a host is the longer the busier the machine is, and samples on a fake clock are not, so a block
// would be made of many.
func steady(e env) env {
	start, readings := time.Now(), new(atomic.Int64)
	e.clock = func() time.Time { return start.Add(time.Duration(readings.Add(1)) * time.Microsecond) }
	return e
}

// The clock of a host is the word after its program. The hosts of both clocks are one program, so that its hash, for which
// 38 MB are read, is known to both.
const (
	fakeClock = "fake"
	pageClock = "page"
	realClock = "real"
)

var machines = map[string]func() host.Machine{fakeClock: fakeMachine, pageClock: pageMachine, realClock: hostMachine}

func hostWith(clock string) []string { return []string{programPath("suite-host"), clock} }

// programPath is the path of a program of TestMain.
func programPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		panic(err)
	}
	return path
}

// fake is the clock of the fake host. Only bodies and readings advance it, so a script
// sees the same numbers on every machine.
var fake = &timer.Fake{Cost: 20}

// openFake has the fake clock, and a counter of ticks at 2 GHz if prefs names any cycle
// counter but null.
func openFake(prefs timer.Prefs) (*timer.Timer, error) {
	if len(prefs.Cycle) == 0 || prefs.Cycle[0] == timer.Null {
		return timer.New(fake, nil), nil
	}
	return timer.New(fake, &timer.FakeCounter{Fake: fake, Counts: timer.Ticks, PerNS: 2, Cost: 10}), nil
}

func fakeMachine() host.Machine {
	steps, _ := benchcase.Find("fake/steps")
	for _, name := range []string{"selfcheck/arithmetic", "selfcheck/memory"} {
		benchcase.Replace(name, steps)
	}
	loops := func() []bench.Loop {
		return []bench.Loop{func(n int) { fake.Advance(int64(n) / 3) }}
	}
	return host.Machine{
		Open: openFake,
		Events: func(names []string, _ timer.Scope) (timer.Events, []timer.Skipped) {
			return &timer.FakeEvents{Fake: fake, Names: names, PerNS: 2}, nil
		},
		System: func() timer.System { return fake }, Direct: loops, Indirect: loops, Extract: openMetric, Sleep: func(ns int64) { fake.Sleep(ns) },
		Ran: takeVirtualTime, Known: knownRun,
	}
}

// pageMachine has a fake clock as well, on which a command takes 9 to 10 ms longer than on the other: a page shows
// intervals and histograms.
func pageMachine() host.Machine {
	m, rng := fakeMachine(), rand.New(rand.NewPCG(1, 2))
	m.Ran = func(job *spawn.Job, r *spawn.Run) {
		takeVirtualTime(job, r)
		more := 9_000_000 + rng.Int64N(1_000_000)
		r.Wall += more
		fake.Sleep(more)
	}
	return m
}

// sleeps finds what a command line, or a line of a script, sleeps for, in seconds.
var sleeps = regexp.MustCompile(`(?m)^(?:\S*/)?sleep ([0-9.]+)`)

// idles matches a script of sh, or a command line, that only lets time pass: nobody sees whether it has run.
var idles = regexp.MustCompile(`\A(?:#!\S*/sh\n|(?:\S*/)?sh -c )?(?:\s*(?:(?:exec )?(?:\S*/)?sleep [0-9.]+|(?:\S*/)?true|` +
	`:|exit 0|\S*/suite-nothing-[0-9]+)[ \t]*(?:[;\n]|\z))+\z`)

// idleRuns are the first runs of programs that only let time pass, by their command lines. Of a run of each in each host
// there is a process; the others are as good as that one, because the clock is not the machine's, and starting them is a
// tenth of the CPU time of all scripts.
var idleRuns = map[string]spawn.Run{}

// knownRun is Known of a fake machine.
func knownRun(job *spawn.Job) (r spawn.Run, isKnown bool) {
	r, isKnown = idleRuns[idleKey(job)]
	return r, isKnown
}

// idleKey names the runs of a job that are as good as each other.
func idleKey(job *spawn.Job) string {
	return strings.Join(append([]string{job.Path, job.Dir, job.Timeout.String(), scriptOf(job)}, job.Argv...), "\x00")
}

// takeVirtualTime makes each run of sleep, and of a script with a line that sleeps, take the
// time that was asked for, and every other run a millisecond. Without it the fake clock would
// stand still, and a warm-up would never end.
func takeVirtualTime(job *spawn.Job, r *spawn.Run) {
	text := scriptOf(job)
	wall := time.Millisecond
	if m := sleeps.FindStringSubmatch(text); m != nil {
		seconds, _ := strconv.ParseFloat(m[1], 64) // no number: the program refuses it as well
		wall = time.Duration(seconds * float64(time.Second))
	}
	r.Wall = wall.Nanoseconds()
	if r.TimedOut {
		r.Wall = job.Timeout.Nanoseconds()
	}
	fake.Sleep(r.Wall)
	if r.Exit == 0 && r.Signal == "" && !r.TimedOut && r.Leaked == 0 && idles.MatchString(text) {
		idleRuns[idleKey(job)] = *r
	}
}

// built matches the names of test binaries. A tracer would see that the host has read one, as a benchmark may read itself.
var built = regexp.MustCompile(`^test-[0-9a-f]{16}$`)

// scriptOf is the text of the script that a job runs, or else its command line.
func scriptOf(job *spawn.Job) string {
	for _, path := range []string{job.Path, filepath.Join(job.Dir, job.Argv[len(job.Argv)-1])} { // sh SCRIPT
		if !built.MatchString(filepath.Base(path)) && isScript(path) {
			if script, err := os.ReadFile(path); err == nil {
				return string(script)
			}
		}
	}
	return strings.Join(job.Argv, " ")
}

// isScript reads two bytes, because a program may have megabytes.
func isScript(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	begin := make([]byte, 2)
	_, err = io.ReadFull(file, begin)
	return err == nil && string(begin) == "#!"
}

func init() {
	bench.Register("fake/sleep", func(c *bench.Case) bench.Loop {
		length := c.Duration("time").Nanoseconds()
		return func(n int) { fake.Advance(length * int64(n)) }
	})
	bench.Register("fake/steps", func(c *bench.Case) bench.Loop { // takes the place of the functions of selfcheck
		steps := int64(c.Int("steps"))
		return func(n int) { fake.Advance(2 * steps * int64(n)) }
	})
	bench.Register("fake/slice", func(*bench.Case) bench.Loop { // 16 iterations are enough for a reading of their allocations
		var held []byte
		return func(n int) {
			for range n {
				held = make([]byte, 64<<10)
			}
			bench.Keep(&held)
			fake.Advance(1e6 * int64(n))
		}
	})
	bench.Register("fake/length", func(*bench.Case) bench.Loop { // like a program that changes between two runs
		length, _ := time.ParseDuration(os.Getenv("LENGTH"))
		return func(n int) { fake.Advance(length.Nanoseconds() * int64(n)) }
	})
	bench.Register("fake/asks", func(c *bench.Case) bench.Loop {
		if answer, err := ask("localhost:"+os.Getenv("PORT"), "ping"); answer != "pong" {
			c.Fatalf("answer %q, %v", answer, err)
		}
		return func(n int) { fake.Advance(int64(n)) }
	})
	bench.Register("fake/noisy", func(*bench.Case) bench.Loop {
		step := int64(0)
		return func(n int) {
			step = (step*5 + 3) % 16 // visits 0 to 15
			fake.Advance((1000 + 10*step) * int64(n))
		}
	})
	bench.Register("fake/empty", func(*bench.Case) bench.Loop { return func(n int) { fake.Advance(int64(n) / 3) } })
	bench.Register("fault/panic", func(*bench.Case) bench.Loop { return bench.Each(func() { panic("the sky is falling") }) })
	bench.Register("fault/exit", func(*bench.Case) bench.Loop { return func(int) { os.Exit(0) } })
	bench.Register("fault/deadlock", func(*bench.Case) bench.Loop { return func(int) { <-make(chan int) } })
	bench.Register("fault/endless", func(*bench.Case) bench.Loop {
		return func(int) {
			os.WriteFile("ready", nil, 0o666) // the script waits for it and kills suite
			//lint:ignore SA5002 a body that never returns is what is tested
			for {
			}
		}
	})
	bench.Register("fault/escapes", func(c *bench.Case) bench.Loop {
		end := c.String("end")
		return func(int) {
			// setsid moves the shell out of its host's process group and session.
			if err := exec.Command("setsid", "sh", "-c", "touch ready; sleep $AGES & sleep $AGES").Start(); err != nil {
				c.Fatalf("%v", err)
			}
			for !exists("ready") {
				time.Sleep(time.Millisecond)
			}
			switch end {
			case "exit":
				os.Exit(3)
			case "kill":
				self, _ := os.FindProcess(os.Getpid())
				_ = self.Kill()
			}
			<-make(chan int)
		}
	})
	bench.Register("fault/print", func(*bench.Case) bench.Loop {
		megabyte := bytes.Repeat([]byte("noise\n"), 1_000_000/6)
		return bench.Each(func() {
			for range 50 {
				os.Stdout.Write(megabyte)
				os.Stderr.Write(megabyte)
			}
		})
	})
}
