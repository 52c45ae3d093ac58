package runner

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// sized is a function track after its sizing: batches of n that take so long.
func sized(n int, batch time.Duration) *track {
	c := function("x")
	t := newTrack(&spec.Plan{Suite: "test"}, &c)
	t.own.series.id, t.own.series.N, t.own.series.Thread, t.own.series.Sized, t.own.series.Batch = 1, n, "locked", batch, batch
	cost := timer.Estimate{NS: 20}
	t.own.series.overhead.empty = map[string]timer.Estimate{"time": cost, "wall": cost}
	t.own.enter(&remote{Client: &client.Client{}})
	return t
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
		track := sized(10, 120)
		track.own.series.Batch = 0
		track.take(table(full[:rows]...), 1, 0)
		if got := track.result.Samples.Len(); got != samples {
			t.Errorf("cut behind %d rows: %d samples, want %d", rows, got, samples)
		}
		if want := min(samples, 1); track.own.series.Blocks != want {
			t.Errorf("cut behind %d rows: %d blocks, want %d", rows, track.own.series.Blocks, want)
		}
		if rows > 0 && track.own.series.Batch == 0 {
			t.Errorf("cut behind %d rows: no idea how long a batch is", rows)
		}
		if len(track.own.series.loopTimes.loops) != rows/7 {
			t.Errorf("cut behind %d rows: %d empty loops", rows, len(track.own.series.loopTimes.loops))
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
		track := sized(test.n, test.sized)
		track.own.series.Batch = 10 * test.sized
		if track.own.series.isShort() != test.short || track.own.series.isTiny() != test.tiny {
			t.Errorf("%d iterations in %v: short %v, tiny %v", test.n, test.sized, track.own.series.isShort(), track.own.series.isTiny())
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
		if got := sized(10, 120).own.series.overhead.readingCost(r, 1, "time"); got != test.want {
			t.Errorf("%v: %g ns, want %g", test.rows, got, test.want)
		}
	}
}

// The median of what readings cost needs no more references in a long block than in a usual one.
func TestLongBlocksHaveAsManyReferencesAsUsualOnes(t *testing.T) {
	for batches, want := range map[int]int{1: 1, 10: 10, 11: 11, 19: 19, 100: 10, 101: 11, 1000: 10} {
		track := sized(100, 3999)
		request := track.own.series.withReference(track.own.series.batches(batches, time.Second))
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

// A batch of 1.6 µs is short compared with readings of 20 ns, although a block of
// them with references takes longer than 200 readings per sample.
func TestShortBatchesAreRelievedOfWhatTheirReadingsReallyCost(t *testing.T) {
	fixed := func(c *spec.Case) {
		c.Settings.Batch, c.Settings.TargetTime = 400, spec.Duration(200*time.Microsecond)
	}
	got := runCases(t, context.Background(), "fake", function("fake/hides", fixed))[0]
	if got.Samples.Len() < 100 {
		t.Fatalf("%d samples, failure %+v", got.Samples.Len(), got.Failure)
	}
	folded := runCases(t, context.Background(), "fake", function("fake/hides", fixed, func(c *spec.Case) { c.Settings.Keep = "summary" }))[0]
	if s := folded.Summary("time"); s == nil || s.N < 100 || !close1(s.Min, 4e-9, 1e-9) || !close1(s.Max, 4e-9, 1e-9) {
		t.Errorf("a summary of blocks that are longer: %+v, want 4 ns", s)
	}
	for _, name := range []string{"time", "wall"} {
		column := got.Samples.Columns[name]
		if low, high := slices.Min(column), slices.Max(column); !close1(low, 4e-9, 1e-9) || !close1(high, 4e-9, 1e-9) {
			t.Errorf("%s is between %g and %g, want 4 ns: the body hides 7 ns of each reading", name, low, high)
		}
	}
	if !close1(got.LoopCost, 1e-9/3, 0.01) {
		t.Errorf("the empty loop beside it costs %g s, want a third of a nanosecond", got.LoopCost)
	}
}

func TestTheWallTimeOfVoidIterationsIsNoSample(t *testing.T) {
	r := table([3]int64{1, 10, 1_000_000}, [3]int64{1, 10, 1_000_000}, [3]int64{1, 10, 1_000_000})
	r.Columns["void"], r.Columns["wall"] = []int64{0, 3, 3}, []int64{1_000_700, 1_300_000, 1_000_000}
	track := sized(10, time.Millisecond)
	track.take(r, 0, 0)
	wall := track.result.Samples.Columns["wall"]
	// By the wall clock itself the void ones are left out, and the columns are the same.
	if math.IsNaN(wall[0]) || !math.IsNaN(wall[1]) || math.IsNaN(wall[2]) || track.own.series.Sampled != 3_300_700 {
		t.Errorf("wall %v, %v sampled", wall, track.own.series.Sampled)
	}
}

func TestPreemptionsThatMakeASampleLongAreMarked(t *testing.T) {
	r := table([3]int64{1, 10, 1_000_000}, [3]int64{1, 10, 9_000_000}, [3]int64{1, 10, 9_000_000})
	r.Columns["switches"], r.Columns["voluntary"] = []int64{0, 1, 2}, []int64{0, 0, 0}
	track := sized(10, time.Millisecond)
	track.take(r, 0, 0)
	want := []result.Disturbed{{Index: 1, Cause: result.Preempted, Count: 1}, {Index: 2, Cause: result.Preempted, Count: 2}}
	if !slices.Equal(track.result.Samples.Disturbed, want) {
		t.Errorf("disturbed %v, want %v", track.result.Samples.Disturbed, want)
	}
}

func TestDisturbedGoesByKindAndLength(t *testing.T) {
	wall := int64(100_000_000)
	command := func(t *track) { t.target.Spec.Kind = result.KindCommand }
	slowStart := func(t *track) { command(t); t.own.series.overhead.startWait = 3 * time.Millisecond }
	free := func(t *track) { t.own.series.Thread = "free" }
	for _, test := range []struct {
		what           string
		change         func(*track)
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
		track := sized(10, test.sized)
		if test.change != nil {
			test.change(track)
		}
		r := table([3]int64{1, 10, wall})
		if r.Columns["switches"] = test.switches; test.switches == nil {
			delete(r.Columns, "switches")
		}
		if r.Columns["wait"] = test.wait; test.wait == nil {
			delete(r.Columns, "wait")
		}
		if got := track.own.series.disturbed(batch{r, 0}).String(); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}

func TestAColumnThatABlockDoesNotHaveIsAbsentInItsRowsAlone(t *testing.T) {
	for gap := range 3 {
		track := sized(10, time.Millisecond)
		for block := range 3 {
			r := table([3]int64{1, 10, 1e6}, [3]int64{1, 10, 1e6})
			if r.Columns["faults"] = []int64{1, 2}; block != gap {
				r.Columns["wait"] = []int64{5, 6}
			}
			track.take(r, 0, 0)
		}
		s := &track.result.Samples
		xs, blocks, _ := s.Headline("wait")
		if len(s.Columns["wait"]) != 6 || len(xs) != 4 || slices.Contains(blocks, gap) || len(s.Columns["faults"]) != 6 {
			t.Errorf("absent in block %d: columns %v of %d samples", gap, s.Columns, s.Len())
		}
	}
}

func TestStolenIsAShareOfWhatWasTimed(t *testing.T) {
	r := table([3]int64{1, 1, 1000}, [3]int64{1, 1, 1000})
	r.Columns["wait"], r.Elapsed = []int64{0, 500}, 1_000_000 // with its hooks
	run := sized(1, 1000)
	run.target.Spec.Kind = result.KindCommand
	run.take(r, 0, 0)
	if run.own.series.Waited != 500 || run.own.series.Watched != 2000 {
		t.Errorf("a command waited %d of %d ns, want 500 of 2000", run.own.series.Waited, run.own.series.Watched)
	}
	waited := int64(300)
	r.Waited = &waited
	function := sized(1, 1000)
	function.take(r, 0, 0)
	if function.own.series.Waited != 300 || function.own.series.Watched != 1_000_000 {
		t.Errorf("a function waited %d of %d ns, want 300 of 1,000,000", function.own.series.Waited, function.own.series.Watched)
	}
}

// BenchmarkTakePairs is what a block of 20 pairs costs between two requests: its readings
// become samples of both sides.
func BenchmarkTakePairs(b *testing.B) {
	base := function("any", named("base"))
	plan := &spec.Plan{Suite: "s", Cases: []spec.Case{function("any", basedOn("base")), base}}
	t := newTrack(plan, &plan.Cases[0])
	t.pairWith(plan, &base)
	host := &remote{Client: &client.Client{}}
	for i, s := range t.sides() {
		s.series.id, s.series.N, s.series.Thread = i+1, 1, "locked"
		s.enter(host)
	}
	const pairs = 20
	request := &wire.Request{Pairs: pairs}
	r := &wire.Readings{Columns: map[string][]int64{}}
	for i := range 2 * pairs {
		request.Batches = append(request.Batches, wire.Batch{ID: i%2 + 1, N: 1})
		r.ID, r.N = append(r.ID, i%2+1), append(r.N, 1)
		for _, name := range []string{"time", "wall", "thread_cpu", "switches", "voluntary", "wait", "gcs"} {
			r.Columns[name] = append(r.Columns[name], 0)
		}
		r.Columns["time"][i], r.Columns["wall"][i] = 1e6, 1e6
	}
	b.ReportAllocs()
	for b.Loop() {
		t.takePairs(request.Pairs, r, 0, 0)
		if t.result.Samples.Len() > 10_000 {
			t.result.Samples, t.base.result.Samples, t.result.Pairs.First = result.NoSamples(), result.NoSamples(), nil
		}
	}
}
