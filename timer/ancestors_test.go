package timer

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What mLib's bench promises of a timer, held to here: docs/evidence/ancestors.md.

// balky is a counter of which readings fail, which counts what is done to it.
type balky struct {
	FakeCounter
	err                error // of readings
	preflights, closed int
	unfit              error // of preflights
}

func (b *balky) Read(out *Instant, edge Edge) error {
	if err := b.FakeCounter.Read(out, edge); err != nil {
		return err
	}
	return b.err
}

func (b *balky) Preflight() error { b.preflights++; return b.unfit }

func (b *balky) Close() error { b.closed++; return nil }

func newBalky(err error) (*Timer, *balky, *Fake) {
	clock := &Fake{Cost: 26}
	counter := &balky{FakeCounter: FakeCounter{Fake: clock, Counts: Ticks, PerNS: 2}, err: err}
	return New(clock, counter), counter, clock
}

func TestAReadingSucceedsOrIsMadeAgainOrStaysAbsent(t *testing.T) {
	for _, test := range []struct {
		name          string
		fails, want   error
		countOK, once bool
	}{
		{"success", nil, nil, true, true},
		{"a transient failure", ErrRetry, ErrRetry, false, true},
		{"a failure for good", errors.New("the counter is gone"), nil, false, true},
	} {
		tm, _, _ := newBalky(test.fails)
		for _, edge := range []Edge{T0, T1} {
			out := Instant{CountOK: !test.countOK} // left over from an earlier reading
			if err := tm.Now(&out, edge); err != test.want || !out.TimeOK || out.CountOK != test.countOK {
				t.Errorf("%s at T%d: %v, %+v", test.name, edge, err, out)
			}
		}
	}
}

func TestTimeAndCountOfADeltaAreValidApart(t *testing.T) {
	tm, _, _ := newBalky(nil)
	for _, timed := range []bool{true, false} {
		for _, counted := range []bool{true, false} {
			a := Instant{NS: 100, Count: 7, TimeOK: timed, CountOK: true}
			b := Instant{NS: 160, Count: 27, TimeOK: true, CountOK: counted}
			want := Delta{TimeOK: timed, CountOK: counted}
			if timed {
				want.NS = 60
			}
			if counted {
				want.Count = 20
			}
			if got := tm.Diff(&a, &b); got != want {
				t.Errorf("time %t, count %t: %+v, want %+v", timed, counted, got, want)
			}
		}
	}
}

func TestACounterThatSharedItsHardwareIsScaledOrAbsent(t *testing.T) {
	tm, _, _ := newBalky(nil)
	for _, test := range []struct {
		running uint64
		want    Delta
	}{
		{1000, Delta{NS: 60, Count: 20, TimeOK: true, CountOK: true}},
		{250, Delta{NS: 60, Count: 80, TimeOK: true, CountOK: true, Scaled: true}},
		{0, Delta{NS: 60, TimeOK: true}},
	} {
		a := Instant{NS: 100, Count: 7, Enabled: 5000, Running: 300, TimeOK: true, CountOK: true}
		b := Instant{NS: 160, Count: 27, Enabled: 6000, Running: 300 + test.running, TimeOK: true, CountOK: true}
		if got := tm.Diff(&a, &b); got != test.want {
			t.Errorf("on the hardware for %d of 1000 ns: %+v, want %+v", test.running, got, test.want)
		}
	}
}

func TestATimerDescribesBothOfItsSubtimers(t *testing.T) {
	tm, _, clock := newBalky(nil)
	if got := tm.Describe(); got != "clock=fake cycle=fake" {
		t.Errorf("with a counter: %s", got)
	}
	if got := New(clock, nil).Describe(); got != "clock=fake cycle=null" {
		t.Errorf("without: %s", got)
	}
}

func TestClosingATimerClosesItsCounter(t *testing.T) {
	tm, counter, clock := newBalky(nil)
	if err := tm.Close(); err != nil || counter.closed != 1 {
		t.Errorf("%v, closed %d times", err, counter.closed)
	}
	if err := New(clock, nil).Close(); err != nil {
		t.Errorf("without a counter: %v", err)
	}
	for _, s := range Subtimers() {
		tm, err := Open(Prefs{Cycle: []string{s.Name, Null}})
		if err != nil {
			continue // no cycle subtimer
		}
		for range 2 {
			if err := tm.Close(); err != nil {
				t.Errorf("%s cannot be closed twice: %v", s.Name, err)
			}
		}
	}
}

func TestLoopsShareATimerAndMayNest(t *testing.T) {
	tm, _, clock := newBalky(nil)
	var inside Delta
	inner := Loop{Timer: tm, Body: func(n int) error { clock.Advance(100 * int64(n)); return nil }}
	outer := Loop{Timer: tm, Body: func(int) (err error) {
		clock.Advance(1000)
		inside, err = inner.Time(5)
		return err
	}}
	whole, err := outer.Time(1)
	if err != nil || inside.NS != 526 || whole.NS != 1000+526+2*26 {
		t.Errorf("inside %+v, whole %+v, %v", inside, whole, err)
	}
	if again, err := inner.Time(2); err != nil || again.NS != 226 {
		t.Errorf("behind it: %+v, %v", again, err)
	}
}

func TestTheTimingLoopDoesNotPreflightAndAMeasurementDoes(t *testing.T) {
	tm, counter, clock := newBalky(nil)
	body := func(n int) error { clock.Advance(100 * int64(n)); return nil }
	if _, err := tm.Time(5, body); err != nil || counter.preflights != 0 {
		t.Errorf("a batch: %v, %d preflights", err, counter.preflights)
	}
	if _, err := tm.Measure(10_000, 1, Overhead{}, body); err != nil || counter.preflights != 1 {
		t.Errorf("a measurement: %v, %d preflights", err, counter.preflights)
	}
	counter.unfit = errors.New("not on this thread")
	if _, err := tm.Measure(10_000, 1, Overhead{}, body); !errors.Is(err, counter.unfit) {
		t.Errorf("a measurement that cannot be made: %v", err)
	}
}

// One of the processors' counters is missing everywhere, and so is the clock that
// needs the counter of its name.
func TestATimerOfWhichNothingWorksSaysWhyOfEach(t *testing.T) {
	var cycles []string
	for _, s := range Subtimers() {
		if s.Kind == KindCycle && s.Check() != nil {
			cycles = append(cycles, s.Name)
		}
	}
	for begin, prefs := range map[string]Prefs{
		"no cycle counter of the list works here: ":   {Cycle: append(cycles, cycles[0])}, // two at least
		"this cycle counter does not work here: ":     {Cycle: cycles[:1]},
		"this clock does not work here: " + rdpmcName: {Clock: []string{rdpmcName}},
	} {
		tm, err := Open(prefs)
		if tm != nil || err == nil || !strings.HasPrefix(err.Error(), begin) {
			t.Errorf("%v: %v, %v", prefs, tm, err)
			continue
		}
		for _, name := range append(prefs.Clock, prefs.Cycle...) {
			if !strings.Contains(err.Error(), name+": ") {
				t.Errorf("no reason for %s in %q", name, err)
			}
		}
	}
}

func TestNullOpensAndNeverCounts(t *testing.T) {
	tm, err := Open(Prefs{Cycle: []string{Null}})
	if err != nil || len(tm.Skipped) != 0 {
		t.Fatalf("%v, %v", tm, err)
	}
	d, err := tm.Time(1, func(int) error { return nil })
	if err != nil || !d.TimeOK || d.CountOK || d.Count != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	if cost, ok := tm.CountCost(); ok {
		t.Errorf("a reading costs %+v counts", cost)
	}
}

func TestAnyIsAllCountersButThoseTriedByNameAlone(t *testing.T) {
	list, err := rows(KindCycle, []string{Any})
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	want := []string{rdpmcName, readName, rdtscpName, cntvctName, Null}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("any is %v, %v, want %v", names, err, want)
	}
	if list, err = rows(KindCycle, []string{rdtscName}); err != nil || len(list) != 1 {
		t.Errorf("%s by name: %v, %v", rdtscName, list, err)
	}
}

func TestBothSpellingsOfMLibAreUnderstood(t *testing.T) {
	for name, alias := range map[string]string{rdpmcName: "linux-perf-rdpmc-hw-cycles", readName: "linux-perf-read-hw-cycles"} {
		if list, err := rows(KindCycle, []string{alias}); err != nil || len(list) != 1 || list[0].Name != name {
			t.Errorf("%s is %v, %v, want %s", alias, list, err, name)
		}
	}
}

// A reading of the settable clock has no such part: it would jump with it.
func TestTheWallClockIsMonotonic(t *testing.T) {
	w, ok := must(wallClock().openClock(nil)).(*wall)
	if !ok || !strings.Contains(w.base.String(), " m=") {
		t.Errorf("the wall clock begins at %v", w.base)
	}
	tm, err := Open(Prefs{})
	if err != nil || tm.Clock.Name() != "wall" {
		t.Errorf("the clock of an empty list is %v, %v", tm, err)
	}
}

func TestACounterThatFailsInACalibrationHasNoCostAndTheTimeHas(t *testing.T) {
	for failing, want := range map[int]bool{0: true, 1: false, 50: false} {
		clock, batches := &Fake{Cost: 20}, 0
		got := Calibrate([]Measure{func(n int) Delta {
			start := clock.Now()
			clock.Advance(int64(n) / 2)
			d := Delta{NS: clock.Now() - start, TimeOK: true, Count: int64(n), CountOK: true}
			if batches++; failing > 0 && batches >= failing {
				d.Count, d.CountOK = 0, false
			}
			return d
		}}, 20)
		if it := got.Time.Iteration.NS; it < 0.49 || it > 0.51 {
			t.Errorf("failing from batch %d: %g ns an iteration, want 0.5", failing, it)
		}
		if (got.Count != nil) != want || (got.Frequency != nil) != want || want && (got.Count.Iteration.NS < 0.99 || got.Count.Iteration.NS > 1.01) {
			t.Errorf("failing from batch %d: counts %+v, frequency %+v", failing, got.Count, got.Frequency)
		}
	}
}

// Two of the counters are for one processor each, so that one is not for this.
func TestACounterOfAnotherProcessorSaysWhichItNeeds(t *testing.T) {
	others := map[string]string{rdtscpName: "an x86 processor (amd64)", rdtscName: "an x86 processor (amd64)", cntvctName: "an Arm processor (arm64)"}
	own := map[string]bool{rdtscpName: runtime.GOARCH == "amd64", rdtscName: runtime.GOARCH == "amd64", cntvctName: runtime.GOARCH == "arm64"}
	for _, s := range Subtimers() {
		if others[s.Name] == "" || own[s.Name] {
			continue
		}
		want := "needs " + others[s.Name] + ", this is " + runtime.GOARCH
		if err := s.Check(); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", s.Name, err, want)
		}
	}
}

// A counter that has the hardware for half of the time counts half of its readings: the cost of
// one is scaled up. One that is off it for longer than the rounds last has none.
func TestTheCostOfACounterThatSharesItsHardwareIsScaled(t *testing.T) {
	for turn, want := range map[int64]bool{0: true, 5_000: true, 1_000_000_000: false} {
		counter := &FakeCounter{Fake: &Fake{}, Counts: Cycles, PerNS: 2, Cost: 100, Turn: turn}
		if !want {
			counter.Fake.Time = turn // the first turn is over
		}
		cost, ok := New(counter.Fake, counter).CountCost()
		if ok != want || want && (cost.NS < 190 || cost.NS > 210) {
			t.Errorf("turns of %d ns: %+v, %t, want 200 and %t", turn, cost, ok, want)
		}
	}
}

// A counter that is off the hardware in some batches is calibrated by the others.
func TestACalibrationNeedsCountsInHalfOfItsRounds(t *testing.T) {
	for every, want := range map[int]bool{30: true, 2: false} {
		clock, batches := &Fake{Cost: 20}, 0
		got := Calibrate([]Measure{func(n int) Delta {
			batches++
			start := clock.Now()
			clock.Advance(int64(n) / 2)
			return Delta{NS: clock.Now() - start, TimeOK: true, Count: int64(n), CountOK: batches%every != 0}
		}}, 20)
		if (got.Count != nil) != want || want && (got.Count.Iteration.NS < 0.99 || got.Count.Iteration.NS > 1.01) {
			t.Errorf("each batch %d without a count: %+v", every, got.Count)
		}
	}
}
