package timer

import (
	"math"
	"runtime"
	"slices"
	"testing"
)

func TestSubtimersAreTheSameOnEverySystem(t *testing.T) {
	want := map[Kind][]string{
		KindClock: {"wall", "posix-thread-cputime", "posix-process-cputime", "stdc-clock", "linux-x86-perf-rdpmc-hw-cycles"},
		KindCycle: {"linux-x86-perf-rdpmc-hw-cycles", "linux-perf-rdpmc-hw-cycles", "linux-x86-perf-read-hw-cycles",
			"linux-perf-read-hw-cycles", "x86-rdtscp", "x86-rdtsc", "arm64-cntvct", "null", "any"},
	}
	for kind, names := range want {
		if got := Names(kind); !slices.Equal(got, names) {
			t.Errorf("%ss are %v, want %v", kind, got, names)
		}
		if sorted := slices.Sorted(slices.Values(names)); len(slices.Compact(sorted)) != len(names) {
			t.Errorf("two %ss have one name", kind)
		}
	}
}

func TestTimeStampsAreTicksAndNeverCycles(t *testing.T) {
	for _, s := range Subtimers() {
		want := Unit("")
		switch s.Name {
		case rdtscpName, rdtscName, cntvctName:
			want = Ticks
		case rdpmcName, readName:
			if s.Kind == KindCycle {
				want = Cycles
			}
		}
		if s.Unit != want || s.Help == "" || s.ByName != (s.Name == rdtscName) {
			t.Errorf("%s %s: unit %q, by name %t, help %q", s.Kind, s.Name, s.Unit, s.ByName, s.Help)
		}
	}
}

func TestSubtimersForOthersSayWhatTheyNeed(t *testing.T) {
	for _, s := range Subtimers() {
		need := map[string][2]string{rdpmcName: {"linux", "amd64"}, readName: {"linux", ""},
			rdtscpName: {"", "amd64"}, rdtscName: {"", "amd64"}, cntvctName: {"", "arm64"}}[s.Name]
		here := needs(need[0], need[1])
		if err := s.Check(); here != nil && (err == nil || err.Error() != here.Error()) {
			t.Errorf("%s: %v, want %v", s.Name, err, here)
		}
	}
}

// working lists the cycle counters that work here, ready on this thread.
func working(t testing.TB) (list []Counter) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	for _, s := range Subtimers() {
		if s.Kind != KindCycle || s.Name == Null {
			continue
		}
		if err := s.Check(); err != nil {
			t.Logf("%s: %v", s.Name, err)
			continue
		}
		tm, err := Open(Prefs{Cycle: []string{s.Name}})
		if err != nil {
			t.Fatalf("%s works and does not open: %v", s.Name, err)
		}
		if tm.Counter.Name() != s.Name || tm.Counter.Unit() != s.Unit || tm.Counter.PerThread() != (s.Unit == Cycles) {
			t.Errorf("%s is %s, counts %s", s.Name, tm.Counter.Name(), tm.Counter.Unit())
		}
		t.Cleanup(func() { tm.Close() })
		list = append(list, tm.Counter)
	}
	return list
}

func TestCountersOnlyGrowAndAllocateNothing(t *testing.T) {
	for _, c := range working(t) {
		var last, now Instant
		retries := 0
		for range 1000 {
			if c.Read(&last, T0) == nil && c.Read(&now, T1) == nil {
				if now.Count < last.Count {
					t.Fatalf("%s went back from %d to %d", c.Name(), last.Count, now.Count)
				}
			} else if retries++; retries > 500 {
				t.Fatalf("%s was disturbed in half of its readings", c.Name())
			}
		}
		if n := testing.AllocsPerRun(100, func() { _ = c.Read(&now, T1) }); n != 0 {
			t.Errorf("%s: %v allocations for one reading", c.Name(), n)
		}
	}
}

// An interruption in the wrong place spoils one measurement, so the best of
// several counts: an instruction that read something else would never agree.
func TestTicksHaveOneFrequency(t *testing.T) {
	wall := New(must(wallClock().openClock(nil)), nil).Clock
	hz := map[string]float64{}
	for _, c := range working(t) {
		if c.Unit() != Ticks {
			continue
		}
		best, spread := 0.0, math.Inf(1)
		for range 5 {
			if f, err := tickFrequency(c, wall, 20_000_000); f > 0 && err < spread {
				best, spread = f, err
			}
		}
		t.Logf("%s: %.6f MHz ± %.6f", c.Name(), best/1e6, spread/1e6)
		if best < 1e6 || best > 1e11 {
			t.Errorf("%s steps %g times in a second", c.Name(), best)
		}
		hz[c.Name()] = best
	}
	if a, b := hz[rdtscpName], hz[rdtscName]; math.Abs(a-b) > 0.01*a {
		t.Errorf("rdtscp steps at %g Hz, rdtsc at %g", a, b)
	}
}

func must(c Clock, err error) Clock {
	if err != nil {
		panic(err)
	}
	return c
}

func TestTickFrequencyOfAFakeIsRightWithinItsError(t *testing.T) {
	clock := &Fake{Cost: 30}
	c := &FakeCounter{Fake: clock, Counts: Ticks, PerNS: 2.1, Cost: 20}
	hz, err := tickFrequency(c, clock, 1_000_000)
	if math.Abs(hz-2.1e9) > err || err > 2.1e9*1e-4 || err == 0 {
		t.Errorf("%g ± %g Hz, want 2.1e9", hz, err)
	}
	c.Moves = 1 << 30 // every reading at T1 fails
	if hz, err := tickFrequency(c, clock, 1_000_000); hz != 0 || err != 0 {
		t.Errorf("%g ± %g Hz from a counter that cannot be read", hz, err)
	}
}

func BenchmarkReadingCounters(b *testing.B) {
	for _, c := range working(b) {
		for edge, name := range []string{"T0", "T1"} {
			b.Run(c.Name()+"/"+name, func(b *testing.B) {
				var in Instant
				for b.Loop() {
					_ = c.Read(&in, Edge(edge))
				}
			})
		}
	}
}
