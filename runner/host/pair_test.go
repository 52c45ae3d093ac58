package host

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// twoLetters are a host and two prepared functions that write down who ran.
func twoLetters(t *testing.T, clock *timer.Fake, order *strings.Builder, f wire.Function) (h *Host, a, b int) {
	t.Helper()
	h = fake(t, clock)
	letter := func(name string) int {
		return prepare(t, h, f, func(n int) {
			order.WriteString(name)
			clock.Advance(int64(n))
		})
	}
	return h, letter("a"), letter("b")
}

func TestPairsRunInTheOrderOfTheRequest(t *testing.T) {
	for _, thread := range []string{"locked", "free"} {
		clock, order := &timer.Fake{Cost: 20}, strings.Builder{}
		h, a, b := twoLetters(t, clock, &order, wire.Function{GC: "on", Thread: thread})
		got := ask(t, h, wire.Request{Op: "run", Limit: 1e9, Pairs: 3, Batches: []wire.Batch{{ID: a, N: 400}, {ID: b, N: 400}, {ID: b, N: 400}, {ID: a, N: 400}, {ID: a, N: 400}, {ID: b, N: 400}, {ID: a, N: 1}, {ID: a, N: 2}}}).Readings
		if want := []int{a, b, b, a, a, b, a, a}; order.String() != "abbaabaa" || !slices.Equal(got.ID, want) {
			t.Errorf("%s: ran %s, reported %v, want %v", thread, order.String(), got.ID, want)
		}
		if times := got.Columns["time"]; !slices.Equal(times, []int64{420, 420, 420, 420, 420, 420, 21, 22}) {
			t.Errorf("%s: times %v", thread, times)
		}
	}
}

// A limit ends a block between two pairs, never inside one, and not before the
// first; an interrupt does it at once.
func TestNoPairIsTornByItsLimit(t *testing.T) {
	clock, order := &timer.Fake{Cost: 20}, strings.Builder{}
	h, a, b := twoLetters(t, clock, &order, wire.Function{GC: "on", Thread: "locked"})
	request := wire.Request{Op: "run", Limit: 1, Pairs: 2, Batches: []wire.Batch{{ID: a, N: 400}, {ID: b, N: 400}, {ID: b, N: 400}, {ID: a, N: 400}}}
	if got := ask(t, h, request).Readings; len(got.ID) != 2 {
		t.Errorf("%d batches within 1 ns, want the two of a pair", len(got.ID))
	}
	request.Limit = 1000
	if got := ask(t, h, request).Readings; len(got.ID) != 4 {
		t.Errorf("%d batches of 420 ns, the second pair begun within 1000 ns, want 4", len(got.ID))
	}
	h.Stop()
	if got := ask(t, h, request).Readings; len(got.ID) != 0 || !got.Stopped {
		t.Errorf("%d batches began behind an interrupt", len(got.ID))
	}
}

// A batch that fails names its side, and the response includes the batches before it.
func TestAFailureInAPairNamesItsBatch(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h, runs := fake(t, clock), 0
	good := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) { clock.Advance(int64(n)) })
	bad := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) {
		if runs++; runs == 2 {
			panic("too much")
		}
	})
	got := h.answer(&wire.Request{Op: "run", Limit: 1e9, Pairs: 2, Batches: []wire.Batch{{ID: good, N: 1}, {ID: bad, N: 1}, {ID: good, N: 1}, {ID: bad, N: 1}}})
	if f := got.Failure; f == nil || f.Batch != 4 || f.Cause != "panic" || len(got.Readings.ID) != 3 {
		t.Errorf("failure %+v behind %v", f, got.Readings.ID)
	}
}

// The collector is set once for both sides: one collection before the block, and
// none between the two batches of a pair.
func TestTheCollectorIsSetOnceForABlockOfPairs(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h := fake(t, clock)
	var counts []uint32
	var percents []int
	loop := func(int) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		percent := debug.SetGCPercent(-1)
		debug.SetGCPercent(percent)
		counts, percents = append(counts, m.NumGC), append(percents, percent)
	}
	a := prepare(t, h, wire.Function{GC: "between", Thread: "locked"}, loop)
	b := prepare(t, h, wire.Function{GC: "between", Thread: "locked"}, loop)
	before := debug.SetGCPercent(100)
	ask(t, h, wire.Request{Op: "run", Limit: 1e9, Pairs: 2, Batches: []wire.Batch{{ID: a, N: 1}, {ID: b, N: 1}, {ID: b, N: 1}, {ID: a, N: 1}}})
	if after := debug.SetGCPercent(before); after != 100 {
		t.Errorf("GOGC is %d behind the block", after)
	}
	if len(slices.Compact(counts)) != 1 || !slices.Equal(slices.Compact(percents), []int{-1}) {
		t.Errorf("collections so far %v, GOGC %v", counts, percents)
	}
}

// What a body changes for the whole process is its own also inside a pair.
func TestTheSidesOfAPairKeepTheirSurroundings(t *testing.T) {
	clock := &timer.Fake{Cost: 20}
	h, dir := fake(t, clock), t.TempDir()
	var seen []string
	moves := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(int) { os.Chdir(dir) })
	stays := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(int) {
		here, _ := os.Getwd()
		seen = append(seen, filepath.Base(here))
	})
	ask(t, h, wire.Request{Op: "run", Limit: 1e9, Pairs: 2, Batches: []wire.Batch{{ID: moves, N: 1}, {ID: stays, N: 1}, {ID: stays, N: 1}, {ID: moves, N: 1}}})
	if here, _ := os.Getwd(); filepath.Base(here) != "host" || !slices.Equal(seen, []string{"host", "host"}) {
		t.Errorf("the other side ran in %v, and the host is in %s", seen, here)
	}
}

func TestPairsAreOfTwoCasesOfAKind(t *testing.T) {
	clock, order := &timer.Fake{Cost: 20}, strings.Builder{}
	h, a, b := twoLetters(t, clock, &order, wire.Function{GC: "on", Thread: "locked"})
	for _, batches := range [][]wire.Batch{{{ID: a, N: 1}, {ID: a, N: 1}}, {{ID: a, N: 1}}, {{ID: a, N: 1}, {ID: b, N: 1}, {ID: 77, N: 1}, {ID: a, N: 1}}, {{ID: a, N: 1}, {ID: 99, N: 1}}} {
		if got := h.answer(&wire.Request{Op: "run", Limit: 1e9, Pairs: (len(batches) + 1) / 2, Batches: batches}); got.Failure == nil || got.Failure.Cause != "protocol" {
			t.Errorf("%v: %+v", batches, got.Failure)
		}
	}
	if order.String() != "" {
		t.Errorf("ran %s", order.String())
	}
}
