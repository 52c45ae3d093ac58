package probe

import (
	"context"
	"slices"
	"time"

	"example.com/suite/stats"
	"example.com/suite/timer"
)

// Source is a subtimer that may work.
type Source struct {
	Name string
	Kind timer.Kind
	Open func() (*timer.Timer, error) // the error is the reason why it does not work
}

// Timer contains the measurements of one subtimer.
type Timer struct {
	Name   string     `json:"name"`
	Kind   timer.Kind `json:"kind"`
	Works  bool       `json:"works"`
	Reason string     `json:"reason,omitempty"` // why it does not
	// Cost is the time from one reading to the next in seconds, Error half the
	// width of its 99 % interval.
	Cost  float64 `json:"cost,omitempty"`
	Error float64 `json:"error,omitempty"`
	// Single describes single readings of a clock, in seconds.
	Single *timer.Singles `json:"single,omitempty"`
	// Resolution is the smallest step seen: of a clock in seconds, of a counter in
	// its unit.
	Resolution float64    `json:"resolution,omitempty"`
	Unit       timer.Unit `json:"unit,omitempty"`      // of a counter
	Frequency  float64    `json:"frequency,omitempty"` // of a counter, counts per second
}

func sources() (all []Source) {
	for _, s := range timer.Subtimers() {
		if s.Name == timer.Null {
			continue // nothing to measure
		}
		all = append(all, Source{Name: s.Name, Kind: s.Kind, Open: func() (*timer.Timer, error) {
			if err := s.Check(); err != nil {
				return nil, err
			}
			return timer.Open(prefs(s))
		}})
	}
	return all
}

// prefs chooses one subtimer. A clock with the name of a counter works only with that
// counter, so both are named.
func prefs(s timer.Subtimer) timer.Prefs {
	switch {
	case s.Kind == timer.KindCycle:
		return timer.Prefs{Cycle: []string{s.Name}}
	case slices.Contains(timer.Names(timer.KindCycle), s.Name):
		return timer.Prefs{Clock: []string{s.Name}, Cycle: []string{s.Name}}
	}
	return timer.Prefs{Clock: []string{s.Name}}
}

// timers measures each subtimer, in about 10 ms each.
func timers(ctx context.Context, m *Machine) []Timer {
	all := []Timer{} // not nil, which would be null in JSON
	for _, s := range m.Timers {
		if ctx.Err() != nil {
			break
		}
		row := Timer{Name: s.Name, Kind: s.Kind}
		if t, err := s.Open(); err != nil {
			row.Reason = err.Error()
		} else {
			row.Works = true
			row.measure(t, m)
			t.Close()
		}
		all = append(all, row)
	}
	return all
}

func (row *Timer) measure(t *timer.Timer, m *Machine) {
	if row.Kind == timer.KindClock {
		row.Cost, row.Error, row.Single, row.Resolution = clockCosts(t.Clock)
		return
	}
	counter := &counting{Counter: t.Counter}
	row.Unit = t.Counter.Unit()
	cost, frequency := counter.cost(m.Clock), counter.frequency(m)
	row.Cost = cost.NS / 1e9
	row.Error = cost.Error / 1e9
	row.Frequency = frequency * 1e9
	if step, err := timer.Resolution(counter); err == nil && !counter.failed {
		row.Resolution = float64(step)
	}
}

// clockCosts measures a clock, in seconds: the time from one reading to the next with half of its 99 % interval, single
// readings, and the smallest step, 0 if none was seen.
func clockCosts(clock timer.Clock) (cost, half float64, single *timer.Singles, step float64) {
	reading := timer.ReadingCost(clock)
	if ns, err := timer.Resolution(clock); err == nil {
		step = time.Duration(ns).Seconds()
	}
	return reading.NS / 1e9, reading.Error / 1e9, reading.Singles.Seconds(), step
}

// counting reads a counter as if it were a clock.
type counting struct {
	timer.Counter
	at     timer.Instant
	failed bool
}

func (c *counting) Now() int64 {
	if c.Read(&c.at, timer.T0) != nil {
		c.failed = true
	}
	return int64(c.at.Count)
}

const rounds = 41 // as in timer.ReadingCost

// cost measures one reading, in ns of the clock wall.
func (c *counting) cost(wall timer.Clock) timer.Estimate {
	const readings = 100
	var costs []float64
	before := wall.Now()
	for range rounds {
		for range readings {
			c.Now()
		}
		now := wall.Now()
		costs = append(costs, float64(now-before)/readings)
		before = now
	}
	return timer.NewEstimate(costs)
}

// frequency measures counts per ns while the core works, 0 if a reading failed or the
// clock is too coarse. It does work between readings: readings in a row spend most of
// their time in the kernel if they are system calls, and a counter may leave out the
// kernel.
func (c *counting) frequency(m *Machine) float64 {
	var rates []float64
	n := m.operations()
	for range rounds {
		before, counted := m.Clock.Now(), c.Now()
		m.Work(n)
		now, count := m.Clock.Now(), c.Now()
		if now <= before || c.failed {
			return 0
		}
		rates = append(rates, float64(count-counted)/float64(now-before))
	}
	return stats.Median(rates)
}

// operations finds how many operations of Work take 200 µs: long in relation to a
// reading, and short enough to lose the processor seldom.
func (m *Machine) operations() int {
	const enough, most = 200_000, 1 << 22
	n := 1024
	for n < most && m.fastest(n) < enough {
		n *= 2
	}
	return n
}
