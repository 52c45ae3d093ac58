package timer

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestABatchLiesBetweenItsTwoReadings(t *testing.T) {
	clock := &Fake{Cost: 26}
	tm := New(clock, &FakeCounter{Fake: clock, Counts: Ticks, PerNS: 2, Cost: 10})
	got, err := tm.Time(5, func(n int) error { clock.Advance(100 * int64(n)); return nil })
	// Half of each reading of the clock is inside, and all of the counter's.
	if want := (Delta{NS: 500 + 26 + 20, Count: 2 * 510, TimeOK: true, CountOK: true}); err != nil || got != want {
		t.Errorf("Time = %+v, %v, want %+v", got, err, want)
	}
	if clock.Reads != 2 {
		t.Errorf("the clock was read %d times for one batch", clock.Reads)
	}
}

func TestManyIterationsAreSplitOverCallsOfTheBody(t *testing.T) {
	for _, test := range []struct {
		n, most uint64
		want    []int
	}{
		{0, 10, []int{0}},
		{7, 10, []int{7}},
		{10, 10, []int{10}},
		{11, 10, []int{10, 1}},
		{35, 10, []int{10, 10, 10, 5}},
		{math.MaxUint64, 0, []int{math.MaxInt, math.MaxInt, 1}},
		{math.MaxInt + 1, math.MaxUint64, []int{math.MaxInt, 1}},
	} {
		clock, got := &Fake{}, []int(nil)
		loop := Loop{Timer: New(clock, nil), Most: test.most, Body: func(n int) error {
			got = append(got, n)
			clock.Advance(1000)
			return nil
		}}
		d, err := loop.Time(test.n)
		if err != nil || !slices.Equal(got, test.want) || clock.Reads != 2 {
			t.Errorf("%d iterations in calls of %d: %d, %v, %d readings, want %d", test.n, test.most, got, err, clock.Reads, test.want)
		}
		if want := int64(1000 * len(test.want)); d.NS != want {
			t.Errorf("%d iterations in calls of %d took %d, want %d", test.n, test.most, d.NS, want)
		}
	}
}

func TestAnErrorOfTheBodyLeavesTheLoop(t *testing.T) {
	other := errors.New("disk full")
	for _, want := range []error{ErrStop, other} {
		calls := 0
		loop := Loop{Timer: New(&Fake{}, nil), Most: 10, Body: func(int) error {
			if calls++; calls == 3 {
				return want
			}
			return nil
		}}
		if d, err := loop.Time(100); err != want || calls != 3 || d != (Delta{}) {
			t.Errorf("%v: got %v after %d calls, %+v", want, err, calls, d)
		}
	}
}

// flaky is a counter of which so many readings fail at each edge.
type flaky struct {
	FakeCounter
	fails [2]int
}

func (f *flaky) Read(out *Instant, edge Edge) error {
	err := f.FakeCounter.Read(out, edge)
	if f.fails[edge] > 0 {
		f.fails[edge]--
		return ErrRetry
	}
	return err
}

func TestDisturbedReadingsAreMadeAgain(t *testing.T) {
	for _, test := range []struct {
		name             string
		first, last      int // failures at T0 and T1
		retries, repeats int
		counted          bool
	}{
		{"none", 0, 0, 0, 0, true},
		{"some before the batch", 7, 0, 7, 0, true},
		{"as many as are borne before it", 100, 0, 100, 0, true},
		{"more than are borne before it", 101, 0, 100, 0, false},
		{"one behind it", 0, 1, 0, 1, true},
		{"as many as are borne behind it", 0, 3, 0, 3, true},
		{"more than are borne behind it", 0, 4, 0, 3, false},
		{"without end", math.MaxInt, math.MaxInt, 400, 3, false},
	} {
		clock, calls := &Fake{Cost: 20}, 0
		counter := &flaky{FakeCounter{Fake: clock, Counts: Cycles, PerNS: 3}, [2]int{test.first, test.last}}
		loop := Loop{Timer: New(clock, counter), Body: func(n int) error { calls++; clock.Advance(int64(n)); return nil }}
		d, err := loop.Time(1000)
		if err != nil || !d.TimeOK || d.NS != 1020 || d.CountOK != test.counted {
			t.Errorf("%s: %+v, %v", test.name, d, err)
		}
		if test.counted != (d.Count > 0) {
			t.Errorf("%s: a count of %d", test.name, d.Count)
		}
		if loop.Retries != test.retries || loop.Repeats != test.repeats || calls != 1+test.repeats {
			t.Errorf("%s: %d readings again, %d batches, body called %d times", test.name, loop.Retries, loop.Repeats, calls)
		}
	}
}

// pairing is a counter that reads its clock too, and sometimes neither.
type pairing struct{ FakeCounter }

func (c *pairing) readPair(out *Instant, edge Edge) error {
	if err := c.Read(out, edge); err != nil {
		return err
	}
	out.NS, out.TimeOK, out.CountOK = c.Fake.Time, true, true
	return nil
}

func TestABatchWithoutATimeIsAnError(t *testing.T) {
	clock := &Fake{}
	c := &pairing{FakeCounter{Fake: clock, Counts: Cycles, PerNS: 3, Moves: 2}}
	loop := Loop{Timer: New(clock, c), Body: func(int) error { clock.Advance(50); return nil }}
	if d, err := loop.Time(1); err != nil || d.NS != 50 || d.Count != 150 || loop.Repeats != 2 {
		t.Errorf("two moves: %+v, %v after %d repeats", d, err, loop.Repeats)
	}
	c.Moves = 4
	if d, err := loop.Time(1); !errors.Is(err, ErrRetry) || d != (Delta{}) {
		t.Errorf("four moves: %+v, %v", d, err)
	}
	c.Moves, c.Broken = 0, errors.New("gone")
	if d, err := loop.Time(1); err == nil || d != (Delta{}) {
		t.Errorf("a broken counter: %+v, %v", d, err)
	}
}

func TestTimingABatchAllocatesNothing(t *testing.T) {
	for _, name := range Names(KindClock) {
		tm, err := Open(Prefs{Clock: []string{name, "wall"}, Cycle: []string{Any, Null}})
		if err != nil {
			t.Fatal(err)
		}
		loop := Loop{Timer: tm, Body: func(int) error { return nil }}
		if got := testing.AllocsPerRun(100, func() { loop.Time(1) }); got != 0 {
			t.Errorf("%s: %v allocations for one batch", tm.Describe(), got)
		}
		tm.Close()
	}
}

// The two show that an empty batch takes at most 1.2 times two readings.
func BenchmarkTwoReadings(b *testing.B) {
	tm, err := Open(Prefs{})
	if err != nil {
		b.Fatal(err)
	}
	var t0, t1 Instant
	total := int64(0)
	for b.Loop() {
		tm.Now(&t0, T0)
		tm.Now(&t1, T1)
		total += t1.NS - t0.NS
	}
	b.ReportMetric(float64(total)/float64(b.N), "inside-ns/op")
}

func BenchmarkEmptyBatch(b *testing.B) {
	tm, err := Open(Prefs{})
	if err != nil {
		b.Fatal(err)
	}
	loop := Loop{Timer: tm, Body: func(int) error { return nil }}
	total := int64(0)
	for b.Loop() {
		d, _ := loop.Time(1)
		total += d.NS
	}
	b.ReportMetric(float64(total)/float64(b.N), "inside-ns/op")
}
