package host

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/suite/stats"
	"example.com/suite/timer"
)

// sizing runs the search over a body whose batch of n takes cost(n, time) ns.
func sizing(clock *timer.Fake, goal, warmup, limit int64, cost func(n int, now int64) int64) (n int, t int64, cut bool) {
	s := &sizer{goal: goal, warmup: warmup, limit: limit, elapsed: func() int64 { return clock.Time }}
	s.time = func(n int) int64 {
		start := clock.Now()
		clock.Advance(cost(n, clock.Time))
		return clock.Now() - start
	}
	return s.find()
}

const (
	ms     = int64(1_000_000)
	second = 1000 * ms
)

func steady(perN float64) func(int, int64) int64 {
	return func(n int, _ int64) int64 { return int64(perN * float64(n)) }
}

func TestBatchesLastWhatWasAsked(t *testing.T) {
	for _, perN := range []float64{0.05, 0.33, 4, 137, 1e3, 1e5, 4e5, 9e5} {
		clock := &timer.Fake{Cost: 20}
		n, _, cut := sizing(clock, ms, 100*ms, 10*second, steady(perN))
		if got := perN * float64(n); cut || got < float64(ms)/math.Sqrt2-perN || got > float64(ms)*math.Sqrt2+perN {
			t.Errorf("%g ns an iteration: batches of %d last %g ns, cut %v", perN, n, got, cut)
		}
	}
}

// Not the search but the batches after it must have the right length.
func TestBatchesBehindTheSearchLastWhatWasAsked(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	bodies := map[string]func(n int, now int64) int64{
		"a twentieth of a nanosecond": steady(0.05),
		// One iteration in a thousand takes 1000 times as long as the others.
		"varies by 1000": func(n int, _ int64) int64 {
			slow := int64(0)
			for left := n; left > 0; left -= 1000 {
				if rng.IntN(1000) < min(left, 1000) {
					slow++
				}
			}
			return 100*int64(n) + slow*100_000
		},
		"faster by half every 20 ms": func(n int, now int64) int64 { return max(int64(3200)>>min(now/(20*ms), 60), 50) * int64(n) },
		"slower with every call":     func(n int, now int64) int64 { return int64(n) * (100 + min(now/ms, 100)) },
		"set-up of 300 µs a batch":   func(n int, _ int64) int64 { return 300_000 + 10*int64(n) },
	}
	for name, cost := range bodies {
		for _, goal := range []int64{ms / 10, ms, 30 * ms} {
			if name == "varies by 1000" && goal < ms {
				continue // a tenth of a millisecond contains a slow iteration, or none: no batch has that length
			}
			clock := &timer.Fake{Cost: 20}
			n, _, cut := sizing(clock, goal, 200*ms, 60*second, cost)
			var behind []float64
			for range 21 {
				behind = append(behind, float64(cost(n, clock.Time)))
			}
			if got := stats.Median(behind); cut || got < float64(goal)/1.5 || got > float64(goal)*1.5 && n > 1 {
				t.Errorf("%s, goal %g ms: batches of %d last %g ms, cut %v", name, float64(goal)/1e6, n, got/1e6, cut)
			}
		}
	}
}

func TestTheSearchKeepsTheDeadline(t *testing.T) {
	bodies := map[string]func(n int, now int64) int64{
		"steady": steady(100), "a second each": steady(float64(second)), "nothing": steady(0),
		"ten times slower behind 100 ms": func(n int, now int64) int64 {
			if now > 100*ms {
				return 1000 * int64(n)
			}
			return 100 * int64(n)
		},
	}
	for name, cost := range bodies {
		for _, goal := range []int64{ms, 100 * second, math.MaxInt64 / 2} {
			clock := &timer.Fake{Cost: 20}
			longest := int64(0)
			n, _, _ := sizing(clock, goal, 100*ms, second, func(n int, now int64) int64 {
				took := cost(n, now)
				longest = max(longest, took)
				return took
			})
			// The batch that runs when the limit comes is the only one to pass it.
			if n < 1 || clock.Time > second+longest || longest > 5*second {
				t.Errorf("%s, goal %g s: n %d after %g s, the longest batch %g s", name, float64(goal)/1e9, n, float64(clock.Time)/1e9, float64(longest)/1e9)
			}
		}
	}
}

func TestLongBodiesAreRunOnceABatch(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	n, _, cut := sizing(clock, ms, 100*ms, 60*second, steady(float64(5*second)))
	if n != 1 || cut || clock.Time > 11*second {
		t.Errorf("n = %d, cut %v after %d s; want 1 within two runs", n, cut, clock.Time/second)
	}
}

func TestABodySlowAtFirstIsSizedForWhatItBecomes(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	slow := func(n int, now int64) int64 { // 1 ms a call for 40 ms, then 10 µs
		if now < 40*ms {
			return ms * int64(n)
		}
		return 10_000 * int64(n)
	}
	n, _, _ := sizing(clock, ms, 100*ms, 10*second, slow)
	if n < 70 || n > 142 {
		t.Errorf("n = %d, want about 100", n)
	}
}

func TestAColdFirstCallDoesNotDecide(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	calls := 0
	cold := func(n int, _ int64) int64 {
		if calls++; calls == 1 {
			return 200 * ms
		}
		return 11_600 * int64(n)
	}
	n, _, _ := sizing(clock, ms, 100*ms, 10*second, cold)
	if n < 60 || n > 122 {
		t.Errorf("n = %d, want about 86", n)
	}
}

func TestOneStallDoesNotEndTheSearch(t *testing.T) {
	for stalled := range 12 {
		clock := &timer.Fake{Cost: 20}
		batches := 0
		body := func(n int, _ int64) int64 {
			t := 100 * int64(n)
			if batches++; batches == stalled {
				t += 4 * ms
			}
			return t
		}
		n, _, _ := sizing(clock, ms, 0, 10*second, body)
		if n < 7000 || n > 14200 {
			t.Errorf("stalled in batch %d: n = %d, want about 10,000", stalled, n)
		}
	}
}

func TestACoarseClockStillEndsTheSearch(t *testing.T) {
	clock := &timer.Fake{Cost: 30, Step: 15 * ms}
	n, _, cut := sizing(clock, 5*15*ms, 0, 10*second, steady(100))
	if got := 100 * int64(n); cut || got < 50*ms || got > 125*ms {
		t.Errorf("batches of %d last %d ms, cut %v; want about 75", n, got/ms, cut)
	}
}

func TestErraticBodiesEndWithinTheLimit(t *testing.T) {
	clock, batches := &timer.Fake{Cost: 20}, 0
	erratic := func(n int, _ int64) int64 { // 1000 times slower in every other batch
		if batches++; batches%2 == 0 {
			return 100_000 * int64(n)
		}
		return 100 * int64(n)
	}
	sizing(clock, ms, 100*ms, 2*second, erratic)
	if clock.Time > 4*second {
		t.Errorf("ended after %d ms, with a limit of 2000", clock.Time/ms)
	}
}

func TestTheSearchNeverOverflowsNorStops(t *testing.T) {
	for _, n := range []int{1, 1000, 1e12, math.MaxInt} {
		for _, took := range []int64{-5, 0, 1, math.MaxInt64} {
			for _, goal := range []int64{1, ms, math.MaxInt64} {
				if got := follow(n, took, goal); got < 1 || float64(got) > timer.MaxIterations {
					t.Errorf("follow(%d, %d, %d) = %d", n, took, goal, got)
				}
			}
		}
	}
	if got := follow(10, ms/2, ms); got != 20 {
		t.Errorf("follow(10, ½ goal) = %d, want 20", got)
	}
	if got := follow(10, 1, ms); got != 1000 {
		t.Errorf("nextN grew from 10 to %d, want at most a hundredfold", got)
	}
}
