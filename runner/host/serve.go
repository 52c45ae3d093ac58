package host

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// Serve answers requests from in on out until quit or the end of in. Prepared
// cases are finished in the end. It reads on the thread that measures: handing
// a request over from another one would cost 40 µs.
func (h *Host) Serve(in io.Reader, out io.Writer) error {
	defer h.over.Store(true)
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
		return h.once(r)
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
	case "count":
		return h.withCase(r, func(b body) *wire.Response { return b.instructions(&h.kit, r) })
	case "finish":
		return h.withCase(r, func(b body) *wire.Response {
			delete(h.cases, r.ID)
			return &wire.Response{Failure: b.close()}
		})
	}
	return refuse(fmt.Sprintf("unknown request %q", r.Op))
}

func (h *Host) hello(r *wire.Request) *wire.Response {
	if err := h.kit.open(timer.Prefs{Clock: r.Clock, Cycle: r.Cycle}); err != nil {
		return &wire.Response{Failure: &wire.Failure{Phase: wire.PhaseStart,
			Cause: wire.FailedMissing, Message: err.Error()}}
	}
	h.kind = r.Kind
	h.kit.sys = h.kit.machine.System()
	h.nextID = max(h.nextID, r.After)
	h.mark.open(r.Mark)
	hello := &wire.Hello{Version: wire.Version, Hash: Hash(), Clock: h.kit.timer.Clock.Name(),
		Skipped:    h.kit.timer.Skipped,
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
	case r.Harness != nil && len(r.Harness.Argv) > 0:
		b, p, failure = bodyOf(prepareHarnessed(*r.Harness, &h.kit))
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

// pegs answers the request for the pass.
func (h *Host) pegs(r *wire.Request) func(body) *wire.Response {
	return func(b body) *wire.Response {
		p, failure := b.(pegged).pegs(&h.kit, r)
		if failure == nil {
			failure = p.sendable()
		}
		if failure != nil {
			return &wire.Response{Failure: failure}
		}
		return &wire.Response{Pegged: (*wire.Pegged)(p)}
	}
}

// profile answers the request for profiles.
func (h *Host) profile(r *wire.Request) func(body) *wire.Response {
	return func(b body) *wire.Response {
		f, ok := b.(*function)
		if !ok || r.N < 1 {
			return refuse("profile needs a function and the iterations of a batch")
		}
		p, failure := f.profiles(&h.kit, r)
		if failure != nil {
			return &wire.Response{Failure: failure}
		}
		return &wire.Response{Profiled: p}
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
