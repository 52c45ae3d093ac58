package host

import (
	"fmt"
	"slices"

	"example.com/suite/timer"
)

// run times batches in the order of the request. Batches of one case in a row
// share one setting of the collector.
func (h *Host) run(r *Request) *Response {
	start := h.now()
	out := &Readings{Columns: map[string][]int64{}}
	first := 0
	if r.Pairs > 0 {
		first = 2 * r.Pairs
		if failure := h.pairs(r, start, out); failure != nil || len(out.ID) < first {
			return &Response{Readings: h.done(out, start), Failure: failure}
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
			return &Response{Readings: h.done(out, start), Failure: failure}
		}
		if len(out.ID) < last {
			break
		}
		first = last
	}
	return &Response{Readings: h.done(out, start)}
}

func (h *Host) runSome(id int, sizes []int, limit, start int64, out *Readings, expected *Output) (failure *Failure) {
	switch b := h.body(id).(type) {
	case *function:
		b.inside(func() {
			b.on(h, func(m *meter) {
				before := m.ready()
				var rows []reading
				rows, failure = b.batches(h, m, sizes, limit, start)
				out.add(id, sizes, rows, m)
				out.Retried += m.retried
				out.waited(since(before, m.ready()))
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

func (h *Host) done(out *Readings, start int64) *Readings {
	out.Elapsed = h.now() - start
	out.Stopped = h.stop.Load()
	out.dropAbsent()
	out.fillValues()
	return out
}

// waited adds to the time that the request spent waiting for a CPU.
func (out *Readings) waited(ns int64) {
	if ns == timer.Absent {
		return
	}
	if out.Waited == nil {
		out.Waited = new(int64)
	}
	*out.Waited += ns
}

// add appends the rows of a function to the columns.
func (out *Readings) add(id int, sizes []int, rows []reading, m *meter) {
	for i, r := range rows {
		out.ID, out.N = append(out.ID, id), append(out.N, sizes[i])
		out.put("time", r.time)
		out.put("wall", r.wall)
		out.put("cpu", r.cpu)
		out.put("thread_cpu", r.threadCPU)
		out.put("voluntary", r.voluntary)
		out.put("switches", r.involuntary)
		out.put("wait", r.wait)
		out.put("gcs", r.gcs)
		out.put("void", r.void)
		if c := m.loop.Timer.Counter; c != nil {
			out.put(string(c.Unit()), r.count)
		}
		out.counts(m, &r)
	}
}

// counts appends what the events of a row came to.
func (out *Readings) counts(m *meter, r *reading) {
	if m.events != nil {
		for j, metric := range m.events.Metrics() {
			out.put(metric, r.events[j])
		}
	}
	out.shared(r.share)
}

// shared keeps the least share of its time that a counter was on the hardware.
func (out *Readings) shared(share float64) {
	if share < 1 && (out.Share == nil || share < *out.Share) {
		out.Share = &share
	}
}

// stopped records how long the run of the last row was stopped, ns.
func (out *Readings) stopped(ns int64) {
	if ns == 0 && out.Stops == nil {
		return
	}
	for len(out.Stops) < len(out.ID)-1 {
		out.Stops = append(out.Stops, 0)
	}
	out.Stops = append(out.Stops, ns)
}

// put adds the number of the last row to a column, which earlier rows, such as the
// rows of an empty loop, may lack.
func (out *Readings) put(column string, x int64) {
	out.Columns[column] = append(out.fill(column, len(out.ID)-1), x)
}

// fill returns a column with so many rows.
func (out *Readings) fill(column string, rows int) []int64 {
	xs := out.Columns[column]
	for len(xs) < rows {
		xs = append(xs, timer.Absent)
	}
	return xs
}

// dropAbsent removes the columns that no row has: absent is absent, never zero.
func (out *Readings) dropAbsent() {
	for name, column := range out.Columns {
		out.Columns[name] = out.fill(name, len(out.ID))
		if name != "exit_code" && !slices.ContainsFunc(column, func(x int64) bool { return x != timer.Absent }) {
			delete(out.Columns, name)
		}
	}
}

// killed records that the timeout has ended the run of the last row. Its time is known to be
// at least the timeout, whenever its end was noticed, and so is everything else that it had
// used by then. It has no exit status.
func (out *Readings) killed(r *run, timeout int64) {
	out.Killed = append(out.Killed, len(out.ID)-1)
	r.wall, r.exit = timeout, -1
}
