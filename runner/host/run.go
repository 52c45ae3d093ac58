package host

import (
	"errors"
	"fmt"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
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

func (h *Host) runSome(id int, sizes []int, limit, start int64, out *wire.Readings, expected *wire.Output) (failure *wire.Failure) {
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
	case *goTest:
		failure = b.runs(&h.kit, id, sizes, limit, start, out)
	case *command:
		if failure := b.expect(expected); failure != nil {
			return failure
		}
		failure = b.runs(&h.kit, id, sizes, limit, start, out)
	default:
		failure = refuse(fmt.Sprintf("no case %d is prepared", id)).Failure
	}
	return failure
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
		out.PutLatency(r.latency)
		if c := m.loop.Timer.Counter; c != nil {
			out.Put(string(c.Unit()), r.count)
		}
		addEvents(out, m, &r)
		addReported(out, id, m, &r)
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

// once makes passes, each with more iterations, until one lasts long enough, and returns
// the readings of that pass: mLib's way of measuring. The passes before it are its warm-up.
func (f *function) once(k *kit, r *wire.Request) *wire.Response {
	start, out := k.now(), &wire.Readings{Columns: map[string][]int64{}}
	var last reading
	var failure *wire.Failure
	run := func(n int64) (int64, error) {
		var rows []reading
		rows, failure = f.pass(k, int(n), r.Limit, start, out)
		if failure != nil || len(rows) == 0 {
			return 0, errNoPass
		}
		last = rows[0]
		return last.time + f.latency.idle(), nil
	}
	limit := func(n, _, next int64) int64 {
		left := r.Limit - (k.now() - start)
		if f.isFixed() || k.stop.Load() || left <= 0 || !fits(last.wall+f.latency.idle(), n, next, left) {
			return n
		}
		return next
	}
	n, _, _, err := timer.Grow(int64(r.N), k.goal(r.Goal, f.spec.Coalesce), run, limit)
	if err == nil {
		out.ID, out.N = []int{r.ID}, []int{int(n)}
	}
	return &wire.Response{Readings: k.done(out, start), Failure: failure}
}

// errNoPass ends a search whose pass failed, or was not begun because of an interrupt.
var errNoPass = errors.New("no pass")

// fits reports whether a pass of next iterations would end before the limit, judged by
// the last one.
func fits(took, n, next, left int64) bool {
	return took <= 0 || float64(took)/float64(n)*float64(next) <= float64(left)
}

// pass times one batch, whose row replaces the row of the pass before.
func (f *function) pass(k *kit, n int, limit, start int64, out *wire.Readings) (rows []reading, failure *wire.Failure) {
	f.inside(func() {
		f.on(k, func(m *meter) {
			rows, failure = f.batches(k, m, f.warmed(n), limit, start)
			if failure == nil {
				rows = rows[max(len(rows)-1, 0):]
				out.ID = nil
				out.N = nil
				out.Columns = map[string][]int64{}
				out.Values = nil
				out.Latency = nil
				out.Reported = nil
				addRows(out, 0, []int{n}, rows, m)
				for i := range rows {
					m.trace.batch("pass", n, &rows[i], m.unit())
				}
			}
		})
	})
	return rows, failure
}

// coldPass is longer than what a first reading of the clock may cost: 0.4 to 1.5 µs after
// a message has come through a pipe, and with it a body that does nothing takes 0.8 µs.
const coldPass = 100_000 // ns

// warmed is a pass of n iterations, after two that are thrown away if they are so short
// that cold caches would be most of what the pass measures. Without a warm-up there are none.
func (f *function) warmed(n int) []int {
	if f.isFixed() && f.spec.Warmup > 0 && 0 < f.took && f.took < coldPass {
		return []int{n, n, n}
	}
	return []int{n}
}

// once makes one run.
func (c *command) once(k *kit, r *wire.Request) *wire.Response {
	start, out := k.now(), &wire.Readings{Columns: map[string][]int64{}}
	failure := c.runs(k, r.ID, []int{1}, r.Limit, start, out)
	return &wire.Response{Readings: k.done(out, start), Failure: failure}
}
