package host

import (
	"testing"

	"example.com/suite/bench"
	"example.com/suite/timer"
)

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
		id := prepare(t, h, Function{GC: "on", Thread: "locked"}, func(n int) {
			for range n {
				kept = make([]byte, next())
			}
		})
		got := ask(t, h, Request{Op: "allocs", ID: id, Batches: []Batch{{id, 100}}}).Allocated
		if !got.Exact || got.ExactBytes != want || got.Allocs != 1 {
			t.Errorf("%+v, want one allocation, and bytes exact: %v", got, want)
		}
	}
	bench.Keep(&kept)
}
