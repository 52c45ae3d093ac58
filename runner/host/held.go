package host

import (
	"fmt"
	"math"

	"example.com/suite/runner/host/wire"
)

// held is a function whose batches are requested one by one, because batches of
// another host come between them. Its surroundings, the collector and the events are
// set once for all of them, as for the batches of one request: with gc: between, a
// collection before each batch would leave the caches full of the collector's data,
// not of the body's.
type held struct {
	id      int
	f       *function
	outside surroundings
	policy  *gcPolicy
	meter   *meter
	end     func()
}

// hold makes a function ready for its batches. It returns nil if no function has this
// id.
func (h *Host) hold(id int) *held {
	f, ok := h.cases[id].(*function)
	if !ok {
		return nil
	}
	d := &held{id: id, f: f, outside: look()}
	if f.own != nil {
		d.outside.become(*f.own)
	}
	d.policy = h.kit.startGC(f.spec.GC)
	d.meter, d.end = f.metered(&h.kit)
	return d
}

// release ends what was held, and puts back what was there before.
func (h *Host) release() {
	d := h.held
	if d == nil {
		return
	}
	h.held = nil
	d.end()
	d.policy.end()
	after := look()
	d.f.own = &after
	after.become(d.outside)
}

// goesOn reports whether a request asks for another batch of what is held.
func (h *Host) goesOn(r *wire.Request) bool {
	return h.held != nil && r.Op == "run" && r.Hold && len(r.Batches) == 1 && r.Batches[0].ID == h.held.id
}

// runHeld times the one batch of a request, and keeps all ready for the next.
func (h *Host) runHeld(r *wire.Request) *wire.Response {
	start := h.kit.now()
	if len(r.Batches) != 1 {
		return refuse("a batch that is held comes alone")
	}
	if h.held == nil {
		h.held = h.hold(r.Batches[0].ID)
	}
	if h.held == nil {
		return refuse(fmt.Sprintf("no function %d is prepared", r.Batches[0].ID))
	}
	h.held.f.adopt(r.Batches[0])
	out := &wire.Readings{Columns: map[string][]int64{}}
	failure := h.held.batch(&h.kit, max(r.Batches[0].N, 0), out)
	return &wire.Response{Readings: h.kit.done(out, start), Failure: failure}
}

func (d *held) batch(k *kit, n int, out *wire.Readings) (failure *wire.Failure) {
	d.f.where(func() {
		before := d.meter.ready()
		var rows []reading
		rows, failure = d.f.timed(k, d.meter, d.policy, []int{n}, math.MaxInt64, 0)
		addRows(out, d.id, []int{n}, rows, d.meter)
		out.Retried, d.meter.retried = d.meter.retried, 0
		out.AddWait(since(before, d.meter.ready()))
	})
	return failure
}
