package runner

import (
	"context"
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
	t.own.series.ID, t.own.series.N, t.own.series.Thread, t.own.series.Sized, t.own.series.Batch = 1, n, "locked", batch, batch
	cost := timer.Estimate{NS: 20}
	t.own.series.AddEmpty(map[string]timer.Estimate{"time": cost, "wall": cost})
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

// BenchmarkTakePairs is what a block of 20 pairs costs between two requests: its readings
// become samples of both sides.
func BenchmarkTakePairs(b *testing.B) {
	base := function("any", named("base"))
	plan := &spec.Plan{Suite: "s", Cases: []spec.Case{function("any", basedOn("base")), base}}
	t := newTrack(plan, &plan.Cases[0])
	t.pairWith(plan, &base)
	host := &remote{Client: &client.Client{}}
	for i, s := range t.sides() {
		s.series.ID, s.series.N, s.series.Thread = i+1, 1, "locked"
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
