package host

import (
	"testing"

	"example.com/suite/bench"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// One allocation in 1100 iterations is in some batches of 1000 and not in others: the
// difference is reported. Allocations of the runtime can only increase it.
func TestAllocationsTellWhatBatchesDifferBy(t *testing.T) {
	var kept []byte
	k := 0
	h := fake(t, &timer.Fake{Cost: 20})
	id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) {
		for range n {
			if k++; k%1100 == 0 {
				kept = make([]byte, 2000)
			}
		}
	})
	k = 0
	got := ask(t, h, wire.Request{Op: "allocs", ID: id, Batches: []wire.Batch{{ID: id, N: 1000}}}).Allocated
	if got.Slack < 0.001 || got.SlackBytes < 2 {
		t.Errorf("%+v, want a slack of 0.001 and 2.048 bytes at least", got)
	}
	bench.Keep(&kept)
}

// Both bodies allocate once an iteration. That of one object has another size every
// time, so that two of it, equal as they are, differ in bytes.
func TestBytesOfRandomSizesAreNotExact(t *testing.T) {
	var kept []byte
	size := 0
	for want, next := range map[bool]func() int{
		true:  func() int { return 2000 },
		false: func() int { size += 7; return 1 + size*size%4000 },
	} {
		h := fake(t, &timer.Fake{Cost: 20})
		id := prepare(t, h, wire.Function{GC: "on", Thread: "locked"}, func(n int) {
			for range n {
				kept = make([]byte, next())
			}
		})
		got := ask(t, h, wire.Request{Op: "allocs", ID: id, Batches: []wire.Batch{{ID: id, N: 100}}}).Allocated
		if !got.Exact || got.ExactBytes != want || got.Allocs != 1 {
			t.Errorf("%+v, want one allocation, and bytes exact: %v", got, want)
		}
	}
	bench.Keep(&kept)
}
