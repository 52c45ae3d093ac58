package host

import (
	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// reading is everything kept of one batch, nanoseconds and counts. A field that
// could not be read is timer.Absent.
type reading struct {
	time, wall, cpu, threadCPU int64
	count                      int64 // of the cycle counter
	voluntary, involuntary     int64
	wait, gcs                  int64
	latency                    *wire.Latency // of single iterations; nil if they were not timed
	void                       int64         // iterations that were left out
	events                     []int64       // in the order of meter.events
	share                      float64       // of its time that the least lucky counter was on the hardware
	moved                      bool          // the counter was disturbed

	reported []float64 // in the order of benchcase.Case.Reported, NaN if the batch reported none
}

// meter times batches. It belongs to the goroutine that measures.
type meter struct {
	wall   timer.Clock // nil if the timer's clock is the wall clock itself
	sys    timer.System
	events timer.Events // nil if none were asked for
	thread bool         // the loop is locked to this thread, so its own counters count
	long   bool         // batches over 5 ms: their time on the run queue is read as well
	brief  bool         // batches are too short for clocks of CPU time, which are not read
	warm   int64        // when the body counts as warm, by now; before that any number of iterations may be void

	loop          timer.Loop // takes the readings next to the batch, of which `time` is made
	counts, ended []timer.Count
	known         bool // counts were read
	retried       int64
	part          reading // of a batch that is run in parts
	trace         *trace  // written to between batches; nil for none

	reports *benchcase.Case // whose loop may report metrics; nil: none
}

// now is the clock of limits: the wall clock.
func (m *meter) now() int64 {
	if m.wall != nil {
		return m.wall.Now()
	}
	return m.loop.Timer.Clock.Now()
}

// unit is empty if there is no cycle counter.
func (m *meter) unit() timer.Unit {
	if m.loop.Timer.Counter == nil {
		return ""
	}
	return m.loop.Timer.Counter.Unit()
}

// batch times n iterations of loop into r. Readings nest:
// collections, waiting, switches, CPU, events, wall, time, cycles | body | the
// same backwards. Between the two readings of the timer there is the loop and
// nothing else; the others cost under 3 µs and allocate nothing.
func (m *meter) batch(loop bench.Loop, n int, r *reading) {
	if n == 0 { // it measures what timing costs
		defer m.ignore()()
	}
	m.before(r)
	if m.wall != nil {
		r.wall = -m.wall.Now()
	}
	m.loop.Start()
	loop(n)
	err := m.loop.Stop()
	if m.wall != nil {
		r.wall += m.wall.Now()
	}
	m.after(r)
	m.settle(r, err)
}

// batchTries of a short batch whose counter was disturbed: the thread moved to
// another CPU once in some thousand batches here, so three in a row mean that
// something is wrong, and then the time is kept without the count.
const batchTries = 3

// sample times a batch of a loop.
func (m *meter) sample(loop bench.Loop, n int, r *reading) {
	m.steady(r, func() { m.batch(loop, n, r) })
}

// steady times a batch, and times it again if a reading of the counter was
// disturbed. A long batch is not repeated: it would be disturbed again.
func (m *meter) steady(r *reading, batch func()) {
	for try := 1; ; try++ {
		m.forget()
		batch()
		m.report(r)
		if !r.moved || try == batchTries || r.wall > wire.LongBatch {
			return
		}
		m.retried++
	}
}

// settle works out what passed between the two readings of the timer.
func (m *meter) settle(r *reading, err error) {
	d := m.loop.Passed()
	r.time, r.count = timer.Absent, timer.Absent
	if d.TimeOK {
		r.time = d.NS
	}
	if d.CountOK {
		r.count, r.share = d.Count, min(r.share, m.loop.Share())
	}
	r.moved, r.void = err != nil, timer.Absent
	if m.wall == nil {
		r.wall = r.time
	}
}

func (m *meter) before(r *reading) {
	r.gcs = m.sys.GCs()
	r.wait = m.waited()
	r.voluntary, r.involuntary = m.sys.Switches(m.thread)
	r.threadCPU = m.threadCPU()
	r.cpu = m.processCPU()
	if m.events != nil {
		m.known = m.events.Read(m.counts)
	}
}

func (m *meter) after(r *reading) {
	m.counted(r)
	r.cpu = since(r.cpu, m.processCPU())
	r.threadCPU = since(r.threadCPU, m.threadCPU())
	voluntary, involuntary := m.sys.Switches(m.thread)
	r.voluntary, r.involuntary = since(r.voluntary, voluntary), since(r.involuntary, involuntary)
	r.wait = since(r.wait, m.waited())
	r.gcs = since(r.gcs, m.sys.GCs())
}

// counted stores how far the events counted during the batch.
func (m *meter) counted(r *reading) {
	r.share = 1
	if m.events == nil {
		return
	}
	ok := m.events.Read(m.ended) && m.known
	for i := range r.events {
		r.events[i] = timer.Absent
		if ok {
			r.events[i], _ = m.ended[i].Since(m.counts[i])
			r.share = min(r.share, m.ended[i].Share(m.counts[i]))
		}
	}
}

// ready is how long this thread has waited for a CPU so far. Unlike waited, it is
// called once per request, so it reads the time for short batches too.
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

// processCPU is absent for batches that are shorter than a few of its readings: they are system
// calls, and four of them made a quarter of what a batch of 75 ns costs.
func (m *meter) processCPU() int64 {
	if m.brief {
		return timer.Absent
	}
	return m.sys.ProcessCPU()
}

func (m *meter) threadCPU() int64 {
	if !m.thread || m.brief {
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
