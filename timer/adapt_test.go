package timer

import (
	"math"
	"testing"
)

func TestAdaptStepsTowardsTheGoal(t *testing.T) {
	const huge = math.MaxInt64
	for _, test := range []struct {
		name       string
		n, t, goal int64
		next       int64
		done       bool
	}{
		{"in proportion", 10, 300, 1000, 33, false},
		{"at least one more", 1, 700, 1000, 2, false},
		{"a hair short of goal/√2", 10, 707, 1000, 14, false},
		{"goal/√2", 10, 708, 1000, 10, true},
		{"beyond the goal", 10, 99_999, 1000, 10, true},
		{"growth is capped", 10, 1, 1_000_000, 1000, false},
		{"a clock too coarse", 10, 0, 1000, 1000, false},
		{"a clock that went back", 10, -5, 1000, 1000, false},
		{"n below one counts as one", -3, 0, 1000, 100, false},
		{"n of zero that is done", 0, 5000, 1000, 1, true},
		{"no goal", 7, 0, 0, 7, true},
		{"a goal below zero", 7, 0, -1, 7, true},
		{"the largest goal", 1, 1, huge, 100, false},
		{"the largest goal, nearly there", 1e11, huge / 2, huge, 2e11, false},
		{"the largest goal and time", 5, huge, huge, 5, true},
		{"the largest goal, √2 below", 5, huge / 10 * 8, huge, 5, true},
		{"the limit", MaxIterations / 2, 1, huge, MaxIterations, false},
		{"at the limit", MaxIterations, 1, huge, MaxIterations, false},
		{"at the limit with a coarse clock", MaxIterations, 0, 1000, MaxIterations, false},
		{"beyond the limit", huge, 0, 1000, MaxIterations, false},
		{"the least of everything", math.MinInt64, math.MinInt64, math.MinInt64, 1, true},
	} {
		if next, done := Adapt(test.n, test.t, test.goal); next != test.next || done != test.done {
			t.Errorf("%s: Adapt(%d, %d, %d) = %d, %v, want %d, %v", test.name, test.n, test.t, test.goal, next, done, test.next, test.done)
		}
	}
}

// search runs Adapt from 1 until it is done or meets the limit.
func search(goal int64, body func(n int64) int64) (n, took int64, steps int, done bool) {
	n = 1
	for steps = 1; ; steps++ {
		took = body(n)
		next, ok := Adapt(n, took, goal)
		if ok || next <= n {
			return n, took, steps, ok
		}
		n = next
	}
}

func TestASearchEndsWithinAFactorOfRootTwo(t *testing.T) {
	for _, perN := range []float64{0.3, 1, 66, 1e4, 4.9e8, 7.07e8} {
		const goal = 1e9
		n, took, steps, done := search(goal, func(n int64) int64 { return int64(perN * float64(n)) })
		if !done || float64(took) < goal/math.Sqrt2 || float64(took) > goal*math.Sqrt2 || steps > 8 {
			t.Errorf("%g ns each: n = %d took %d in %d steps, done %v", perN, n, took, steps, done)
		}
	}
}

// A body whose time is always just short of goal/√2 makes the smallest steps
// that there are.
func TestTheSlowestSearchTakes82Steps(t *testing.T) {
	n, _, steps, done := search(1_000_000, func(int64) int64 { return 707_106 })
	if done || n != MaxIterations || steps != 82 {
		t.Errorf("n = %d after %d steps, done %v", n, steps, done)
	}
}

// FuzzAdapt searches with bodies whose time never falls as n grows: a part that does
// not depend on n and one that does, read by a coarse clock, and a ceiling.
func FuzzAdapt(f *testing.F) {
	f.Add(int64(1e9), int64(0), 0.33, int64(1), int64(math.MaxInt64))
	f.Add(int64(1e9), int64(7e8), 1e-9, int64(1), int64(math.MaxInt64))
	f.Add(int64(1e6), int64(30), 0.3, int64(15e6), int64(math.MaxInt64))
	f.Add(int64(math.MaxInt64), int64(0), 1e3, int64(1), int64(math.MaxInt64))
	f.Add(int64(1e6), int64(707106), 0.0, int64(0), int64(707106))
	f.Add(int64(-1), int64(math.MinInt64), math.Inf(1), int64(-7), int64(0))
	f.Fuzz(func(t *testing.T, goal, fixed int64, perN float64, step, ceiling int64) {
		if !(perN >= 0) {
			t.Skip("the body has to be monotone")
		}
		body := func(n int64) int64 {
			x := float64(fixed) + perN*float64(n)
			ns := int64(max(min(x, 9.2e18), -9.2e18))
			if step > 1 {
				ns -= ns % step
			}
			return min(ns, ceiling)
		}
		n, last := int64(1), int64(0)
		for steps := 1; steps <= 82; steps++ {
			took := body(n)
			next, done := Adapt(n, took, goal)
			switch {
			case next < 1 || next > MaxIterations || next > n*Growth:
				t.Fatalf("Adapt(%d, %d, %d) = %d", n, took, goal, next)
			case done != (goal <= 0 || float64(took) >= float64(goal)/math.Sqrt2):
				t.Fatalf("Adapt(%d, %d, %d) says done %v", n, took, goal, done)
			case done && next != n, n <= last:
				t.Fatalf("from %d by way of %d to %d, done %v", last, n, next, done)
			case done:
				return
			case next == n && n == MaxIterations:
				return
			}
			n, last = next, n
		}
		t.Fatalf("no end at n = %d", n)
	})
}

func TestGrowEndsAtTheGoalALimitOrAnError(t *testing.T) {
	linear := func(n int64) (int64, error) { return 10 * n, nil }
	if n, ns, reached, err := Grow(1, 10_000, linear, nil); n != 1000 || ns != 10_000 || !reached || err != nil {
		t.Errorf("%d iterations took %d ns, reached %v, %v", n, ns, reached, err)
	}
	most := func(_, _, next int64) int64 { return min(next, 40) }
	if n, ns, reached, err := Grow(1, 10_000, linear, most); n != 40 || ns != 400 || reached || err != nil {
		t.Errorf("with a limit %d iterations took %d ns, reached %v, %v", n, ns, reached, err)
	}
	still := func(int64) (int64, error) { return 0, nil }
	if n, _, reached, err := Grow(0, 1, still, nil); n != MaxIterations || reached || err != nil {
		t.Errorf("a clock that stands still: %d iterations, reached %v, %v", n, reached, err)
	}
	fails := func(n int64) (int64, error) {
		if n > 1 {
			return 0, ErrStop
		}
		return 10, nil
	}
	if n, _, reached, err := Grow(1, 10_000, fails, nil); n != 100 || reached || err != ErrStop {
		t.Errorf("a body that stops: %d iterations, reached %v, %v", n, reached, err)
	}
}
