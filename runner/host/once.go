package host

import (
	"errors"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// once makes passes, each with more iterations, until one lasts long enough, and returns
// the readings of that pass: mLib's way of measuring. The passes before it are its warm-up.
func (f *function) once(h *Host, r *wire.Request) *wire.Response {
	start, out := h.now(), &wire.Readings{Columns: map[string][]int64{}}
	var last reading
	var failure *wire.Failure
	run := func(n int64) (int64, error) {
		var rows []reading
		rows, failure = f.pass(h, int(n), r.Limit, start, out)
		if failure != nil || len(rows) == 0 {
			return 0, errNoPass
		}
		last = rows[0]
		return last.time, nil
	}
	limit := func(n, _, next int64) int64 {
		left := r.Limit - (h.now() - start)
		if f.isFixed() || h.stop.Load() || left <= 0 || !fits(last.wall, n, next, left) {
			return n
		}
		return next
	}
	n, _, _, err := timer.Grow(int64(r.N), h.goal(r.Goal, f.Coalesce), run, limit)
	if err == nil {
		out.ID, out.N = []int{r.ID}, []int{int(n)}
	}
	return &wire.Response{Readings: h.done(out, start), Failure: failure}
}

// errNoPass ends a search whose pass failed, or was not begun because of an interrupt.
var errNoPass = errors.New("no pass")

// fits reports whether a pass of next iterations would end before the limit, judged by
// the last one.
func fits(took, n, next, left int64) bool {
	return took <= 0 || float64(took)/float64(n)*float64(next) <= float64(left)
}

// pass times one batch, whose row replaces the row of the pass before.
func (f *function) pass(h *Host, n int, limit, start int64, out *wire.Readings) (rows []reading, failure *wire.Failure) {
	f.inside(func() {
		f.on(h, func(m *meter) {
			if rows, failure = f.batches(h, m, []int{n}, limit, start); failure == nil {
				out.ID, out.N, out.Columns = nil, nil, map[string][]int64{}
				addRows(out, 0, []int{n}, rows, m)
				for i := range rows {
					m.trace.batch("pass", n, &rows[i], m.unit())
				}
			}
		})
	})
	return rows, failure
}

// once makes one run.
func (c *command) once(h *Host, r *wire.Request) *wire.Response {
	start, out := h.now(), &wire.Readings{Columns: map[string][]int64{}}
	failure := c.runs(h, r.ID, []int{1}, r.Limit, start, out)
	return &wire.Response{Readings: h.done(out, start), Failure: failure}
}
