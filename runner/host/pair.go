package host

import (
	"fmt"
	"slices"

	"example.com/suite/runner/host/wire"
)

// pairs runs the first 2·r.Pairs batches of a request, which come two by two: one
// of each of two cases of a kind, in the order of the request. Between the two
// nothing happens that could be done before. A limit and a stop end the request
// between pairs alone, so that no pair is torn, and the first pair always runs;
// an interrupt ends it after the batch.
func (h *Host) pairs(r *wire.Request, start int64, out *wire.Readings) *wire.Failure {
	batches := r.Batches[:min(2*r.Pairs, len(r.Batches))]
	var ids []int
	for _, b := range batches {
		if !slices.Contains(ids, b.ID) {
			ids = append(ids, b.ID)
		}
	}
	if len(batches) != 2*r.Pairs || len(ids) != 2 {
		return refuse(fmt.Sprintf("%d pairs need as many batches of each of two cases", r.Pairs)).Failure
	}
	switch a := h.body(ids[0]).(type) {
	case *function:
		if b, ok := h.body(ids[1]).(*function); ok {
			return h.functionPairs(map[int]*function{ids[0]: a, ids[1]: b}, batches, r.Limit, start, out)
		}
	case process:
		if b, ok := h.body(ids[1]).(process); ok {
			return h.processes(map[int]process{ids[0]: a, ids[1]: b}, 2, batches, r.Pads, r.Limit, start, out)
		}
	}
	return refuse(fmt.Sprintf("cases %d and %d are no pair", ids[0], ids[1])).Failure
}

// side is one of the two functions of a block of pairs, with all made ready.
type side struct {
	f     *function
	meter *meter
	rows  []reading // room for its batches
	taken int       // of them
}

// pairing is a block of pairs of functions.
type pairing struct {
	host   *Host
	policy *gcPolicy
	now    surroundings // of the process
	sides  map[int]*side
}

// functionPairs times batches of two functions. The collector is set once for all of
// them: both sides have one policy, and because a coin decides the order, each side
// equally often runs after the other.
func (h *Host) functionPairs(
	fs map[int]*function, batches []wire.Batch, limit, start int64, out *wire.Readings,
) (failure *wire.Failure) {
	lead := fs[batches[0].ID]
	for _, f := range fs {
		if !f.locked { // then neither is: both sides run in the same way
			lead = f
		}
	}
	outer := look()
	p := &pairing{host: h, policy: h.kit.startGC(lead.spec.GC), now: outer, sides: map[int]*side{}}
	lead.on(&h.kit, func(m *meter) {
		for id, f := range fs {
			p.sides[id] = f.side(m, len(batches))
		}
		before := m.ready()
		failure = p.run(batches, limit, start)
		out.AddWait(since(before, m.ready()))
	})
	p.now.become(outer)
	p.policy.end()
	p.appendRows(batches, out)
	return failure
}

// side makes a function ready, with a meter that shares what was opened for both.
func (f *function) side(shared *meter, most int) *side {
	m := *shared
	m.long = f.spec.Long
	m.reports = f.c
	rows := f.blank(&m, most)
	return &side{f: f, meter: &m, rows: rows[:most]}
}

// run takes the batches, each into its row.
func (p *pairing) run(batches []wire.Batch, limit, start int64) *wire.Failure {
	h := p.host
	defer h.mark.set(0)
	for i, b := range batches {
		if h.kit.stop.Load() || i%2 == 0 && i > 0 && h.kit.now()-start >= limit {
			return nil
		}
		s := p.sides[b.ID]
		h.mark.set(i + 1)
		s.f.adopt(b)
		if failure := p.batch(s, max(b.N, 0), &s.rows[s.taken]); failure != nil {
			failure.Batch = i + 1
			return failure
		}
		s.taken++
	}
	return nil
}

// batch times one batch in the surroundings of its function.
func (p *pairing) batch(s *side, n int, r *reading) (failure *wire.Failure) {
	p.enter(s.f)
	failure = guard(wire.PhaseRun, func() { s.f.sample(s.meter, n, r) })
	if failure == nil {
		failure = s.meter.check(r)
	}
	if failure == nil {
		failure = p.policy.check(r)
	}
	p.leave(s.f)
	return failure
}

// enter changes to what a function has made for itself: nothing, mostly. If the
// policy has set the collector it stays so.
func (p *pairing) enter(f *function) {
	if f.own == nil {
		return
	}
	next := *f.own
	if p.policy.mode != "on" {
		next.percent, next.memory = p.now.percent, p.now.memory
	}
	p.now.become(next)
	p.now = next
}

// leave remembers what the function has made of it.
func (p *pairing) leave(f *function) {
	p.now = look()
	own := p.now
	if f.own != nil && p.policy.mode != "on" {
		own.percent, own.memory = f.own.percent, f.own.memory
	}
	f.own = &own
}

// appendRows appends the rows of both sides in the order in which they were taken.
func (p *pairing) appendRows(batches []wire.Batch, out *wire.Readings) {
	appended := map[int]int{}
	for _, b := range batches {
		s := p.sides[b.ID]
		if s == nil || appended[b.ID] == s.taken {
			break
		}
		row := appended[b.ID]
		addRows(out, b.ID, []int{b.N}, s.rows[row:row+1], s.meter)
		appended[b.ID]++
	}
	for _, s := range p.sides {
		out.Retried += s.meter.retried
	}
}
