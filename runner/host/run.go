package host

import (
	"fmt"

	"example.com/suite/runner/host/wire"
)

// run times batches in the order of the request. Batches of one case in a row
// share one setting of the collector.
func (h *Host) run(r *wire.Request) *wire.Response {
	start := h.kit.now()
	out := &wire.Readings{Columns: map[string][]int64{}}
	h.kit.brief = r.Brief
	defer func() { h.kit.brief = false }()
	first := 0
	if r.Pairs > 0 {
		first = 2 * r.Pairs
		if failure := h.pairs(r, start, out); failure != nil || len(out.ID) < first {
			return &wire.Response{Readings: h.kit.done(out, start), Failure: failure}
		}
	}
	for first < len(r.Batches) {
		last := first
		h.adopt(r.Batches[first])
		var sizes []int
		for ; last < len(r.Batches) && (last == first || r.Batches[last].Follows(r.Batches[first])); last++ {
			sizes = append(sizes, max(r.Batches[last].N, 0))
		}
		if failure := h.runSome(r.Batches[first].ID, sizes, r.Limit, start, out, r.Expect); failure != nil {
			failure.Batch += first
			return &wire.Response{Readings: h.kit.done(out, start), Failure: failure}
		}
		if len(out.ID) < last {
			break
		}
		first = last
	}
	return &wire.Response{Readings: h.kit.done(out, start)}
}

// adopt makes the function of a batch take over what the batch asks for.
func (h *Host) adopt(b wire.Batch) {
	if f, ok := h.cases[b.ID].(*function); ok {
		f.adopt(b)
	}
}

func (h *Host) runSome(
	id int, sizes []int, limit, start int64, out *wire.Readings, expected *wire.Output,
) (failure *wire.Failure) {
	switch b := h.body(id).(type) {
	case *function:
		b.inside(func() {
			b.on(&h.kit, func(m *meter) {
				before := m.ready()
				var rows []reading
				rows, failure = b.batches(&h.kit, m, sizes, limit, start)
				addRows(out, id, sizes, rows, m)
				out.Retried += m.retried
				out.AddWait(since(before, m.ready()))
			})
		})
	case process:
		if c, ok := b.(*command); ok {
			if failure := c.expect(expected); failure != nil {
				return failure
			}
		}
		batches := make([]wire.Batch, len(sizes))
		for i, n := range sizes {
			batches[i] = wire.Batch{ID: id, N: n}
		}
		failure = h.processes(map[int]process{id: b}, 1, batches, nil, limit, start, out)
	default:
		failure = refuse(fmt.Sprintf("no case %d is prepared", id)).Failure
	}
	return failure
}

// once takes one sample.
func (h *Host) once(r *wire.Request) *wire.Response {
	if f, ok := h.cases[r.ID].(*function); ok {
		return f.once(&h.kit, r)
	}
	return h.run(&wire.Request{Batches: []wire.Batch{{ID: r.ID, N: max(r.N, 1)}}, Limit: r.Limit})
}
