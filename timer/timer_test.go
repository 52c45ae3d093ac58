package timer

import (
	"math"
	"runtime"
	"strings"
	"testing"
)

func TestOpenFallsThroughAndKeepsTheReason(t *testing.T) {
	tm, err := Open(Prefs{})
	if err != nil || tm.Describe() != "clock=wall cycle=null" || len(tm.Skipped) != 0 {
		t.Errorf("Open() = %v, %v, want wall", tm, err)
	}
	for _, s := range Subtimers() {
		if s.Kind != KindClock {
			continue
		}
		tm, err := Open(Prefs{Clock: []string{s.Name, "wall"}})
		if err != nil {
			t.Fatal(err)
		}
		if why := s.Check(); why == nil && tm.Clock.Name() != s.Name {
			t.Errorf("%s works and %s was taken", s.Name, tm.Clock.Name())
		} else if why != nil && (tm.Clock.Name() != "wall" || tm.Skipped[0].Reason == "") {
			t.Errorf("%s does not work: got %s, skipped %v", s.Name, tm.Clock.Name(), tm.Skipped)
		}
	}
}

func TestUnknownClocksAreErrorsThatListTheKnownOnes(t *testing.T) {
	_, err := Open(Prefs{Clock: []string{"wall", "sundial"}})
	if err == nil || !strings.Contains(err.Error(), `unknown clock "sundial"; known are wall, posix-thread-cputime`) {
		t.Errorf("err = %v", err)
	}
}

func TestClocksOnlyGrow(t *testing.T) {
	runtime.LockOSThread() // each thread has CPU time of its own
	defer runtime.UnlockOSThread()
	for _, name := range Names(KindClock) {
		tm, err := Open(Prefs{Clock: []string{name, "wall"}})
		if err != nil {
			t.Fatal(err)
		}
		last := tm.Clock.Now()
		for range 1000 {
			now := tm.Clock.Now()
			if now < last {
				t.Fatalf("%s went back from %d to %d", name, last, now)
			}
			last = now
		}
	}
}

func TestReadingCostAndResolutionOfAFakeClock(t *testing.T) {
	for _, test := range []struct{ cost, step, resolution int64 }{
		{25, 1, 25}, {25, 100, 100}, {300, 1, 300}, {30, 15_000_000, 15_000_000},
	} {
		clock := &Fake{Cost: test.cost, Step: test.step}
		if got, err := Resolution(clock); err != nil || got != test.resolution {
			t.Errorf("resolution of %+v = %d, %v", test, got, err)
		}
		got := ReadingCost(clock)
		if test.step == 1 && math.Abs(got.NS-float64(test.cost)*0.99) > 0.01*float64(test.cost) {
			t.Errorf("reading cost of %+v = %+v", test, got)
		}
		if least, most := float64(test.cost/test.step*test.step), math.Ceil(float64(test.cost)/float64(test.step))*float64(test.step); test.step <= 100 && (got.Min != least || got.Max != most || math.Abs(got.Mean-float64(test.cost)) > 0.05*float64(test.cost)) {
			t.Errorf("single readings of %+v = %+v, want %g to %g", test, got, least, most)
		}
	}
}

func TestAClockThatStandsStillIsAnError(t *testing.T) {
	if _, err := Resolution(&Fake{}); err == nil {
		t.Error("a clock that never moves has a resolution")
	}
}

// loop is an empty loop of a fake machine: perN ns a step, and a stall of 3 ms
// in every stallEach-th batch.
func loop(clock *Fake, perN float64, stallEach int) Measure {
	batches := 0
	return func(n int) Delta {
		start := clock.Now()
		clock.Advance(int64(perN * float64(n)))
		if batches++; stallEach > 0 && batches%stallEach == 0 {
			clock.Preempt(3_000_000)
		}
		return Delta{NS: clock.Now() - start, TimeOK: true}
	}
}

func TestCalibrationFindsWhatLoopsCost(t *testing.T) {
	for _, stall := range []int{0, 7, 3} {
		clock := &Fake{Cost: 20}
		got := Calibrate([]Measure{loop(clock, 0.33, stall), loop(clock, 0.35, stall), loop(clock, 0.34, stall)}, 20)
		if math.Abs(got.Time.Iteration.NS-0.34) > 0.001 {
			t.Errorf("stall every %d: %+v ns an iteration, want 0.34", stall, got.Time.Iteration)
		}
		if got.Time.Iteration.Error < 0.0099 {
			t.Errorf("stall every %d: error %g does not cover the spread of the copies", stall, got.Time.Iteration.Error)
		}
		if math.Abs(got.Time.Batch.NS-20) > 1 {
			t.Errorf("stall every %d: %+v ns a batch, want 20", stall, got.Time.Batch)
		}
	}
}

func TestCalibrationWithACoarseClockEndsAndIsNeverNegative(t *testing.T) {
	clock := &Fake{Cost: 30, Step: 15_000_000}
	got := Calibrate([]Measure{loop(clock, 0.33, 0)}, clock.Step)
	if got.Time.Iteration.NS < 0 || got.Time.Batch.NS < 0 || got.Time.Iteration.NS+got.Time.Iteration.Error < 0.33 {
		t.Errorf("%+v does not hold 0.33 ns an iteration", got)
	}
}

func TestAbsentIsNotZero(t *testing.T) {
	m := Machine()
	if m.ProcessCPU() == 0 || m.GCs() < 0 {
		t.Errorf("process CPU %d, collections %d", m.ProcessCPU(), m.GCs())
	}
	if a, b := m.Switches(true); a < Absent || b < Absent {
		t.Errorf("switches %d, %d", a, b)
	}
}

func TestReadingTheSystemAllocatesNothing(t *testing.T) {
	m := Machine()
	read := func() {
		m.ProcessCPU()
		m.ThreadCPU()
		m.Switches(true)
		m.Wait()
		m.GCs()
	}
	read() // the first reading of runtime/metrics sets it up
	if got := testing.AllocsPerRun(100, read); got != 0 {
		t.Errorf("%v allocations for one reading of everything", got)
	}
}

func BenchmarkReading(b *testing.B) {
	for _, name := range Names(KindClock) {
		tm, err := Open(Prefs{Clock: []string{name, "wall"}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			if tm.Clock.Name() != name {
				b.Skip("not here")
			}
			for b.Loop() {
				tm.Clock.Now()
			}
		})
	}
}

// stalling is a clock one of whose readings takes longer than the others.
type stalling struct {
	Fake
	at   int // the reading that stalls
	long int64
}

func (s *stalling) Now() int64 {
	if s.Reads == s.at {
		s.Advance(s.long)
	}
	return s.Fake.Now()
}

// One reading of 4100 takes 41 µs longer: the mean moves by 10 ns, the median does not.
func TestAnInterruptedReadingIsTheGreatestAndNotTheMedian(t *testing.T) {
	got := ReadingCost(&stalling{Fake: Fake{Cost: 25}, at: 1234, long: 41_000})
	if got.NS != 25 || got.Min != 25 || got.Max != 41_025 || math.Abs(got.Mean-35) > 1e-9 {
		t.Errorf("%+v, want a median of 25, a mean of 35 and 25 to 41025", got)
	}
}
