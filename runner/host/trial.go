package host

import (
	"fmt"

	"example.com/suite/timer"
)

// trial times n iterations of an operation that may declare an iteration void: void
// iterations, and only those, are left out. The clock is read after each iteration,
// which is when the next one begins, so the time includes one reading for each that
// counts. What is read for the batch as a whole is absent if any iteration was void.
func (m *meter) trial(op func() bool, n int, r *reading, quorum float64) {
	m.forget()
	m.before(r)
	if m.wall != nil {
		r.wall = -m.wall.Now()
	}
	m.loop.Start()
	time, void := m.trials(op, n, most(n, quorum))
	err := m.loop.Stop()
	if m.wall != nil {
		r.wall += m.wall.Now()
	}
	m.after(r)
	m.settle(r, err)
	r.time, r.void = time, int64(void)
	if m.wall == nil {
		r.wall = time
	}
	if void > 0 {
		r.leaveOut()
	}
	m.report(r)
}

// trials runs op until n iterations count, and returns their time and how many
// others there were. More than most void ones end the batch, but not before the
// warm-up is over: they may be void because of a cold cache.
func (m *meter) trials(op func() bool, n, most int) (time int64, void int) {
	clock := m.loop.Timer.Clock
	last := clock.Now()
	for counted := 0; counted < n; {
		ok := op()
		now := clock.Now()
		if ok {
			time, counted = time+now-last, counted+1
		} else if void++; void > most && m.now() >= m.warm {
			panic(overruled{"iterations", counted, void})
		}
		last = now
	}
	return time, void
}

// most void iterations that a batch of n may have before it is given up: ten
// times what the quorum allows, so that chance does not end a case whose share
// is above it; the controller judges the share of the whole case.
func most(n int, quorum float64) int {
	if quorum <= 0 {
		quorum = 1
	}
	return 10 + int(min(10*float64(n)/quorum, 1e15))
}

// overruled ends a batch of which hardly any iteration counts.
type overruled struct {
	what          string
	counted, void int
}

func (o overruled) String() string {
	return fmt.Sprintf("%d of %d %s counted, the others were declared void", o.counted, o.counted+o.void, o.what)
}

// leaveOut drops what was measured over void iterations too. If another clock was
// chosen, the wall time stays: limits use it, and the controller knows that it
// includes void iterations.
func (r *reading) leaveOut() {
	r.cpu = timer.Absent
	r.threadCPU = timer.Absent
	r.count = timer.Absent
	for i := range r.events {
		r.events[i] = timer.Absent
	}
}
