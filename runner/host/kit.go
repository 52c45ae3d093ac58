package host

import (
	"math"
	"slices"
	"sync/atomic"

	"example.com/suite/bench"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// Machine is what a host measures with. Tests hand in fakes.
type Machine struct {
	// Open, System and Events are called on the thread that will measure.
	Open   func(timer.Prefs) (*timer.Timer, error)
	System func() timer.System
	Events func(names []string, scope timer.Scope) (timer.Events, []timer.Skipped)
	// Direct and Indirect return empty loops for calibration: several of each
	// kind, each at another address of the program.
	Direct, Indirect func() []bench.Loop
	// Sleep lets so many nanoseconds pass, or a little more; nil: nobody sleeps.
	Sleep func(ns int64)
	// Ran is called after each run of a program, with what was run. A clock that stands still
	// while another process runs can pass the time of the run, and set it; nil: no such clock.
	Ran func(job *spawn.Job, r *spawn.Run)
	// Known returns a run of a program that is as good as another one, which is then not started; nil: all are.
	Known func(job *spawn.Job) (r spawn.Run, isKnown bool)
	// Extract finds the numbers that commands print; nil: hosts of functions alone.
	Extract Extract
	// Harness finds a benchmark of a harness, by their names, for processes that stay or that end after a sample; nil:
	// hosts of functions alone. It is handed in as Extract is.
	Harness func(name, benchmark string, stays bool) (h Harness, found bool)
}

// Extract makes a function that finds the number of a metric in the text of one run.
// Its error describes what is wrong with the metric, the error of find why there is no
// number. It is handed in because hosts are built into the modules of users, and
// reading JSON and the Go benchmark format needs libraries that those modules lack.
type Extract func(wire.Metric) (find func(text []byte) (float64, error), err error)

// kit is what the cases of a host are measured with: its timer and what that costs, its limits,
// and the starter of programs.
type kit struct {
	machine Machine
	timer   *timer.Timer // that `time` is read from
	wall    timer.Clock  // nil if the timer's clock is the wall clock
	sys     timer.System
	memory  int64 // bytes that gc: off and between may fill
	costs   *wire.Costs
	brief   bool           // batches of the request are too short for clocks of CPU time
	stop    atomic.Bool    // set by an interrupt: begin no further batch
	trace   *trace         // nil for none
	starter *spawn.Starter // starts the commands and the service

	residences map[string]*residence // by their keys
	shared     map[string]bool       // whether goroutines share the iterations of a benchmark, by its id
	wrap       []string              // the command line ahead of a process that stays; empty: none
	wrapEnv    []string              // what its environment has in addition

	printed *wire.Output           // by the first run of a command, until the controller knows
	folder  atomic.Pointer[string] // of the pass with pegs that is under way, nil for none
}

// open opens the timer and, unless the timer uses it, the wall clock.
func (k *kit) open(prefs timer.Prefs) (err error) {
	k.timer, err = k.machine.Open(prefs)
	if err != nil {
		return err
	}
	if name := k.timer.Clock.Name(); name == "wall" || name == "fake" {
		return nil
	}
	wall, err := k.machine.Open(timer.Prefs{Clock: []string{"wall"}})
	if err == nil {
		k.wall = wall.Clock
	}
	return err
}

// now is the clock of the host's own limits: the wall clock.
func (k *kit) now() int64 {
	if k.wall != nil {
		return k.wall.Now()
	}
	return k.timer.Clock.Now()
}

// goal is how long a batch has to last, ns: sample, but at least coalesce times the
// cost of a clock reading, or times the clock's step if that is larger.
func (k *kit) goal(sample int64, coalesce float64) int64 {
	cost := int64(0)
	if k.costs != nil {
		cost = max(int64(k.costs.Reading.NS), k.costs.Resolution)
	}
	return max(sample, int64(coalesce*float64(cost)), 1)
}

func (k *kit) done(out *wire.Readings, start int64) *wire.Readings {
	out.Elapsed = k.now() - start
	out.Stopped = k.stop.Load()
	out.Complete()
	return out
}

// stopwatch starts a clock at 0. After an interrupt it reads a time above every limit.
func (k *kit) stopwatch() func() int64 {
	start := k.now()
	return func() int64 {
		if k.stop.Load() {
			return math.MaxInt64 / 2
		}
		return k.now() - start
	}
}

// missing finds which of the events do not work here, and which of the others leave out
// what happens in the kernel.
func (k *kit) missing(names []string, scope timer.Scope) (skipped []timer.Skipped, userOnly []string) {
	if len(names) == 0 {
		return nil, nil
	}
	events, skipped := k.machine.Events(names, scope)
	if events != nil {
		userOnly = timer.UserOnly(events)
		events.Close()
	}
	return skipped, userOnly
}

// witness is the event that shows whether the code of two sides does the same.
const witness = "instructions"

// witnessed adds the witness to the events that a case has asked for, if it can be counted.
// why is the reason if it cannot.
func (k *kit) witnessed(counters []string, scope timer.Scope) (with []string, why string) {
	if slices.Contains(counters, witness) {
		return counters, ""
	}
	if k.machine.Events == nil {
		return counters, "this host counts no events"
	}
	skipped, _ := k.missing([]string{witness}, scope)
	if len(skipped) > 0 {
		return counters, skipped[0].Reason
	}
	return append(slices.Clone(counters), witness), ""
}
