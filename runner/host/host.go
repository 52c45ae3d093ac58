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

	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// Host serves one controller until that sends quit or closes the pipe.
type Host struct {
	kit     kit
	cases   map[int]body
	empties map[int]*empties
	nextID  int
	kind    string
	busy    atomic.Bool    // a request is being answered
	mark    mark           // which batch of a block of pairs runs
	service *spawn.Service // that runs instead of cases, nil for none
	held    *held          // of which more batches will come, nil for none
	intact  func() error   // nil while the pipes to the controller are as they were
}

// body is a prepared case: a function or a command.
type body interface {
	size(k *kit, limit int64) (*wire.Sized, *wire.Failure)
	once(k *kit, r *wire.Request) *wire.Response
	simulate(k *kit, r *wire.Request) *wire.Response
	close() *wire.Failure
}

// New makes a host. Call it on the locked thread that will call Serve.
func New(machine Machine) *Host {
	h := &Host{kit: kit{machine: machine, memory: memoryLimit()}, cases: map[int]body{}, empties: newEmpties(machine),
		intact: func() error { return nil }}
	h.kit.starter = spawn.New(h.kit.now)
	return h
}

// Stop makes a running request end after its current batch. It may be called from
// another goroutine.
func (h *Host) Stop() { h.kit.stop.Store(true) }

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
		answer.Output, h.kit.printed = h.kit.printed, nil
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
	if h.kit.timer == nil {
		return refuse("the first request has to be hello")
	}
	switch r.Op {
	case "calibrate":
		return h.calibrate(r.Known, r.Traced)
	case "prepare":
		return h.prepare(r)
	case "size":
		return h.withCase(r, func(b body) *wire.Response {
			sized, failure := b.size(&h.kit, r.Limit)
			return &wire.Response{Sized: sized, Failure: failure}
		})
	case "once":
		return h.withCase(r, func(b body) *wire.Response { return b.once(&h.kit, r) })
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
		return h.withCase(r, func(b body) *wire.Response { return b.simulate(&h.kit, r) })
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
	if err := h.kit.open(timer.Prefs{Clock: r.Clock, Cycle: r.Cycle}); err != nil {
		return &wire.Response{Failure: &wire.Failure{Phase: "start", Cause: "missing", Message: err.Error()}}
	}
	h.kind = r.Kind
	h.kit.sys = h.kit.machine.System()
	h.nextID = max(h.nextID, r.After)
	h.mark.open(r.Mark)
	hello := &wire.Hello{Version: wire.Version, Hash: Hash(), Clock: h.kit.timer.Clock.Name(), Skipped: h.kit.timer.Skipped,
		GOMAXPROCS: runtime.GOMAXPROCS(0), Go: runtime.Version()}
	if c := h.kit.timer.Counter; c != nil {
		hello.Counter = c.Name()
		hello.Unit = c.Unit()
		hello.UserOnly = timer.UserOnlyCounter(c)
	}
	return &wire.Response{Hello: hello}
}

func (h *Host) prepare(r *wire.Request) *wire.Response {
	var b body
	var p *wire.Prepared
	var failure *wire.Failure
	switch {
	case r.Function != nil:
		b, p, failure = bodyOf(prepareFunction(*r.Function, &h.kit))
	case r.Command != nil && len(r.Command.Argv) > 0:
		b, p, failure = bodyOf(prepareCommand(*r.Command, &h.kit))
	case r.GoTest != nil && len(r.GoTest.Argv) > 0:
		b, p, failure = bodyOf(prepareGoTest(*r.GoTest, &h.kit))
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
		allocated, failure := f.allocated(&h.kit, r.Batches[0].N)
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
