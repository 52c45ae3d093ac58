package host

import (
	"fmt"

	"example.com/suite/runner/host/wire"
)

// run times batches in the order of the request. Batches of one case in a row
// share one setting of the collector.
func (h *Host) run(r *wire.Request) *wire.Response {
	start := h.now()
	out := &wire.Readings{Columns: map[string][]int64{}}
	first := 0
	if r.Pairs > 0 {
		first = 2 * r.Pairs
		if failure := h.pairs(r, start, out); failure != nil || len(out.ID) < first {
			return &wire.Response{Readings: h.done(out, start), Failure: failure}
		}
	}
	for first < len(r.Batches) {
		last := first
		var sizes []int
		for ; last < len(r.Batches) && r.Batches[last].ID == r.Batches[first].ID; last++ {
			sizes = append(sizes, max(r.Batches[last].N, 0))
		}
		if failure := h.runSome(r.Batches[first].ID, sizes, r.Limit, start, out, r.Expect); failure != nil {
			failure.Batch += first
			return &wire.Response{Readings: h.done(out, start), Failure: failure}
		}
		if len(out.ID) < last {
			break
		}
		first = last
	}
	return &wire.Response{Readings: h.done(out, start)}
}

func (h *Host) runSome(id int, sizes []int, limit, start int64, out *wire.Readings, expected *wire.Output) (failure *wire.Failure) {
	switch b := h.body(id).(type) {
	case *function:
		b.inside(func() {
			b.on(h, func(m *meter) {
				before := m.ready()
				var rows []reading
				rows, failure = b.batches(h, m, sizes, limit, start)
				addRows(out, id, sizes, rows, m)
				out.Retried += m.retried
				out.AddWait(since(before, m.ready()))
			})
		})
	case *goTest:
		failure = b.runs(h, id, sizes, limit, start, out)
	case *command:
		if failure := b.expect(expected); failure != nil {
			return failure
		}
		failure = b.runs(h, id, sizes, limit, start, out)
	default:
		failure = refuse(fmt.Sprintf("no case %d is prepared", id)).Failure
	}
	return failure
}

func (h *Host) done(out *wire.Readings, start int64) *wire.Readings {
	out.Elapsed = h.now() - start
	out.Stopped = h.stop.Load()
	out.Complete()
	return out
}

// addRows appends the rows of a function to the columns.
func addRows(out *wire.Readings, id int, sizes []int, rows []reading, m *meter) {
	for i, r := range rows {
		out.ID, out.N = append(out.ID, id), append(out.N, sizes[i])
		out.Put("time", r.time)
		out.Put("wall", r.wall)
		out.Put("cpu", r.cpu)
		out.Put("thread_cpu", r.threadCPU)
		out.Put("voluntary", r.voluntary)
		out.Put("switches", r.involuntary)
		out.Put("wait", r.wait)
		out.Put("gcs", r.gcs)
		out.Put("void", r.void)
		if c := m.loop.Timer.Counter; c != nil {
			out.Put(string(c.Unit()), r.count)
		}
		addEvents(out, m, &r)
	}
}

// addEvents appends the counts of a row's events.
func addEvents(out *wire.Readings, m *meter, r *reading) {
	if m.events != nil {
		for j, metric := range m.events.Metrics() {
			out.Put(metric, r.events[j])
		}
	}
	out.KeepShare(r.share)
}
