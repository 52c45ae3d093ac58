package timer

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// fakeLoop is a body that takes perN ns an iteration and fixed ns a call, with
// the fractions of nanoseconds carried over.
func fakeLoop(clock *Fake, fixed int64, perN float64) func(n int) error {
	left := 0.0
	return func(n int) error {
		left += perN * float64(n)
		whole := math.Floor(left)
		clock.Advance(fixed + int64(whole))
		left -= whole
		return nil
	}
}

func TestAPassLastsWhatWasAskedAndGivesTheTimeOfOneIteration(t *testing.T) {
	const target = 10 * time.Millisecond
	for _, test := range []struct {
		name          string
		step          int64
		fixed         int64
		perN          float64
		within, slack float64 // of perN, relative; how much longer than target·√2
	}{
		{"a body of 66 ns", 1, 0, 66, 1e-3, 1},
		{"a body of 0.3 ns", 1, 0, 0.3, 1e-3, 1},
		{"a body of 0.001 ns", 1, 0, 0.001, 1e-3, 1},
		{"a body of 1 ns after 2 ms", 1, 2_000_000, 1, 0.45, 1},
		// Behind a reading of zero n grows a hundredfold, so a pass is of 100 steps at most.
		{"a clock that steps by 15 ms", 15_000_000, 0, 66, 1, 100},
		{"a clock that steps by 15 ms and 0.3 ns", 15_000_000, 0, 0.3, 1, 100},
		{"a body of an hour", 1, 0, 3600e9, 1e-9, 4e5},
	} {
		clock := &Fake{Cost: 26, Step: test.step}
		p, err := New(clock, nil).Measure(target, 1, Overhead{}, fakeLoop(clock, test.fixed, test.perN))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if raw := float64(p.Raw.NS); raw < float64(target)/math.Sqrt2 || raw > float64(target)*math.Sqrt2*test.slack {
			t.Errorf("%s: a pass of %v", test.name, time.Duration(p.Raw.NS))
		}
		if each := float64(p.NS) / p.N; math.Abs(each-test.perN) > test.within*test.perN {
			t.Errorf("%s: %g ns an iteration", test.name, each)
		}
	}
}

func TestABodyThatVariesAThousandfoldStillGivesAPass(t *testing.T) {
	for period := 1; period <= 4; period++ {
		clock, calls := &Fake{Cost: 26}, 0
		p, err := New(clock, nil).Measure(time.Millisecond, 1, Overhead{}, func(n int) error {
			each := int64(10)
			if calls++; calls%period == 0 {
				each = 10_000
			}
			clock.Advance(each * int64(n))
			return nil
		})
		if err != nil || float64(p.Raw.NS) < 1e6/math.Sqrt2 || calls > 20 {
			t.Errorf("slow every %d. call: %+v, %v after %d calls", period, p.Raw, err, calls)
		}
	}
}

func TestNothingRunsWhereAMeasurementCannotSucceed(t *testing.T) {
	gone := errors.New("no such event")
	clock := &Fake{Cost: 26}
	for _, test := range []struct {
		name   string
		timer  *Timer
		target time.Duration
		base   float64
		want   string
	}{
		{"no target", New(clock, nil), 0, 1, "target is 0s"},
		{"a target below zero", New(clock, nil), -1, 1, "target is -1ns"},
		{"no base", New(clock, nil), 1, 0, "base is 0"},
		{"a base that is no number", New(clock, nil), 1, math.NaN(), "base is NaN"},
		{"a base without end", New(clock, nil), 1, math.Inf(1), "base is +Inf"},
		{"a counter that fails preflight", New(clock, &unready{FakeCounter{Fake: clock}, gone}), 1, 1, "clock=fake cycle=fake does not work on this thread: no such event"},
		{"a pair without time", New(clock, &pairing{FakeCounter{Fake: clock, Broken: gone}}), 1, 1, "no time"},
	} {
		p, err := test.timer.Measure(test.target, test.base, Overhead{}, func(int) error {
			t.Errorf("%s: the body ran", test.name)
			return ErrStop
		})
		if err == nil || !strings.Contains(err.Error(), test.want) || p != (Pass{}) {
			t.Errorf("%s: %+v, %v, want %q", test.name, p, err, test.want)
		}
	}
}

type unready struct {
	FakeCounter
	why error
}

func (u *unready) Preflight() error { return u.why }

func TestAMeasurementThatFailsGivesNoPass(t *testing.T) {
	clock, calls := &Fake{Cost: 26}, 0
	tm := New(clock, nil)
	p, err := tm.Measure(time.Second, 1, Overhead{}, func(n int) error {
		if calls++; calls == 3 {
			return ErrStop
		}
		clock.Advance(int64(n))
		return nil
	})
	if err != ErrStop || calls != 3 || p != (Pass{}) {
		t.Errorf("a body that stops: %+v, %v after %d calls", p, err, calls)
	}
	p, err = New(&Fake{}, nil).Measure(time.Second, 1, Overhead{}, func(int) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "1000000000000 iterations took 0 ns by the clock fake, and 1s were wanted") || p != (Pass{}) {
		t.Errorf("a clock that stands still: %+v, %v", p, err)
	}
}

func TestTimeAndCountAreAdjustedApart(t *testing.T) {
	cost := Overhead{
		Time:  LoopCost{Batch: Estimate{30, 2}, Iteration: Estimate{0.5, 0.01}},
		Count: &LoopCost{Batch: Estimate{100, 10}, Iteration: Estimate{1.5, 0.02}},
	}
	full := Delta{NS: 2030, Count: 4600, TimeOK: true, CountOK: true}
	p := Adjust(full, 1000, 64, cost)
	if p.NS != 1500 || p.Count != 3000 || p.N != 64_000 || p.Iterations != 1000 || p.Raw != full {
		t.Errorf("Adjust = %+v", p)
	}
	if p.TimeBelow || p.CountBelow || p.TimeBound != 1512 || p.CountBound != 3030 {
		t.Errorf("bounds = %+v", p)
	}
	if p := Adjust(Delta{NS: 2030, TimeOK: true}, 1000, 1, cost); p.CountOK || p.Count != 0 || p.CountBelow || p.CountBound != 0 {
		t.Errorf("an absent count became %+v", p)
	}
	if p := Adjust(Delta{Count: 4600, CountOK: true}, 1000, 1, cost); p.TimeOK || p.NS != 0 || p.TimeBelow || p.Count != 3000 {
		t.Errorf("an absent time became %+v", p)
	}
	cost.Count = nil
	if p := Adjust(full, 1000, 1, cost); p.Count != 4600 || p.CountBelow || p.CountBound != 4600 {
		t.Errorf("a count without a calibration became %+v", p)
	}
}

func TestWhatIsBelowTheErrorIsABoundAndNeverNegative(t *testing.T) {
	cost := Overhead{Time: LoopCost{Batch: Estimate{30, 2}, Iteration: Estimate{0.5, 0.01}}}
	for _, test := range []struct {
		raw, left int64
		bound     float64
		below     bool
	}{
		{0, 0, 12, true},
		{-40, 0, 12, true},
		{500, 0, 501, true},
		{530, 0, 531, true},
		{541, 11, 542, true},
		{542, 12, 543, true},
		{543, 13, 25, false},
	} {
		p := Adjust(Delta{NS: test.raw, TimeOK: true}, 1000, 1, cost)
		if p.NS != test.left || p.TimeBound != test.bound || p.TimeBelow != test.below {
			t.Errorf("of %d ns: %+v, want %+v", test.raw, p, test)
		}
	}
}

func TestAReadingOfZeroIsBelowOneStep(t *testing.T) {
	p := Adjust(Delta{TimeOK: true, CountOK: true}, 1000, 1, Overhead{Count: &LoopCost{}})
	if !p.TimeBelow || p.TimeBound != 1 || !p.CountBelow || p.CountBound != 1 {
		t.Errorf("%+v", p)
	}
}

func TestAdjustDoesNotOverflow(t *testing.T) {
	const huge = math.MaxInt64
	for _, cost := range []Overhead{{}, {Time: LoopCost{Iteration: Estimate{1e300, 1e300}}}} {
		for _, ns := range []int64{math.MinInt64, -1, 0, 1, huge} {
			for _, n := range []int64{1, MaxIterations, huge} {
				p := Adjust(Delta{NS: ns, TimeOK: true}, n, 1e300, cost)
				if p.NS < 0 || p.NS > max(ns, 0) || p.N <= 0 {
					t.Errorf("%d ns of %d iterations: %+v", ns, n, p)
				}
			}
		}
	}
}

func TestDisturbedReadingsOfAPassAreCounted(t *testing.T) {
	clock := &Fake{Cost: 26}
	counter := &FakeCounter{Fake: clock, Counts: Cycles, PerNS: 3}
	body, moved := fakeLoop(clock, 0, 50), false
	p, err := New(clock, counter).Measure(time.Millisecond, 1, Overhead{}, func(n int) error {
		if !moved {
			counter.Moves, moved = 2, true
		}
		return body(n)
	})
	if err != nil || p.Retries != 2 || !p.CountOK || p.Counts != Cycles {
		t.Errorf("%+v, %v", p, err)
	}
}

// Calibration and measurement of one loop that costs 0.4 ns an iteration agree:
// the same loop empty is below the resolution.
func TestAnEmptyLoopComesOutBelowResolution(t *testing.T) {
	clock := &Fake{Cost: 26}
	tm := New(clock, nil)
	empty := fakeLoop(clock, 0, 0.4)
	cost := Calibrate([]Measure{func(n int) Delta { d, _ := tm.Time(uint64(n), empty); return d }}, 26)
	p, err := tm.Measure(time.Millisecond, 1, cost, empty)
	if err != nil || !p.TimeBelow {
		t.Errorf("%+v, %v with a cost of %+v", p, err, cost.Time)
	}
	if p, err = tm.Measure(time.Millisecond, 1, cost, fakeLoop(clock, 0, 1.4)); err != nil || p.TimeBelow || math.Abs(float64(p.NS)/p.N-1) > 0.01 {
		t.Errorf("a body of 1 ns: %+v, %v", p, err)
	}
}

func TestReportIsOneLineWithTheRightPrefixes(t *testing.T) {
	timed := func(n float64, ns int64) Pass { return Pass{N: n, Delta: Delta{NS: ns, TimeOK: true}} }
	counted := func(p Pass, count int64, unit Unit) Pass {
		p.Count, p.CountOK, p.Counts = count, true, unit
		return p
	}
	below := timed(1e6, 0)
	below.TimeBelow, below.TimeBound = true, 50_000
	both := counted(below, 0, Cycles)
	both.CountBelow, both.CountBound = true, 120_000
	for _, test := range []struct {
		pass Pass
		unit string
		want string
	}{
		{counted(timed(15.3e6, 1_020_510_000), 2_347_020_000, Ticks), "op", "15.3 M op in 1.021 s: 15.0 M op/s, 66.7 ns/op, 153.4 ticks/op"},
		{timed(15.3e6, 1_020_510_000), "", "15.3 M op in 1.021 s: 15.0 M op/s, 66.7 ns/op"},
		{counted(timed(64<<20, 1_000_000_000), 3<<30, Cycles), "byte", "64.0 MiB in 1.000 s: 64.0 MiB/s, 14.9 ns/byte, 48.0 cycles/byte"},
		{timed(512, 1000), "byte", "512 B in 1.000 µs: 488.3 MiB/s, 1.95 ns/byte"},
		{timed(1023.96*1024, 1e9), "byte", "1.00 MiB in 1.000 s: 1.00 MiB/s, 953.7 ns/byte"},
		{timed(12, 60_000_000_000), "line", "12 line in 60.00 s: 0.200 line/s, 5.00 s/line"},
		{timed(1, 999_999_999), "op", "1 op in 1.000 s: 1.00 op/s, 1.00 s/op"},
		{timed(1000, 999_960), "op", "1.00 k op in 1.000 ms: 1.00 M op/s, 1.00 µs/op"},
		{timed(999_960, 999_949), "row", "1.00 M row in 999.9 µs: 1.00 G row/s, 1.00 ns/row"},
		{timed(3e9, 1_000_000_000), "op", "3.00 G op in 1.000 s: 3.00 G op/s, 0.333 ns/op"},
		{timed(1e6, 7_200_000_000_000), "op", "1.00 M op in 2.000 h: 138.9 op/s, 7.20 ms/op"},
		{below, "op", "1.00 M op in < 50.00 µs: > 20.0 G op/s, < 0.0500 ns/op (below resolution)"},
		{both, "op", "1.00 M op in < 50.00 µs: > 20.0 G op/s, < 0.0500 ns/op (below resolution), < 0.120 cycles/op"},
		{counted(Pass{N: 10}, 25, ""), "op", "10 op, 2.50 counts/op"},
		{Pass{N: 10}, "op", "10 op"},
	} {
		if got := test.pass.Report(test.unit); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// A report shows what was read, what was subtracted and what is left, of time and counts.
func TestReportShowsWhatWasSubtracted(t *testing.T) {
	cost := Overhead{Time: LoopCost{Iteration: Estimate{1.823, 0.01}}, Count: &LoopCost{Iteration: Estimate{4, 0.01}}}
	p := Adjust(Delta{NS: 2_340_000, Count: 5_400_000, TimeOK: true, CountOK: true}, 1e6, 1, cost)
	p.Counts = Ticks
	want := "1.00 M op in 517.0 µs: 1.93 G op/s, 0.517 ns/op, 1.40 ticks/op (2.34 ns/op read, 1.82 ns/op subtracted) (5.40 ticks/op read, 4.00 ticks/op subtracted)"
	if got := p.Report("op"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := Adjust(Delta{NS: 1000, TimeOK: true}, 10, 1, Overhead{}).Report("op"); strings.Contains(got, "subtracted") {
		t.Errorf("nothing was subtracted: %s", got)
	}
}

// A pass that is adjusted without Measure has the unit of the timer's counter, too.
func TestAdjustNamesTheUnitOfTheCounter(t *testing.T) {
	clock := &Fake{Cost: 26}
	for counts, want := range map[Unit]string{Ticks: "10 op, 3.00 ticks/op", Cycles: "10 op, 3.00 cycles/op"} {
		tm := New(clock, &FakeCounter{Fake: clock, Counts: counts, PerNS: 3})
		if got := tm.Adjust(Delta{Count: 30, CountOK: true}, 10, 1, Overhead{}).Report(""); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if p := New(clock, nil).Adjust(Delta{NS: 30, TimeOK: true}, 10, 1, Overhead{}); p.Counts != "" {
		t.Errorf("a timer without a counter counts %q", p.Counts)
	}
}
