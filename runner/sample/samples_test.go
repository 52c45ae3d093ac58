package sample

import (
	"math"
	"slices"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/runner/target"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// sized is a function after its sizing: batches of n that take so long.
func sized(n int, batch time.Duration) *Series {
	c := &spec.Case{Name: "x", Kind: result.KindGo, Function: "x", Unit: "op", Work: 1, Settings: spec.Defaults()}
	s := NewSeries(target.Target{Plan: &spec.Plan{Suite: "test"}, Spec: c})
	s.ID, s.N, s.Thread, s.Sized, s.Batch = 1, n, "locked", batch, batch
	cost := timer.Estimate{NS: 20}
	s.Overhead.empty = map[string]timer.Estimate{"time": cost, "wall": cost}
	s.Host = &client.Client{}
	return &s
}

// table makes readings from rows of id, n and nanoseconds.
func table(rows ...[3]int64) *wire.Readings {
	r := &wire.Readings{Columns: map[string][]int64{}}
	for _, row := range rows {
		r.ID, r.N = append(r.ID, int(row[0])), append(r.N, int(row[1]))
		for _, name := range []string{"time", "wall"} {
			r.Columns[name] = append(r.Columns[name], row[2])
		}
		r.Elapsed += row[2]
	}
	return r
}

func TestBlocksMayBeCutAnywhere(t *testing.T) {
	full := [][3]int64{{1, 10, 120}, {1, 20, 220}, {1, 10, 120}, {1, 20, 220}, {1, 10, 120}, {1, 20, 220}, {wire.EmptyDirect, 10, 23}}
	for rows, samples := range []int{0, 0, 0, 1, 1, 2, 2, 2} {
		s := sized(10, 120)
		s.Batch = 0
		s.Take(table(full[:rows]...), 1, 0)
		if got := s.Result.Samples.Len(); got != samples {
			t.Errorf("cut behind %d rows: %d samples, want %d", rows, got, samples)
		}
		if want := min(samples, 1); s.Blocks != want {
			t.Errorf("cut behind %d rows: %d blocks, want %d", rows, s.Blocks, want)
		}
		if rows > 0 && s.Batch == 0 {
			t.Errorf("cut behind %d rows: no idea how long a batch is", rows)
		}
		if len(s.LoopTimes.Loops) != rows/7 {
			t.Errorf("cut behind %d rows: %d empty loops", rows, len(s.LoopTimes.Loops))
		}
	}
}

// The expected time of a batch includes its bookkeeping, 3 µs, and references, so it
// is not the time of the body.
func TestBodiesAreShortAndTinyByWhatWasTimed(t *testing.T) {
	for _, test := range []struct {
		n           int
		sized       time.Duration
		short, tiny bool
	}{
		{100, 3999, true, false}, {100, 4000, false, false}, {1000, 19_999, false, true}, {1000, 20_000, false, false}, {100, 1999, true, true},
	} {
		s := sized(test.n, test.sized)
		s.Batch = 10 * test.sized
		if s.isShort() != test.short || s.isTiny() != test.tiny {
			t.Errorf("%d iterations in %v: short %v, tiny %v", test.n, test.sized, s.isShort(), s.isTiny())
		}
	}
}

func TestTheCostOfAReadingIsThatBesideTheBody(t *testing.T) {
	for _, test := range []struct {
		rows [][3]int64
		want float64
	}{
		{nil, 20},
		{[][3]int64{{1, 10, 113}}, 20},
		{[][3]int64{{1, 10, 113}, {1, 20, 213}}, 13},
		{[][3]int64{{1, 10, 113}, {1, 20, 213}, {1, 10, 9113}, {1, 20, 213}, {1, 10, 112}, {1, 20, 213}}, 13},
		{[][3]int64{{1, 10, 113}, {2, 20, 213}}, 20}, // of another case
		{[][3]int64{{1, 10, 100}, {1, 20, 900}}, 0},
		{[][3]int64{{1, 10, 900}, {1, 20, 900}}, 40},
	} {
		r := table(test.rows...)
		if got := sized(10, 120).Overhead.readingCost(r, 1, "time"); got != test.want {
			t.Errorf("%v: %g ns, want %g", test.rows, got, test.want)
		}
	}
}

// The median of what readings cost needs no more references in a long block than in a usual one.
func TestLongBlocksHaveAsManyReferencesAsUsualOnes(t *testing.T) {
	for batches, want := range map[int]int{1: 1, 10: 10, 11: 11, 19: 19, 100: 10, 101: 11, 1000: 10} {
		s := sized(100, 3999)
		request := s.WithReference(s.Batches(batches, time.Second))
		references := 0
		for i, b := range request.Batches {
			if b.N == 200 {
				references++
				if request.Batches[i-1].N != 100 {
					t.Errorf("%d batches: no batch before reference %d", batches, references)
				}
			}
		}
		if references != want || len(request.Batches) != batches+want {
			t.Errorf("%d batches have %d references of %d, want %d", batches, references, len(request.Batches), want)
		}
	}
}

func TestTheWallTimeOfVoidIterationsIsNoSample(t *testing.T) {
	r := table([3]int64{1, 10, 1_000_000}, [3]int64{1, 10, 1_000_000}, [3]int64{1, 10, 1_000_000})
	r.Columns["void"], r.Columns["wall"] = []int64{0, 3, 3}, []int64{1_000_700, 1_300_000, 1_000_000}
	s := sized(10, time.Millisecond)
	s.Take(r, 0, 0)
	wall := s.Result.Samples.Columns["wall"]
	// By the wall clock itself the void ones are left out, and the columns are the same.
	if math.IsNaN(wall[0]) || !math.IsNaN(wall[1]) || math.IsNaN(wall[2]) || s.Sampled != 3_300_700 {
		t.Errorf("wall %v, %v sampled", wall, s.Sampled)
	}
}

func TestPreemptionsThatMakeASampleLongAreMarked(t *testing.T) {
	r := table([3]int64{1, 10, 1_000_000}, [3]int64{1, 10, 9_000_000}, [3]int64{1, 10, 9_000_000})
	r.Columns["switches"], r.Columns["voluntary"] = []int64{0, 1, 2}, []int64{0, 0, 0}
	s := sized(10, time.Millisecond)
	s.Take(r, 0, 0)
	want := []result.Disturbed{{Index: 1, Cause: result.Preempted, Count: 1}, {Index: 2, Cause: result.Preempted, Count: 2}}
	if !slices.Equal(s.Result.Samples.Disturbed, want) {
		t.Errorf("disturbed %v, want %v", s.Result.Samples.Disturbed, want)
	}
}

func TestDisturbedGoesByKindAndLength(t *testing.T) {
	wall := int64(100_000_000)
	command := func(t *Series) { t.Target.Spec.Kind = result.KindCommand }
	slowStart := func(t *Series) { command(t); t.Overhead.startWait = 3 * time.Millisecond }
	free := func(t *Series) { t.Thread = "free" }
	for _, test := range []struct {
		what           string
		change         func(*Series)
		sized          time.Duration
		switches, wait []int64
		want           string
	}{
		{"short, undisturbed", nil, 5 * time.Millisecond, []int64{0}, nil, ""},
		{"short, preempted", nil, 5 * time.Millisecond, []int64{1}, nil, "preempted once"},
		{"short, unknown", nil, 5 * time.Millisecond, nil, nil, ""},
		{"long, preempted and hardly waiting", nil, 6 * time.Millisecond, []int64{9}, []int64{wall / 50}, ""},
		{"long, waiting", nil, 6 * time.Millisecond, []int64{0}, []int64{wall/50 + 1}, "waited 2 ms for a CPU"},
		{"long, unknown", nil, 6 * time.Millisecond, []int64{9}, nil, ""},
		{"free", free, time.Millisecond, []int64{9}, nil, ""},
		{"command, preempted", command, time.Millisecond, []int64{9}, []int64{0}, ""},
		{"command, waiting", command, time.Millisecond, []int64{0}, []int64{wall / 10}, "waited 10 ms for a CPU"},
		{"command, waiting as any start does", slowStart, time.Millisecond, []int64{0}, []int64{wall/50 + int64(6*time.Millisecond)}, ""},
		{"command, waiting longer than a start does", slowStart, time.Millisecond, []int64{0}, []int64{wall/50 + int64(6*time.Millisecond) + 1}, "waited 8 ms for a CPU"},
		{"command of several processes", command, time.Millisecond, []int64{9}, nil, ""},
	} {
		s := sized(10, test.sized)
		if test.change != nil {
			test.change(s)
		}
		r := table([3]int64{1, 10, wall})
		if r.Columns["switches"] = test.switches; test.switches == nil {
			delete(r.Columns, "switches")
		}
		if r.Columns["wait"] = test.wait; test.wait == nil {
			delete(r.Columns, "wait")
		}
		if got := s.disturbed(Batch{r, 0}).String(); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}

func TestAColumnThatABlockDoesNotHaveIsAbsentInItsRowsAlone(t *testing.T) {
	for gap := range 3 {
		s := sized(10, time.Millisecond)
		for block := range 3 {
			r := table([3]int64{1, 10, 1e6}, [3]int64{1, 10, 1e6})
			if r.Columns["faults"] = []int64{1, 2}; block != gap {
				r.Columns["wait"] = []int64{5, 6}
			}
			s.Take(r, 0, 0)
		}
		samples := &s.Result.Samples
		xs, blocks, _ := samples.Headline("wait")
		if len(samples.Columns["wait"]) != 6 || len(xs) != 4 || slices.Contains(blocks, gap) || len(samples.Columns["faults"]) != 6 {
			t.Errorf("absent in block %d: columns %v of %d samples", gap, samples.Columns, samples.Len())
		}
	}
}

func TestStolenIsAShareOfWhatWasTimed(t *testing.T) {
	r := table([3]int64{1, 1, 1000}, [3]int64{1, 1, 1000})
	r.Columns["wait"], r.Elapsed = []int64{0, 500}, 1_000_000 // with its hooks
	run := sized(1, 1000)
	run.Target.Spec.Kind = result.KindCommand
	run.Take(r, 0, 0)
	if run.Waited != 500 || run.Watched != 2000 {
		t.Errorf("a command waited %d of %d ns, want 500 of 2000", run.Waited, run.Watched)
	}
	waited := int64(300)
	r.Waited = &waited
	function := sized(1, 1000)
	function.Take(r, 0, 0)
	if function.Waited != 300 || function.Watched != 1_000_000 {
		t.Errorf("a function waited %d of %d ns, want 300 of 1,000,000", function.Waited, function.Watched)
	}
}

func TestTheCostsOfTriesGoByWhatEachColumnHolds(t *testing.T) {
	s := sized(10, 120)
	s.Overhead.loop, s.Overhead.perTrial, s.Overhead.counter, s.Overhead.frequency = "trial", 20, "ticks", 2
	for name, ns := range map[string]float64{"wall": 700, "cpu": 800, "task_clock": 900, "ticks": 40, "page_faults": 1} {
		s.Overhead.empty[name] = timer.Estimate{NS: ns}
	}
	for name, want := range map[string]float64{"time": 200, "wall": 900, "cpu": 1000, "task_clock": 1100, "ticks": 440, "page_faults": 1} {
		if got := s.Overhead.Cost(name, 10, 1); got != want {
			t.Errorf("%s of ten tries costs %g, want %g", name, got, want)
		}
	}
	s.Overhead.empty["wall"] = s.Overhead.empty["time"]
	if got := s.Overhead.Cost("wall", 10, 1); got != 200 {
		t.Errorf("the wall clock that was chosen costs %g, want 200", got)
	}
}

func TestAStopIsThatOfTheBatchesThatLastedLongEnough(t *testing.T) {
	const ms = int64(time.Millisecond)
	for name, test := range map[string]struct {
		walls   []int64
		own     []int64 // what a command host has seen itself
		stopped time.Duration
		want    []int64
		elapsed int64
	}{
		"no stop":           {walls: []int64{ms, ms}, want: nil, elapsed: 5000 * ms},
		"one long batch":    {walls: []int64{ms, 2001 * ms, ms}, stopped: 2 * time.Second, want: []int64{0, 2000 * ms, 0}, elapsed: 3000 * ms},
		"seen late":         {walls: []int64{ms, 2001 * ms, ms}, stopped: 3 * time.Second, want: []int64{0, 3000 * ms, 0}, elapsed: 2000 * ms},
		"none long enough":  {walls: []int64{ms, ms}, stopped: 2 * time.Second, want: []int64{2000 * ms, 2000 * ms}, elapsed: 3000 * ms},
		"of unknown length": {walls: []int64{ms, 2001 * ms}, stopped: process.UnknownStop, want: []int64{1, 1}, elapsed: 5000*ms - 1},
		"only the command":  {walls: []int64{ms, 2001 * ms}, own: []int64{0, 2000 * ms}, want: []int64{0, 2000 * ms}, elapsed: 3000 * ms},
		"both":              {walls: []int64{ms, 2001 * ms}, own: []int64{0, 1}, stopped: 2 * time.Second, want: []int64{0, 2000 * ms}, elapsed: 3000*ms - 1},
		"longer than all":   {walls: []int64{9000 * ms}, stopped: 9 * time.Second, want: []int64{9000 * ms}, elapsed: 0},
	} {
		r := &wire.Readings{ID: make([]int, len(test.walls)), Columns: map[string][]int64{"wall": test.walls}, Stops: test.own, Elapsed: 5000 * ms}
		Attribute(r, test.stopped)
		if !slices.Equal(r.Stops, test.want) || r.Elapsed != test.elapsed {
			t.Errorf("%s: stops %v in %d ns, want %v in %d", name, r.Stops, r.Elapsed, test.want, test.elapsed)
		}
	}
}

func TestStopsAreDisturbancesOfAnyKindOfCase(t *testing.T) {
	for _, thread := range []string{"locked", "free"} {
		c := spec.Case{Kind: result.KindGo, Settings: spec.Defaults()}
		tr := &Series{Target: target.Target{Spec: &c}, Recorded: Recorded{Thread: thread}}
		r := &wire.Readings{Stops: []int64{2e9, 0, 1}, Columns: map[string][]int64{"wall": {3e9, 1, 1}}}
		for i, want := range []string{"stopped for 2 s", "", "stopped"} {
			if got := tr.disturbed(Batch{r, i}).String(); got != want {
				t.Errorf("%s, row %d: %q, want %q", thread, i, got, want)
			}
		}
	}
}

// A run of a command is a block of its own, unless the runs of a block share what was drawn
// for them.
func TestRunsThatShareADrawAreOneBlock(t *testing.T) {
	for shared, want := range map[bool][]int{false: {0, 1, 2, 3}, true: {0, 0, 1, 1}} {
		s := sized(1, 1000)
		s.Target.Spec.Kind, s.Shared = result.KindCommand, shared
		for range 2 {
			s.Take(table([3]int64{1, 1, 1000}, [3]int64{1, 1, 1000}), 0, 0)
		}
		if got := s.Result.Samples.Block; !slices.Equal(got, want) {
			t.Errorf("shared: %t, blocks %v, want %v", shared, got, want)
		}
	}
}

func TestTheLoopCostComesFromBesideTheBody(t *testing.T) {
	s := sized(1, time.Millisecond)
	s.Result.LoopCost, s.Result.LoopError = 0.34e-9, 0.01e-9
	for i := range 20 {
		s.LoopTimes.Loops = append(s.LoopTimes.Loops, 0.40e-9+float64(i%3)*0.01e-9)
	}
	if s.LoopTimes.Cost(s.Result); math.Abs(s.Result.LoopCost-0.41e-9) > 4e-19 || math.Abs(s.Result.LoopError-0.02e-9) > 4e-13 {
		t.Errorf("%g ± %g", s.Result.LoopCost, s.Result.LoopError)
	}
	s.Result.LoopCost, s.LoopTimes.Loops = 0.34e-9, s.LoopTimes.Loops[:3]
	if s.LoopTimes.Cost(s.Result); s.Result.LoopCost != 0.34e-9 {
		t.Errorf("three loops beside it gave %g", s.Result.LoopCost)
	}
}
