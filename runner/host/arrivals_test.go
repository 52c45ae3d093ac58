package host

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/internal/histogram"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

const millisecond = 1_000_000

// server is a body that takes 1 ms, and once, in its stall-th iteration from the first run
// request, a second. A reading of its clock takes 1 µs.
type server struct {
	h     *Host
	clock *timer.Fake
	id    int
	calls int
}

func newServer(t *testing.T, stall int, f wire.Function) *server {
	s := &server{clock: &timer.Fake{Cost: 1000}}
	s.h = fake(t, s.clock)
	f.GC, f.Thread, f.Latency = "on", "locked", true
	s.id = prepare(t, s.h, f, func(n int) {
		for range n {
			if s.calls++; s.calls == stall {
				s.clock.Advance(1000 * millisecond)
			} else {
				s.clock.Advance(millisecond)
			}
		}
	})
	s.calls = 0 // reading the clock was calibrated without the body
	return s
}

// run takes batches in as many requests, with other work of 7 ms between them.
func (s *server) run(t *testing.T, batches, n int, seed uint64) (all []*wire.Readings) {
	for range batches {
		all = append(all, ask(t, s.h, wire.Request{Op: "run", Limit: 1e12, Batches: []wire.Batch{{ID: s.id, N: n, Seed: seed}}}).Readings)
		s.clock.Advance(7 * millisecond)
		if seed > 0 {
			seed++
		}
	}
	return all
}

// latenciesOf are the latencies of all iterations, in ns and ascending, as their bins have them.
func latenciesOf(all []*wire.Readings) (ns []float64) {
	for _, r := range all {
		for row := range r.ID {
			for _, b := range r.LatencyOf(row).Bins {
				low, high := histogram.Bounds(int(b[0]))
				ns = append(ns, slices.Repeat([]float64{float64(low+high) / 2}, int(b[1]))...)
			}
		}
	}
	slices.Sort(ns)
	return ns
}

func quantile(xs []float64, q float64) float64 { return xs[int(math.Ceil(q*float64(len(xs))))-1] }

// Clients come every 2 ms to a server that answers in 1 ms and stops once for 1 s. Until the
// queue is gone, 1000 of them wait, from 1 s down to nothing. The answer does not depend on
// how the iterations are divided into batches, though other work comes between these. A closed
// loop counts one of the thousand.
func TestAStallIsCountedForAllWhoWouldHaveWaited(t *testing.T) {
	const iterations = 10_000
	for _, n := range []int{1, 10, iterations} {
		open := latenciesOf(newServer(t, 2000, wire.Function{Arrivals: 500}).run(t, iterations/n, n, 0))
		for q, want := range map[float64]float64{0.5: 1, 0.89: 1, 0.95: 500, 0.99: 900, 0.999: 990, 1: 1000} {
			if got := quantile(open, q) / millisecond; math.Abs(got-want) > 0.01*want+2 {
				t.Errorf("open loop, batches of %d: p%g is %.4g ms, want %g ms", n, 100*q, got, want)
			}
		}
		closed := latenciesOf(newServer(t, 2000, wire.Function{}).run(t, iterations/n, n, 0))
		if p := quantile(closed, 0.999) / millisecond; p > 1.01 || closed[iterations-1] < 990*millisecond {
			t.Errorf("closed loop, batches of %d: p99.9 is %.4g ms, max %.4g ms", n, p, closed[iterations-1]/millisecond)
		}
	}
}

// The wait is no part of the time of a batch, nor of its CPU time and switches.
func TestWaitingForArrivalsIsNoTime(t *testing.T) {
	s := newServer(t, 0, wire.Function{Arrivals: 500})
	for _, r := range s.run(t, 3, 10, 0) {
		a := r.LatencyOf(0).Arrivals
		if busy := r.Columns["time"][0]; busy < 10*millisecond || busy > 10*millisecond+12_000 || r.Columns["wall"][0] != busy {
			t.Errorf("busy for %d ns, wall %d ns", busy, r.Columns["wall"][0])
		}
		if a.Idle < 9*millisecond || a.Idle > 11*millisecond || a.Waits != 10 || a.Behind > 1.01*millisecond || a.MostLag > 1000 {
			t.Errorf("%+v", a)
		}
		for _, column := range []string{"cpu", "thread_cpu", "voluntary"} {
			if r.Columns[column] != nil {
				t.Errorf("%s contains the waits: %d", column, r.Columns[column])
			}
		}
	}
}

// A server that takes longer than the time between two arrivals falls behind.
func TestASaturatedServerFallsBehind(t *testing.T) {
	s := newServer(t, 0, wire.Function{Arrivals: 2000})
	r := s.run(t, 2, 100, 0)
	if a := r[1].LatencyOf(0).Arrivals; a.Idle > millisecond || math.Abs(float64(a.Behind)/millisecond-100.5) > 1 {
		t.Errorf("%+v: after 200 iterations of 1 ms, one each 0.5 ms, it is 100 ms behind", a)
	}
}

// Poisson arrivals at a server with constant service time: the mean wait in an M/D/1 queue is
// ρ·s / 2(1−ρ). Equal seeds draw equal arrivals.
func TestPoissonArrivalsWaitAsInAQueue(t *testing.T) {
	const n, batches = 200, 200
	mean := func(rs []*wire.Readings) (sum float64) {
		for _, r := range rs {
			sum += float64(r.LatencyOf(0).Sum) / (n * batches)
		}
		return sum / millisecond
	}
	one := newServer(t, 0, wire.Function{Arrivals: 500}).run(t, batches, n, 1)
	if got := mean(one); math.Abs(got-1.5) > 0.05 {
		t.Errorf("mean latency %g ms, want 1.5 ms", got)
	}
	same, other := newServer(t, 0, wire.Function{Arrivals: 500}).run(t, batches, n, 1), newServer(t, 0, wire.Function{Arrivals: 500}).run(t, batches, n, 1000)
	if mean(same) != mean(one) || mean(other) == mean(one) {
		t.Errorf("means %g, %g and %g ms", mean(one), mean(same), mean(other))
	}
}

// A sleep that lasts longer than it should makes the next waits spin earlier, and the lag is
// reported.
func TestLateWakeUpsAreReported(t *testing.T) {
	clock := &timer.Fake{Cost: 1000}
	h := fake(t, clock)
	rng := rand.New(rand.NewPCG(1, 2))
	h.kit.machine.Sleep = func(ns int64) { clock.Sleep(ns + 2*millisecond + rng.Int64N(millisecond)) }
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked", Latency: true, Arrivals: 100}, func(n int) { clock.Advance(int64(n) * millisecond) })
	a := ask(t, h, wire.Request{Op: "run", Limit: 1e12, Batches: []wire.Batch{{ID: id, N: 100}}}).Readings.LatencyOf(0).Arrivals
	if a.Waits != 100 || a.MostLag < millisecond || a.MostLag > 2*millisecond || a.Lag-a.MostLag > 100*1000 {
		t.Errorf("%+v: the first sleep is 1 to 2 ms late, and the others end before their arrivals", a)
	}
}

// A batch has the iterations that arrive while a sample lasts, unless the body takes longer.
func TestBatchesAreSizedWithTheirWaits(t *testing.T) {
	for _, test := range []struct {
		rate   float64
		sample int64
		want   int
	}{{500, 20 * millisecond, 10}, {500, millisecond, 1}, {10_000, 20 * millisecond, 19}} {
		s := newServer(t, 0, wire.Function{Arrivals: test.rate, SampleTime: test.sample, Coalesce: 5})
		sized := ask(t, s.h, wire.Request{Op: "size", ID: s.id, Limit: 1e10}).Sized
		if each := float64(sized.Time) / float64(sized.N); sized.N != test.want || math.Abs(each-millisecond) > 5000 {
			t.Errorf("%g/s, samples of %d ns: %d iterations of %g ns, want %d", test.rate, test.sample, sized.N, each, test.want)
		}
	}
}

func TestArrivalsWithInputs(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	id := consuming(t, h, clock, wire.Function{GC: "on", Thread: "locked", Latency: true, Arrivals: 100_000})
	r := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Batches: []wire.Batch{{ID: id, N: 10, Part: 3}}}).Readings
	for low, count := range timesOf(r.LatencyOf(0)) {
		if low < 80 || low > 120 {
			t.Errorf("%d of %d ns: making inputs takes 1000 ns, the body 100", count, low)
		}
	}
}

// The time of an iteration contains no collection of what waiting has allocated.
func TestWaitingAllocatesNothing(t *testing.T) {
	s := newServer(t, 0, wire.Function{Arrivals: 500})
	f := s.h.cases[s.id].(*function)
	f.adopt(wire.Batch{Seed: 1})
	if n := testing.AllocsPerRun(10, func() { f.open(100) }); n != 0 {
		t.Errorf("%g allocations in a batch", n)
	}
}

func TestArrivalsNeedTheWallClock(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	h.kit.wall = clock
	each := register(t, func(*bench.Case) bench.Loop { return bench.Each(func() {}) })
	got := h.answer(&wire.Request{Op: "prepare", Function: &wire.Function{Function: each, Parallel: 1, Latency: true, Arrivals: 10, GC: "on", Thread: "locked"}})
	if got.Failure == nil || !strings.Contains(got.Failure.Message, "by the wall clock") {
		t.Errorf("%+v", got.Failure)
	}
}
