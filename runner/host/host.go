// Package host is the process in which measured code runs. It reads requests
// from a pipe and answers with readings: it prepares cases, finds batch sizes and
// times batches in the order of the request. It shares a process with the
// measured code, so it imports little and knows nothing of suite files, verdicts
// or reports. Package wire is its protocol.
package host

import (
	"io"
	"sync/atomic"
	"time"

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
	over    atomic.Bool    // nothing is served any more
	mark    mark           // which batch of a block of pairs runs
	service *spawn.Service // that runs instead of cases, nil for none
	held    *held          // of which more batches will come, nil for none
	intact  func() error   // nil while the pipes to the controller are as they were
}

// body is a prepared case: a function or a command.
type body interface {
	size(k *kit, limit int64) (*wire.Sized, *wire.Failure)
	instructions(k *kit, r *wire.Request) *wire.Response
	close() *wire.Failure
}

// New makes a host. Call it on the locked thread that will call Serve.
func New(machine Machine) *Host {
	h := &Host{kit: kit{machine: machine, memory: memoryLimit(), residences: map[string]*residence{},
		shared: map[string]bool{}},
		cases: map[int]body{}, empties: newEmpties(machine),
		intact: func() error { return nil }}
	h.kit.starter = spawn.New(h.kit.now)
	return h
}

// Stop makes a running request end after its current batch. It may be called from
// another goroutine.
func (h *Host) Stop() { h.kit.stop.Store(true) }

// Real is the machine that this program runs on.
func Real() Machine {
	return Machine{Open: timer.Open, System: timer.Machine, Events: timer.OpenEvents,
		Direct: direct, Indirect: indirect,
		Sleep: func(ns int64) { time.Sleep(time.Duration(ns)) }}
}

// Trace makes the host write to w what it does to find the costs of timing and
// the iterations of a batch, a line for each batch. They are written between
// batches, never inside one. Call it before Serve.
func (h *Host) Trace(w io.Writer) { h.kit.trace = &trace{w: w, about: "host"} }

// body is a prepared case, or an empty loop; nil for neither.
func (h *Host) body(id int) body {
	e := h.empties[id]
	if e == nil {
		return h.cases[id]
	}
	e.next = (e.next + 1) % len(e.loops)
	return e.loops[e.next]
}
