package host

import (
	"example.com/suite/bench"
	"example.com/suite/timer"
)

// reading is everything kept of one batch, nanoseconds and counts.
type reading struct {
	time, wall, cpu, threadCPU int64
	voluntary, involuntary     int64
	wait, gcs                  int64
}

// meter times batches. It belongs to the goroutine that measures.
type meter struct {
	clock  timer.Clock // that `time` is read from
	wall   timer.Clock // nil where clock is the wall clock itself
	sys    timer.System
	thread bool // the loop is locked to this thread, so its own counters count
	long   bool // batches over 5 ms: their time on the run queue is read as well
}

// batch times n iterations of loop into r. Readings nest, design.md §8.7:
// collections, waiting, switches, CPU, wall, time | body | the same backwards.
// Between the two readings of the clock there is the loop and nothing else; the
// rest costs under 3 µs and allocates nothing.
func (m *meter) batch(loop bench.Loop, n int, r *reading) {
	m.before(r)
	if m.wall != nil {
		r.wall = -m.wall.Now()
	}
	t0 := m.clock.Now()
	loop(n)
	t1 := m.clock.Now()
	r.time = t1 - t0
	if m.wall != nil {
		r.wall += m.wall.Now()
	} else {
		r.wall = r.time
	}
	m.after(r)
}

func (m *meter) before(r *reading) {
	r.gcs = m.sys.GCs()
	r.wait = m.waited()
	r.voluntary, r.involuntary = m.sys.Switches(m.thread)
	r.threadCPU = m.threadCPU()
	r.cpu = m.sys.ProcessCPU()
}

func (m *meter) after(r *reading) {
	r.cpu = since(r.cpu, m.sys.ProcessCPU())
	r.threadCPU = since(r.threadCPU, m.threadCPU())
	voluntary, involuntary := m.sys.Switches(m.thread)
	r.voluntary, r.involuntary = since(r.voluntary, voluntary), since(r.involuntary, involuntary)
	r.wait = since(r.wait, m.waited())
	r.gcs = since(r.gcs, m.sys.GCs())
}

// ready is the time this thread has waited for a CPU up to now; unlike waited
// it is read once per request.
func (m *meter) ready() int64 {
	if !m.thread {
		return timer.Absent
	}
	return m.sys.Wait()
}

// waited is the time on the run queue, read only for long batches: short ones
// are judged by their switches, and a reading costs 450 ns.
func (m *meter) waited() int64 {
	if !m.thread || !m.long {
		return timer.Absent
	}
	return m.sys.Wait()
}

func (m *meter) threadCPU() int64 {
	if !m.thread {
		return timer.Absent
	}
	return m.sys.ThreadCPU()
}

// since subtracts two readings of a counter, either of which may be absent.
func since(before, after int64) int64 {
	if before == timer.Absent || after == timer.Absent {
		return timer.Absent
	}
	return after - before
}
