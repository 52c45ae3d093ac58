package host

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

func collections() int64 {
	var s debug.GCStats
	debug.ReadGCStats(&s)
	return s.NumGC
}

// Batches that are requested one by one set the collector once: the promise for a
// block (gc: between: a collection before it, none inside) is kept across requests.
func TestHeldBatchesShareOneCollection(t *testing.T) {
	for _, thread := range []string{"locked", "free"} {
		clock := &timer.Fake{Cost: 20}
		h := fake(t, clock)
		var at []int64
		id := prepare(t, h, wire.Function{GC: "between", Thread: thread}, func(n int) {
			at = append(at, collections())
			clock.Advance(int64(n))
		})
		before := collections()
		for range 4 {
			if got := ask(t, h, wire.Request{Op: "run", Hold: true, Limit: 1, Batches: []wire.Batch{{ID: id, N: 400}}}).Readings; !slices.Equal(got.ID, []int{id}) || got.Columns["time"][0] != 420 {
				t.Fatalf("%s: readings %+v", thread, got)
			}
		}
		if len(at) != 4 || at[0] == before || at[3] != at[0] {
			t.Errorf("%s: %d collections before, and at the batches %v", thread, before, at)
		}
		held := debug.SetGCPercent(-1)
		ask(t, h, wire.Request{Op: "run", Limit: 1, Batches: []wire.Batch{{ID: wire.EmptyDirect, N: 1}}}) // ends it
		behind := debug.SetGCPercent(100)
		debug.SetGCPercent(behind)
		if h.held != nil || held != -1 || behind <= 0 || collections() == at[3] {
			t.Errorf("%s: GOGC is %d while it is held and %d behind, after %d collections", thread, held, behind, collections()-at[3])
		}
	}
}

// What a body makes of its process is put back when another case comes, or the end.
func TestHeldBatchesKeepTheirSurroundings(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	h := fake(t, &timer.Fake{Cost: 20})
	seen := []int{}
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(int) {
		seen = append(seen, runtime.GOMAXPROCS(0))
		runtime.GOMAXPROCS(procs + 1)
	})
	one := wire.Request{Op: "run", Hold: true, Limit: 1, Batches: []wire.Batch{{ID: id, N: 1}}}
	ask(t, h, one)
	ask(t, h, one)
	h.release()
	behind := runtime.GOMAXPROCS(0)
	ask(t, h, one)
	h.closeAll()
	if !slices.Equal(seen, []int{procs, procs + 1, procs + 1}) || behind != procs || runtime.GOMAXPROCS(0) != procs {
		t.Errorf("GOMAXPROCS %v in the body, %d and %d behind it, want %d", seen, behind, runtime.GOMAXPROCS(0), procs)
	}
}

// A batch that fails is named, and the held host continues or ends as asked.
func TestAHeldBatchMayFail(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	id := prepare(t, h, wire.Function{GC: "off", Thread: "locked"}, func(int) { panic("the tape is torn") })
	for range 2 {
		got := h.answer(&wire.Request{Op: "run", Hold: true, Limit: 1, Batches: []wire.Batch{{ID: id, N: 1}}})
		if f := got.Failure; f == nil || f.Cause != "panic" || f.Batch != 1 || len(got.Readings.ID) != 0 {
			t.Errorf("failure %+v, readings %+v", f, got.Readings)
		}
	}
	for _, r := range []wire.Request{{Op: "run", Hold: true}, {Op: "run", Hold: true, Batches: []wire.Batch{{ID: 99, N: 1}}}, {Op: "run", Hold: true, Batches: []wire.Batch{{ID: id, N: 1}, {ID: id, N: 1}}}} {
		if got := h.answer(&r); got.Failure == nil || got.Failure.Cause != "protocol" || h.held != nil {
			t.Errorf("%+v: failure %+v", r.Batches, got.Failure)
		}
	}
}

// The ids of a second host begin after the first one's.
func TestIDsBeginWhereTheyAreTold(t *testing.T) {
	h := fake(t, &timer.Fake{Cost: 20})
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindGo, After: 1000})
	if id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(int) {}); id != 1001 {
		t.Errorf("the first id is %d, want 1001", id)
	}
}
