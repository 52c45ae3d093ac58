// Package host is the process in which measured code runs. It reads requests
// from a pipe and answers with readings: it prepares cases, finds batch sizes and
// times batches in the order of the request. It shares a process with the
// measured code, so it imports little and knows nothing of suite files, verdicts
// or reports. Package wire is its protocol.
package host

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
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
	// Extract finds the numbers that commands print; nil: hosts of functions alone.
	Extract Extract
}

// Real is the machine that this program runs on.
func Real() Machine {
	return Machine{Open: timer.Open, System: timer.Machine, Events: timer.OpenEvents, Direct: direct, Indirect: indirect,
		Sleep: func(ns int64) { time.Sleep(time.Duration(ns)) }}
}

// Host serves one controller until that sends quit or closes the pipe.
type Host struct {
	machine Machine
	timer   *timer.Timer // that `time` is read from
	wall    timer.Clock  // nil if the timer's clock is the wall clock
	sys     timer.System
	memory  int64 // bytes that gc: off and between may fill
	costs   *wire.Costs
	cases   map[int]body
	empties map[int]*empties
	nextID  int
	kind    string
	brief   bool                   // batches of the request are too short for clocks of CPU time
	stop    atomic.Bool            // set by an interrupt: begin no further batch
	busy    atomic.Bool            // a request is being answered
	trace   *trace                 // nil for none
	mark    mark                   // which batch of a block of pairs runs
	service *spawn.Service         // that runs instead of cases, nil for none
	printed *wire.Output           // by the first run of a command, until the controller knows
	held    *held                  // of which more batches will come, nil for none
	intact  func() error           // nil while the pipes to the controller are as they were
	folder  atomic.Pointer[string] // of the pass with pegs that is under way, nil for none

	starter *spawn.Starter // starts the commands and the service
}

// body is a prepared case: a function or a command.
type body interface {
	size(h *Host, limit int64) (*wire.Sized, *wire.Failure)
	once(h *Host, r *wire.Request) *wire.Response
	simulate(h *Host, r *wire.Request) *wire.Response
	close() *wire.Failure
}

// New makes a host. Call it on the locked thread that will call Serve.
func New(machine Machine) *Host {
	h := &Host{machine: machine, cases: map[int]body{}, empties: newEmpties(machine), memory: memoryLimit(),
		intact: func() error { return nil }}
	h.starter = spawn.New(h.now)
	return h
}

// Stop makes a running request end after its current batch. It may be called from
// another goroutine.
func (h *Host) Stop() { h.stop.Store(true) }

// Serve answers requests from in on out until quit or the end of in. Prepared
// cases are finished in the end. It reads on the thread that measures: handing
// a request over from another one would cost 40 µs.
func (h *Host) Serve(in io.Reader, out io.Writer) error {
	defer h.closeAll()
	for {
		var request wire.Request
		err := wire.ReadMessage(in, &request)
		if errors.Is(err, io.EOF) || err == nil && request.Op == "quit" {
			return nil
		}
		if err != nil {
			return err
		}
		h.busy.Store(true)
		answer := h.answer(&request)
		h.busy.Store(false)
		if err := h.intact(); err != nil {
			answer = refuse(err.Error())
		}
		answer.Seq = request.Seq
		answer.Output, h.printed = h.printed, nil
		if err := wire.WriteMessage(out, answer); err != nil {
			return err
		}
	}
}

func (h *Host) answer(r *wire.Request) *wire.Response {
	if !h.goesOn(r) {
		h.release()
	}
	switch r.Op {
	case "hello":
		return h.hello(r)
	case "list":
		return &wire.Response{Names: benchcase.Names()}
	case "serve":
		return h.serve(r.Service)
	case "served":
		return h.served()
	case "stop":
		return h.endService()
	}
	if h.timer == nil {
		return refuse("the first request has to be hello")
	}
	switch r.Op {
	case "calibrate":
		return h.calibrate(r.Known, r.Traced)
	case "prepare":
		return h.prepare(r)
	case "size":
		return h.withCase(r, func(b body) *wire.Response {
			sized, failure := b.size(h, r.Limit)
			return &wire.Response{Sized: sized, Failure: failure}
		})
	case "once":
		return h.withCase(r, func(b body) *wire.Response { return b.once(h, r) })
	case "run":
		if r.Hold {
			return h.runHeld(r)
		}
		return h.run(r)
	case "allocs":
		return h.withCase(r, h.allocs(r))
	case "pegs":
		return h.withCase(r, h.pegs(r))
	case "profile":
		return h.withCase(r, h.profile(r))
	case "simulate":
		return h.withCase(r, func(b body) *wire.Response { return b.simulate(h, r) })
	case "finish":
		return h.withCase(r, func(b body) *wire.Response {
			delete(h.cases, r.ID)
			return &wire.Response{Failure: b.close()}
		})
	}
	return refuse(fmt.Sprintf("unknown request %q", r.Op))
}

func refuse(message string) *wire.Response {
	return &wire.Response{Failure: &wire.Failure{Phase: "start", Cause: "protocol", Message: message}}
}

func (h *Host) hello(r *wire.Request) *wire.Response {
	if err := h.open(timer.Prefs{Clock: r.Clock, Cycle: r.Cycle}); err != nil {
		return &wire.Response{Failure: &wire.Failure{Phase: "start", Cause: "missing", Message: err.Error()}}
	}
	h.kind = r.Kind
	h.sys = h.machine.System()
	h.nextID = max(h.nextID, r.After)
	h.mark.open(r.Mark)
	hello := &wire.Hello{Version: wire.Version, Hash: Hash(), Clock: h.timer.Clock.Name(), Skipped: h.timer.Skipped,
		GOMAXPROCS: runtime.GOMAXPROCS(0), Go: runtime.Version()}
	if c := h.timer.Counter; c != nil {
		hello.Counter = c.Name()
		hello.Unit = c.Unit()
		hello.UserOnly = timer.UserOnlyCounter(c)
	}
	return &wire.Response{Hello: hello}
}

// open opens the timer and, unless the timer uses it, the wall clock.
func (h *Host) open(prefs timer.Prefs) (err error) {
	h.timer, err = h.machine.Open(prefs)
	if err != nil {
		return err
	}
	if name := h.timer.Clock.Name(); name == "wall" || name == "fake" {
		return nil
	}
	wall, err := h.machine.Open(timer.Prefs{Clock: []string{"wall"}})
	if err == nil {
		h.wall = wall.Clock
	}
	return err
}

// now is the clock of the host's own limits: the wall clock.
func (h *Host) now() int64 {
	if h.wall != nil {
		return h.wall.Now()
	}
	return h.timer.Clock.Now()
}

// goal is how long a batch has to last, ns: sample, but at least coalesce times the
// cost of a clock reading, or times the clock's step if that is larger.
func (h *Host) goal(sample int64, coalesce float64) int64 {
	cost := int64(0)
	if h.costs != nil {
		cost = max(int64(h.costs.Reading.NS), h.costs.Resolution)
	}
	return max(sample, int64(coalesce*float64(cost)), 1)
}

func (h *Host) prepare(r *wire.Request) *wire.Response {
	var b body
	var p *wire.Prepared
	var failure *wire.Failure
	switch {
	case r.Function != nil:
		b, p, failure = bodyOf(prepareFunction(*r.Function, h))
	case r.Command != nil && len(r.Command.Argv) > 0:
		b, p, failure = bodyOf(prepareCommand(*r.Command, h))
	case r.GoTest != nil && len(r.GoTest.Argv) > 0:
		b, p, failure = bodyOf(prepareGoTest(*r.GoTest, h))
	default:
		return refuse("prepare needs a function or a command")
	}
	if failure != nil {
		return &wire.Response{Failure: failure}
	}
	h.nextID++
	p.ID = h.nextID
	h.cases[p.ID] = b
	return &wire.Response{Prepared: p}
}

func bodyOf[B body](b B, p *wire.Prepared, failure *wire.Failure) (body, *wire.Prepared, *wire.Failure) {
	return b, p, failure
}

func (h *Host) withCase(r *wire.Request, do func(body) *wire.Response) *wire.Response {
	b, ok := h.cases[r.ID]
	if !ok {
		return refuse(fmt.Sprintf("no case %d is prepared", r.ID))
	}
	return do(b)
}

func (h *Host) allocs(r *wire.Request) func(body) *wire.Response {
	return func(b body) *wire.Response {
		f, ok := b.(*function)
		if !ok || len(r.Batches) != 1 || r.Batches[0].N < 1 {
			return refuse("allocs needs a function and one batch")
		}
		allocated, failure := f.allocated(h, r.Batches[0].N)
		return &wire.Response{Allocated: allocated, Failure: failure}
	}
}

// closeAll finishes what is still prepared, so that cleanups run also when the
// controller went away between two requests.
func (h *Host) closeAll() {
	h.release()
	for id, b := range h.cases {
		delete(h.cases, id)
		b.close()
	}
	if h.service != nil {
		h.endService()
	}
}
