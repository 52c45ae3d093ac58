package host

import (
	"errors"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

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
